import Foundation
import JSON
import TestSupport

/// A real backend that answers in bytes of the test's choice, or not at all, and tells who has left it.
final class SilentBackend {
    private let process = ChildProcess()
    let folder: Folder
    let port: Int

    /// Writes each request's head into `seen/N`, and `left/N` when the client of request N has ended its connection.
    ///
    /// `/raw/FILE` answers with the bytes of a file and closes, `/wait/FILE` when that file is there, `/begin` with a head and
    /// one event and nothing more, `/flood` without an end; everything else is never answered.
    private static let program = #"""
        import os, socket, threading, time
        os.makedirs("seen"); os.makedirs("left")
        server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(1024)
        lock, count = threading.Lock(), [0]
        def write(name, data):
            open(name + ".tmp", "wb").write(data); os.rename(name + ".tmp", name)
        def serve(peer):
            data = b""
            while b"\r\n\r\n" not in data:
                more = peer.recv(65536)
                if not more: return
                data += more
            with lock: count[0] += 1; number = count[0]
            write("seen/%d" % number, data)
            path = data.split(b" ")[1].decode("latin-1").split("?")[0]
            try:
                if path.startswith("/wait/"):
                    while not os.path.exists(path[6:]): time.sleep(0.005)
                if path.startswith(("/raw/", "/wait/")):
                    peer.sendall(open(path.split("/")[2], "rb").read()); peer.shutdown(socket.SHUT_WR)
                elif path == "/begin":
                    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: first\n\n\r\n")
                elif path == "/flood":
                    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
                    while True: peer.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                while peer.recv(65536): pass
            except OSError: pass
            peer.close()
            write("left/%d" % number, b"")
        write("port", str(server.getsockname()[1]).encode())
        while True:
            peer, _ = server.accept()
            threading.Thread(target=serve, args=(peer,), daemon=True).start()
        """#

    /// `answers` are files for `/raw/` and `/wait/`.
    init(_ answers: [String: String] = [:]) throws {
        folder = try Folder(answers.merging(["backend.py": Self.program]) { $1 })
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "backend.py"]
        process.currentDirectoryURL = folder.url
        process.standardInput = .null
        process.standardOutput = .null
        process.standardError = .null
        try process.run()
        let file = folder.url.appendingPathComponent("port")
        try Deadline().wait(for: "the backend") { FileManager.default.fileExists(atPath: file.path) }
        guard let number = Int(try String(contentsOf: file, encoding: .utf8)) else {
            throw TestError(description: "no port")
        }
        port = number
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var url: String { "http://127.0.0.1:\(port)" }

    private func count(_ name: String) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent(name).path
        )
        return names.filter { !$0.hasSuffix(".tmp") }.count
    }

    /// The number of requests that have come.
    func seen() throws -> Int { try count("seen") }

    /// The number of those whose clients have gone.
    func left() throws -> Int { try count("left") }

    /// The head of a request, counted from 1.
    func head(_ number: Int) throws -> String {
        let data = try Data(contentsOf: folder.url.appendingPathComponent("seen/\(number)"))
        return String(decoding: data, as: UTF8.self)
    }

    func waitUntilSeen(_ number: Int) throws {
        try Deadline().wait(for: "request \(number)") { try seen() >= number }
    }

    func waitUntilLeft(_ number: Int) throws {
        try Deadline().wait(for: "the end of request \(number)") { try left() >= number }
    }
}
