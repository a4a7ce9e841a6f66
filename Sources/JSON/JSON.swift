/// A JSON value (RFC 8259) that keeps what was read: member order, duplicate names and the spelling of numbers.
///
/// Two values are equal when they print the same text; strings are compared by code point, not by the canonical
/// equivalence that `String` uses, so `"é"` as one and as two code points are different values.
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number spelled as a plain integer that fits: no fraction, no exponent, and `-0` is not one.
    case integer(Int64)
    /// Every other number, kept as its text: `1.0`, `1e5`, `-0`, twenty digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object, its members in order.
    case object(JSONObject)

    /// The number in its shortest text that reads back the same.
    ///
    /// Whole values in the range of `Int64` become `.integer`; infinities and not-a-number become `.null`, because
    /// JSON has no spelling for them.
    public static func double(_ value: Double) -> JSON {
        guard value.isFinite else { return .null }
        if let whole = Int64(whole: value) { return .integer(whole) }
        return .number(JSONNumber(verified: value.description))
    }
}

extension JSON: Hashable {
    /// Equality of values; strings by code point.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameCodePoints(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Feeds the case and its payload.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactName(text: value))
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension Int64 {
    /// The integer of the same value, or nil for any other number.
    ///
    /// As `Int64(exactly:)`, which calls the C library's `trunc`; this target links no C library.
    init?(whole value: Double) {
        guard value >= -0x1p63, value < 0x1p63 else { return nil }
        self.init(value)
        guard Double(self) == value else { return nil }
    }
}

extension String {
    /// Returns true if both hold the same code points; `==` alone would also accept another normalisation form, and
    /// take long to find that out.
    package func hasSameCodePoints(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Through a span a byte costs a third of what it does through the view.
        guard #available(macOS 26, iOS 26, *) else { return utf8.elementsEqual(other.utf8) }
        let left = utf8Span.span
        let right = other.utf8Span.span
        for place in left.indices where left[place] != right[place] { return false }
        return true
    }
}
