import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A real backend that keeps every byte that it receives, and gives all requests the same response.
final class KeepingUpstream: Sendable {
    let port: Int
    private let descriptor: Int32
    private let kept = Mutex<[[UInt8]]>([])
    /// Signalled for each connection that the other side has ended.
    let ended = DispatchSemaphore(value: 0)
    /// The pieces of the response, with a pause between any two.
    private let answer = Mutex([KeepingUpstream.response("{}")])

    init() throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isOpen = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isOpen else { throw TestError(description: "no port for the backend: \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let peer = accept(socket, nil, nil)
                guard peer >= 0 else { return }
                Thread.detachNewThread { self.serve(peer) }
            }
        }
    }

    /// Ends it; the threads end with their sockets.
    func stop() { shutdown(descriptor, 2) }

    var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far, whole.
    var requests: [[UInt8]] { kept.withLock { $0 } }

    /// Sets the response to later requests.
    func answers(_ json: String) { answers([Self.response(json)]) }

    private static func response(_ json: String) -> [UInt8] {
        Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
                .utf8
        )
    }

    /// Sets the whole response to later requests, head included, in pieces.
    func answers(_ pieces: [String]) { answers(pieces.map { Array($0.utf8) }) }

    func answers(_ pieces: [[UInt8]]) { answer.withLock { $0 = pieces } }

    private func serve(_ peer: Int32) {
        defer { close(peer) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            while let (head, length) = Self.head(of: bytes), bytes.count >= head + length {
                kept.withLock { $0.append(Array(bytes[..<(head + length)])) }
                bytes.removeFirst(head + length)
                for (place, piece) in answer.withLock({ $0 }).enumerated() {
                    if place > 0 { usleep(20_000) }
                    guard send(peer, piece, piece.count, 0) == piece.count else { return }
                }
            }
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else {
                ended.signal()
                return
            }
            bytes += buffer[..<count]
        }
    }

    /// The lengths of head and content.
    private static func head(of bytes: [UInt8]) -> (Int, Int)? {
        guard let end = bytes.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A])?.upperBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
        let length = lines.lazy.compactMap { line -> Int? in
            let parts = line.split(separator: ":")
            return parts.count == 2 && parts[0] == "content-length" ? Int(parts[1].drop { $0 == " " }) : nil
        }.first
        return (end, length ?? 0)
    }
}
