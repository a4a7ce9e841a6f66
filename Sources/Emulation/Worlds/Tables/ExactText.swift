/// A text as a key, compared byte by byte.
///
/// `String` itself compares canonical equivalents: U+212A (the Kelvin sign) would find a token with `K` in its place, and
/// two e-mail addresses that differ in their normal form would be one. The fingerprint tells such texts apart; comparing
/// the bytes themselves costs a hundred times as much.
public struct ExactText: Hashable, Sendable {
    /// The text itself.
    public let text: String
    /// A hash of the bytes, also used to find the shard of a map.
    public let fingerprint: UInt64

    /// The key for a text.
    @inlinable
    public init(_ text: String) {
        self.text = text
        fingerprint = text.fnv1a64
    }

    /// The same bytes.
    @inlinable
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.fingerprint == right.fingerprint && left.text.utf8.count == right.text.utf8.count
            && left.text == right.text
    }

    /// Only the fingerprint: equal bytes have the same.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension String {
    /// Whether the other text is the same byte by byte, and not only a canonical equivalent.
    @inlinable
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        // No other text of the same length is canonically equal to ASCII, which is told at once: it has as many UTF-16
        // units as bytes.
        return utf16.count == utf8.count || utf8.elementsEqual(other.utf8)
    }
}
