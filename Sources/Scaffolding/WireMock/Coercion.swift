import JSON

/// Scalars as WireMock's reader (Jackson) takes them: a number may be written as a text, and a text as a number or boolean.
extension JSON {
    var coercedText: String? {
        switch self {
        case .string(let text): text
        case .integer, .number, .bool: text
        case .null, .array, .object: nil
        }
    }

    /// The number; a fraction is cut off.
    var coercedInteger: Int64? {
        guard case .string(let text) = self else {
            return doubleValue.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        }
        return Self.word(text).flatMap { Int64($0) }
    }

    var coercedNumber: Double? { doubleValue ?? stringValue.flatMap(Self.word).flatMap { Double($0) } }

    /// The value of a switch; whatever is neither true nor a number is off.
    var coercedBool: Bool {
        switch self {
        case .bool(let isOn): isOn
        case .integer, .number: doubleValue != 0
        case .string(let text): Self.word(text) == "true"
        case .null, .array, .object: false
        }
    }

    /// A text without the blanks around it.
    private static func word(_ text: String) -> Substring? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? words[0] : nil
    }
}
