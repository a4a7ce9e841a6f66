#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file descriptor with one owner: closed when the owner lets go of it.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    package init(_ number: Int32) { self.number = number }

    /// Hands the open descriptor to the caller, who now has to close it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    // An interrupted close has closed; calling it again could close someone else's descriptor.
    deinit { _ = close(number) }
}
