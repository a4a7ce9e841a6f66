#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The error of an address that can't be listened on.
package struct BindError: Error, Sendable, Equatable, CustomStringConvertible {
    package var host: String
    package var port: Int
    package var errno: Errno

    package init(host: String, port: Int, errno: Errno) {
        self.host = host
        self.port = port
        self.errno = errno
    }

    /// Tells whether another process, or another listener of this one, has the port.
    package var portInUse: Bool { errno.code == EADDRINUSE }

    /// Tells whether the address is not a numeric one.
    package var isInvalidHost: Bool { errno.code == EINVAL }

    package var description: String {
        isInvalidHost
            ? "cannot listen on \(host) port \(port): not a numeric address"
            : "cannot listen on \(host) port \(port): \(errno)"
    }
}
