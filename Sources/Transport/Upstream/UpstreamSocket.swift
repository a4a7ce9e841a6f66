import Basics
import COpenSSL
import CivilTime
import ForwardProxy
import HTTPWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One connection to a real backend, plain or under TLS, with time limits on every wait.
///
/// It belongs to the thread of its exchange; only its canceller may be used by another.
final class UpstreamSocket {
    /// The result of a read.
    enum Reading {
        case bytes(Int)
        case end
        /// A TLS connection ended without a close alert, so the content may be incomplete.
        case cut
    }

    /// The result of a write.
    enum Writing {
        case whole
        /// There is something to read, and the socket accepts nothing.
        case answered
        /// Nothing more can be sent, but a response may be there.
        case broken(UpstreamFailure)
    }

    private let descriptor: OwnedDescriptor
    private var ssl: OpaquePointer?
    private let canceller: UpstreamCanceller

    private init(_ descriptor: consuming OwnedDescriptor, _ canceller: UpstreamCanceller) {
        self.descriptor = descriptor
        self.canceller = canceller
    }

    deinit {
        canceller.forget()
        if let ssl { SSL_free(ssl) }
    }

    /// Connects to exactly that address.
    static func connect(
        to address: SocketAddress,
        within limit: Interval,
        _ canceller: UpstreamCanceller
    ) throws(UpstreamFailure) -> UpstreamSocket {
        var address = address
        let opened: Int32
        switch Socket.openStream(family: address.family) {
        case .success(let number): opened = number
        case .failure(let error): throw UpstreamFailure(.connect, "no socket: \(error)")
        }
        let socket = UpstreamSocket(OwnedDescriptor(opened), canceller)
        guard canceller.watch(opened) else { throw UpstreamFailure(.cancelled, "the client went away") }
        Socket.enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), on: opened)
        let status = address.withPointer { connectDescriptor(opened, $0, $1) }
        if status != 0 {
            let error = Errno.current
            guard error.code == EINPROGRESS || error.isInterruption else {
                throw UpstreamFailure(.connect, "\(address.host) port \(address.port): \(error)")
            }
            try socket.wait(for: POLLOUT, limit, "no connection to \(address.host) port \(address.port)")
            var code: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(opened, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code == 0 else {
                throw UpstreamFailure(.connect, "\(address.host) port \(address.port): \(Errno(code: code))")
            }
        }
        return socket
    }

    static func connectDescriptor(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t)
        -> Int32
    {
        #if canImport(Glibc)
        Glibc.connect(number, address, length)
        #else
        Darwin.connect(number, address, length)
        #endif
    }

    // MARK: Proxies

    /// Asks a proxy for a tunnel on the connection, all within a time.
    func openTunnel(
        through proxy: CompanyProxy,
        to authority: String,
        within limit: Interval
    ) throws(UpstreamFailure) {
        let clock = TimeSource.system
        let end = clock.monotonic() + limit
        var sending = UpstreamSending(wire: proxy.connectRequest(to: authority))
        var answer = ConnectAnswer(to: authority)
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let left = max(end - clock.monotonic(), .zero)
            try sending.go(on: self, within: left)
            guard let reading = try sending.read(on: self, into: &buffer, within: left) else { continue }
            switch reading {
            case .bytes(let count):
                guard let rest = try answer.received(buffer[..<count]) else { continue }
                // A server of TLS speaks second.
                guard rest.isEmpty else { throw UpstreamFailure(.answer, "it sent bytes behind its answer to CONNECT") }
                return
            case .end, .cut: throw answer.cut()
            }
        }
    }

    // MARK: TLS

    /// Establishes verified TLS on the connection.
    func secure(_ context: TLSContext, host: String, within limit: Interval) throws(UpstreamFailure) {
        ERR_clear_error()
        guard let made = context.connection(descriptor.number, host: host) else {
            throw UpstreamFailure(.tls, "TLS can't be set up for \(host)")
        }
        ssl = made
        while true {
            let result = SSL_connect(made)
            if result == 1 { return }
            switch SSL_get_error(made, result) {
            case SSL_ERROR_WANT_READ: try wait(for: POLLIN, limit, "no TLS handshake with \(host)")
            case SSL_ERROR_WANT_WRITE: try wait(for: POLLOUT, limit, "no TLS handshake with \(host)")
            default:
                let verdict = SSL_get_verify_result(made)
                let reason =
                    verdict == Int(X509_V_OK)
                    ? OpenSSLErrors.takeText() ?? "the handshake broke off"
                    : String(cString: X509_verify_cert_error_string(verdict))
                throw UpstreamFailure(.tls, "\(host) does not verify or speak TLS: \(reason)")
            }
        }
    }

    // MARK: Bytes

    /// Writes the bytes from `sent` on, until all are taken or the server sends something.
    ///
    /// A server may respond, or close, before it has the whole request (RFC 9112, section 9.5); a client that only
    /// writes would never read the reason.
    func write(_ bytes: [UInt8], from sent: inout Int, within limit: Interval) throws(UpstreamFailure) -> Writing {
        let complaint = "the server takes no more of the request"
        while sent < bytes.count {
            let needs: Int32
            if let ssl {
                ERR_clear_error()
                let count = bytes[sent...].withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32(clamping: $0.count)) }
                if count > 0 {
                    sent += Int(count)
                    continue
                }
                switch SSL_get_error(ssl, count) {
                case SSL_ERROR_WANT_READ: needs = POLLIN
                case SSL_ERROR_WANT_WRITE: needs = POLLOUT
                default: return .broken(UpstreamFailure(.answer, "the connection broke while the request was sent"))
                }
            } else {
                switch Socket.write(descriptor.number, bytes, from: sent) {
                case .took(let count): sent += count
                case .failed(let error):
                    let detail = "the connection broke while the request was sent: \(error)"
                    return .broken(UpstreamFailure(.answer, detail))
                }
                guard sent < bytes.count else { break }
                needs = POLLOUT
            }
            let ready = try wait(for: needs | POLLIN, limit, complaint)
            if ready & POLLOUT == 0 { return .answered }
        }
        return .whole
    }

    /// Reads the available bytes, waiting for the first at most that long.
    func read(into buffer: inout [UInt8], within limit: Interval) throws(UpstreamFailure) -> Reading {
        while true {
            let (reading, needs) = try readNow(into: &buffer)
            if canceller.isCancelled { throw UpstreamFailure(.cancelled, "the client went away") }
            if let reading { return reading }
            try wait(for: needs, limit, "the server is silent")
        }
    }

    /// Reads the available bytes; nil if there are none, with the readiness that the socket needs first.
    func readNow(into buffer: inout [UInt8]) throws(UpstreamFailure) -> (Reading?, needs: Int32) {
        if let ssl {
            ERR_clear_error()
            let count = buffer.withUnsafeMutableBytes { SSL_read(ssl, $0.baseAddress, Int32(clamping: $0.count)) }
            if count > 0 { return (.bytes(Int(count)), POLLIN) }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ: return (nil, POLLIN)
            case SSL_ERROR_WANT_WRITE: return (nil, POLLOUT)
            case SSL_ERROR_ZERO_RETURN: return (.end, POLLIN)
            default: return (.cut, POLLIN)
            }
        }
        switch buffer.withUnsafeMutableBytes({ Socket.read(descriptor.number, into: $0) }) {
        case .bytes(let count): return (.bytes(count), POLLIN)
        case .end: return (.end, POLLIN)
        case .wouldBlock: return (nil, POLLIN)
        case .failed(let error): throw UpstreamFailure(.answer, "the connection broke: \(error)")
        }
    }

    /// Waits until the socket is ready and returns its readiness, within the requested one.
    @discardableResult
    private func wait(for what: Int32, _ limit: Interval, _ complaint: String) throws(UpstreamFailure) -> Int32 {
        let clock = TimeSource.system
        let end = clock.monotonic() + limit
        while true {
            if canceller.isCancelled { throw UpstreamFailure(.cancelled, "the client went away") }
            let left = end - clock.monotonic()
            guard left > .zero else {
                let seconds = max(limit.wholeSeconds, 1)
                throw UpstreamFailure(.time, "\(complaint) within \(seconds) s")
            }
            var entry = pollfd(fd: descriptor.number, events: Int16(what), revents: 0)
            // Not every system wakes a thread in a connect when the socket is shut down.
            if poll(&entry, 1, min(Interval.pollMilliseconds(left), 250)) > 0 {
                // An error or a hang-up is reported by the next call.
                let ready = Int32(entry.revents)
                return ready & what == 0 ? what : ready & what
            }
        }
    }
}

/// Lets the loop end an exchange in which a thread waits.
final class UpstreamCanceller: Sendable {
    private struct State {
        var isCancelled = false
        var descriptor: Int32?
    }

    private let state = Locked(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Notes the socket to shut down; false if the exchange is already cancelled.
    func watch(_ descriptor: Int32) -> Bool {
        state.withLock { state in
            state.descriptor = descriptor
            return !state.isCancelled
        }
    }

    /// Forgets the socket, which is about to be closed: its number may be reused.
    func forget() { state.withLock { $0.descriptor = nil } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let descriptor = state.descriptor { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
