import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 8 and 17; own-API contract, sections 6 and 7: effects that find nothing to act on, coded
/// content, long content, paths as they were sent.
@Suite(.serialized) struct ContentFaultTests {
    private static let shop = [
        "apis/shop/api.json": #"{"resources":[{"path":"/v1/posts","table":"posts"}]}"#,
        "apis/shop/tables/posts.json": #"[{"id":"1","title":"milk"}]"#,
    ]

    private struct Shop {
        let served: Served
        let port: Int

        init(_ flags: [String] = []) throws {
            let folder = try Folder(ContentFaultTests.shop)
            served = try Served(["--api", "shop"] + flags, in: folder)
            let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
            port = try #require(text.split(separator: ":").last.flatMap { Int($0) })
        }

        func ask(_ method: String, _ target: String, _ fields: [String] = [], body: [UInt8] = []) throws -> WireAnswer {
            let wire = try Wire(port: port)
            try wire.send(Wire.request(method, target, body: body, fields: fields))
            return try wire.answer(toHead: method == "HEAD")
        }

        func stub(_ text: String) throws {
            let answer = try served.control("POST", "/stubs?api=shop", text)
            guard answer.status == 201 else { throw TestError(description: answer.text) }
        }

        func fault(_ effect: String, _ more: String = "") throws {
            _ = try served.control("DELETE", "/faults")
            let answer = try served.control("POST", "/faults?api=shop", #"{"effect":\#(effect)\#(more)}"#)
            guard answer.status == 201 else { throw TestError(description: answer.text) }
        }

        func hits() throws -> Int64? { try served.control("GET", "/faults").json["items"]?[0]?["hits"]?.intValue }

        func reason() throws -> String? {
            let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
            return entry?["decisions"]?[0]?["reason"]?.stringValue
        }
    }

    private static let onContent = [
        #"{"body":"truncated-json"}"#, #"{"body":"invalid-json"}"#, #"{"body":"empty"}"#,
        #"{"body":"wrong-content-type"}"#, #"{"connection":"truncate"}"#, #"{"connection":"malformed-chunk"}"#,
        #"{"connection":"reset","afterBytes":5}"#, #"{"dribble":{"chunks":2,"overMs":10}}"#,
        #"{"throttle":{"bytesPerSecond":100000}}"#,
    ]

    @Test func `8 what acts on content is not used up where there is none: HEAD, 204, 304, an empty 200`() throws {
        let shop = try Shop()
        try shop.stub(#"{"match":{"path":"/e204"},"response":{"status":204}}"#)
        try shop.stub(#"{"match":{"path":"/e200"},"response":{"status":200}}"#)
        let tag = try #require(try shop.ask("GET", "/v1/posts/1")["ETag"])
        for effect in Self.onContent {
            for phase in ["", #","phase":"before""#] {
                try shop.fault(effect, #","when":{"times":1}\#(phase)"#)
                for (method, target, fields, status) in [
                    ("GET", "/v1/posts/1", ["If-None-Match: \(tag)"], 304), ("HEAD", "/v1/posts/1", [], 200),
                    ("GET", "/e204", [], 204), ("GET", "/e200", [], 200),
                ] {
                    let what = "\(effect) \(phase) \(method) \(target)"
                    try expectEqual(shop.ask(method, target, fields).status, status, what)
                    try expectEqual(shop.hits(), 0, what)
                    try expectEqual(shop.reason(), "no content", what)
                }
                let wire = try Wire(port: shop.port)
                try wire.send(Wire.request("GET", "/v1/posts/1"))
                _ = try? wire.answer()
                try expectEqual(shop.hits(), 1, effect)
            }
        }
        try shop.fault(#"{"drift":{"remove":"title"}}"#)
        _ = try shop.ask("HEAD", "/v1/posts/1")
        try expectEqual(shop.reason(), "no content")
    }

    @Test func `8 changed content has no validators, so that no 304 keeps it`() throws {
        let shop = try Shop()
        for effect in [#"{"drift":{"set":"title","to":"x"}}"#] + Self.onContent.prefix(3) {
            try shop.fault(effect)
            let answer = try shop.ask("GET", "/v1/posts/1")
            expectEqual(answer.status, 200)
            expectNil(answer["ETag"], effect)
            expectNil(answer["Last-Modified"], effect)
        }
        try shop.fault(#"{"throttle":{"bytesPerSecond":100000}}"#)
        #expect(try shop.ask("GET", "/v1/posts/1")["ETag"] != nil)
    }

    @Test func `8 damage is done to decoded content, in every coding that is known`() throws {
        let shop = try Shop()
        // {"a":1,"b":"xxxxxxxx"} by gzip and by zlib.
        let plain = #"{"a":1,"b":"xxxxxxxx"}"#
        let coded = try #require(
            try TLSTool.python(
                "import gzip,zlib,base64,sys;b=sys.argv[1].encode();print(base64.b64encode(gzip.compress(b,mtime=0)).decode(),base64.b64encode(zlib.compress(b)).decode())",
                [plain]
            )
        ).output.split(whereSeparator: \.isWhitespace).map(String.init)
        for (coding, content) in zip(["gzip", "deflate"], coded) {
            let fields = #"{"Content-Type":"application/json","Content-Encoding":"\#(coding)"}"#
            let answer = #"{"headers":\#(fields),"base64":"\#(content)"}"#
            try shop.stub(#"{"match":{"path":"/\#(coding)"},"response":\#(answer)}"#)
            try shop.fault(#"{"drift":{"set":"a","to":2}}"#)
            let drifted = try shop.ask("GET", "/\(coding)")
            try expectEqual(drifted.plain(), #"{"a":2,"b":"xxxxxxxx"}"#)
            expectEqual(drifted["Content-Encoding"], coding)
            try shop.fault(#"{"body":"invalid-json"}"#)
            try expectEqual(shop.ask("GET", "/\(coding)").plain(), plain.dropLast() + ",]}")
            try shop.fault(#"{"body":"truncated-json"}"#)
            try expectEqual(shop.ask("GET", "/\(coding)").plain(), String(plain.prefix(11)))
            try shop.fault(#"{"body":"empty"}"#)
            let empty = try shop.ask("GET", "/\(coding)")
            expectEqual(empty.text, "")
            expectNil(empty["Content-Encoding"])
            try shop.fault(#"{"body":"html"}"#, #","phase":"after""#)
            try expectNil(shop.ask("GET", "/\(coding)")["Content-Encoding"])
        }
        for coding in ["br", "gzip, br", "x"] {
            let fields = #"{"Content-Type":"application/json","Content-Encoding":"\#(coding)"}"#
            _ = try shop.served.control("DELETE", "/stubs")
            try shop.stub(#"{"match":{"path":"/odd"},"response":{"headers":\#(fields),"base64":"AAEC"}}"#)
            for effect in [#"{"drift":{"auto":"breaking"}}"#, #"{"body":"invalid-json"}"#] {
                try shop.fault(effect)
                let answer = try shop.ask("GET", "/odd")
                expectEqual(answer.bytes, [0, 1, 2])
                expectEqual(answer["Content-Encoding"], coding)
                try expectEqual(shop.reason(), "unknown coding")
            }
        }
    }

    @Test func `8 a cut is always one, however many bytes it asks for`() throws {
        let shop = try Shop()
        let whole = try shop.ask("GET", "/v1/posts/1").bytes.count
        for kind in ["reset", "truncate"] {
            for count in [whole - 1, whole, whole + 1, 99_999] {
                try shop.fault(#"{"connection":"\#(kind)","afterBytes":\#(count)}"#)
                let wire = try Wire(port: shop.port)
                try wire.send(Wire.request("GET", "/v1/posts/1"))
                try wire.waitForEnd()
                let sent = wire.text.components(separatedBy: "\r\n\r\n").dropFirst().joined().utf8.count
                expectEqual(sent, whole - 1, "\(kind) \(count)")
                let entry = try shop.served.control("GET", "/requests?limit=1").json["items"]?[0]
                expectEqual(entry?["outcome"], "cut")
                expectEqual(entry?["responseBody"]?["bytes"]?.intValue, Int64(whole - 1))
            }
        }
        for (kind, acts) in [("resetAfterBytes", 20), ("stopAfterBytes", 20)] {
            for length in [19, 20, 21] {
                try shop.fault(#"{"upload":{"\#(kind)":\#(acts)}}"#)
                let wire = try Wire(port: shop.port)
                let body = [UInt8](repeating: 0x20, count: length - 2) + Array("{}".utf8)
                try wire.send(Wire.request("POST", "/v1/posts", body: body))
                if length < acts {
                    #expect(try wire.answer().status > 0)
                } else if kind == "resetAfterBytes" {
                    try wire.waitForEnd()
                    expectEqual(wire.text, "")
                } else {
                    #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
                }
                wire.close()
                try expectEqual(shop.hits(), length < acts ? 0 : 1, "\(kind) \(length)")
            }
        }
    }

    // MARK: Long content

    @Test func `17 the limit of bodies holds for stubs and respond, at n and one more`() throws {
        let shop = try Shop(["--limit", "body=1000"])
        try shop.stub(#"{"match":{"method":"POST","path":"/up"},"when":{"times":1},"response":{"status":201}}"#)
        let respond = #"{"respond":{"status":202,"body":{}}}"#
        func body(_ count: Int) -> [UInt8] {
            Array((#"{"a":""# + String(repeating: "x", count: count - 8) + #""}"#).utf8)
        }
        func chunked(_ target: String, _ count: Int) throws -> Int {
            let wire = try Wire(port: shop.port)
            let head =
                "POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            let content = Array((String(count, radix: 16) + "\r\n").utf8) + body(count) + Array("\r\n0\r\n\r\n".utf8)
            try wire.send(Array(head.utf8) + content)
            return try wire.answer().status
        }
        try expectEqual(shop.ask("POST", "/up", body: body(1_001)).status, 413)
        try expectEqual(chunked("/up", 1_001), 413)
        let expecting = try Wire(port: shop.port)
        try expecting.send(
            Array("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n".utf8)
        )
        let refused = try expecting.answer()
        expectEqual(refused.status, 413)
        #expect(refused.json["error"] != nil, "\(refused.text)")
        try expectEqual(shop.ask("POST", "/up", body: body(1_000)).status, 201)
        try shop.fault(respond, #","when":{"times":2}"#)
        for target in ["/up", "/nowhere", "/v1/posts"] {
            try expectEqual(shop.ask("POST", target, body: body(1_001)).status, 413, target)
            try expectEqual(shop.reason(), "body over the limit")
        }
        try expectEqual(shop.hits(), 0)
        try expectEqual(shop.ask("POST", "/nowhere", body: body(1_000)).status, 202)
        try expectEqual(chunked("/v1/posts", 1_000), 202)
    }

    @Test func `7 a stub reads content up to the limit of the server, not to one of its own`() throws {
        let shop = try Shop()
        try shop.stub(#"{"match":{"path":"/up"},"response":{"status":201,"body":{"a":"{{body.b ?? none}}"}}}"#)
        let long = Array((#"{"b":"end","a":""# + String(repeating: "x", count: 9 << 20) + #""}"#).utf8)
        let answer = try shop.ask("POST", "/up", body: long)
        expectEqual(answer.status, 201)
        expectEqual(answer.json["a"], "end")
    }

    // MARK: Stubs

    @Test func `7 HEAD shows what GET gets and uses nothing up, unless a stub is made for it`() throws {
        let shop = try Shop()
        let turns = #""responses":[{"status":200,"text":"one"},{"status":200,"text":"three"}]"#
        for match in [#"{"method":"GET","path":"/a"}"#, #"{"path":"/a"}"#] {
            _ = try shop.served.control("DELETE", "/stubs")
            try shop.stub(#"{"match":\#(match),\#(turns)}"#)
            for _ in 0..<3 { try expectEqual(shop.ask("HEAD", "/a")["Content-Length"], "3") }
            try expectEqual(shop.ask("GET", "/a").text, "one")
            try expectEqual(shop.ask("HEAD", "/a")["Content-Length"], "5")
            try expectEqual(shop.ask("GET", "/a").text, "three")
        }
        _ = try shop.served.control("DELETE", "/stubs")
        try shop.stub(#"{"match":{"method":"HEAD","path":"/a"},\#(turns)}"#)
        try expectEqual(shop.ask("HEAD", "/a")["Content-Length"], "3")
        try expectEqual(shop.ask("HEAD", "/a")["Content-Length"], "5")
    }

    @Test func `6 an expression sees the path as it was sent`() throws {
        let shop = try Shop()
        try shop.stub(#"{"match":{"path":{"regex":"/pub/x/"}},"response":{"text":"slash"}}"#)
        try shop.stub(#"{"match":{"path":{"regex":"/pub/x"}},"response":{"text":"none"}}"#)
        try expectEqual(shop.ask("GET", "/pub/x/").text, "slash")
        try expectEqual(shop.ask("GET", "/pub/x").text, "none")
        func count(_ path: String) throws -> Int64? {
            try shop.served.control("POST", "/requests/count", #"{"match":{"path":{"regex":"\#(path)"}}}"#).json[
                "count"
            ]?.intValue
        }
        try expectEqual(count("/pub/x/"), 1)
        try expectEqual(count("/pub/x"), 1)
        try expectEqual(count("/pub/x/?"), 2)
        try shop.fault(#"{"status":503}"#, #","match":{"path":{"regex":"/pub/."}}"#)
        try expectEqual(shop.ask("GET", "/pub/x/").status, 200)
        try expectEqual(shop.ask("GET", "/pub/x").status, 503)
        _ = try shop.served.control("DELETE", "/stubs")
        _ = try shop.served.control("DELETE", "/faults")
        try shop.stub(#"{"match":{"path":{"regex":"/pub/y"}},"response":{"text":"none"}}"#)
        let missed = try shop.ask("GET", "/pub/y/").text
        #expect(missed.contains("found /pub/y/"), "\(missed)")
        let unmatched = try shop.served.control("GET", "/unmatched").text
        #expect(unmatched.contains("found /pub/y/"), "\(unmatched)")
    }

    @Test func `6 an expression that fits no path is refused`() throws {
        let shop = try Shop()
        for path in ["pub/.*", #"/a\\?b=1"#, "/a b", "/caffè", "[a-z]+", "/a#b"] {
            let answer = try shop.served.control(
                "POST",
                "/stubs?api=shop",
                #"{"match":{"path":{"regex":"\#(path)"}},"response":{}}"#
            )
            expectEqual(answer.status, 422, path)
            expectEqual(answer.json["errors"]?[0]?["path"], "$.match.path.regex", "\(answer.text)")
        }
        for path in [".*", "/.*", "^/a$", "(/a|b)", "/a/?", "/caff%C3%A8", "[^x]*", #"/[a-z]+\\.js"#, "/(@w/)?a~b"] {
            let answer = try shop.served.control(
                "POST",
                "/faults?api=shop",
                #"{"match":{"path":{"regex":"\#(path)"}},"effect":{"status":500}}"#
            )
            expectEqual(answer.status, 201, "\(path) \(answer.text)")
        }
    }

    @Test func `7 a redirect to a path stays in its world and below its mount`() throws {
        let shop = try Shop()
        try expectEqual(shop.served.control("POST", "/worlds", #"{"name":"w"}"#).status, 201)
        for world in ["main", "w"] {
            let answer = try Wire(port: shop.served.hub).ask(
                "POST",
                "/@\(world)/shop/__admin/stubs",
                body: Array(
                    #"{"match":{"path":"/old"},"response":{"status":301,"headers":{"Location":"/new?a=1"}}}"#.utf8
                )
            )
            expectEqual(answer.status, 201)
        }
        for (port, prefix) in [
            (shop.port, ""), (shop.port, "/@w"), (shop.served.hub, "/shop"), (shop.served.hub, "/@w/shop"),
        ] {
            let answer = try Wire(port: port).ask("GET", prefix + "/old")
            expectEqual(answer["Location"], prefix + "/new?a=1")
        }
        let effect = #"{"respond":{"status":302,"headers":[["Location","LOCATION"]]}}"#
        for (given, found) in [
            ("/new", "/@main/new"), ("/@main/new", "/@main/new"), ("//x.test/new", "//x.test/new"),
            ("https://x.test/", "https://x.test/"), ("new", "new"),
        ] {
            try shop.fault(effect.replacingOccurrences(of: "LOCATION", with: given))
            try expectEqual(shop.ask("GET", "/@main/any")["Location"], found)
        }
    }
}
