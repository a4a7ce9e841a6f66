#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file descriptor with one owner, closed when the owner releases it.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    package init(_ number: Int32) { self.number = number }

    /// Passes the open descriptor to the caller, who now has to close it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    // An interrupted close has closed; another call could close a descriptor that was opened since.
    deinit { _ = close(number) }
}
