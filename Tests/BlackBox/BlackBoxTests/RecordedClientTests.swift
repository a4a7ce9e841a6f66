import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: a client that uses this server in a backend's place while it is recorded.
@Suite(.serialized) struct RecordedClientTests {
    private static func response(_ fields: [String], _ body: String = "{}", status: String = "200 OK") -> [String] {
        let head = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)", "", ""]
        return [head.joined(separator: "\r\n") + body]
    }

    private static func recorded(_ folder: Folder, _ name: String = "r.har") throws -> [JSON] {
        let text = try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
        return try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? []
    }

    private static func values(_ name: String, in message: JSON?) -> [String] {
        (message?["headers"]?.arrayValue ?? []).filter { $0["name"]?.stringValue == name }.compactMap {
            $0["value"]?.stringValue
        }
    }

    /// Cookies of a backend, the client's host and scheme, and the cookie that the client gets.
    private static let cookies: [(cookie: String, host: String, scheme: String, expected: String)] = [
        ("t=1; Path=/; Domain=api.example.com", "127.0.0.1", "http", "t=1; Path=/"),
        ("t=1; Path=/; Domain=.example.com; HttpOnly", "127.0.0.1:4680", "http", "t=1; Path=/; HttpOnly"),
        ("t=1;domain = EXAMPLE.com;path=/", "localhost", "http", "t=1;path=/"),
        ("t=1; Domain=api.example.com; Secure; SameSite=None; Partitioned; Path=/", "[::1]:1", "http", "t=1; Path=/"),
        ("t=1; secure; SameSite=Lax", "127.0.0.1", "http", "t=1; SameSite=Lax"),
        ("t=1; SameSite=Strict; SECURE; Max-Age=60", "127.0.0.1", "http", "t=1; SameSite=Strict; Max-Age=60"),
        ("t=1; Domain=example.com; Secure; SameSite=None", "127.0.0.1", "https", "t=1; Secure; SameSite=None"),
        ("t=1; Domain=example.com; Path=/", "app.example.com:8443", "http", "t=1; Domain=example.com; Path=/"),
        ("t=1; Domain=app.example.com", "APP.example.com", "http", "t=1; Domain=app.example.com"),
        ("t=1; Domain=ample.com", "app.example.com", "http", "t=1"), ("t=1; Domain=0.0.1", "127.0.0.1", "http", "t=1"),
        ("t=1; Domain=127.0.0.1", "127.0.0.1", "http", "t=1; Domain=127.0.0.1"),
        ("domain=zz; Path=/a", "127.0.0.1", "http", "domain=zz; Path=/a"),
        ("secure; Path=/", "127.0.0.1", "http", "secure; Path=/"),
        (
            "t=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Secure", "127.0.0.1", "http",
            "t=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT"
        ),
    ]

    @Test(arguments: ["record", "spy", "record-missing", "replay"])
    func `13 cookies of a backend fit the client's address, and the recording keeps the original`(mode: String) throws {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        let folder = try Folder([
            "recordings/empty.har": RecordedEntry.archive([RecordedEntry("GET", "https://a.example/x", answer: "{}")])
        ])
        let served = try Served(in: folder)
        let recording =
            mode == "replay"
            ? #","recording":"empty.har","miss":"forward""# : mode == "spy" ? "" : #","recording":"r.har""#
        let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(upstream.url)"\#(recording)}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        for (place, one) in Self.cookies.enumerated() {
            upstream.answers(
                Self.response(["Content-Type: application/json", "Set-Cookie: \(one.cookie)", "Set-Cookie: other=2"])
            )
            let wire = try Wire(port: served.api)
            try wire.send(
                Array(
                    "GET /login?n=\(place) HTTP/1.1\r\nHost: \(one.host)\r\nX-Forwarded-Proto: \(one.scheme)\r\n\r\n"
                        .utf8
                )
            )
            let answer = try wire.answer()
            expectEqual(
                answer.fields.filter { $0.name == "Set-Cookie" }.map(\.value),
                [one.expected, "other=2"],
                "\(one.cookie)"
            )
        }
        guard mode.hasPrefix("record") else { return }
        try expectEqual(served.control("PUT", "/mode", #"{"api":"omnichat","mode":"emulate"}"#).status, 200)
        let text = try String(contentsOf: folder.url.appendingPathComponent("recordings/r.har"), encoding: .utf8)
        let entries = try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? []
        expectEqual(entries.count, Self.cookies.count)
        for (entry, one) in zip(entries, Self.cookies) {
            // Redaction replaces the value of a cookie; its attributes are the backend's.
            let attributes =
                one.cookie.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
            let kept = Self.values("Set-Cookie", in: entry["response"]).first ?? ""
            #expect(kept.hasSuffix(attributes), "\(kept): \(one.cookie)")
        }
    }

    @Test func `13 a session that a cookie with a domain carries can be recorded and replayed`() throws {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", upstream.url, "--out", "r.har"], in: folder)
        upstream.answers(Self.response(["Set-Cookie: sid=abc123; Path=/; Domain=.example.com; Secure"]))
        let login = try InstalledTool.run(
            "curl",
            ["-s", "-c", "jar", "http://127.0.0.1:\(recorder.api)/login"],
            in: folder
        )
        expectEqual(login.status, 0)
        upstream.answers(#"{"me":1}"#)
        _ = try InstalledTool.run("curl", ["-s", "-b", "jar", "http://127.0.0.1:\(recorder.api)/me"], in: folder)
        try recorder.stop()
        #expect(String(decoding: upstream.requests.last ?? [], as: UTF8.self).contains("Cookie: sid=abc123\r\n"))
        let entries = try Self.recorded(folder)
        #expect(
            Self.values("Set-Cookie", in: entries[0]["response"])[0].hasSuffix("; Path=/; Domain=.example.com; Secure")
        )
    }

    // MARK: Links

    /// Contents of a backend at `BACK`, and the same as the client gets it.
    private static let contents: [(type: String, body: String, expected: String)] = [
        (
            "application/json", #"{"next":"BACK/a?page=2","other":"https://other.example/"}"#,
            #"{"next":"HERE/a?page=2","other":"https://other.example/"}"#
        ), ("application/json", #"{"esc":"BSLASH\/a"}"#, #"{"esc":"http:\/\/127.0.0.1\/a"}"#),
        (
            "text/html", "<a href='BACK/x'>see BACK/y</a> and //BAREHOST/z \"//BAREHOST/z\"",
            "<a href='HERE/x'>see HERE/y</a> and HERE/z \"HERE/z\""
        ),
        (
            "text/event-stream", "data: {\"u\":\"BACK/1\"}\n\ndata: {\"u\":\"BACK/2\"}\n\n",
            "data: {\"u\":\"HERE/1\"}\n\ndata: {\"u\":\"HERE/2\"}\n\n"
        ),
        (
            "application/x-ndjson", "{\"u\":\"BACK/1\"}\n{\"u\":\"BACK/2\"}\n",
            "{\"u\":\"HERE/1\"}\n{\"u\":\"HERE/2\"}\n"
        ),
        (
            "text/plain", String(repeating: "x", count: 5_000) + "BACK/" + String(repeating: "y", count: 5_000),
            String(repeating: "x", count: 5_000) + "HERE/" + String(repeating: "y", count: 5_000)
        ), ("application/octet-stream", "BACK/binary", "BACK/binary"), ("image/png", "BACK/image", "BACK/image"),
    ]

    /// Cuts a text within its first address, and once more near its end.
    private static func pieces(_ text: String) -> [String] {
        guard let cut = text.range(of: "127.0.")?.upperBound else { return [text] }
        let last = text.index(text.endIndex, offsetBy: -4)
        return [String(text[..<cut]), String(text[cut..<last]), String(text[last...])]
    }

    private static func filled(_ text: String, _ port: Int) -> String {
        text.replacingOccurrences(of: "BACK", with: "http://127.0.0.1:\(port)")
            .replacingOccurrences(of: "BAREHOST", with: "127.0.0.1:\(port)")
            .replacingOccurrences(of: "BSLASH", with: #"http:\/\/127.0.0.1:\#(port)"#)
            .replacingOccurrences(of: "HERE", with: "http://127.0.0.1")
    }

    @Test
    func `13 links of a backend lead here while recording, if that is wanted, and the recording keeps the original`()
        throws
    {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        let folder = try Folder()
        let command = ["record", "--upstream", upstream.url, "--out", "r.har", "--no-redact"]
        let recorder = try Proxy(command + ["--links", "here"], in: folder)
        var originals: [String] = []
        for (place, one) in Self.contents.enumerated() {
            let whole = Self.filled(one.body, upstream.port)
            let pieces = Self.pieces(whole)
            let expected = Self.filled(one.expected, upstream.port)
            for framing in ["length", "chunked", "gzip"] {
                // A compressed stream of events passes as it came.
                if framing == "gzip", one.type == "text/event-stream" { continue }
                var head = "HTTP/1.1 200 OK\r\nContent-Type: \(one.type)\r\n"
                switch framing {
                case "length": upstream.answers([head + "Content-Length: \(whole.utf8.count)\r\n\r\n"] + pieces)
                case "chunked":
                    head += "Transfer-Encoding: chunked\r\n\r\n"
                    upstream.answers(
                        [head] + pieces.map { String($0.utf8.count, radix: 16) + "\r\n\($0)\r\n" } + ["0\r\n\r\n"]
                    )
                case "gzip":
                    let packed = Deflate.compress(Array(whole.utf8), .gzip) ?? []
                    head += "Content-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
                    upstream.answers([Array(head.utf8), packed])
                default: break
                }
                let answer = try recorder.ask("GET", "/c\(place)?\(framing)")
                let isText = !["application/octet-stream", "image/png"].contains(one.type)
                if framing == "gzip", !isText {
                    expectEqual(answer["Content-Encoding"], "gzip")
                } else {
                    expectEqual(answer.text, expected, "\(one.type) \(framing)")
                    expectNil(answer["Content-Encoding"])
                }
                originals.append(whole)
            }
        }
        let back = "http://127.0.0.1:\(upstream.port)"
        upstream.answers(
            Self.response(
                [
                    "Location: \(back)/there", "Link: <\(back)/2>; rel=next", "Access-Control-Allow-Origin: \(back)",
                    "X-Odd: \(back)/o",
                ],
                "",
                status: "302 Found"
            )
        )
        let redirect = try recorder.ask("GET", "/r")
        expectEqual(redirect["Location"], "http://127.0.0.1/there")
        expectEqual(redirect["Link"], "<http://127.0.0.1/2>; rel=next")
        expectEqual(redirect["Access-Control-Allow-Origin"], back)
        try expectEqual(recorder.ask("GET", "/@main/r")["Location"], "http://127.0.0.1/@main/there")
        try recorder.stop()
        let entries = try Self.recorded(folder, "r.unredacted.har")
        expectEqual(
            entries.prefix(originals.count).map { $0["response"]?["content"]?["text"]?.stringValue },
            originals
        )
        expectEqual(Self.values("Location", in: entries[originals.count]["response"]), ["\(back)/there"])
    }

    @Test func `13 an address of this server in a request is the backend's again, and links pass by themselves`() throws
    {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        let back = upstream.url
        upstream.answers(#"{"next":"\#(back)/n"}"#)
        let folder = try Folder()
        let command = ["record", "--upstream", upstream.url, "--out", "r.har", "--no-redact"]
        for (flags, origin) in [
            ([], "http://127.0.0.1"), (["--links", "keep"], "http://127.0.0.1"), (["--links", "here"], back),
        ] {
            let recorder = try Proxy(command + flags, in: folder)
            let wire = try Wire(port: recorder.api)
            let body = #"{"redirect":"http://127.0.0.1/cb","other":"https://other.example/"}"#
            try wire.send(
                Wire.request(
                    "POST",
                    "/go?to=http%3A%2F%2F127.0.0.1%2Fcb",
                    body: Array(body.utf8),
                    fields: [
                        "Origin: http://127.0.0.1", "Referer: http://127.0.0.1/page", "Cookie: u=http://127.0.0.1/",
                    ]
                )
            )
            let isHere = origin == back
            try expectEqual(wire.answer().json["next"]?.stringValue, isHere ? "http://127.0.0.1/n" : "\(back)/n")
            let seen = String(decoding: upstream.requests.last ?? [], as: UTF8.self)
            let escaped = origin.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: "/", with: "%2F")
            for text in [
                "POST /go?to=\(escaped)%2Fcb HTTP/1.1\r\n", "\r\nOrigin: \(origin)\r\n",
                "\r\nReferer: \(origin)/page\r\n",
                "\r\nCookie: u=http://127.0.0.1/\r\n", #""redirect":"\#(origin)/cb","other":"https://other.example/"}"#,
            ] {
                #expect(seen.contains(text), "\(flags) \(text): \(seen)")
            }
            try recorder.stop()
            // What was recorded is found again, wherever it is replayed.
            let replay = try Proxy(["replay", "r.unredacted.har"], in: folder)
            if isHere {
                try expectEqual(
                    replay.ask("POST", "/go?to=http%3A%2F%2F127.0.0.1%2Fcb", body).json["next"],
                    "http://127.0.0.1/n"
                )
            }
            try replay.stop()
        }
        try expectEqual(Program.run(["record", "--api", "omnichat", "--upstream", back, "--links", "there"]).status, 2)
    }

    @Test func `13 the mode tells where links of a backend lead`() throws {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        upstream.answers(#"{"next":"\#(upstream.url)/n"}"#)
        let served = try Served(in: Folder(["recordings/x": ""]))
        for (mode, links, shown) in [
            ("record", #","links":"here""#, "here"), ("record", "", nil), ("record", #","links":"keep""#, nil),
            ("spy", #","links":"here""#, "here"), ("record-missing", #","links":"here""#, "here"),
        ] as [(String, String, String?)] {
            let recording = mode == "spy" ? "" : #","recording":"m.har""#
            let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(upstream.url)"\#(recording)\#(links)}"#
            try expectEqual(served.control("PUT", "/mode", order).json["links"]?.stringValue, shown, "\(mode) \(links)")
            try expectEqual(served.control("GET", "/mode?api=omnichat").json["links"]?.stringValue, shown)
            try expectEqual(
                Wire(port: served.api).ask("GET", "/n?\(mode)").json["next"]?.stringValue,
                shown == "here" ? "http://127.0.0.1/n" : "\(upstream.url)/n",
                "\(mode) \(links)"
            )
        }
    }

    @Test func `13 links in compressed text of a request are the backend's again, and other codings pass`() throws {
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        let folder = try Folder()
        let recorder = try Proxy(
            ["record", "--upstream", upstream.url, "--out", "r.har", "--no-redact", "--links", "here"],
            in: folder
        )
        let text = #"{"back":"http:\/\/127.0.0.1\/cb","other":"https://other.example/"}"#
        let plain = Array(text.utf8)
        let gzip = Deflate.compress(plain, .gzip) ?? []
        let twice = Deflate.compress(Deflate.compress(plain, .deflate) ?? [], .gzip) ?? []
        let moved = text.replacingOccurrences(
            of: #"http:\/\/127.0.0.1"#,
            with: upstream.url.replacingOccurrences(of: "/", with: #"\/"#)
        )
        for (coding, body, expected) in [
            ("gzip", gzip, moved), ("X-GZIP", gzip, moved), ("deflate", Deflate.compress(plain, .deflate) ?? [], moved),
            ("deflate, gzip", twice, moved), ("identity", plain, moved), ("br", plain, text), ("gzip", plain, text),
        ] {
            let wire = try Wire(port: recorder.api)
            try wire.send(Wire.request("POST", "/in", body: body, fields: ["Content-Encoding: \(coding)"]))
            try expectEqual(wire.answer().status, 200, coding)
            let seen = try #require(upstream.requests.last)
            let head = String(decoding: seen.prefix(600), as: UTF8.self)
            #expect(head.contains("\r\nContent-Encoding: \(coding)\r\n"), "\(head)")
            let end = try #require(head.range(of: "\r\n\r\n")).upperBound
            var content = Array(seen.dropFirst(head[..<end].utf8.count))
            #expect(head.contains("\r\nContent-Length: \(content.count)\r\n"), "\(head)")
            if content != plain, coding != "identity" {
                for kind in coding.lowercased().split(separator: ",").reversed() {
                    content = try Inflater.inflate(content, kind.contains("gzip") ? .gzip : .deflate, limit: 10_000)
                }
            }
            expectEqual(String(decoding: content, as: UTF8.self), expected, coding)
        }
        try recorder.stop()
    }
}
