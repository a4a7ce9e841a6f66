import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Wire contract, section 3: content in codings, read from the socket.
@Suite(.serialized) struct CodingWireTests {
    /// 256 bytes of JSON, and one less.
    private static let long = #"{"a":"\#(String(repeating: "x", count: 248))"}"#
    private static let short = #"{"a":"\#(String(repeating: "x", count: 247))"}"#

    private struct Shop {
        let served: Served
        let port: Int

        init(_ declaration: String = #""compress":true"#, _ flags: [String] = []) throws {
            let folder = try Folder([
                "apis/shop/api.json":
                    #"{\#(declaration),"resources":[{"path":"/v1/posts","table":"posts"}],"idempotency":true}"#,
                "apis/shop/tables/posts.json": #"[{"id":"1","title":"\#(String(repeating: "milk ", count: 80))"}]"#,
                "apis/shop/files/text.txt": String(repeating: "line\n", count: 100),
            ])
            served = try Served(Served.frozen + ["--apis", "apis", "--api", "shop,omnichat"] + flags, in: folder)
            let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
            port = try #require(text.split(separator: ":").last.flatMap { Int($0) })
        }

        func ask(
            _ method: String,
            _ target: String,
            _ fields: [String] = [],
            body: [UInt8] = [],
            type: String = "application/json"
        ) throws -> WireAnswer {
            let wire = try Wire(port: port)
            try wire.send(Wire.request(method, target, body: body, type: type, fields: fields))
            return try wire.answer(toHead: method == "HEAD")
        }

        func order(_ call: String, _ text: String) throws {
            let answer = try served.control("POST", "\(call)?api=shop", text)
            guard answer.status == 201 else { throw TestError(description: answer.text) }
        }

        func stub(_ path: String, _ response: String) throws {
            try order("/stubs", #"{"match":{"path":"\#(path)"},"response":\#(response)}"#)
        }

        func fault(_ effect: String) throws {
            _ = try served.control("DELETE", "/faults")
            try order("/faults", #"{"effect":\#(effect)}"#)
        }

        func entry() throws -> JSON { try #require(served.control("GET", "/requests?limit=1").json["items"]?[0]) }

        func reason() throws -> String? { try entry()["decisions"]?[0]?["reason"]?.stringValue }
    }

    // MARK: The setting

    @Test func `3 compress codes by the weights of Accept-Encoding`() throws {
        let shop = try Shop()
        try shop.stub("/long", #"{"body":\#(Self.long),"headers":{"ETag":"\"v1\""}}"#)
        for (fields, coding) in [
            ([], nil), (["gzip"], "gzip"), (["deflate"], "deflate"), (["gzip, deflate"], "gzip"),
            (["deflate, gzip"], "gzip"), (["gzip;q=0.5, deflate"], "deflate"), (["gzip;q=0"], nil),
            (["*"], "gzip"), (["gzip;q=0, *"], "deflate"), (["*;q=0"], nil), (["identity;q=0, *"], "gzip"),
            (["gzip;q=0.5, identity"], nil), (["gzip;q=0.5, identity;q=0.5"], "gzip"), (["identity;q=0"], nil),
            (["GZIP"], "gzip"), (["x-gzip"], "gzip"), (["br", "gzip"], "gzip"), (["br;q=1, zstd"], nil),
            (["gzip ; q=0.001"], "gzip"), (["gzip;Q=0"], nil), (["gzip;q=2"], nil), ([""], nil),
        ] as [([String], String?)] {
            let answer = try shop.ask("GET", "/long", fields.map { "Accept-Encoding: \($0)" })
            expectEqual(answer["Content-Encoding"], coding, "\(fields)")
            expectEqual(answer["Vary"], "Accept-Encoding", "\(fields)")
            expectEqual(answer["ETag"], coding == nil ? "\"v1\"" : "W/\"v1\"", "\(fields)")
            try expectEqual(coding == nil ? answer.text : answer.plain(), Self.long, "\(fields)")
        }
    }

    @Test func `3 compress leaves what is short, no text, coded, a part, a stream or not to be transformed`() throws {
        let shop = try Shop()
        let gzip = Data(Deflate.compress(Array(Self.long.utf8), .gzip) ?? []).base64EncodedString()
        let picture = Data(repeating: 7, count: 400).base64EncodedString()
        for (name, response, isCoded) in [
            ("255", #"{"body":\#(Self.short)}"#, false), ("256", #"{"body":\#(Self.long)}"#, true),
            ("error", #"{"status":500,"body":\#(Self.long)}"#, true),
            (
                "xml", #"{"headers":{"Content-Type":"image/svg+xml"},"text":"\#(String(repeating: "x", count: 256))"}"#,
                true
            ),
            ("problem", #"{"headers":{"Content-Type":"application/problem+json"},"body":\#(Self.long)}"#, true),
            ("png", #"{"headers":{"Content-Type":"image/png"},"base64":"\#(picture)"}"#, false),
            ("coded", #"{"headers":{"Content-Type":"text/plain","Content-Encoding":"gzip"},"base64":"\#(gzip)"}"#, nil),
            ("still", #"{"headers":{"Cache-Control":"max-age=1, no-transform"},"body":\#(Self.long)}"#, false),
            ("events", #"{"events":[{"data":"\#(String(repeating: "x", count: 400))"}]}"#, false),
        ] as [(String, String, Bool?)] {
            try shop.stub("/\(name)", response)
            let answer = try shop.ask("GET", "/\(name)", ["Accept-Encoding: gzip"])
            expectEqual(answer["Content-Encoding"], isCoded == false ? nil : "gzip", name)
            expectEqual(answer["Vary"], isCoded == true ? "Accept-Encoding" : nil, name)
        }
        try shop.stub("/vary", #"{"headers":{"Vary":"Origin"},"body":\#(Self.long)}"#)
        try expectEqual(shop.ask("GET", "/vary")["Vary"], "Origin, Accept-Encoding")
        try shop.stub("/any", #"{"headers":{"Vary":"*"},"body":\#(Self.long)}"#)
        try expectEqual(shop.ask("GET", "/any", ["Accept-Encoding: gzip"])["Vary"], "*")
    }

    @Test func `3 a coded content has a weak tag and no ranges, and a 304 and HEAD have its fields`() throws {
        let shop = try Shop()
        try shop.stub("/file", #"{"file":"text.txt","headers":{"Content-Type":"text/plain"}}"#)
        let accept = "Accept-Encoding: gzip"
        let plain = try shop.ask("GET", "/file")
        expectEqual(plain["Accept-Ranges"], "bytes")
        let tag = try #require(plain["ETag"])
        let coded = try shop.ask("GET", "/file", [accept])
        try expectEqual(coded.plain(), plain.text)
        expectEqual(coded["ETag"], "W/" + tag)
        expectNil(coded["Accept-Ranges"])
        let head = try shop.ask("HEAD", "/file", [accept])
        for name in ["ETag", "Content-Encoding", "Content-Length", "Vary", "Content-Type"] {
            expectEqual(head[name], coded[name], name)
        }
        let known = try shop.ask("GET", "/file", [accept, "If-None-Match: W/\(tag)"])
        expectEqual(known.status, 304)
        expectEqual(known["ETag"], "W/" + tag)
        expectEqual(known["Vary"], "Accept-Encoding")
        expectNil(known["Content-Encoding"])
        try expectEqual(shop.ask("GET", "/file", ["If-None-Match: W/\(tag)"])["ETag"], tag)
        let part = try shop.ask("GET", "/file", [accept, "Range: bytes=0-3"])
        expectEqual(part.status, 206)
        expectEqual(part.text, "line")
        expectNil(part["Content-Encoding"])
        expectEqual(part["Vary"], "Accept-Encoding")
        // A weak tag promises no bytes.
        try expectEqual(
            shop.ask("GET", "/file", [accept, "Range: bytes=0-3", "If-Range: W/\(tag)"])["Content-Encoding"],
            "gzip"
        )
        // An endpoint's own conditions.
        let row = try shop.ask("GET", "/v1/posts/1", [accept])
        let weak = try #require(row["ETag"])
        #expect(weak.hasPrefix("W/"))
        let unchanged = try shop.ask("GET", "/v1/posts/1", [accept, "If-None-Match: \(weak)"])
        expectEqual(unchanged.status, 304)
        expectEqual(unchanged["ETag"], weak)
    }

    @Test func `3 journal and HAR have content decoded, and every API has the setting`() throws {
        let shop = try Shop(#""validation":"off""#)
        try shop.stub("/long", #"{"body":\#(Self.long)}"#)
        try expectNil(shop.ask("GET", "/long", ["Accept-Encoding: gzip"])["Content-Encoding"])
        for name in ["shop", "omnichat"] {
            let answer = try shop.served.control("PUT", "/settings?api=\(name)", #"{"\#(name)":{"compress":"on"}}"#)
            expectEqual(answer.json[name]?["compress"], "on")
        }
        let sent = try shop.ask("GET", "/long", ["Accept-Encoding: gzip"])
        expectEqual(sent["Content-Encoding"], "gzip")
        let body = try shop.entry()["responseBody"]
        expectEqual(body?["text"]?.stringValue, Self.long)
        expectEqual(body?["bytes"]?.intValue, 256)
        expectEqual(body?["coding"], "gzip")
        expectEqual(body?["codedBytes"]?.intValue, Int64(sent.bytes.count))
        let archive = try shop.served.control("GET", "/requests.har").json
        let response = archive["log"]?["entries"]?.arrayValue?.last?["response"]
        expectEqual(response?["content"]?["text"]?.stringValue, Self.long)
        expectEqual(response?["content"]?["size"]?.intValue, 256)
        expectEqual(response?["bodySize"]?.intValue, Int64(sent.bytes.count))
        let list = try Wire(port: shop.served.api)
        let token = try shop.served.token()
        try list.send(
            Wire.request("GET", "/api/v1/conversations", token: token, fields: ["Accept-Encoding: deflate, gzip;q=0.1"])
        )
        let conversations = try list.answer()
        expectEqual(conversations["Content-Encoding"], "deflate")
        #expect(try conversations.plain().hasPrefix("{"))
        _ = try shop.served.control("POST", "/reset")
        try expectNil(shop.ask("GET", "/v1/posts", ["Accept-Encoding: gzip"])["Content-Encoding"])
    }

    @Test func `12 long content is coded by a worker, with the same bytes`() throws {
        let shop = try Shop()
        let text = (0..<20_000).map { "line \($0)" }.joined(separator: " ")
        try shop.stub("/big", #"{"text":"\#(text)"}"#)
        let answer = try shop.ask("GET", "/big", ["Accept-Encoding: gzip"])
        try expectEqual(answer.plain(), text)
        try shop.fault(#"{"drift":{"remove":"a"}}"#)
        try expectEqual(shop.ask("GET", "/big", ["Accept-Encoding: gzip"]).bytes, answer.bytes)
        try expectEqual(shop.reason(), "no JSON")
    }

    // MARK: Effects

    @Test func `3 the effect coding, with each of its words`() throws {
        let shop = try Shop(#""title":"Shop""#)
        try shop.stub("/a", #"{"body":{"a":1},"headers":{"ETag":"\"v1\""}}"#)
        let plain = #"{"a":1}"#
        for name in ["gzip", "deflate"] {
            try shop.fault(#"{"coding":"\#(name)"}"#)
            let answer = try shop.ask("GET", "/a", ["Accept-Encoding: identity"])
            expectEqual(answer["Content-Encoding"], name)
            try expectEqual(answer.plain(), plain)
            expectEqual(answer["ETag"], "W/\"v1\"")
            try expectEqual(shop.entry()["responseBody"]?["text"]?.stringValue, plain)
            try expectNil(shop.ask("HEAD", "/a")["Content-Encoding"])
            try expectEqual(shop.reason(), "no content")
        }
        try shop.fault(#"{"coding":"wrong"}"#)
        var answer = try shop.ask("GET", "/a")
        expectEqual(answer["Content-Encoding"], "gzip")
        expectEqual(answer.text, plain)
        try shop.fault(#"{"coding":"wrong","as":"br"}"#)
        answer = try shop.ask("GET", "/a")
        expectEqual(answer["Content-Encoding"], "br")
        expectEqual(answer.text, plain)
        try shop.fault(#"{"coding":"missing"}"#)
        answer = try shop.ask("GET", "/a")
        expectNil(answer["Content-Encoding"])
        let whole = answer.bytes
        try expectEqual(Inflater.inflate(whole, .gzip, limit: 100), Array(plain.utf8))
        try shop.fault(#"{"coding":"cut"}"#)
        answer = try shop.ask("GET", "/a")
        expectEqual(answer["Content-Encoding"], "gzip")
        expectEqual(answer["Content-Length"], "\(answer.bytes.count)")
        #expect(answer.bytes.count < whole.count && whole.starts(with: answer.bytes))
        #expect(throws: InflateError.incomplete) { try Inflater.inflate(answer.bytes, .gzip, limit: 100) }
        // Over content that is coded already.
        try shop.stub(
            "/b",
            #"{"headers":{"Content-Type":"text/plain","Content-Encoding":"gzip"},"base64":"\#(Data(whole).base64EncodedString())"}"#
        )
        try shop.fault(#"{"coding":"deflate"}"#)
        try expectEqual(shop.ask("GET", "/b").plain(), plain)
        try shop.fault(#"{"coding":"gzip"}"#)
        try expectEqual(shop.ask("GET", "/b").bytes, whole)
        try expectEqual(shop.reason(), "nothing to change")
        try shop.stub("/file", #"{"file":"text.txt"}"#)
        try expectEqual(shop.ask("GET", "/file", ["Range: bytes=0-1"]).text, "li")
        try expectEqual(shop.reason(), "nothing to change")
        try shop.stub("/c", #"{"headers":{"Content-Encoding":"br"},"text":"abc"}"#)
        _ = try shop.ask("GET", "/c")
        try expectEqual(shop.reason(), "unknown coding")
        try shop.stub("/e", #"{"events":[{"data":"x"}]}"#)
        _ = try shop.ask("GET", "/e")
        try expectEqual(shop.reason(), "a stream")
    }

    @Test func `3 the effect coding is strict`() throws {
        let shop = try Shop(#""title":"Shop""#)
        for effect in [
            #"{"coding":"br"}"#, #"{"coding":"gzip","as":"br"}"#, #"{"coding":"wrong","as":""}"#,
            #"{"coding":"wrong","as":"a b"}"#, #"{"coding":"wrong","as":"\#(String(repeating: "x", count: 65))"}"#,
            #"{"coding":1}"#, #"{"coding":"gzip","body":"empty"}"#, #"{"as":"br"}"#,
        ] {
            try expectEqual(shop.served.control("POST", "/faults", #"{"effect":\#(effect)}"#).status, 422, effect)
        }
        try shop.fault(#"{"coding":"wrong","as":"\#(String(repeating: "x", count: 64))"}"#)
    }

    @Test func `3 effects on content act on it decoded, and code it again`() throws {
        let shop = try Shop()
        try shop.stub("/long", #"{"body":\#(Self.long)}"#)
        let accept = ["Accept-Encoding: deflate"]
        try shop.fault(#"{"drift":{"set":"a","to":2}}"#)
        var answer = try shop.ask("GET", "/long", accept)
        try expectEqual(answer.plain(), #"{"a":2}"#)
        expectEqual(answer["Content-Encoding"], "deflate")
        expectEqual(answer["Vary"], "Accept-Encoding")
        try expectEqual(shop.entry()["responseBody"]?["text"]?.stringValue, #"{"a":2}"#)
        try shop.fault(#"{"body":"invalid-json"}"#)
        try expectEqual(shop.ask("GET", "/long", accept).plain(), Self.long.dropLast() + ",]}")
        try shop.fault(#"{"body":"truncated-json"}"#)
        try expectEqual(shop.ask("GET", "/long", accept).plain(), String(Self.long.prefix(128)))
        try shop.fault(#"{"body":"empty"}"#)
        answer = try shop.ask("GET", "/long", accept)
        expectEqual(answer.text, "")
        expectNil(answer["Content-Encoding"])
        // Bytes are those on the wire.
        try shop.fault(#"{"framing":"chunked"}"#)
        answer = try shop.ask("GET", "/long", accept)
        try expectEqual(answer.plain(), Self.long)
        try expectEqual(shop.entry()["responseBody"]?["text"]?.stringValue, Self.long)
        try shop.fault(#"{"range":"none"}"#)
        try shop.stub("/file", #"{"file":"text.txt"}"#)
        answer = try shop.ask("GET", "/file", accept)
        expectEqual(answer["Accept-Ranges"], "none")
        try expectEqual(answer.plain(), String(repeating: "line\n", count: 100))
    }
}
