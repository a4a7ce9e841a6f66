import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 8: uploads that are read slowly, not to their end, refused early, or reset.
@Suite(.serialized) struct UploadFaultTests {
    private static let path = "/api/v1/conversations"

    private func served(_ effect: String) throws -> Served {
        let served = try Served()
        let fault = #"{"match":{"method":"POST"},"effect":{"upload":\#(effect)}}"#
        let answer = try served.control("POST", "/faults", fault)
        guard answer.status == 201 else { throw TestError(description: answer.text) }
        return served
    }

    private func body(_ count: Int) -> [UInt8] {
        let start = #"{"title":"x","model":"gpt-4o","pad":""#
        return Array((start + String(repeating: "a", count: count - start.utf8.count - 2) + "\"}").utf8)
    }

    private func entry(_ served: Served) throws -> JSON {
        try #require(try served.control("GET", "/requests?limit=1").json["items"]?[0])
    }

    @Test func `8 an upload is read slowly, and answered when it is read`() throws {
        let served = try served(#"{"readBytesPerSecond":20000}"#)
        let token = try served.token()
        let start = Date()
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("POST", Self.path, body: body(8_000), token: token))
        try expectEqual(wire.answer().status, 200)
        let time = Date().timeIntervalSince(start)
        #expect(time >= 0.38, "\(time) s")
        // The connection goes on as always.
        try expectEqual(wire.ask("GET", Self.path, token: token).status, 200)
        let entries = try served.control("GET", "/requests").json["items"]
        expectEqual(entries?.arrayValue?.count, 2)
        expectEqual(entries?[1]?["fault"]?["effect"], ["upload": ["readBytesPerSecond": 20_000]])
        expectEqual(entries?[1]?["body"]?["bytes"], 8_000)
    }

    @Test func `8 advancing the world's clock ends the wait of a slow upload`() throws {
        let served = try served(#"{"readBytesPerSecond":10}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("POST", Self.path, body: body(1_000), token: try served.token()))
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
        try Deadline().wait(for: "the answer") {
            _ = try served.control("POST", "/clock/advance", #"{"seconds":200}"#)
            _ = try? wire.wait(for: "HTTP", within: 0.05)
            return wire.text.contains("HTTP")
        }
        #expect(wire.text.hasPrefix("HTTP/1.1"))
    }

    @Test func `8 an upload is refused before it ends`() throws {
        let served = try served(#"{"rejectEarly":413}"#)
        let wire = try Wire(port: served.api)
        let all = Wire.request("POST", Self.path, body: body(500_000), token: try served.token())
        try wire.send(Array(all.prefix(2_000)))
        let answer = try wire.answer()
        expectEqual(answer.status, 413)
        #expect(answer.json["error"] != nil, "in the API's own form")
        try expectEqual(entry(served)["status"], 413)
        try expectEqual(entry(served)["fault"]?["id"], "flt_1")
    }

    @Test func `8 delays and the latency add up with an upload that is refused early`() throws {
        let served = try served(#"{"rejectEarly":413}"#)
        try expectEqual(served.control("POST", "/faults", #"{"effect":{"delay":{"ms":200}}}"#).status, 201)
        try expectEqual(served.control("PUT", "/latency", #"{"delay":{"ms":200}}"#).status, 200)
        let token = try served.token()
        let start = Date()
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("POST", Self.path, body: body(1_000), token: token))
        try expectEqual(wire.answer().status, 413)
        let time = Date().timeIntervalSince(start)
        #expect(time >= 0.38, "\(time) s")
        try expectEqual(entry(served)["fault"]?["id"], "flt_1")
        try expectEqual(entry(served)["decisions"]?.arrayValue?.count, 2)
        try expectEqual(served.control("GET", "/faults/flt_2").json["hits"], 1)
    }

    @Test func `9 an upload that never arrives is not refused early`() throws {
        let served = try served(#"{"rejectEarly":413}"#)
        try expectEqual(served.control("PUT", "/latency", #"{"profile":"100-loss"}"#).status, 200)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("POST", Self.path, body: body(1_000), token: try served.token()))
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
        #expect(!wire.hasEnded)
        try expectEqual(served.control("GET", "/faults/flt_1").json["hits"], 0)
    }

    @Test func `8 a client that asks first is refused without a 100`() throws {
        let served = try served(#"{"rejectEarly":413}"#)
        let wire = try Wire(port: served.api)
        let head = "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"
        try wire.send(Array(head.utf8))
        try expectEqual(wire.answer().status, 413)
    }

    @Test func `8 an upload is reset after that many bytes`() throws {
        let served = try served(#"{"resetAfterBytes":1000}"#)
        let wire = try Wire(port: served.api)
        let all = Wire.request("POST", Self.path, body: body(5_000), token: try served.token())
        let head = all.count - 5_000
        try wire.send(Array(all.prefix(head + 999)))
        try Deadline().wait(for: "the entry") { try entry(served)["outcome"] == "held" }
        #expect(!wire.hasEnded)
        try wire.send(Array(all.dropFirst(head + 999).prefix(1)))
        try wire.waitForEnd()
        #expect(wire.wasReset)
        #expect(wire.received.isEmpty)
        try Deadline().wait(for: "the outcome") { try entry(served)["outcome"] == "cut" }
        // An upload that ends before is none of its business.
        let short = try Wire(port: served.api)
        try short.send(Wire.request("POST", Self.path, body: body(900), token: try served.token()))
        try expectEqual(short.answer().status, 200)
        try expectEqual(served.control("GET", "/faults/flt_1").json["hits"], 1)
    }

    @Test func `8 an upload that is not read on leaves the socket open until the client goes`() throws {
        let served = try served(#"{"stopAfterBytes":1000}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("POST", Self.path, body: body(5_000), token: try served.token()))
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.4) }
        #expect(!wire.hasEnded)
        try expectEqual(entry(served)["outcome"], "held")
        wire.close()
        try Deadline().wait(for: "the outcome") { try entry(served)["outcome"] == "interrupted" }
        // A reset ends it too, and counts it.
        let other = try Wire(port: served.api)
        try other.send(Wire.request("POST", Self.path, body: body(5_000)))
        try Deadline().wait(for: "the entry") { try entry(served)["outcome"] == "held" }
        try expectEqual(served.control("POST", "/reset").json["cancelled"], 1)
        try other.waitForEnd()
        #expect(other.received.isEmpty)
    }

    @Test func `3 a request that no upload fault may act on takes one id of the counter`() throws {
        let served = try served(#"{"rejectEarly":413}"#)
        let port = try #require(
            served.ready["apis"]?["carbscan"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        for _ in 0..<2 { try expectEqual(Wire(port: port).ask("POST", "/nope", body: Array("{}".utf8)).status, 404) }
        let entries = try served.control("GET", "/requests").json["items"]
        expectEqual(entries?[1]?["id"], "req_1")
        expectEqual(entries?[0]?["id"], "req_2")
    }

    @Test(arguments: [#"{"rejectEarly":413}"#, #"{"readBytesPerSecond":1000000}"#])
    func `4 a token in the body leads to its world, whatever upload faults another one has`(_ effect: String) throws {
        let served = try Served()
        try expectEqual(served.control("POST", "/worlds", #"{"name":"other"}"#).status, 201)
        let order = #"{"api":"omnichat","user":"test@icloud.com","kind":"refresh"}"#
        let made = try served.control("POST", "/tokens", order, world: "other").json
        let token = try #require(made["token"]?.stringValue)
        // The one that refuses means other requests; the slow one may mean this one, which it does not lead astray.
        let match = effect.contains("reject") ? #"{"path":"/never"}"# : "{}"
        let fault = #"{"match":\#(match),"effect":{"upload":\#(effect)}}"#
        try expectEqual(served.control("POST", "/faults", fault).status, 201)
        let body = Array(#"{"refreshToken":"\#(token)"}"#.utf8)
        try expectEqual(Wire(port: served.api).ask("POST", "/api/v1/auth/refresh", body: body).status, 200)
        let entries = try served.control("GET", "/requests", world: "other").json["items"]
        expectEqual(entries?[0]?["path"], "/api/v1/auth/refresh")
        try expectEqual(served.control("GET", "/requests").json["items"]?.arrayValue?.isEmpty, true)
    }

    @Test func `8 an upload is decided at the head, so match body is refused`() throws {
        let served = try Served()
        let body = #"{"match":{"body":{"a":1}},"effect":{"upload":{"rejectEarly":413}}}"#
        let answer = try served.control("POST", "/faults", body)
        expectEqual(answer.status, 422)
        expectEqual(answer.json["errors"]?[0]?["path"], "$.match.body")
    }

    // MARK: Shorter ones, and what came

    private func chunked(_ pieces: [Int]) -> [UInt8] {
        let content = pieces.map { "\(String($0, radix: 16))\r\n\(String(repeating: "a", count: $0))\r\n" }.joined()
        return Array(
            "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(content)0\r\n\r\n".utf8
        )
    }

    @Test(arguments: ["resetAfterBytes", "stopAfterBytes"])
    func `8 a chunked upload that turns out to be shorter is answered, and uses nothing up`(effect: String) throws {
        let served = try Served()
        let fault = #"{"match":{"method":"POST"},"when":{"times":1},"effect":{"upload":{"\#(effect)":100}}}"#
        try expectEqual(served.control("POST", "/faults", fault).status, 201)
        func hits() throws -> Int64? { try served.control("GET", "/faults").json["items"]?[0]?["hits"]?.intValue }
        // The framing of many small chunks is no content.
        for pieces in [[], [99], [50, 49], [Int](repeating: 1, count: 99)] {
            let wire = try Wire(port: served.api)
            try wire.send(chunked(pieces))
            try expectEqual(wire.answer().status, 401, "\(pieces)")
            try expectEqual(hits(), 0, "\(pieces)")
            let found = try entry(served)
            expectNil(found["fault"], "\(pieces)")
            expectEqual(found["outcome"], "delivered", "\(pieces)")
            expectEqual(found["body"]?["bytes"]?.intValue, Int64(pieces.reduce(0, +)), "\(pieces)")
        }
        let wire = try Wire(port: served.api)
        try wire.send(chunked([Int](repeating: 1, count: 100)))
        if effect == "resetAfterBytes" { try wire.waitForEnd() }
        try Deadline().wait(for: "the fault") { try hits() == 1 }
        try expectEqual(entry(served)["fault"]?["effect"], ["upload": [effect: 100]])
        wire.close()
        // It is used up now.
        let next = try Wire(port: served.api)
        try next.send(chunked([200]))
        try expectEqual(next.answer().status, 401)
    }

    @Test func `11 an upload that is refused at its head has the bytes that came with it`() throws {
        let served = try served(#"{"rejectEarly":413}"#)
        for count in [1, 3_000] {
            for isChunked in [false, true] {
                let wire = try Wire(port: served.api)
                let content = [UInt8](repeating: 0x61, count: count)
                try wire.send(isChunked ? chunked([count]) : Wire.request("POST", Self.path, body: content))
                try expectEqual(wire.answer().status, 413)
                let body = try #require(try entry(served)["body"])
                expectEqual(body["bytes"]?.intValue, Int64(count), "\(body.text)")
                expectEqual(body["declared"]?.intValue, isChunked ? nil : Int64(count))
                expectEqual(body["text"]?.stringValue?.utf8.count, count)
                expectEqual(body["truncated"], true)
                expectNil(body["sha256"])
            }
        }
        // None came before the answer.
        let expecting = try Wire(port: served.api)
        let head = "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 900\r\n\r\n"
        try expecting.send(Array(head.utf8))
        try expectEqual(expecting.answer().status, 413)
        try expectEqual(entry(served)["body"]?["bytes"], 0)
    }
}
