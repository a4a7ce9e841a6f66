/// A key for HMAC with SHA-256 (RFC 2104), ready for use: the two padded blocks are hashed once, here.
///
/// May be shared among threads.
package struct HMACKey: Sendable {
    private let inner: SHA256State
    private let outer: SHA256State

    /// Creates a key of any length; one longer than 64 bytes is replaced by its digest.
    package init(secret: some Collection<UInt8>) {
        var block = secret.count > 64 ? SHA256.digest(secret) : Array(secret)
        block += [UInt8](repeating: 0, count: 64 - block.count)
        inner = SHA256State(absorbing: block.map { $0 ^ 0x36 })
        outer = SHA256State(absorbing: block.map { $0 ^ 0x5C })
    }

    /// The 32 bytes that authenticate a message.
    package func authenticationCode(for message: some Collection<UInt8>) -> [UInt8] {
        outer.digest(appending: inner.digest(appending: message))
    }

    /// Returns true if the code is that of the message, compared in constant time.
    package func isValid(_ code: [UInt8], for message: some Collection<UInt8>) -> Bool {
        constantTimeEqual(authenticationCode(for: message), code)
    }
}
