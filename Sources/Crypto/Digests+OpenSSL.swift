#if !canImport(CryptoKit)
import COpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        oneShotDigest(bytes, Algorithms.sha256, length: 32)
    }
}

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        oneShotDigest(bytes, Algorithms.sha512, length: 64)
    }
}

/// A SHA-256 computation that has taken in some bytes and can be finished many times, each time with other ones.
final class SHA256State: Sendable {
    /// Only copied from after it is made, which OpenSSL allows from many threads at once.
    private nonisolated(unsafe) let context: OpaquePointer

    init(absorbing bytes: [UInt8]) {
        context = newContext()
        require(EVP_DigestInit_ex(context, Algorithms.sha256, nil))
        require(EVP_DigestUpdate(context, bytes, bytes.count))
    }

    deinit { EVP_MD_CTX_free(context) }

    /// The digest of the bytes taken in followed by these.
    func digest(appending bytes: some Collection<UInt8>) -> [UInt8] {
        let copy = newContext()
        defer { EVP_MD_CTX_free(copy) }
        require(EVP_MD_CTX_copy_ex(copy, context))
        withContiguous(bytes) { require(EVP_DigestUpdate(copy, $0.baseAddress, $0.count)) }
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            require(EVP_DigestFinal_ex(copy, buffer.baseAddress, nil))
            count = 32
        }
    }
}

/// The algorithms, fetched once: a fetch takes longer than the digest of a short message.
enum Algorithms {
    nonisolated(unsafe) static let sha256: OpaquePointer = fetch("SHA2-256")
    nonisolated(unsafe) static let sha512: OpaquePointer = fetch("SHA2-512")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let algorithm = EVP_MD_fetch(nil, name, nil) else { preconditionFailure("libcrypto offers no \(name)") }
        return algorithm
    }
}

private func oneShotDigest(_ bytes: some Collection<UInt8>, _ algorithm: OpaquePointer, length: Int) -> [UInt8] {
    withContiguous(bytes) { source in
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            require(EVP_Digest(source.baseAddress, source.count, buffer.baseAddress, nil, algorithm, nil))
            count = length
        }
    }
}

private func newContext() -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto ran out of memory") }
    return context
}

/// A digest over memory fails only when none is left; Swift's own allocations end the process then too.
private func require(_ result: Int32) {
    precondition(result == 1, "libcrypto ran out of memory")
}

private func withContiguous<Result>(
    _ bytes: some Collection<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = bytes.withContiguousStorageIfAvailable(body) { return result }
    return Array(bytes).withUnsafeBufferPointer(body)
}
#endif
