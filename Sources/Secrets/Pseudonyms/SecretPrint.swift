import Crypto

/// The print of a secret, which identifies it without storing it: sixteen bytes of its SHA-256.
///
/// Eight of its bytes are stored too, by which it is found inside other text.
package struct SecretPrint: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    /// The first of its marks; nil for one that is too short or too long to be searched for.
    let mark: SecretSearch.Mark?

    /// Creates the print of a text.
    package init(_ text: String) {
        let bytes = Array(text.utf8)
        let digest = SHA256.digest(bytes)
        high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        mark = SecretSearch.marks(of: bytes).first
    }

    package static func == (left: SecretPrint, right: SecretPrint) -> Bool {
        left.high == right.high && left.low == right.low
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
