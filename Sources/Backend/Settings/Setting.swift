import CivilTime
package import JSON

/// One switch of an API: its path, its values, and its place in the state.
///
/// Declared once; `GET` and `PUT /__admin/settings`, scenarios and the documents follow.
package struct SettingDeclaration<State: Sendable>: Sendable {
    package enum Domain: Sendable {
        case choice([String])
        case boolean
        case integer(ClosedRange<Int>)
        /// Any text, or null for none.
        case optionalText
        case text
        case optionalInteger(ClosedRange<Int>)
        /// One of those values, whatever their types.
        case oneOf([JSON])
        /// The name of a time zone in the IANA database.
        case timeZone
    }

    /// The path, with dots for nesting: `apple.mode`.
    package let path: String
    package let domain: Domain
    package let summary: String
    let get: @Sendable (State) -> JSON
    let set: @Sendable (inout State, JSON) -> Void

    package init(
        _ path: String,
        _ domain: Domain,
        _ summary: String,
        get: @escaping @Sendable (State) -> JSON,
        set: @escaping @Sendable (inout State, JSON) -> Void
    ) {
        self.path = path
        self.domain = domain
        self.summary = summary
        self.get = get
        self.set = set
    }

    /// A switch between the cases of an enumeration.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ path: String,
        _ summary: String,
        _ access: @escaping @Sendable (inout State) -> Choice,
        _ store: @escaping @Sendable (inout State, Choice) -> Void
    ) -> Self where Choice.RawValue == String {
        Self(
            path,
            .choice(Choice.allCases.map(\.rawValue)),
            summary,
            get: { state in
                var copy = state
                return .string(access(&copy).rawValue)
            },
            set: { state, json in
                if let text = json.stringValue, let choice = Choice(rawValue: text) { store(&state, choice) }
            }
        )
    }

    /// Returns the reason why a value is refused, or nil if it is accepted.
    package func refusal(of value: JSON) -> String? {
        switch (domain, value) {
        case (.choice(let allowed), .string(let text)):
            allowed.contains(text) ? nil : "must be one of \(allowed.joined(separator: ", "))"
        case (.choice(let allowed), _): "must be one of \(allowed.joined(separator: ", "))"
        case (.oneOf(let allowed), _):
            allowed.contains(value) ? nil : "must be one of \(allowed.map(\.text).joined(separator: ", "))"
        case (.timeZone, .string(let text)) where Zone(named: text) != nil: nil
        case (.timeZone, _): "must be a time zone of the IANA database, such as UTC or Europe/Stockholm"
        case (.boolean, .bool): nil
        case (.boolean, _): "must be true or false"
        case (.integer(let range), .integer(let number)), (.optionalInteger(let range), .integer(let number)):
            number >= Int64(range.lowerBound) && number <= Int64(range.upperBound)
                ? nil : "must be from \(range.lowerBound) to \(range.upperBound)"
        case (.integer(let range), _): "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case (.optionalInteger, .null), (.optionalText, .null), (.optionalText, .string), (.text, .string): nil
        case (.optionalInteger(let range), _):
            "must be null or a whole number from \(range.lowerBound) to \(range.upperBound)"
        case (.optionalText, _): "must be null or a string"
        case (.text, _): "must be a string"
        }
    }
}
