#if canImport(CryptoKit)
import CryptoKit

/// A public key on the curve P-256, for ES256 (RFC 7518 section 3.4).
package struct ECPublicKey: Sendable {
    private let key: P256.Signing.PublicKey

    /// The key of a point's coordinates, 32 bytes each, highest byte first; nil if that is no point of the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
        else {
            return nil
        }
        self.key = key
    }

    /// Returns true if 64 bytes, r and s, are the signature of a message with SHA-256.
    package func verify(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: Array(signature)) else {
            return false
        }
        return key.isValidSignature(signature, for: CryptoKit.SHA256.hash(data: Array(message)))
    }
}
#endif
