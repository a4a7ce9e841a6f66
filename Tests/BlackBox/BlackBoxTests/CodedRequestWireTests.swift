import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Wire contract, section 3: requests whose content is coded, written to the socket.
@Suite(.serialized) struct CodedRequestWireTests {
    private static let plain = Array(#"{"id":"7","title":"milk"}"#.utf8)

    private struct Shop {
        let served: Served
        let port: Int

        init(_ flags: [String] = []) throws {
            let folder = try Folder([
                "apis/shop/api.json": #"{"resources":[{"path":"/v1/posts","table":"posts"}]}"#,
                "apis/shop/tables/posts.json": "[]",
            ])
            served = try Served(Served.frozen + ["--apis", "apis", "--api", "shop,omnichat"] + flags, in: folder)
            let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
            port = try #require(text.split(separator: ":").last.flatMap { Int($0) })
        }

        func post(
            _ target: String,
            _ coding: String,
            _ body: [UInt8],
            type: String = "application/json"
        ) throws -> WireAnswer {
            let wire = try Wire(port: port)
            try wire.send(
                Wire.request("POST", target, body: body, type: type, fields: ["Content-Encoding: \(coding)"])
            )
            return try wire.answer()
        }

        func order(_ call: String, _ text: String) throws {
            let answer = try served.control("POST", "\(call)?api=shop", text)
            guard answer.status == 201 else { throw TestError(description: answer.text) }
        }

        func entry() throws -> JSON { try #require(served.control("GET", "/requests?limit=1").json["items"]?[0]) }
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] { Deflate.compress(bytes, .gzip) ?? [] }

    @Test func `3 own APIs see gzip and both forms of deflate decoded, and the entry says how it came`() throws {
        let shop = try Shop()
        let zlib = Deflate.compress(Self.plain, .deflate) ?? []
        let raw = Deflate.compress(Self.plain, .deflate, isRaw: true) ?? []
        for (place, (coding, body)) in [
            ("gzip", Self.gzip(Self.plain)), ("x-gzip", Self.gzip(Self.plain)), ("GZIP", Self.gzip(Self.plain)),
            ("deflate", zlib), ("deflate", raw), ("identity", Self.plain), ("identity, gzip", Self.gzip(Self.plain)),
        ].enumerated() {
            let row = #"{"id":"\#(place)","title":"milk"}"#
            let bytes = coding == "identity" ? Array(row.utf8) : body
            let answer = try shop.post("/v1/posts", coding, bytes)
            expectEqual(answer.status, place == 0 || coding == "identity" ? 201 : 409, "\(coding) \(answer.text)")
            let sent = try shop.entry()["body"]
            guard coding != "identity" else {
                expectNil(sent?["coding"])
                continue
            }
            expectEqual(sent?["text"]?.stringValue, String(decoding: Self.plain, as: UTF8.self), coding)
            expectEqual(sent?["bytes"]?.intValue, Int64(Self.plain.count), coding)
            expectEqual(sent?["coding"]?.stringValue, coding == "identity, gzip" ? "gzip" : coding.lowercased())
            expectEqual(sent?["codedBytes"]?.intValue, Int64(body.count), coding)
        }
        // Neither a double member nor anything else is found in bytes that stand for text.
        let report = try shop.served.control("GET", "/conduct").json
        let rules = report["findings"]?.arrayValue?.compactMap { $0["rule"]?.stringValue } ?? []
        #expect(!rules.contains { $0.hasPrefix("body/") }, "\(rules)")
    }

    @Test func `3 another coding is 415, a broken stream 400, and both name the coding in the API's form`() throws {
        let shop = try Shop()
        try shop.order("/stubs", #"{"match":{"path":"/stub"},"response":{"body":1}}"#)
        try shop.order("/stubs", #"{"match":{"path":"/body","body":{"id":"7"}},"response":{"body":2}}"#)
        let coded = Self.gzip(Self.plain)
        var flipped = coded
        flipped[flipped.count - 6] ^= 0xFF
        for target in ["/v1/posts", "/stub", "/body"] {
            for (coding, body, status) in [
                ("br", coded, 415), ("zstd", coded, 415), ("gzip, gzip", Self.gzip(coded), 415),
                ("none", Self.plain, 415),
                ("gzip", Self.plain, 400), ("gzip", Array(coded.dropLast(4)), 400), ("gzip", flipped, 400),
                ("gzip", coded + [0], 400), ("gzip", coded + Array("rest".utf8), 400),
                ("deflate", Self.plain, 400), ("deflate", coded, 400),
            ] {
                let answer = try shop.post(target, coding, body)
                expectEqual(answer.status, status, "\(target) \(coding) \(answer.text)")
                #expect(answer.text.contains(coding), "\(answer.text)")
                expectEqual(answer["Accept-Encoding"], status == 415 ? "gzip, deflate" : nil)
                #expect(answer.json["error"]?["code"] != nil || answer.json["code"] != nil, "\(answer.text)")
                expectNil(try shop.entry()["body"]?["coding"])
            }
        }
        try expectEqual(shop.post("/stub", "gzip", coded).text, "1")
        try expectEqual(shop.post("/body", "gzip", coded).text, "2")
        // What takes no content refuses none, and what is nowhere stays so.
        try expectEqual(shop.post("/nowhere", "br", coded).status, 404)
    }

    @Test func `3 respond sees content decoded, and leaves what can't be to its refusal`() throws {
        let shop = try Shop()
        try shop.order(
            "/faults",
            #"{"match":{"body":{"id":"7"}},"effect":{"respond":{"status":202,"text":"{{body.id}}","template":true}}}"#
        )
        let coded = Self.gzip(Self.plain)
        let answer = try shop.post("/v1/posts", "gzip", coded)
        expectEqual(answer.status, 202)
        expectEqual(answer.text, "7")
        _ = try shop.served.control("DELETE", "/faults")
        try shop.order("/faults", #"{"effect":{"respond":{"status":202,"text":"x"}}}"#)
        for (coding, body, status, reason) in [
            ("br", coded, 415, "unknown coding of the request"),
            ("gzip", Self.plain, 400, "broken coding of the request"),
        ] {
            let refused = try shop.post("/v1/posts", coding, body)
            expectEqual(refused.status, status, refused.text)
            try expectEqual(shop.entry()["decisions"]?[0]?["reason"]?.stringValue, reason)
        }
    }

    @Test func `3 the limit body holds for both lengths, and decoding stops at it`() throws {
        let shop = try Shop(["--limit", "body=1000"])
        try shop.order("/stubs", #"{"match":{"path":"/stub"},"response":{"body":1}}"#)
        func content(_ count: Int) -> [UInt8] {
            Array(#"{"title":"\#(String(repeating: "x", count: count - 12))"}"#.utf8)
        }
        for target in ["/v1/posts", "/stub"] {
            try expectEqual(shop.post(target, "gzip", Self.gzip(content(1_000))).status, target == "/stub" ? 200 : 201)
            let refused = try shop.post(target, "gzip", Self.gzip(content(1_001)))
            expectEqual(refused.status, 413, refused.text)
        }
        // A few bytes that stand for a gigabyte cost nobody anything.
        let million = Self.gzip([UInt8](repeating: 0x20, count: 900_000))
        expectEqual(million.count < 1_000, true)
        try expectEqual(shop.post("/stub", "gzip", million).status, 413)
        let body = try shop.entry()["body"]
        expectEqual(body?["truncated"], true)
        expectEqual(body?["codedBytes"]?.intValue, Int64(million.count))
        try expectEqual(shop.post("/stub", "gzip", [UInt8](repeating: 7, count: 1_001)).status, 413)
    }

    @Test func `3 endpoints of built-in APIs take none, and stubs there see it decoded`() throws {
        let shop = try Shop()
        let wire = try Wire(port: shop.served.api)
        let token = try shop.served.token()
        let body = Self.gzip(Array(#"{"title":"x"}"#.utf8))
        let request = Wire.request(
            "POST",
            "/api/v1/conversations",
            body: body,
            token: token,
            fields: ["Content-Encoding: gzip"]
        )
        try wire.send(request)
        var answer = try wire.answer()
        expectEqual(answer.status, 415, answer.text)
        expectEqual(answer["Accept-Encoding"], "identity")
        #expect(answer.text.contains("gzip"))
        let stub = #"{"match":{"path":"/api/v1/conversations","body":{"title":"x"}},"response":{"body":"stubbed"}}"#
        try expectEqual(shop.served.control("POST", "/stubs?api=omnichat", stub).status, 201)
        try wire.send(request)
        answer = try wire.answer()
        expectEqual(answer.text, #""stubbed""#)
        expectEqual(answer.status, 200)
    }

    @Test func `3 a request that is sent again is coded again, and its curl is plain`() throws {
        let shop = try Shop()
        try expectEqual(shop.post("/v1/posts", "gzip", Self.gzip(Self.plain)).status, 201)
        let id = try #require(shop.entry()["id"]?.stringValue)
        let again = try shop.served.control("POST", "/requests/\(id)/replay")
        expectEqual(again.status, 201, again.text)
        let entry = try shop.entry()
        expectEqual(entry["status"]?.intValue, 409)
        expectEqual(entry["body"]?["text"]?.stringValue, String(decoding: Self.plain, as: UTF8.self))
        expectEqual(entry["body"]?["coding"], "gzip")
    }

    @Test func `3 a real backend gets content as it came, and recordings are searched for it decoded`() throws {
        let shop = try Shop()
        let backend = try Shop()
        let upstream = "http://127.0.0.1:\(backend.port)"
        let mode = try shop.served.control(
            "PUT",
            "/mode?api=shop",
            #"{"api":"shop","mode":"spy","upstream":"\#(upstream)"}"#
        )
        expectEqual(mode.status, 200, mode.text)
        let coded = Self.gzip(Self.plain)
        try expectEqual(shop.post("/v1/posts", "gzip", coded).status, 201)
        let came = try backend.entry()["body"]
        expectEqual(came?["codedBytes"]?.intValue, Int64(coded.count))
        expectEqual(came?["text"]?.stringValue, String(decoding: Self.plain, as: UTF8.self))
        // What nobody can read is the backend's affair.
        let odd = try shop.post("/v1/posts", "br", coded)
        expectEqual(odd.status, 415)
        try expectEqual(backend.entry()["status"]?.intValue, 415)
    }
}
