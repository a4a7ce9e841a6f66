import Testing
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The client's end of a connection.
///
/// Never blocks.
final class Client {
    enum Ending: Equatable {
        case end
        case failed(Errno)
    }

    private var descriptor: OwnedDescriptor?
    let number: Int32
    private(set) var received: [UInt8] = []
    private(set) var ending: Ending?

    init(_ descriptor: consuming OwnedDescriptor) {
        number = descriptor.number
        self.descriptor = consume descriptor
    }

    init(host: String, port: Int, receiveBuffer: Int32? = nil) throws {
        var address = try #require(SocketAddress(host: host, port: UInt16(port)))
        let socket = OwnedDescriptor(try Socket.openStream(family: address.family).get())
        number = socket.number
        if var size = receiveBuffer {
            _ = setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // The kernel completes the handshake by itself, so a blocking connect needs no turn of the server.
        let flags = fcntl(socket.number, F_GETFL)
        _ = fcntl(socket.number, F_SETFL, flags & ~O_NONBLOCK)
        let result = address.withPointer { connect(socket.number, $0, $1) }
        let error = Errno.current
        _ = fcntl(socket.number, F_SETFL, flags)
        descriptor = consume socket
        guard result == 0 else { throw error }
    }

    /// Writes as much as the socket takes; returns the number of bytes.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        guard case .took(let count) = Socket.write(number, bytes, from: 0) else { return 0 }
        return count
    }

    @discardableResult
    func send(_ text: String) -> Int { send(Array(text.utf8)) }

    func get(_ path: String) { send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }

    /// Reads the available bytes, up to a limit.
    func receive(atMost limit: Int = .max) {
        var buffer = [UInt8](repeating: 0, count: min(limit, 64 * 1024))
        var left = limit
        while ending == nil, left > 0 {
            let room = min(left, buffer.count)
            let reading = buffer.withUnsafeMutableBytes {
                Socket.read(number, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<room]))
            }
            switch reading {
            case .bytes(let count):
                received.append(contentsOf: buffer[..<count])
                left -= count
            case .end: ending = .end
            case .wouldBlock: return
            case .failed(let error): ending = .failed(error)
            }
        }
    }

    /// Everything received so far.
    var text: String {
        receive()
        return String(decoding: received, as: UTF8.self)
    }

    /// The number of responses that have begun to arrive.
    var answers: Int { text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).count - 1 }

    /// Tells whether the server has ended the connection in an orderly way.
    var sawEnd: Bool {
        receive()
        return ending == .end
    }

    var sawReset: Bool {
        receive()
        return ending == .failed(Errno(code: ECONNRESET))
    }

    var isOpen: Bool {
        receive()
        return ending == nil
    }

    func forget() { received = [] }

    func endSending() { Socket.endWriting(number) }

    func close() { descriptor = nil }

    func reset() {
        Socket.resetOnClose(number)
        descriptor = nil
    }
}
