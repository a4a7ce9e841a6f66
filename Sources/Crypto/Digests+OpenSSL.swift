#if !canImport(CryptoKit)
import COpenSSL

// The functions on a context of the caller's, not those of `EVP`: the first of those loads configuration, providers and the
// tables of every algorithm, which takes a millisecond of each start, and each use allocates. The digests are the same code.

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        SHA256State.empty.digest(appending: bytes)
    }
}

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var context = SHA512_CTX()
        require(SHA512_Init(&context))
        withContiguous(bytes) { require(SHA512_Update(&context, $0.baseAddress, $0.count)) }
        return [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            require(SHA512_Final(buffer.baseAddress, &context))
            count = 64
        }
    }
}

/// A SHA-256 computation that has taken in some bytes and can be finished many times, each time with other ones.
final class SHA256State: Sendable {
    private let context: SHA256_CTX

    fileprivate static let empty = SHA256State(absorbing: [])

    init(absorbing bytes: [UInt8]) {
        var context = SHA256_CTX()
        require(SHA256_Init(&context))
        require(SHA256_Update(&context, bytes, bytes.count))
        self.context = context
    }

    /// The digest of the bytes taken in followed by these.
    func digest(appending bytes: some Collection<UInt8>) -> [UInt8] {
        var copy = context
        withContiguous(bytes) { require(SHA256_Update(&copy, $0.baseAddress, $0.count)) }
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            require(SHA256_Final(buffer.baseAddress, &copy))
            count = 32
        }
    }
}

/// These functions fail only for a context of another digest.
private func require(_ result: Int32) {
    precondition(result == 1, "libcrypto refuses a digest")
}

private func withContiguous<Result>(
    _ bytes: some Collection<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = bytes.withContiguousStorageIfAvailable(body) { return result }
    return Array(bytes).withUnsafeBufferPointer(body)
}
#endif
