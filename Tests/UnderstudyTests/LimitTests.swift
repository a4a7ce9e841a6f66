import Foundation
import JSON
import Testing

/// Control contract, section 17: each limit is configurable.
@Suite(.serialized) struct LimitTests {
    @Test func `limits can be set by name, each at n and n + 1`() throws {
        let served = try Served(
            Served.frozen + ["--limit", "request-line=64", "header-fields=3", "body=100", "worlds=2"]
        )
        func status(_ text: String) throws -> Int {
            let wire = try Wire(port: served.api)
            try wire.send(Array(text.utf8))
            return try wire.answer().status
        }
        let line = "GET /" + String(repeating: "a", count: 64 - 14) + " HTTP/1.1"
        #expect(line.utf8.count == 64)
        #expect(try status("\(line)\r\nHost: x\r\n\r\n") == 404)
        #expect(try status("\(line.replacingOccurrences(of: "/a", with: "/aa"))\r\nHost: x\r\n\r\n") == 414)
        #expect(try status("GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\n\r\n") == 404)
        #expect(try status("GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n") == 431)
        func sized(_ count: Int) -> String { "{\"idToken\":\"" + String(repeating: "x", count: count - 14) + "\"}" }
        #expect(try served.chat("POST", "/auth/apple", sized(100)).error == "400 Email required for new users")
        #expect(try served.chat("POST", "/auth/apple", sized(101)).status == 413)
        #expect(try served.control("POST", "/worlds", "{}").status == 201)
        #expect(try served.control("POST", "/worlds", "{}").status == 409)
    }

    @Test func `17 the depth of control bodies and the parts of multipart bodies, each at n and n + 1`() throws {
        let served = try Served(Served.frozen + ["--limit", "json-depth=4", "multipart-parts=3"])
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
            return #"{"match":{"body":\#(inner)}}"#
        }
        #expect(try served.control("POST", "/requests/count", nested(4)).status == 200)
        #expect(try served.control("POST", "/requests/count", nested(5)).status == 400)
        let token = try served.token()
        func upload(_ parts: Int) throws -> String {
            let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n"
            let body = String(repeating: part, count: parts) + "--b--\r\n"
            let wire = try Wire(port: served.api)
            let type = "multipart/form-data; boundary=b"
            try wire.send(Wire.request("POST", "/api/v1/upload", body: Array(body.utf8), token: token, type: type))
            return try wire.answer().error
        }
        #expect(try upload(3) == "400 No file provided")
        #expect(try upload(4) == "400 Invalid multipart body")
    }

    @Test func `the index page shows worlds only where control calls are open, and runs nothing`() throws {
        let open = try Served()
        let page = try Wire(port: open.hub).ask("GET", "/")
        #expect(page.status == 200)
        #expect(page.text.contains("<h2>Worlds (1)</h2>"))
        #expect(page["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(!page.text.contains("<script"))
        #expect(page.text.contains(#"href="/docs/omnichat""#))
        let closed = try Served(Served.frozen + ["--admin-token", "secret"])
        #expect(try !Wire(port: closed.hub).ask("GET", "/").text.contains("Worlds ("))
        #expect(try Wire(port: closed.hub).ask("GET", "/@nope/").status == 404)
    }

    @Test func `15 the hub has a list of pages and a page for each API, below a world's prefix too`() throws {
        let served = try Served()
        func ask(_ path: String, _ method: String = "GET") throws -> WireAnswer {
            try Wire(port: served.hub).ask(method, path)
        }
        for path in ["/docs", "/docs/"] {
            #expect(try ask(path).text.contains(#"href="/docs/omnichat""#))
        }
        #expect(try ask("/@main/docs").text.contains(#"href="/@main/docs/control""#))
        let page = try ask("/@main/docs/omnichat")
        #expect(page.status == 200)
        #expect(page["Content-Security-Policy"]?.contains("script-src 'sha256-") == true)
        #expect(page.text.contains(#"data-document="/__admin/openapi/omnichat.json" data-mount="/omnichat""#))
        #expect(try ask("/docs/control").text.contains(#"data-mount="" data-tokens="""#))
        #expect(try ask("/docs/omnichat", "HEAD").status == 200)
        #expect(try ask("/docs/omnichat", "POST").status == 405)
        #expect(try ask("/docs/nope").status == 404)
        #expect(try ask("/docs/omnichat/x").status == 404)
        #expect(try ask("/@nope/docs/omnichat").status == 404)
    }
}
