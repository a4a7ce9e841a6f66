#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#else
#error("no C library for this system")
#endif

/// The error number of a system call, taken right after the call.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The calling thread's `errno`.
    ///
    /// Read it before anything that may allocate.
    package static var current: Errno { Errno(code: errno) }

    package var description: String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    package var isInterruption: Bool { code == EINTR }

    package var wouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }

    /// An accept that failed so says nothing about the listener; the next one may do (accept(2), "Error handling").
    package var isSurvivableInAccept: Bool {
        switch code {
        case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM,
            ECONNRESET, ETIMEDOUT:
            true
        default: false
        }
    }

    /// The address family does not exist on this machine, or has no such address.
    package var meansFamilyMissing: Bool {
        code == EAFNOSUPPORT || code == EADDRNOTAVAIL || code == EPFNOSUPPORT || code == EPROTONOSUPPORT
    }
}

/// Runs a system call again as long as a signal interrupts it.
///
/// Never for `close`, whose descriptor is gone either way.
@inline(__always)
package func retryingInterruptions<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Errno> {
    while true {
        let value = call()
        guard value == -1 else { return .success(value) }
        let error = Errno.current
        guard error.isInterruption else { return .failure(error) }
    }
}
