import Foundation
import JSON
import TestSupport

/// A real backend for the tests: plain or under TLS with an authority of its own, in another process.
final class Backend {
    private let process = ChildProcess()
    let folder: Folder
    let port: Int
    let isSecure: Bool

    /// The secrets that `/pieces` answers with, and the length of the longer of its answers.
    static let secrets = [
        "hunter2-secret", "anna@example.com", "opaque-access-token-12345", "eyJzdWIiOiJhbm5hIn0",
        "c2lnbmF0dXJlLXNpZ25hdHVyZQ",
    ]

    /// Answers `/echo` with what it got, `/stream` with events over time (with `?hold` the second when a file `go` is there), `/gzip` compressed, `/redirect`, `/cut`, and
    /// `/login` with secrets.
    private static let program = #"""
        import gzip, http.server, json, os, socketserver, ssl, sys, time
        PASSWORD, EMAIL, TOKEN = "hunter2-secret", "anna@example.com", "opaque-access-token-12345"
        JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"
        SECRETS = 'event: say\ndata: {"delta":"mail %s"}\n\ndata: {"accessToken":"%s","delta":"%s"}\n\ndata: {"password":"%s"}\n\n' % (EMAIL, TOKEN, JWT, PASSWORD)
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *a): pass
            def body(self):
                n = int(self.headers.get("Content-Length") or 0)
                return self.rfile.read(n).decode("utf-8", "replace")
            def send(self, status, fields, body):
                self.send_response_only(status)
                for n, v in fields: self.send_header(n, v)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD": self.wfile.write(body)
            def do(self):
                if self.path.startswith("/refuse"):
                    # Before it has read anything; with ?reset the rest of the request meets a closed socket.
                    answer = b'{"error":"too large"}'
                    self.send_response_only(413); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(answer))); self.end_headers()
                    self.wfile.write(answer); self.wfile.flush(); self.close_connection = True
                    if "reset" not in self.path:
                        # Reads no more, and waits for the client to close.
                        if hasattr(self.connection, "unwrap"): time.sleep(1)
                        else:
                            import socket; self.connection.shutdown(socket.SHUT_WR); time.sleep(1)
                    return
                body = self.body()
                path = self.path.split("?")[0]
                if path == "/redirect": return self.send(302, [("Location", "/echo"), ("X-B", "1"), ("x-a", "2"), ("X-B", "3")], b"")
                if path == "/gzip": return self.send(200, [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], gzip.compress(b'{"text":"' + b"a" * 500 + b'"}'))
                if path == "/login": return self.send(200, [("Content-Type", "application/json"), ("Set-Cookie", "sid=cookie-secret-1; Path=/")], b'{"accessToken":"opaque-access-token-12345","email":"anna@example.com","tier":"gold"}')
                if path == "/cut":
                    self.send_response_only(200); self.send_header("Content-Length", "100"); self.end_headers()
                    self.wfile.write(b"half"); self.wfile.flush(); self.close_connection = True; return
                if path == "/trailers":
                    self.send_response_only(200); self.send_header("Trailer", "X-Sum"); self.send_header("Transfer-Encoding", "chunked"); self.end_headers()
                    self.wfile.write(b"4\r\nbody\r\n0\r\nX-Sum: 7\r\n\r\n"); return
                if path == "/close":
                    self.send_response_only(200); self.end_headers(); self.wfile.write(b"until the end"); self.close_connection = True; return
                if path.startswith("/pieces"):
                    # The whole stream in two chunks, cut at a byte.
                    cut, kind = int(self.path.split("?")[1]), self.headers["X-Kind"]
                    data = (SECRETS if kind == "events" else '{"password":"%s","note":"%s","card":{"refreshToken":"%s"}}' % (PASSWORD, EMAIL, TOKEN)).encode()
                    self.send_response_only(200); self.send_header("Content-Type", "text/event-stream" if kind == "events" else "application/json"); self.send_header("Transfer-Encoding", "chunked"); self.end_headers()
                    for piece in (data[:cut], data[cut:]):
                        if piece: self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece)); self.wfile.flush(); time.sleep(0.002)
                    self.wfile.write(b"0\r\n\r\n"); return
                if path == "/stream":
                    self.send_response_only(200); self.send_header("Content-Type", "text/event-stream"); self.send_header("Transfer-Encoding", "chunked"); self.end_headers()
                    for n, t in enumerate(["say anna@exam", "ple.com now", "done"]):
                        data = ('data: {"delta":"%s"}\n\n' % t).encode()
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data)); self.wfile.flush(); time.sleep(0.15)
                        while n == 0 and "?hold" in self.path and not os.path.exists("go"): time.sleep(0.01)
                    self.wfile.write(b"0\r\n\r\n"); return
                fields = [[n, v] for n, v in self.headers.items()]
                self.send(200, [("Content-Type", "application/json")], json.dumps({"method": self.command, "path": self.path, "headers": fields, "body": body}).encode())
            do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = do
        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer): daemon_threads = True
        server = Server(("127.0.0.1", 0), Handler)
        if len(sys.argv) > 1:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            server.socket = context.wrap_socket(server.socket, server_side=True)
        open("port.tmp", "w").write(str(server.server_address[1]))
        os.rename("port.tmp", "port")
        server.serve_forever()
        """#

    /// Starts it with a certificate for that name, or plain.
    init(certificateFor host: String? = nil) throws {
        folder = try Folder(["backend.py": Self.program])
        isSecure = host != nil
        var arguments = ["python3", "backend.py"]
        if let host {
            try Self.certificate(host, in: folder)
            arguments += ["server.pem", "server.key"]
        }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = .null
        // A pipe of the test run that a child keeps open would keep the run from ending.
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

    /// Makes an authority, and a certificate of it.
    private static func certificate(_ host: String, in folder: Folder) throws {
        try folder.write("ext", "subjectAltName=\(host)\nbasicConstraints=CA:FALSE\n")
        let commands = [
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority",
            "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=test-server",
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile ext",
        ]
        for command in commands {
            let process = ChildProcess()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["openssl"] + command.split(separator: " ").map(String.init)
            process.currentDirectoryURL = folder.url
            process.standardError = .null
            process.standardOutput = .null
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw TestError(description: "openssl \(command) failed")
            }
        }
    }

    var authority: String { folder.url.appendingPathComponent("ca.pem").path }

    func url(host: String = "127.0.0.1") -> String { "\(isSecure ? "https" : "http")://\(host):\(port)" }
}

/// A running `understudy record` or `replay` on free ports.
final class Proxy {
    let child: Child
    let hub: Int
    let api: Int

    init(_ command: [String], in folder: Folder) throws {
        let flags = ["--api", "omnichat", "--port", "0", "--quiet", "--clock", "frozen:2025-01-01T12:00:00Z"]
        let child = try Child(command + flags, in: folder)
        var line = ""
        try Deadline().wait(for: "the ready line") {
            line = try child.output()
            guard child.isRunning || line.hasSuffix("\n") else {
                throw TestError(description: "ended: \(try child.errors())")
            }
            return line.hasSuffix("\n")
        }
        self.child = child
        let ready = try JSONReader.read(text: String(line.dropLast()))
        func port(_ origin: JSON?) -> Int { origin?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
        hub = port(ready["hub"])
        api = port(ready["apis"]?["omnichat"])
    }

    func ask(_ method: String, _ path: String, _ body: String = "", token: String? = nil) throws -> WireAnswer {
        try Wire(port: api).ask(method, path, body: Array(body.utf8), token: token)
    }

    func control(_ method: String, _ path: String, _ body: String = "") throws -> WireAnswer {
        try Wire(port: hub).ask(method, "/__admin" + path, body: Array(body.utf8))
    }

    /// Stops it and waits for its end.
    func stop() throws {
        child.signal(2)
        _ = try child.waitForExit()
    }
}
