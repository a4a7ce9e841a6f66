import Signing

/// Tells a secret apart from every other text without keeping it: sixteen bytes of its SHA-256.
package struct SecretPrint: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The print of a text.
    package init(_ text: String) {
        let digest = SHA256.digest(Array(text.utf8))
        high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
