import Foundation
import JSON
import TestSupport
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
        expectEqual(line.utf8.count, 64)
        try expectEqual(status("\(line)\r\nHost: x\r\n\r\n"), 404)
        try expectEqual(status("\(line.replacingOccurrences(of: "/a", with: "/aa"))\r\nHost: x\r\n\r\n"), 414)
        try expectEqual(status("GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\n\r\n"), 404)
        try expectEqual(status("GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n"), 431)
        func sized(_ count: Int) -> String { "{\"idToken\":\"" + String(repeating: "x", count: count - 14) + "\"}" }
        try expectEqual(served.chat("POST", "/auth/apple", sized(100)).error, "400 Email required for new users")
        try expectEqual(served.chat("POST", "/auth/apple", sized(101)).status, 413)
        try expectEqual(served.control("POST", "/worlds", "{}").status, 201)
        try expectEqual(served.control("POST", "/worlds", "{}").status, 409)
    }

    @Test func `17 the depth of control bodies and the parts of multipart bodies, each at n and n + 1`() throws {
        let served = try Served(Served.frozen + ["--limit", "json-depth=4", "multipart-parts=3"])
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
            return #"{"match":{"body":\#(inner)}}"#
        }
        try expectEqual(served.control("POST", "/requests/count", nested(4)).status, 200)
        try expectEqual(served.control("POST", "/requests/count", nested(5)).status, 400)
        let token = try served.token()
        func upload(_ parts: Int) throws -> String {
            let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n"
            let body = String(repeating: part, count: parts) + "--b--\r\n"
            let wire = try Wire(port: served.api)
            let type = "multipart/form-data; boundary=b"
            try wire.send(Wire.request("POST", "/api/v1/upload", body: Array(body.utf8), token: token, type: type))
            return try wire.answer().error
        }
        try expectEqual(upload(3), "400 No file provided")
        try expectEqual(upload(4), "400 Invalid multipart body")
    }

    /// The response of each API to a body with that many values (the object, its array, and the elements).
    private func wide(_ served: Served, _ api: String, _ values: Int) throws -> String {
        let path =
            switch api {
            case "sawaed": "/api/mobile/v1/auth/request-otp"
            case "carbscan": "/api/mobile/v1/auth/apple"
            case "omnichat": "/api/v1/auth/apple"
            case "trafikskola": "/api/mobile/auth/login"
            default: "/auth/v1/token?grant_type=password"
            }
        let inner = Array(repeating: "1", count: values - 2).joined(separator: ",")
        let answer = try Wire(port: served.hub).ask("POST", "/\(api)\(path)", body: Array("{\"x\":[\(inner)]}".utf8))
        return "\(answer.status) \(answer.text)"
    }

    @Test(arguments: Checkout.apis)
    func `17 the number of values bounds the bodies of every API, each at n and n + 1`(api: String) throws {
        let served = try Served(Served.frozen + ["--limit", "json-values=7"])
        let (fits, over) = try (wide(served, api, 7), wide(served, api, 8))
        #expect(over.hasPrefix("400 "), "\(over)")
        #expect(fits != over, "\(fits)")
    }

    @Test func `17 a control body may have 100,000 values, and as many as are said`() throws {
        func body(_ values: Int) -> String {
            let inner = Array(repeating: "1", count: values - 3).joined(separator: ",")
            return "{\"match\":{\"body\":[\(inner)]}}"
        }
        let usual = try Served(Served.frozen)
        // As a body it is read; as a pattern it has too many values (control contract, section 19).
        try expectEqual(usual.control("POST", "/requests/count", body(100_000)).status, 422)
        try expectEqual(usual.control("POST", "/requests/count", body(100_001)).status, 400)
        let state = try usual.control("GET", "/state").text
        let said = try Served(Served.frozen + ["--limit", "json-values=10"])
        try expectEqual(said.control("POST", "/requests/count", body(10)).status, 200)
        try expectEqual(said.control("POST", "/requests/count", body(11)).status, 400)
        try expectEqual(said.control("PUT", "/state", state).status, 200, "a world has as many as it has")
    }

    /// A call with a body that nests that deep, of each API; all of them need no token or have one here.
    private func deep(_ served: Served, _ api: String, _ depth: Int) throws -> String {
        let inner = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        let path =
            switch api {
            case "sawaed": "/api/mobile/v1/auth/request-otp"
            case "carbscan": "/api/mobile/v1/auth/apple"
            case "omnichat": "/api/v1/auth/apple"
            case "trafikskola": "/api/mobile/auth/login"
            default: "/auth/v1/token?grant_type=password"
            }
        let answer = try Wire(port: served.hub).ask("POST", "/\(api)\(path)", body: Array(#"{"x":\#(inner)}"#.utf8))
        return "\(answer.status) \(answer.text)"
    }

    @Test(arguments: Checkout.apis)
    func `17 the depth of JSON bounds the bodies of every API, each at n and n + 1`(api: String) throws {
        let served = try Served(Served.frozen + ["--limit", "json-depth=4"])
        let broken = try deep(served, api, 5)
        #expect(broken.hasPrefix("400 "))
        #expect(try deep(served, api, 4) != broken)
        let usual = try Served()
        let own = ["omnichat", "trendy"].contains(api) ? 512 : 64
        #expect(try deep(usual, api, own) != deep(usual, api, own + 1))
        try expectEqual(deep(usual, api, 5), deep(usual, api, own))
    }

    @Test func `17 an API's own number of parts counts where it is smaller`() throws {
        func upload(_ served: Served, _ parts: Int) throws -> String {
            let body = #"{"user":"anna@example.com","kind":"access"}"#
            let minted = try Wire(port: served.hub).ask(
                "POST",
                "/__admin/tokens?api=trafikskola",
                body: Array(body.utf8)
            )
            let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n"
            let content = String(repeating: part, count: parts) + "--b--\r\n"
            let wire = try Wire(port: served.hub)
            try wire.send(
                Wire.request(
                    "POST",
                    "/trafikskola/api/mobile/student/avatar",
                    body: Array(content.utf8),
                    token: minted.json["token"]?.stringValue,
                    type: "multipart/form-data; boundary=b"
                )
            )
            return try wire.answer().json["errorCode"]?.stringValue ?? ""
        }
        let orders: [(flags: [String], most: Int)] = [
            ([], 20), (["--limit", "multipart-parts=3"], 3), (["--limit", "multipart-parts=50"], 20),
        ]
        for (flags, most) in orders {
            let served = try Served(Served.frozen + flags)
            let taken = try upload(served, most)
            #expect(taken != "INVALID_MULTIPART" && !taken.isEmpty)
            try expectEqual(upload(served, most + 1), "INVALID_MULTIPART")
        }
    }

    @Test func `17 the outbox holds as many messages as said, the oldest go first`() throws {
        let served = try Served(Served.frozen + ["--limit", "outbox=2"])
        for user in ["a", "b", "c"] {
            let body = Array(#"{"email":"\#(user)@sawaed.test"}"#.utf8)
            _ = try Wire(port: served.hub).ask("POST", "/sawaed/api/mobile/v1/auth/request-otp", body: body)
        }
        let items = try served.control("GET", "/outbox").json["items"]?.arrayValue ?? []
        expectEqual(items.compactMap { $0["to"]?.stringValue }, ["c@sawaed.test", "b@sawaed.test"])
    }

    @Test func `17 control calls are answered when an API's connections are used up`() throws {
        let served = try Served(Served.frozen + ["--limit", "connections=3"])
        let stuck = try (0..<6).map { _ in try Wire(port: served.api) }
        for wire in stuck { try wire.send(Array("GET / HTTP/1.1\r\nHost: x\r\n".utf8)) }
        let lost = try Wire(port: served.hub)
        try lost.send(Wire.request("GET", "/omnichat/api/v1/user/profile"))
        for _ in 0..<40 {
            try expectEqual(served.control("GET", "/health").status, 200)
        }
        try expectEqual(Wire(port: served.hub).ask("GET", "/").status, 200)
        #expect(lost.received.isEmpty)
        for wire in stuck { wire.close() }
        try expectEqual(lost.answer().status, 401)
    }

    @Test func `17 connections that use up the system's descriptors leave the hub usable too`() throws {
        let served = try Served(prelude: "ulimit -n 160")
        let stuck = try (0..<120).map { _ in try Wire(port: served.api) }
        for wire in stuck { try wire.send(Array("GET / HTTP/1.1\r\n".utf8)) }
        for _ in 0..<20 {
            try expectEqual(served.control("GET", "/health").status, 200)
        }
        for wire in stuck { wire.close() }
        try expectEqual(served.chat("GET", "/user/profile").status, 401)
    }

    @Test func `console 26 the console's page needs no token and names no world`() throws {
        let open = try Served()
        try expectEqual(open.control("POST", "/worlds", #"{"name":"secret-name"}"#).status, 201)
        let page = try Wire(port: open.hub).ask("GET", "/")
        expectEqual(page.status, 200)
        expectEqual(page["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'; "), true)
        #expect(page.text.contains(#"href="/docs/omnichat""#))
        #expect(!page.text.contains("secret-name"))
        let closed = try Served(Served.frozen + ["--admin-token", "secret"])
        try expectEqual(Wire(port: closed.hub).ask("GET", "/__admin/console").status, 200)
        try expectEqual(Wire(port: closed.hub).ask("GET", "/__admin/console/main.js").status, 200)
        try expectEqual(Wire(port: closed.hub).ask("GET", "/__admin/health").status, 401)
        try expectEqual(Wire(port: closed.hub).ask("GET", "/@nope/").status, 404)
    }

    @Test func `console 11 every link of the console's page leads to something`() throws {
        let served = try Served()
        let page = try Wire(port: served.hub).ask("GET", "/").text
        let links = ["href=\"", "src=\""].flatMap { mark in
            page.components(separatedBy: mark).dropFirst().map { $0.prefix { $0 != "\"" } }
        }
        #expect(links.count >= 10)
        for link in links {
            #expect(link.hasPrefix("/"), "\(link)")
            try expectEqual(Wire(port: served.hub).ask("GET", String(link)).status, 200, "\(link)")
        }
    }

    @Test func `console 11 its files are on every port, by GET and HEAD alone`() throws {
        let served = try Served()
        func ask(_ port: Int, _ field: String) throws -> WireAnswer {
            let wire = try Wire(port: port)
            let head = "GET /__admin/console/main.js HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(field)\r\n\r\n"
            try wire.send(Array(head.utf8))
            return try wire.answer()
        }
        for port in [served.hub, served.api] {
            let script = try Wire(port: port).ask("GET", "/__admin/console/main.js")
            expectEqual(script["Content-Type"], "text/javascript; charset=utf-8")
            expectEqual(script["Cross-Origin-Resource-Policy"], "same-origin")
            let tag = try #require(script["ETag"])
            try expectEqual(ask(port, "If-None-Match: \(tag)").status, 304)
            let packed = try ask(port, "Accept-Encoding: br, gzip")
            expectEqual(packed["Content-Encoding"], "gzip")
            expectEqual(packed["Vary"], "Accept-Encoding")
            #expect(packed["ETag"] != tag)
            try expectEqual(Wire(port: port).ask("GET", "/__admin/console/none.js").status, 404)
            try expectEqual(Wire(port: port).ask("GET", "/__admin/console/kit").status, 404)
            try expectEqual(Wire(port: port).ask("POST", "/__admin/console/main.js").status, 405)
            try expectEqual(Wire(port: port).ask("HEAD", "/__admin/console/style.css").status, 200)
        }
        try expectEqual(Wire(port: served.api).ask("GET", "/__admin/console").status, 404)
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
        expectEqual(page.status, 200)
        expectEqual(page["Content-Security-Policy"]?.contains("script-src 'self'; style-src 'self'"), true)
        #expect(page.text.contains(#"data-document="/__admin/openapi/omnichat.json" data-mount="/omnichat""#))
        #expect(try ask("/docs/control").text.contains(#"data-mount="" data-tokens="""#))
        try expectEqual(ask("/docs/omnichat", "HEAD").status, 200)
        try expectEqual(ask("/docs/omnichat", "POST").status, 405)
        try expectEqual(ask("/docs/nope").status, 404)
        try expectEqual(ask("/docs/omnichat/x").status, 404)
        try expectEqual(ask("/@nope/docs/omnichat").status, 404)
    }
}
