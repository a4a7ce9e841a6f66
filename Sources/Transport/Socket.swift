#if canImport(Glibc)
import CPlatform
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The socket calls of the loop.
///
/// Differences between systems are in one file per C library.
package enum Socket {
    /// The result of a read.
    package enum Reading: Equatable {
        case bytes(Int)
        /// The peer has ended its direction.
        case end
        case wouldBlock
        case failed(Errno)
    }

    /// The result of a write.
    package enum Writing: Equatable {
        /// The number of bytes that the kernel took: all, some, or none when it would block.
        case took(Int)
        case failed(Errno)
    }

    /// Reads once into the buffer.
    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        switch retryingInterruptions({ recv(descriptor, buffer.baseAddress, buffer.count, 0) }) {
        case .success(0): .end
        case .success(let count): .bytes(count)
        case .failure(let error): error.wouldBlock ? .wouldBlock : .failed(error)
        }
    }

    /// Returns the number of bytes that have come and were not read.
    static func waitingBytes(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Takes in all that has come, and forgets it.
    package static func discard(_ descriptor: Int32) {
        var scratch = [UInt8](repeating: 0, count: 64 * 1_024)
        while case .bytes = scratch.withUnsafeMutableBytes({ read(descriptor, into: $0) }) {}
    }

    /// Writes the bytes from `start` on until all are taken or the socket would block.
    package static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Writing {
        bytes.withUnsafeBytes { buffer in
            var taken = start
            while taken < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[taken...])
                switch retryingInterruptions({ send(descriptor, rest) }) {
                case .success(let count): taken += count
                case .failure(let error):
                    return error.wouldBlock ? .took(taken - start) : .failed(error)
                }
            }
            return .took(taken - start)
        }
    }

    /// Ends our direction; bytes written before still arrive.
    package static func endWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns whether the connection has an error that no call has reported yet, such as a reset.
    static func hasFailed(_ descriptor: Int32) -> Bool {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) != 0 || code != 0
    }

    /// Makes the coming close a reset (TCP RST) instead of an orderly end.
    package static func resetOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Turns a numeric option on.
    static func enable(_ option: Int32, level: Int32, on descriptor: Int32) {
        var one: Int32 = 1
        _ = setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Opens a listening socket on a numeric address; port 0 lets the system choose.
    static func listen(host: String, port: UInt16, backlog: Int32) -> Result<Int32, Errno> {
        guard var address = SocketAddress(host: host, port: port) else { return .failure(Errno(code: EINVAL)) }
        let opened: Int32
        switch openStream(family: address.family) {
        case .success(let descriptor): opened = descriptor
        case .failure(let error): return .failure(error)
        }
        let descriptor = OwnedDescriptor(opened)
        enable(SO_REUSEADDR, level: SOL_SOCKET, on: descriptor.number)
        // Both families are opened separately, so that an IPv4 peer is never shown as ::ffff:127.0.0.1.
        if address.family == AF_INET6 { enable(IPV6_V6ONLY, level: Int32(IPPROTO_IPV6), on: descriptor.number) }
        guard address.withPointer({ bind(descriptor.number, $0, $1) }) == 0 else { return .failure(.current) }
        guard startListening(descriptor.number, backlog: backlog) == 0 else { return .failure(.current) }
        return .success(descriptor.release())
    }

    /// Returns the numeric address that a socket is bound to; nil if it has none.
    static func localHost(_ descriptor: Int32) -> String? {
        var address = SocketAddress()
        guard address.fill({ getsockname(descriptor, $0, $1) }) == 0, !address.host.isEmpty else { return nil }
        return address.host
    }

    /// Returns the address from which this machine would reach a host; nil without a route.
    ///
    /// Nothing is sent.
    static func sourceHost(toward host: String) -> String? {
        guard var address = SocketAddress(host: host, port: 9) else { return nil }
        #if canImport(Glibc)
        let kind = Int32(SOCK_DGRAM.rawValue)
        #else
        let kind = SOCK_DGRAM
        #endif
        let opened = socket(address.family, kind, 0)
        guard opened >= 0 else { return nil }
        let descriptor = OwnedDescriptor(opened)
        guard address.withPointer({ connect(descriptor.number, $0, $1) }) == 0 else { return nil }
        return localHost(descriptor.number)
    }

    /// Returns the name of this machine, without a domain; nil where it has none.
    package static func machineName() -> String? {
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return nil }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let label = name.prefix { $0 != "." }.lowercased()
        return label.isEmpty || label == "localhost" ? nil : label
    }

    /// Returns the port that a socket is bound to; 0 if it has none.
    package static func localPort(_ descriptor: Int32) -> UInt16 {
        var address = SocketAddress()
        let failed = address.fill { getsockname(descriptor, $0, $1) } != 0
        return failed ? 0 : address.port
    }
}
