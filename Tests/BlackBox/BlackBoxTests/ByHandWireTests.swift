import Foundation
import JSON
import TestSupport
import Testing

/// Wire contract, sections 4, 5 and 7: framing by hand, connections, and uploads, read from the socket.
@Suite(.serialized) struct ByHandWireTests {
    private static let list = "/api/v1/conversations"

    private func served(_ effect: String, _ more: String = "") throws -> Served {
        let served = try Served()
        try add(effect, more, to: served)
        return served
    }

    private func add(_ effect: String, _ more: String = "", to served: Served) throws {
        let answer = try served.control("POST", "/faults", #"{"effect":\#(effect)\#(more)}"#)
        guard answer.status == 201 else { throw TestError(description: answer.text) }
    }

    private func lastEntry(_ served: Served) throws -> JSON {
        try #require(try served.control("GET", "/requests?limit=1").json["items"]?[0])
    }

    private func reason(_ served: Served) throws -> String? {
        try lastEntry(served)["decisions"]?[0]?["reason"]?.stringValue
    }

    private func request(_ served: Served, _ fields: [String] = []) throws -> [UInt8] {
        Wire.request("GET", Self.list, token: try served.token(), fields: fields)
    }

    /// The plain answer, and that on the same connection the next one comes, too.
    private func plain(_ wire: Wire, _ served: Served) throws -> WireAnswer {
        try wire.send(request(served))
        let answer = try wire.answer()
        expectEqual(answer.status, 200)
        return answer
    }

    @Test func `4 content in chunks, and content that ends with the connection`() throws {
        let once = #","when":{"times":1}"#
        let chunked = try served(#"{"framing":"chunked"}"#, once)
        let wire = try Wire(port: chunked.api)
        try wire.send(request(chunked))
        let answer = try wire.answer()
        expectEqual(answer["Transfer-Encoding"], "chunked")
        expectNil(answer["Content-Length"])
        try expectEqual(plain(wire, chunked).bytes, answer.bytes)
        let ending = try served(#"{"framing":"close"}"#, once)
        let last = try Wire(port: ending.api)
        try last.send(request(ending))
        try last.waitForEnd()
        #expect(!last.wasReset)
        let head = try #require(last.text.components(separatedBy: "\r\n\r\n").first)
        #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"), "\(head)")
        #expect(head.contains("Connection: close"), "\(head)")
        #expect(last.text.hasSuffix("\r\n\r\n" + answer.text))
        let fields = try lastEntry(ending)["responseHeaders"]?.arrayValue?.compactMap { $0[0]?.stringValue } ?? []
        #expect(!fields.contains("Content-Length") && !fields.contains("Transfer-Encoding"), "\(fields)")
        try expectEqual(lastEntry(ending)["outcome"], "delivered")
        // HTTP/1.0 has neither.
        try add(#"{"framing":"chunked"}"#, to: ending)
        let old = try Wire(port: ending.api)
        let token = try ending.token()
        try old.send(Array("GET \(Self.list) HTTP/1.0\r\nAuthorization: Bearer \(token)\r\n\r\n".utf8))
        try expectEqual(old.answer().bytes, answer.bytes)
        try expectEqual(reason(ending), "not HTTP/1.1")
    }

    @Test func `4 sixteen bytes more than Content-Length says, and the connection stays`() throws {
        let served = try served(#"{"framing":"longer"}"#, #","when":{"times":1}"#)
        let wire = try Wire(port: served.api)
        try wire.send(request(served))
        let answer = try wire.answer()
        try wire.wait(for: "understudy extra")
        expectEqual(wire.text, "understudy extra")
        try wire.send(request(served))
        try wire.wait(for: answer.text)
        #expect(wire.text.hasPrefix("understudy extraHTTP/1.1 200 OK\r\n"))
        #expect(!wire.hasEnded)
        try expectEqual(lastEntry(served)["reused"], true)
    }

    @Test func `4 raw bytes in place of the answer, and what follows them`() throws {
        let text = "HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\nmilk"
        for then in ["", "close", "keep", "stall", "reset"] {
            let order: JSON = ["raw": ["text": .string(text), "then": then.isEmpty ? .null : .string(then)]]
            let served = try served(order.text, #","when":{"times":1}"#)
            let wire = try Wire(port: served.api)
            try wire.send(request(served))
            try wire.wait(for: text)
            switch then {
            case "keep":
                try wire.send(request(served))
                try wire.wait(for: "HTTP/1.1 200 OK")
            case "stall": #expect(throws: TestError.self) { try wire.waitForEnd(within: 0.3) }
            default:
                try wire.waitForEnd()
                expectEqual(wire.wasReset, then == "reset", then)
            }
            if then != "keep" { expectEqual(wire.text, text) }
            let entry = try #require(try served.control("GET", "/requests").json["items"]?.arrayValue?.last)
            expectEqual(entry["status"], 204)
            expectEqual(entry["responseHeaders"], [])
            expectEqual(entry["responseBody"]?["bytes"], 0)
            expectEqual(entry["fault"]?["phase"], "before")
        }
        let odd = try served(#"{"raw":{"base64":"/wAN"}}"#)
        let wire = try Wire(port: odd.api)
        try wire.send(request(odd))
        try wire.waitForEnd()
        expectEqual(wire.received, [0xFF, 0x00, 0x0D])
        try expectEqual(lastEntry(odd)["status"], 0)
    }

    @Test func `4 interim answers come at their times, and then the answer`() throws {
        let served = try served(
            #"{"interim":[{"status":103,"headers":[["Link","</a.css>; rel=preload"]],"afterMs":200},{"status":102,"afterMs":200}]}"#
        )
        let wire = try Wire(port: served.api)
        try wire.send(request(served))
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
        #expect(try wire.wait(for: early) >= 0.18)
        #expect(try wire.wait(for: "HTTP/1.1 102 Processing\r\n\r\n") >= 0.38)
        try wire.wait(for: "HTTP/1.1 200 OK\r\n")
        #expect(wire.text.hasPrefix(early + "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"))
        try expectEqual(lastEntry(served)["status"], 200)
        let old = try Wire(port: served.api)
        try old.send(Array("GET \(Self.list) HTTP/1.0\r\n\r\n".utf8))
        try expectEqual(old.answer().status, 401)
        try expectEqual(reason(served), "no interim answers")
    }

    @Test func `4 no 100, or a late one, and the content is awaited`() throws {
        let served = try served(#"{"upload":{"continue":"never"}}"#)
        let token = try served.token()
        let content = Array(#"{"title":"T","model":"gpt-4o"}"#.utf8)
        let head = Array(
            ("POST \(Self.list) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: \(content.count)\r\n\r\n").utf8
        )
        let wire = try Wire(port: served.api)
        try wire.send(head)
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
        try wire.send(content)
        try expectEqual(wire.answer().status, 200)
        expectEqual(try lastEntry(served)["fault"]?["effect"], ["upload": ["continue": "never"]])
        try wire.send(Wire.request("POST", Self.list, body: content, token: token))
        try expectEqual(wire.answer().status, 200)
        try expectEqual(reason(served), "no Expect")
        _ = try served.control("DELETE", "/faults")
        try add(#"{"upload":{"continueAfterMs":300}}"#, to: served)
        try wire.send(head)
        #expect(try wire.wait(for: "HTTP/1.1 100 Continue\r\n\r\n") >= 0.28)
        try expectEqual(wire.answer().status, 100)
        try wire.send(content)
        try expectEqual(wire.answer().status, 200)
    }

    @Test func `5 the whole answer without Connection close, then FIN, unless a request has begun`() throws {
        let served = try served(#"{"connection":"close","afterMs":300}"#, #","when":{"times":2}"#)
        let wire = try Wire(port: served.api)
        let answer = try plain(wire, served)
        expectNil(answer["Connection"])
        // A request within that time keeps the connection, and is closed after in its turn.
        try expectEqual(plain(wire, served).bytes, answer.bytes)
        let start = Date()
        try wire.waitForEnd()
        #expect(Date().timeIntervalSince(start) >= 0.25)
        #expect(!wire.wasReset)
        expectEqual(wire.text, "")
        try expectEqual(lastEntry(served)["outcome"], "delivered")
        try add(#"{"connection":"close"}"#, to: served)
        let now = try Wire(port: served.api)
        _ = try plain(now, served)
        try now.waitForEnd()
        #expect(!now.wasReset)
        let closing = try Wire(port: served.api)
        try closing.send(request(served, ["Connection: close"]))
        try expectEqual(closing.answer()["Connection"], "close")
        let decisions = try lastEntry(served)["decisions"]?.arrayValue ?? []
        expectEqual(decisions.map { $0["reason"]?.stringValue }, ["closes anyway"])
        let two = try Wire(port: served.api)
        try two.send(request(served) + request(served))
        try expectEqual([two.answer().status, two.answer().status], [200, 200])
        try two.waitForEnd()
        #expect(!two.wasReset)
    }

    @Test func `5 the head and so many bytes, then nothing`() throws {
        let served = try served(#"{"connection":"stall","afterBytes":10}"#)
        let wire = try Wire(port: served.api)
        try wire.send(request(served))
        try wire.wait(for: "\r\n\r\n")
        #expect(throws: TestError.self) { try wire.waitForEnd(within: 0.3) }
        expectEqual(wire.content.count, 10)
        #expect(!wire.hasEnded)
        wire.close()
        try Deadline().wait(for: "the end") { try lastEntry(served)["outcome"] == "interrupted" }
        try expectEqual(lastEntry(served)["responseBody"]?["bytes"], 10)
        try expectEqual(served.chat("HEAD", "/conversations", token: served.token()).status, 200)
        try expectEqual(reason(served), "no content")
        _ = try served.control("DELETE", "/faults")
        try add(#"{"connection":"stall","afterBytes":0,"forMs":200}"#, to: served)
        let brief = try Wire(port: served.api)
        let start = Date()
        try brief.send(request(served))
        try brief.waitForEnd()
        #expect(Date().timeIntervalSince(start) >= 0.18)
        #expect(brief.text.hasPrefix("HTTP/1.1 200 OK\r\n") && brief.text.hasSuffix("\r\n\r\n"))
    }

    @Test func `5 a pool's dead connection fails at its reuse alone`() throws {
        let served = try Served()
        for effect in ["reset", "empty"] {
            _ = try served.control("DELETE", "/faults")
            try add(#"{"connection":"\#(effect)"}"#, #","match":{"connection":"reused"}"#, to: served)
            let wire = try Wire(port: served.api)
            _ = try plain(wire, served)
            try wire.send(request(served))
            try wire.waitForEnd()
            expectEqual(wire.wasReset, effect == "reset")
            expectEqual(wire.text, "")
            _ = try plain(Wire(port: served.api), served)
        }
        let entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        expectEqual(entries.map { $0["reused"] }, [nil, true, nil, nil, true, nil])
        expectEqual(entries[1].keysAround("reused"), ["connection", "world"])
        for (match, count) in [("reused", 2), ("fresh", 4)] {
            let order = #"{"match":{"connection":"\#(match)"}}"#
            try expectEqual(served.control("POST", "/requests/count", order).json["count"]?.intValue, Int64(count))
        }
        // What came before on the connection need not be a request of the API.
        _ = try served.control("DELETE", "/faults")
        try add(#"{"status":503}"#, #","match":{"connection":"reused"}"#, to: served)
        let hub = try Wire(port: served.hub)
        try expectEqual(hub.ask("GET", "/__admin/health").status, 200)
        try expectEqual(hub.ask("GET", "/omnichat" + Self.list).status, 503)
        try expectEqual(Wire(port: served.hub).ask("GET", "/omnichat" + Self.list).status, 401)
        for path in ["/gates", "/latency"] {
            let more = path == "/latency" ? #","delay":{"ms":1}"# : ""
            let method = path == "/latency" ? "PUT" : "POST"
            let answer = try served.control(method, path, #"{"match":{"connection":"fresh"}\#(more)}"#)
            expectEqual(answer.json["match"]?["connection"], "fresh", answer.text)
        }
    }

    @Test func `7 an upload that a fault or a limit ends has what came, what was declared, and no digest`() throws {
        let token = try Served().token()
        for (effect, count, status) in [
            (#"{"upload":{"rejectEarly":413}}"#, 0, 413), (#"{"upload":{"stopAfterBytes":5}}"#, 5, 0),
            (#"{"upload":{"resetAfterBytes":5}}"#, 5, 0),
        ] {
            let served = try served(effect)
            let wire = try Wire(port: served.api)
            try wire.send(
                Array(
                    ("POST \(Self.list) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n").utf8
                )
            )
            if count > 0 { try wire.send(Array("abcdefgh".prefix(count).utf8)) }
            if status > 0 { try wire.wait(for: "HTTP/1.1 \(status)") }
            if effect.contains("stop") {
                try Deadline().wait(for: "the entry") { try lastEntry(served)["outcome"] == "held" }
            }
            wire.close()
            try Deadline().wait(for: "the end of \(effect)") { try lastEntry(served)["outcome"] != "held" }
            let body = try lastEntry(served)["body"]
            let sent = String("abcdefgh".prefix(count))
            expectEqual(
                body,
                ["bytes": .integer(Int64(count)), "declared": 500, "text": .string(sent), "truncated": true]
            )
            try expectEqual(lastEntry(served)["status"]?.intValue, Int64(status))
            try expectEqual(lastEntry(served)["route"]?.stringValue, Self.list)
        }
    }
}

extension JSON {
    /// The names of the members beside one.
    fileprivate func keysAround(_ name: String) -> [String] {
        let names = objectValue?.members.map(\.name) ?? []
        guard let place = names.firstIndex(of: name) else { return [] }
        return [names[place - 1], names[place + 1]]
    }
}
