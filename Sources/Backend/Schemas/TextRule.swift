import JSON

/// A rule for the texts of a member: the check, its issue, and its part of the schema.
package struct TextRule: Sendable {
    /// The unit in which an API counts a text's length; JSON Schema counts code points.
    package enum Unit: Sendable {
        case codePoints
        case utf16

        func length(_ text: String) -> Int {
            switch self {
            case .codePoints: text.unicodeScalars.count
            case .utf16: text.utf16.count
            }
        }
    }

    /// The issue of a text that breaks the rule.
    package let issue: FieldIssue.Kind
    var minLength: Int?
    var maxLength: Int?
    var enumeration: [String]?
    var pattern: String?
    let isKept: @Sendable (String) -> Bool

    /// Creates a rule of a single API.
    ///
    /// - Parameters:
    ///   - issue: The issue of a text that breaks it.
    ///   - pattern: The regular expression by which the document states the same.
    ///   - isKept: Tells whether a text keeps it.
    package init(_ issue: FieldIssue.Kind, pattern: String? = nil, isKept: @escaping @Sendable (String) -> Bool) {
        self.issue = issue
        self.pattern = pattern
        self.isKept = isKept
    }

    /// At least one character.
    package static var notEmpty: Self {
        var rule = Self(.empty) { !$0.isEmpty }
        rule.minLength = 1
        return rule
    }

    /// A text with a character other than white space.
    package static var notBlank: Self { notBlank { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) } }

    /// A text that the API does not consider blank.
    package static func notBlank(_ isBlank: @escaping @Sendable (String) -> Bool) -> Self {
        var rule = Self(.blank, pattern: #"\S"#) { !isBlank($0) }
        rule.minLength = 1
        return rule
    }

    package static func atLeast(_ least: Int, _ unit: Unit = .codePoints) -> Self {
        var rule = Self(.tooShort(least)) { unit.length($0) >= least }
        rule.minLength = least
        return rule
    }

    package static func atMost(_ most: Int, _ unit: Unit = .codePoints) -> Self {
        var rule = Self(.tooLong(most)) { unit.length($0) <= most }
        rule.maxLength = most
        return rule
    }

    /// A length in a range, with one issue for both ends.
    package static func length(_ range: ClosedRange<Int>, _ unit: Unit = .codePoints) -> Self {
        var rule = Self(.wrongLength(range)) { range.contains(unit.length($0)) }
        rule.minLength = range.lowerBound
        rule.maxLength = range.upperBound
        return rule
    }

    /// One of some texts, byte for byte.
    package static func oneOf(_ texts: [String]) -> Self {
        var rule = Self(.notAllowed(texts)) { text in texts.contains { $0.utf8.elementsEqual(text.utf8) } }
        rule.enumeration = texts
        return rule
    }

    /// The schema of a text that keeps all of the rules.
    static func schema(of rules: [TextRule]) -> JSONSchema {
        let enumeration = rules.lazy.compactMap(\.enumeration).first
        // An enumeration implies all other rules.
        guard enumeration == nil else { return .string(enumeration: enumeration) }
        return .string(
            minLength: rules.compactMap(\.minLength).max(),
            maxLength: rules.compactMap(\.maxLength).min(),
            pattern: rules.lazy.compactMap(\.pattern).first
        )
    }
}
