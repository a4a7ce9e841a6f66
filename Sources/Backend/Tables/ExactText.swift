/// A text as a key, compared byte by byte.
///
/// `String` compares canonical equivalents: U+212A (the Kelvin sign) would match a token with `K`, and two e-mail
/// addresses that differ in their normal form would be equal. The fingerprint distinguishes such texts; comparing the
/// bytes themselves costs a hundred times as much.
public struct ExactText: Hashable, Sendable {
    /// The text itself.
    public let text: String
    /// A hash of the bytes, also used to find the shard of a map.
    public let fingerprint: UInt64

    /// Creates the key for a text.
    @inlinable
    public init(_ text: String) {
        self.text = text
        fingerprint = text.fnv1a64
    }

    /// Returns whether the bytes are the same.
    @inlinable
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.fingerprint == right.fingerprint && left.text.utf8.count == right.text.utf8.count
            && left.text == right.text
    }

    /// Hashes the fingerprint alone, which is the same for equal bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension String {
    /// Returns whether the other text is the same byte by byte, and not only a canonical equivalent.
    @inlinable
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        // No other text of the same length is canonically equal to ASCII, which is cheap to recognise: it has as many
        // UTF-16 units as bytes.
        return utf16.count == utf8.count || utf8.elementsEqual(other.utf8)
    }
}
