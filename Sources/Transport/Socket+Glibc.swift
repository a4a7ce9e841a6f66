#if canImport(Glibc)
import CPlatform
import Glibc

extension Socket {
    /// Returns a TCP socket that does not block and is not inherited.
    package static func openStream(family: Int32) -> Result<Int32, Errno> {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        return retryingInterruptions { socket(family, type, 0) }
    }

    /// Returns two connected local sockets that do not block and are not inherited.
    package static func openPair() -> Result<(Int32, Int32), Errno> {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return .failure(.current) }
        return .success((ends[0], ends[1]))
    }

    /// Returns a pipe (read end, write end) that does not block and is not inherited.
    static func openPipe() -> Result<(Int32, Int32), Errno> {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return .failure(.current) }
        return .success((ends[0], ends[1]))
    }

    /// Accepts the next connection, prepared for the loop, and fills in the peer's address.
    static func acceptConnection(_ listener: Int32, peer: inout SocketAddress) -> Result<Int32, Errno> {
        let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let accepted = retryingInterruptions { peer.fill { accept4(listener, $0, $1, flags) } }
        guard case .success(let descriptor) = accepted else { return accepted }
        // Only deliberate delays are allowed, so small writes never wait for the peer's acknowledgement.
        enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), on: descriptor)
        return accepted
    }

    /// Writes once, without a SIGPIPE when the peer is gone.
    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns the bytes that the system has taken and the peer has not; nil if that is unknown.
    static func unsentBytes(_ descriptor: Int32) -> Int? {
        var count: Int32 = 0
        // SIOCOUTQ has the same number as TIOCOUTQ.
        guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return nil }
        return Int(count)
    }

    static func descriptorLimit(_ limit: inout rlimit) -> Int32 {
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func setDescriptorLimit(_ limit: inout rlimit) -> Int32 {
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func startListening(_ descriptor: Int32, backlog: Int32) -> Int32 { Glibc.listen(descriptor, backlog) }

    static func emptyIPv4Address() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        return address
    }

    static func emptyIPv6Address() -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        return address
    }

    /// Creates the poller that serves most connections on this system.
    static func preferredPoller() throws(Errno) -> any Poller { try EpollPoller() }
}
#endif
