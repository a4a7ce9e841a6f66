#if canImport(Darwin)
import Darwin

extension Socket {
    /// Returns a TCP socket that does not block and is not inherited.
    package static func openStream(family: Int32) -> Result<Int32, Errno> {
        let opened = retryingInterruptions { socket(family, SOCK_STREAM, 0) }
        guard case .success(let descriptor) = opened else { return opened }
        prepare(descriptor)
        return opened
    }

    /// Returns two connected local sockets that do not block and are not inherited.
    package static func openPair() -> Result<(Int32, Int32), Errno> {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return .failure(.current) }
        ends.forEach(prepare)
        ends.forEach { enable(SO_NOSIGPIPE, level: SOL_SOCKET, on: $0) }
        return .success((ends[0], ends[1]))
    }

    /// Returns a pipe (read end, write end) that does not block and is not inherited.
    static func openPipe() -> Result<(Int32, Int32), Errno> {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(.current) }
        ends.forEach(prepare)
        return .success((ends[0], ends[1]))
    }

    /// Accepts the next connection, prepared for the loop, and fills in the peer's address.
    static func acceptConnection(_ listener: Int32, peer: inout SocketAddress) -> Result<Int32, Errno> {
        let accepted = retryingInterruptions { peer.fill { accept(listener, $0, $1) } }
        guard case .success(let descriptor) = accepted else { return accepted }
        prepare(descriptor)
        enable(SO_NOSIGPIPE, level: SOL_SOCKET, on: descriptor)
        // Only deliberate delays are allowed, so small writes never wait for the peer's acknowledgement.
        enable(TCP_NODELAY, level: IPPROTO_TCP, on: descriptor)
        return accepted
    }

    /// Writes once, without a SIGPIPE when the peer is gone.
    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    }

    /// Returns the bytes that the system has taken and the peer has not; nil if that is unknown.
    static func unsentBytes(_ descriptor: Int32) -> Int? {
        var count: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 else { return nil }
        return Int(count)
    }

    static func descriptorLimit(_ limit: inout rlimit) -> Int32 { getrlimit(RLIMIT_NOFILE, &limit) }

    static func setDescriptorLimit(_ limit: inout rlimit) -> Int32 { setrlimit(RLIMIT_NOFILE, &limit) }

    static func startListening(_ descriptor: Int32, backlog: Int32) -> Int32 { Darwin.listen(descriptor, backlog) }

    static func emptyIPv4Address() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        return address
    }

    static func emptyIPv6Address() -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        address.sin6_family = sa_family_t(AF_INET6)
        return address
    }

    /// Creates the poller that serves most connections on this system.
    static func preferredPoller() throws(Errno) -> any Poller { try PollPoller() }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
}
#endif
