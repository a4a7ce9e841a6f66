import Foundation
import TestSupport

/// The proxy of a company for the tests: it leads every host to one backend, or refuses, and keeps what it was asked.
final class CompanyServer {
    private let process = ChildProcess()
    let folder: Folder
    let port: Int

    /// Leads to the port of the first argument; the second is what it does instead: a status, `garbage`, `close`, `cut`,
    /// `behind` (bytes behind its answer) or `slow` (its answer byte by byte).
    private static let program = #"""
        import os, socket, sys, threading, time
        target, deed = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
        os.makedirs("seen")
        server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(128)
        lock, count = threading.Lock(), [0]
        def write(name, data):
            open(name + ".tmp", "wb").write(data); os.rename(name + ".tmp", name)
        def pump(source, sink):
            try:
                while True:
                    data = source.recv(65536)
                    if not data: break
                    sink.sendall(data)
                sink.shutdown(socket.SHUT_WR)
            except OSError: pass
        def serve(peer):
            data = b""
            while b"\r\n\r\n" not in data:
                more = peer.recv(65536)
                if not more: return
                data += more
            head, rest = data.split(b"\r\n\r\n", 1)
            with lock: count[0] += 1; number = count[0]
            write("seen/%d" % number, head)
            isConnect = head.startswith(b"CONNECT ")
            try:
                if deed.isdigit():
                    peer.sendall(b"HTTP/1.1 %s No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nno" % deed.encode())
                elif deed == "garbage": peer.sendall(b"SSH-2.0-nothing\r\n\r\n")
                elif deed == "cut": peer.sendall(b"HTTP/1.1 200 Conn")
                if deed not in ("", "behind", "slow"): return peer.close()
                far = socket.create_connection(("127.0.0.1", target))
                if isConnect:
                    answer = b"HTTP/1.1 200 Connection established\r\nVia: 1.1 company\r\nContent-Length: 9\r\n\r\n"
                    if deed == "behind": answer += b"x"
                    for piece in ([answer] if deed != "slow" else [answer[n:n + 1] for n in range(len(answer))]):
                        peer.sendall(piece)
                        if deed == "slow": time.sleep(0.001)
                    far.sendall(rest)
                else: far.sendall(data)
                threading.Thread(target=pump, args=(far, peer), daemon=True).start()
                pump(peer, far)
            except OSError: pass
        write("port", str(server.getsockname()[1]).encode())
        while True:
            peer, _ = server.accept()
            threading.Thread(target=serve, args=(peer,), daemon=True).start()
        """#

    init(to port: Int, doing deed: String = "") throws {
        folder = try Folder(["company.py": Self.program])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "company.py", "\(port)"] + (deed.isEmpty ? [] : [deed])
        process.currentDirectoryURL = folder.url
        process.standardInput = .null
        process.standardOutput = .null
        process.standardError = .null
        try process.run()
        let file = folder.url.appendingPathComponent("port")
        try Deadline().wait(for: "the company's proxy") { FileManager.default.fileExists(atPath: file.path) }
        guard let number = Int(try String(contentsOf: file, encoding: .utf8)) else {
            throw TestError(description: "no port")
        }
        self.port = number
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// The heads that it was sent, in order.
    func seen() throws -> [String] {
        let folder = folder.url.appendingPathComponent("seen").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0) }.sorted()
        return try names.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }
}
