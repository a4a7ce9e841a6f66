import JSON

/// Switches that live in one member of the state.
extension SettingDeclaration {
    /// A switch between the cases of an enumeration.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, Choice> & Sendable
    ) -> Self where Choice.RawValue == String {
        choice(path, summary, { $0[keyPath: member] }, { $0[keyPath: member] = $1 })
    }

    /// The switch that every API has for the coding of its content (wire contract, section 3).
    package static func compress(_ member: any WritableKeyPath<State, Toggle> & Sendable) -> Self {
        choice(
            compressPath,
            "on: text, JSON and XML are sent in gzip or deflate to clients that accept it",
            member
        )
    }

    static var compressPath: String { "compress" }

    /// A switch that is true or false.
    package static func boolean(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, Bool> & Sendable
    ) -> Self {
        Self(
            path,
            .boolean,
            summary,
            get: { .bool($0[keyPath: member]) },
            set: { $0[keyPath: member] = $1.boolValue ?? $0[keyPath: member] }
        )
    }

    /// A whole number.
    package static func integer(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, Int> & Sendable,
        in range: ClosedRange<Int>
    ) -> Self {
        Self(
            path,
            .integer(range),
            summary,
            get: { .integer(Int64($0[keyPath: member])) },
            set: { $0[keyPath: member] = $1.intValue.map(Int.init) ?? $0[keyPath: member] }
        )
    }

    /// A whole number, or null for none.
    package static func optionalInteger(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, Int?> & Sendable,
        in range: ClosedRange<Int>
    ) -> Self {
        Self(
            path,
            .optionalInteger(range),
            summary,
            get: { $0[keyPath: member].map { .integer(Int64($0)) } ?? .null },
            set: { $0[keyPath: member] = $1.intValue.map(Int.init) }
        )
    }

    /// A text.
    package static func text(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, String> & Sendable
    ) -> Self {
        Self(
            path,
            .text,
            summary,
            get: { .string($0[keyPath: member]) },
            set: { $0[keyPath: member] = $1.stringValue ?? $0[keyPath: member] }
        )
    }

    /// A text, or null for none.
    package static func optionalText(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, String?> & Sendable
    ) -> Self {
        Self(
            path,
            .optionalText,
            summary,
            get: { $0[keyPath: member].map { .string($0) } ?? .null },
            set: { $0[keyPath: member] = $1.stringValue }
        )
    }

    /// The name of a time zone.
    package static func timeZone(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<State, String> & Sendable
    ) -> Self {
        Self(
            path,
            .timeZone,
            summary,
            get: { .string($0[keyPath: member]) },
            set: { $0[keyPath: member] = $1.stringValue ?? $0[keyPath: member] }
        )
    }
}
