/// A number in the spelling it was read in or is to be written in (RFC 8259 section 6).
public struct JSONNumber: Hashable, Sendable {
    /// The spelling, always valid JSON.
    public let text: String

    /// The number of that spelling, or nil when RFC 8259 has no such number.
    public init?(text: String) {
        var scanner = JSONScanner(Array(text.utf8))
        guard let start = scanner.peek(), start == UInt8(ascii: "-") || start.isDigit else { return nil }
        guard (try? scanner.number()) != nil, scanner.isAtEnd else { return nil }
        self.text = text
    }

    /// Takes a text that is known to follow the grammar.
    init(verified text: String) {
        self.text = text
    }

    /// The nearest double; infinite when the number is out of range.
    public var double: Double { Double(text) ?? .nan }
}

extension UInt8 {
    /// True for the ASCII digits.
    var isDigit: Bool { self &- 0x30 < 10 }
}
