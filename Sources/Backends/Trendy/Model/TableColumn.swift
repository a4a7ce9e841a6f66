import Backend
import CivilTime
import HTTPMessage
import JSON

/// A column of the app's own table (contract, section 10.12), in the order of the answers.
enum TableColumn: String, CaseIterable, Sendable {
    case id
    case onboardingComplete = "onboarding_complete"
    case onboardingStep = "onboarding_step"
    case notificationsEnabled = "notifications_enabled"
    case locationEnabled = "location_enabled"
    case healthkitEnabled = "healthkit_enabled"
    case onboardingStartedAt = "onboarding_started_at"
    case onboardingCompletedAt = "onboarding_completed_at"
    case createdAt = "created_at"
    case updatedAt = "updated_at"

    /// The name of the column's type in PostgreSQL's messages.
    var typeName: String {
        switch self {
        case .id: "uuid"
        case .onboardingStep: "text"
        case .onboardingComplete, .notificationsEnabled, .locationEnabled, .healthkitEnabled: "boolean"
        case .onboardingStartedAt, .onboardingCompletedAt, .createdAt, .updatedAt: "timestamp with time zone"
        }
    }

    /// Finds a column by its name, which may be quoted.
    static func named(_ name: String) throws(APIError) -> TableColumn {
        var plain = name[...]
        if plain.count > 1, plain.hasPrefix("\""), plain.hasSuffix("\"") { plain = plain.dropFirst().dropLast() }
        guard let column = TableColumn(rawValue: String(plain)) else {
            throw APIError(.badRequest, code: "42703", "column profiles.\(plain) does not exist")
        }
        return column
    }

    /// Reads the text of a filter as PostgreSQL reads a literal of the column's type.
    func value(of text: String) throws(APIError) -> TableValue {
        let found: TableValue? =
            switch self {
            case .id: UUIDText.canonical(text).map(TableValue.text)
            case .onboardingStep: .text(text)
            case .onboardingComplete, .notificationsEnabled, .locationEnabled, .healthkitEnabled:
                Self.truth(text).map(TableValue.truth)
            case .onboardingStartedAt, .onboardingCompletedAt, .createdAt, .updatedAt:
                TableTime.instant(text).map(TableValue.time)
            }
        guard let found else { throw TableError.badValue(typeName, text) }
        return found
    }

    private static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "t", "yes", "y", "on", "1": true
        case "false", "f", "no", "n", "off", "0": false
        default: nil
        }
    }
}

/// The value of a row in one column, as filters compare it.
enum TableValue: Hashable, Sendable {
    case text(String)
    case truth(Bool)
    case time(Instant)

    /// The text that patterns are held against.
    var text: String {
        switch self {
        case .text(let text): text
        case .truth(let isTrue): isTrue ? "true" : "false"
        case .time(let instant): instant.iso8601(.seconds)
        }
    }

    /// Tells whether it comes before another value of the same column; false before true, as in PostgreSQL.
    func precedes(_ other: TableValue) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.truth(let left), .truth(let right)): !left && right
        case (.time(let left), .time(let right)): left < right
        default: false
        }
    }
}

extension Profile {
    /// The value in a column; nil where it is null.
    ///
    /// Times have the fraction that a row keeps, although answers show whole seconds.
    func value(of column: TableColumn, in epoch: Epoch) -> TableValue? {
        func time(_ stamp: Timestamp?) -> TableValue? { stamp.map { .time($0.resolved(in: epoch)) } }
        switch column {
        case .id: return .text(id)
        case .onboardingComplete: return onboardingComplete.map(TableValue.truth)
        case .onboardingStep:
            guard let step = onboardingStep, !step.isNull else { return nil }
            return .text(step.stringValue ?? step.text)
        case .notificationsEnabled: return notificationsEnabled.map(TableValue.truth)
        case .locationEnabled: return locationEnabled.map(TableValue.truth)
        case .healthkitEnabled: return healthkitEnabled.map(TableValue.truth)
        case .onboardingStartedAt: return time(onboardingStartedAt)
        case .onboardingCompletedAt: return time(onboardingCompletedAt)
        case .createdAt: return time(createdAt)
        case .updatedAt: return time(updatedAt)
        }
    }
}
