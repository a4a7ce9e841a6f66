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
    /// Read it before any call that may allocate.
    package static var current: Errno { Errno(code: errno) }

    package var description: String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    package static let missing = Errno(code: ENOENT)

    /// The error of a status that is not that of a regular file; nil for a regular one.
    static func ofIrregular(_ status: stat) -> Errno? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: Errno(code: EISDIR)
        default: Errno(code: EINVAL)
        }
    }

    /// The reason why a file that the user named can't be read, as it stands behind the path.
    package var unreadable: String {
        switch code {
        case ENOENT, ENOTDIR: "there is no such file"
        case EISDIR: "this is a folder, not a file"
        case EINVAL: "this is not a regular file"
        case EFBIG: "the file has over 256 MiB"
        default: "the file can't be read: \(self)"
        }
    }

    package var isInterruption: Bool { code == EINTR }

    package var wouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }

    /// Tells whether a failed accept says nothing about the listener, so that the next one may succeed (accept(2),
    /// "Error handling").
    package var isSurvivableInAccept: Bool {
        switch code {
        case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM,
            ECONNRESET, ETIMEDOUT:
            true
        default: false
        }
    }

    /// Tells whether the machine lacks the address family, or an address of it.
    package var meansFamilyMissing: Bool {
        code == EAFNOSUPPORT || code == EADDRNOTAVAIL || code == EPFNOSUPPORT || code == EPROTONOSUPPORT
    }
}

/// Runs a system call again while signals interrupt it.
///
/// Never use it for `close`, which frees the descriptor even when it is interrupted.
@inline(__always)
package func retryingInterruptions<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Errno> {
    while true {
        let value = call()
        guard value == -1 else { return .success(value) }
        let error = Errno.current
        guard error.isInterruption else { return .failure(error) }
    }
}
