#if canImport(CryptoKit)
import CryptoKit

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var function = CryptoKit.SHA256()
        withContiguous(bytes) { function.update(bufferPointer: $0) }
        return Array(function.finalize())
    }
}

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var function = CryptoKit.SHA512()
        withContiguous(bytes) { function.update(bufferPointer: $0) }
        return Array(function.finalize())
    }
}

/// A SHA-256 computation that has taken in some bytes and can be finished many times, each time with other ones.
final class SHA256State: Sendable {
    /// Only copied from after it is made.
    private nonisolated(unsafe) let function: CryptoKit.SHA256

    init(absorbing bytes: [UInt8]) {
        var function = CryptoKit.SHA256()
        withContiguous(bytes) { function.update(bufferPointer: $0) }
        self.function = function
    }

    /// The digest of the bytes taken in followed by these.
    func digest(appending bytes: some Collection<UInt8>) -> [UInt8] {
        var copy = function
        withContiguous(bytes) { copy.update(bufferPointer: $0) }
        return Array(copy.finalize())
    }
}

private func withContiguous<Result>(
    _ bytes: some Collection<UInt8>,
    _ body: (UnsafeRawBufferPointer) -> Result
) -> Result {
    if let result = bytes.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
    return Array(bytes).withUnsafeBytes(body)
}
#endif
