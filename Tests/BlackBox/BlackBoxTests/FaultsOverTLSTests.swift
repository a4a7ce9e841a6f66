import Foundation
import JSON
import TestSupport
import Testing

/// Transport contract, section 3: the faults of the control contract, section 8, over TLS, by the bytes that a client
/// gets and by the way in which the connection ends.
@Suite(.serialized) struct FaultsOverTLSTests {
    /// Sends one request and prints the ending, the number of decrypted bytes, and their first line.
    private static let client = """
        import socket, ssl, sys
        context = ssl.create_default_context(cafile=sys.argv[2])
        request = sys.argv[3].encode().decode("unicode_escape").encode("latin-1")
        plain = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60)
        # TLS is kept apart from the socket, so that the socket's own end is seen.
        come, go = ssl.MemoryBIO(), ssl.MemoryBIO()
        secure = context.wrap_bio(come, go, server_hostname="localhost")
        got, ending, begun = b"", "", False
        while not ending:
            try:
                if not begun:
                    secure.do_handshake()
                    begun = True
                    secure.write(request)
                else:
                    piece = secure.read(65536)
                    got += piece
                    if not piece:
                        ending = "notify"
                continue
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLZeroReturnError:
                ending = "notify"
                break
            except ssl.SSLError as error:
                ending = "no TLS" if error.reason in ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG") else error.reason
                break
            try:
                plain.sendall(go.read())
                piece = plain.recv(65536)
            except (ConnectionResetError, BrokenPipeError):
                ending = "reset"
                break
            if piece:
                come.write(piece)
            else:
                ending = "eof"
        print(ending)
        print(len(got))
        print(len(got.partition(b"\\r\\n\\r\\n")[2]))
        print(got.split(b"\\r\\n")[0][:40].decode("latin-1").encode("ascii", "replace").decode())
        """

    private struct Seen {
        var ending: String
        var count: Int
        var content: Int
        var line: String
    }

    private static let get = #"GET /api/v1/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"#

    private func see(_ secure: SecureServed, _ request: String = get) throws -> Seen {
        let run = try #require(try TLSTool.python(Self.client, ["\(secure.served.api)", secure.root, request]))
        let lines = run.output.components(separatedBy: "\n")
        try #require(lines.count >= 4, "\(run.errors)")
        return Seen(ending: lines[0], count: Int(lines[1]) ?? -1, content: Int(lines[2]) ?? -1, line: lines[3])
    }

    private func see(_ secure: SecureServed, under effect: String, _ request: String = get) throws -> Seen {
        let added = try secure.served.control("POST", "/faults", #"{"effect":\#(effect)}"#)
        expectEqual(added.status, 201, "\(effect): \(added.text)")
        defer { _ = try? secure.served.control("DELETE", "/faults") }
        return try see(secure, request)
    }

    @Test func `3 an answer that ends in order ends with close_notify`() throws {
        _ = try #require(TLSTool.path("python3"), "make test-deps installs python3")
        let secure = try SecureServed()
        let plain = try see(secure)
        #expect(plain.ending == "notify" && plain.line.hasPrefix("HTTP/1.1 404"))
        let injected = try see(secure, under: #"{"status":503}"#)
        #expect(injected.ending == "notify" && injected.line.hasPrefix("HTTP/1.1 503"))
        let slow = try see(secure, under: #"{"dribble":{"chunks":4,"overMs":40}}"#)
        expectEqual(slow.ending, "notify")
        expectEqual(slow.content, plain.content)
        let late = try see(secure, under: #"{"delay":{"ms":20}}"#)
        expectEqual(late.ending, "notify")
        expectEqual(late.content, plain.content)
    }

    @Test func `3 a reset is one below TLS, at once or after bytes of HTTP`() throws {
        _ = try #require(TLSTool.path("python3"), "make test-deps installs python3")
        let secure = try SecureServed()
        let reset = try see(secure, under: #"{"connection":"reset"}"#)
        expectEqual(reset.ending, "reset")
        expectEqual(reset.count, 0)
        let later = try see(secure, under: #"{"connection":"reset","afterBytes":10}"#)
        #expect(later.ending == "reset" && later.content == 10 && later.line.hasPrefix("HTTP/1.1 404"))
        let upload = #"POST /api/v1/nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n"#
        let cut = try see(
            secure,
            under: #"{"upload":{"resetAfterBytes":10}}"#,
            upload + String(repeating: "x", count: 60_000)
        )
        expectEqual(cut.ending, "reset")
        expectEqual(cut.count, 0)
        let refused = try see(secure, under: #"{"upload":{"rejectEarly":413}}"#, upload)
        #expect(refused.line.hasPrefix("HTTP/1.1 413"))
    }

    @Test func `3 what is cut ends without close_notify`() throws {
        _ = try #require(TLSTool.path("python3"), "make test-deps installs python3")
        let secure = try SecureServed()
        let whole = try see(secure).content
        let empty = try see(secure, under: #"{"connection":"empty"}"#)
        expectEqual(empty.ending, "eof")
        expectEqual(empty.count, 0)
        let cut = try see(secure, under: #"{"connection":"truncate","afterBytes":7}"#)
        expectEqual(cut.ending, "eof")
        expectEqual(cut.content, 7)
        let half = try see(secure, under: #"{"connection":"truncate"}"#)
        expectEqual(half.ending, "eof")
        expectEqual(half.content, whole / 2)
        let stalled = try see(secure, under: #"{"connection":"stall","forMs":30}"#)
        expectEqual(stalled.ending, "eof")
        expectEqual(stalled.count, 0)
        let chunks = try see(secure, under: #"{"connection":"malformed-chunk"}"#)
        #expect(chunks.ending == "eof" && chunks.content > 0)
    }

    @Test func `3 garbage comes inside TLS, or in place of a record of it`() throws {
        _ = try #require(TLSTool.path("python3"), "make test-deps installs python3")
        let secure = try SecureServed()
        let inside = try see(secure, under: #"{"connection":"garbage"}"#)
        expectEqual(inside.ending, "eof")
        expectEqual(inside.count, 512)
        let below = try see(secure, under: #"{"connection":"garbage","layer":"tls"}"#)
        expectEqual(below.ending, "no TLS", "\(below)")
        expectEqual(below.count, 0, "\(below)")
        for other in ["reset", "empty", "stall", "truncate", "malformed-chunk"] {
            let refused = try secure.served.control(
                "POST",
                "/faults",
                #"{"effect":{"connection":"\#(other)","layer":"tls"}}"#
            )
            expectEqual(refused.status, 422, "\(other)")
        }
        // Without TLS there is no record to replace.
        _ = try secure.served.control("POST", "/faults", #"{"effect":{"connection":"garbage","layer":"tls"}}"#)
        let wire = try Wire(port: secure.served.api)
        try wire.send(Wire.request("GET", "/api/v1/nowhere"))
        try wire.waitForEnd()
        expectEqual(wire.received.count, 512)
    }

    @Test func `3 gates, latency and the limits of a head hold over TLS`() throws {
        _ = try #require(TLSTool.path("python3"), "make test-deps installs python3")
        let secure = try SecureServed()
        _ = try secure.served.control("PUT", "/latency", #"{"delay":{"ms":20}}"#)
        try expectEqual(see(secure).ending, "notify")
        _ = try secure.served.control("PUT", "/latency", #"{"profile":"none"}"#)
        let long = #"GET /\#(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n"#
        #expect(try see(secure, long).line.hasPrefix("HTTP/1.1 414"))
        let broken = try see(secure, #"GET / HTTP/1.1\r\n\r\n"#)
        #expect(broken.line.hasPrefix("HTTP/1.1 400") && broken.ending == "notify")
        let entry = try secure.served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["transport"]?["scheme"], "https")
    }
}
