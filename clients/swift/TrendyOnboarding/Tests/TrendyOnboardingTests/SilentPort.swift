#if canImport(Glibc)
import Foundation
import Glibc

/// A port of this machine that takes connections, and answers when it is told to.
///
/// It has no thread: whoever asks it looks at the connections, and nothing happens in between.
final class SilentPort {
    private struct Peer {
        var descriptor: Int32
        var hasAsked = false
        var hasLeft = false
    }

    struct NoPort: Error {
        var number: Int32
    }

    private let listener: Int32
    private var peers: [Peer] = []
    private let port: UInt16

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        let isOpen = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 1_024) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isOpen, fcntl(socket, F_SETFL, O_NONBLOCK) == 0 else { throw NoPort(number: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        for peer in peers { close(peer.descriptor) }
        close(listener)
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

    /// Takes the connections that have come, and returns how many there are.
    func connections() -> Int {
        while true {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { return peers.count }
            _ = fcntl(peer, F_SETFL, O_NONBLOCK)
            peers.append(Peer(descriptor: peer))
        }
    }

    /// The number of connections by which something has come.
    func asked() -> Int {
        listenToAll()
        return peers.count(where: \.hasAsked)
    }

    /// The number of connections that their clients have ended.
    func left() -> Int {
        listenToAll()
        return peers.count(where: \.hasLeft)
    }

    private func listenToAll() {
        _ = connections()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let size = buffer.count
        for place in peers.indices where !peers[place].hasLeft {
            var count = recv(peers[place].descriptor, &buffer, size, 0)
            while count > 0 {
                peers[place].hasAsked = true
                count = recv(peers[place].descriptor, &buffer, size, 0)
            }
            // Whoever breaks a connection has left, too; without that there is only nothing yet.
            if count == 0 || errno != EAGAIN { peers[place].hasLeft = true }
        }
    }

    /// Answers the connection that came last.
    func answer() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        if let peer = peers.last { _ = send(peer.descriptor, text, text.utf8.count, 0) }
    }

    /// Closes the connections that have been left.
    func clear() {
        for peer in peers where peer.hasLeft { close(peer.descriptor) }
        peers.removeAll(where: \.hasLeft)
    }
}
#endif
