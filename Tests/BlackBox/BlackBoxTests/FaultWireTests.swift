import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 8: every effect as a client receives it, read from the socket.
@Suite(.serialized) struct FaultWireTests {
    private static let list = "/api/v1/conversations"
    private static let messages = "/api/v1/conversations/conv_welcome_00000001/messages"

    /// A server with one fault on every request.
    private func served(_ effect: String, phase: String? = nil) throws -> Served {
        let served = try Served()
        let phase = phase.map { #","phase":"\#($0)""# } ?? ""
        let answer = try served.control("POST", "/faults", #"{"effect":\#(effect)\#(phase)}"#)
        guard answer.status == 201 else { throw TestError(description: answer.text) }
        return served
    }

    private func lastEntry(_ served: Served) throws -> JSON {
        try #require(try served.control("GET", "/requests?limit=1").json["items"]?[0])
    }

    private func outcome(_ served: Served, is wanted: String) throws {
        try Deadline().wait(for: "the outcome \(wanted)") { try lastEntry(served)["outcome"]?.stringValue == wanted }
    }

    /// Sends a list request and reads all there is until the connection ends.
    private func readToEnd(_ served: Served, _ method: String = "GET") throws -> Wire {
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request(method, Self.list, token: try served.token()))
        try wire.waitForEnd()
        return wire
    }

    @Test func `8 a status comes in the API's own form, with Retry-After`() throws {
        let served = try served(#"{"status":429,"retryAfter":30}"#)
        let answer = try served.chat("GET", "/conversations", token: try served.token())
        expectEqual(answer.error, "429 Too many requests")
        expectEqual(answer["Retry-After"], "30")
        expectEqual(answer["X-RateLimit-Remaining"], "0")
        expectEqual(answer["X-RateLimit-Limit"], "100")
        expectEqual(answer["Content-Type"], "application/json")
        let entry = try lastEntry(served)
        expectEqual(entry["fault"]?["id"], "flt_1")
        expectEqual(entry["status"], 429)
        expectEqual(entry["user"], "test@icloud.com")
    }

    @Test func `8 a delay is a wait before the first byte, and the world's clock ends it too`() throws {
        let served = try served(#"{"delay":{"ms":300}}"#)
        let wire = try Wire(port: served.api)
        let token = try served.token()
        try wire.send(Wire.request("GET", Self.list, token: token))
        #expect(try wire.wait(for: "HTTP/1.1 200") >= 0.28)
        _ = try wire.answer()
        try expectEqual(served.control("DELETE", "/faults").status, 204)
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":30000}}}"#)
        try wire.send(Wire.request("GET", Self.list, token: token))
        try Deadline().wait(for: "the request") { try lastEntry(served)["outcome"] == "held" }
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":29}"#).json["fired"], 0)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":1}"#).json["fired"], 1)
        try expectEqual(wire.answer().status, 200)
    }

    @Test func `5 a delay on the world's clock is not ended by real time`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":50}},"on":"world"}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", Self.list, token: try served.token()))
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
        _ = try served.control("POST", "/clock/advance", #"{"seconds":1}"#)
        try expectEqual(wire.answer().status, 200)
    }

    @Test func `8 throttle and dribble slow the body under an unchanged head`() throws {
        let plain = try Served()
        let whole = try plain.chat("GET", "/conversations", token: try plain.token())
        let slow = try served(#"{"throttle":{"bytesPerSecond":\#(whole.bytes.count * 2)}}"#)
        let wire = try Wire(port: slow.api)
        let token = try slow.token()
        let start = Date()
        try wire.send(Wire.request("GET", Self.list, token: token))
        try wire.wait(for: "\r\n\r\n")
        let answer = try wire.answer()
        expectEqual(answer.bytes, whole.bytes)
        expectEqual(answer["Content-Length"], "\(whole.bytes.count)")
        #expect(Date().timeIntervalSince(start) >= 0.45)
        let dribbled = try served(#"{"dribble":{"chunks":4,"overMs":400}}"#)
        let began = Date()
        let pieces = try dribbled.chat("GET", "/conversations", token: try dribbled.token())
        expectEqual(pieces.bytes, whole.bytes)
        #expect(Date().timeIntervalSince(began) >= 0.38)
    }

    @Test func `8 reset is an RST, at once or in mid-body`() throws {
        let wire = try readToEnd(try served(#"{"connection":"reset"}"#))
        #expect(wire.wasReset)
        #expect(wire.received.isEmpty)
        let later = try served(#"{"connection":"reset","afterBytes":10}"#)
        let middle = try readToEnd(later)
        #expect(middle.wasReset)
        #expect(middle.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        expectEqual(middle.content.count, 10)
        try outcome(later, is: "cut")
        try expectEqual(lastEntry(later)["responseBody"]?["bytes"], 10)
    }

    @Test func `8 empty closes without a byte`() throws {
        let served = try served(#"{"connection":"empty"}"#)
        let wire = try readToEnd(served)
        #expect(!wire.wasReset)
        #expect(wire.received.isEmpty)
        try outcome(served, is: "cut")
        try expectEqual(lastEntry(served)["status"], 0)
        try expectEqual(lastEntry(served)["responseHeaders"], [])
    }

    @Test func `8 stall sends nothing and keeps the socket open, for ever or for so long`() throws {
        let served = try served(#"{"connection":"stall"}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", Self.list, token: try served.token()))
        try outcome(served, is: "held")
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
        #expect(!wire.hasEnded)
        wire.close()
        try outcome(served, is: "interrupted")
        _ = try served.control("DELETE", "/faults")
        _ = try served.control("POST", "/faults", #"{"effect":{"connection":"stall","forMs":200}}"#)
        let start = Date()
        let brief = try readToEnd(served)
        #expect(brief.received.isEmpty)
        #expect(Date().timeIntervalSince(start) >= 0.18)
        try outcome(served, is: "cut")
    }

    @Test func `8 truncate sends fewer bytes than announced, half of them if nothing is said`() throws {
        let served = try served(#"{"connection":"truncate"}"#)
        let wire = try readToEnd(served)
        let length = try #require(Int(wire.field("Content-Length") ?? ""))
        expectEqual(wire.content.count, length / 2)
        #expect(!wire.wasReset)
        _ = try served.control("DELETE", "/faults")
        for (count, sent) in [(0, 0), (7, 7), (length, length - 1), (length + 1_000, length - 1)] {
            _ = try served.control("DELETE", "/faults")
            _ = try served.control("POST", "/faults", #"{"effect":{"connection":"truncate","afterBytes":\#(count)}}"#)
            try expectEqual(readToEnd(served).content.count, sent, "\(count)")
        }
        let entry = try lastEntry(served)
        let announced = entry["responseHeaders"]?.arrayValue?.first { $0[0] == "Content-Length" }
        expectEqual(announced?[1]?.stringValue, "\(length)")
    }

    @Test func `8 a truncated stream loses its end`() throws {
        let served = try served(#"{"connection":"truncate","afterBytes":100}"#)
        let wire = try served.startStream(try served.token())
        try wire.waitForEnd()
        #expect(wire.text.contains("Transfer-Encoding: chunked"))
        #expect(!wire.text.hasSuffix("0\r\n\r\n"))
    }

    @Test func `8 garbage is seeded random bytes instead of an answer`() throws {
        let first = try readToEnd(try served(#"{"connection":"garbage"}"#)).received
        let second = try readToEnd(try served(#"{"connection":"garbage"}"#)).received
        expectEqual(first.count, 512)
        expectEqual(first, second)
        #expect(!first.starts(with: Array("HTTP".utf8)))
    }

    @Test func `8 malformed-chunk has a good head and broken framing`() throws {
        let wire = try readToEnd(try served(#"{"connection":"malformed-chunk"}"#))
        #expect(wire.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        expectEqual(wire.field("Transfer-Encoding"), "chunked")
        let size = String(decoding: wire.content.prefix { $0 != 0x0D }, as: UTF8.self)
        expectNil(Int(size, radix: 16), "\(size) is a chunk size")
    }

    @Test func `8 the body effects damage the content under a correct head`() throws {
        let plain = try Served()
        let whole = try plain.chat("GET", "/conversations", token: try plain.token())
        func ask(_ name: String) throws -> WireAnswer {
            let served = try served(#"{"body":"\#(name)"}"#)
            return try served.chat("GET", "/conversations", token: try served.token())
        }
        let html = try ask("html")
        expectEqual(html.status, 200)
        expectEqual(html["Content-Type"], "text/html; charset=utf-8")
        #expect(html.text.hasPrefix("<!DOCTYPE html>"))
        let invalid = try ask("invalid-json")
        expectEqual(invalid["Content-Type"], "application/json")
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(invalid.bytes) }
        let truncated = try ask("truncated-json")
        expectEqual(truncated.bytes, Array(whole.bytes.prefix(whole.bytes.count / 2)))
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(truncated.bytes) }
        let empty = try ask("empty")
        expectEqual(empty.status, 200)
        expectEqual(empty["Content-Length"], "0")
        expectEqual(empty["Content-Type"], "application/json")
        let typed = try ask("wrong-content-type")
        expectEqual(typed.bytes, whole.bytes)
        expectEqual(typed["Content-Type"], "text/plain; charset=utf-8")
    }

    @Test func `8 a contract that moved: drift changes one place`() throws {
        let served = try Served()
        let token = try served.token()
        func profile(_ drift: String) throws -> JSON {
            _ = try served.control("DELETE", "/faults")
            let made = try served.control("POST", "/faults", #"{"effect":{"drift":\#(drift)}}"#)
            expectEqual(made.status, 201, "\(made.text)")
            return try served.chat("GET", "/user/profile", token: token).json
        }
        let whole = try served.chat("GET", "/user/profile", token: token).json
        try expectNil(profile(#"{"remove":"battery.totalBalance"}"#)["battery"]?["totalBalance"])
        try expectEqual(profile(#"{"set":"tier","to":"platinum"}"#)["tier"], "platinum")
        try expectEqual(profile(#"{"set":"tier","to":null}"#)["tier"], JSON.null)
        try expectEqual(profile(#"{"null":"email"}"#)["email"], JSON.null)
        try expectEqual(profile(#"{"add":{"path":"battery.colour","value":{"a":1}}}"#)["battery"]?["colour"], ["a": 1])
        try expectEqual(
            profile(#"{"retype":"battery.totalBalance","as":"string"}"#)["battery"]?["totalBalance"],
            "1000"
        )
        try expectEqual(profile(#"{"remove":"no.such.place"}"#), whole)
        for kind in ["additive", "breaking"] {
            let once = try profile(#"{"auto":"\#(kind)"}"#)
            #expect(once != whole, "\(kind)")
            try expectEqual(served.chat("GET", "/user/profile", token: token).json, once, "\(kind) stays where it went")
        }
    }

    @Test func `8 streams can be cut, fail, pause, repeat themselves and split characters`() throws {
        let served = try Served()
        let token = try served.token()
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"stream":{"gapMs":0,"firstTokenMs":0}}}"#)
        func stream(_ effect: String) throws -> Wire {
            _ = try served.control("DELETE", "/faults")
            let made = try served.control("POST", "/faults", #"{"effect":{"stream":\#(effect)}}"#)
            expectEqual(made.status, 201, "\(made.text)")
            return try served.startStream(token)
        }
        let cut = try stream(#"{"cutAfterEvents":2}"#)
        try cut.waitForEnd()
        expectEqual(cut.text.ranges(of: "data: ").count, 2)
        #expect(!cut.text.hasSuffix("0\r\n\r\n"))
        let none = try stream(#"{"cutAfterEvents":0}"#)
        try none.waitForEnd()
        #expect(none.text.hasPrefix("HTTP/1.1 200"))
        #expect(none.content.isEmpty)
        let failed = try stream(#"{"errorAfterEvents":1}"#).answer()
        expectEqual(failed.chunks.count, 2)
        #expect(failed.text.hasSuffix("data: {\"type\":\"error\",\"error\":\"Failed to generate response\"}\n\n"))
        let start = Date()
        _ = try stream(#"{"gapMs":300,"afterEvents":2}"#).answer()
        #expect(Date().timeIntervalSince(start) >= 0.28)
        let whole = try stream(#"{"gapMs":0}"#).answer()
        let twice = try stream(#"{"duplicate":2}"#).answer()
        expectEqual(twice.chunks.count, whole.chunks.count + 1)
        expectEqual(twice.chunks[1], twice.chunks[2])
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"stream":{"replyText":"Grüße 🎉 مرحبا"}}}"#)
        let split = try stream(#"{"splitUtf8":true}"#).answer()
        #expect(split.chunks.contains { String(validating: $0, as: UTF8.self) == nil }, "a character is split")
        #expect(String(validating: split.bytes, as: UTF8.self) != nil, "all of it is still text")
    }

    @Test func `8 tokens: the credential that was sent stops working, and this request fails so`() throws {
        let served = try Served()
        let (token, other) = (try served.token(), try served.token())
        let refresh = try served.token("refresh")
        _ = try served.control("POST", "/faults", #"{"effect":{"tokens":"expire"},"when":{"times":1}}"#)
        try expectEqual(served.chat("GET", "/conversations", token: token).error, "401 Invalid or expired token")
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 401)
        try expectEqual(served.chat("GET", "/conversations", token: other).status, 200)
        let body = #"{"refreshToken":"\#(refresh)"}"#
        try expectEqual(served.chat("POST", "/auth/refresh", body).status, 200)
        _ = try served.control("POST", "/faults", #"{"effect":{"tokens":"revoke"}}"#)
        try expectEqual(served.chat("POST", "/auth/refresh", body).error, "401 Refresh token not found")
    }

    @Test func `8 before changes nothing on the server, after loses the answer to a change that was made`() throws {
        for (phase, grows) in [("before", 0), ("after", 1)] {
            for effect in [#"{"status":503}"#, #"{"connection":"reset"}"#, #"{"connection":"truncate"}"#] {
                let served = try Served()
                let token = try served.token()
                func count() throws -> Int? {
                    try served.chat("GET", "/conversations", token: token).json["conversations"]?.arrayValue?.count
                }
                let before = try #require(try count())
                let fault = #"{"match":{"method":"POST"},"phase":"\#(phase)","effect":\#(effect)}"#
                try expectEqual(served.control("POST", "/faults", fault).status, 201)
                let wire = try Wire(port: served.api)
                try wire.send(
                    Wire.request("POST", Self.list, body: Array(#"{"title":"x","model":"gpt-4o"}"#.utf8), token: token)
                )
                _ = try? wire.answer()
                try expectEqual(count(), before + grows, "\(phase) \(effect)")
            }
        }
    }

    @Test func `3 a reset cuts a delayed answer and clears the faults, those of --faults come back`() throws {
        let folder = try Folder()
        try folder.write("faults.json", #"[{"name":"start","match":{"method":"PATCH"},"effect":{"status":503}}]"#)
        let served = try Served(
            Served.frozen + ["--faults", "faults.json", "--latency", "3g"],
            in: folder
        )
        try expectEqual(served.control("GET", "/latency").json, ["profile": "3g"])
        _ = try served.control("PUT", "/latency", #"{"profile":"none"}"#)
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":30000}}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", Self.list, token: try served.token()))
        try Deadline().wait(for: "the request") { try lastEntry(served)["outcome"] == "held" }
        try expectEqual(served.control("POST", "/reset").json, ["world": "main", "cancelled": 1])
        try wire.waitForEnd()
        #expect(wire.received.isEmpty)
        let faults = try served.control("GET", "/faults").json["items"]
        expectEqual(faults?.arrayValue?.count, 1)
        expectEqual(faults?[0]?["name"], "start")
        try expectEqual(served.control("GET", "/latency").json, ["profile": "3g"])
    }
}

extension Wire {
    /// A field of the head that has come.
    func field(_ name: String) -> String? {
        text.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    /// The bytes after the head, including the framing.
    var content: [UInt8] {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        return Array(received[end.upperBound...])
    }
}
