import Foundation
import JSON
import TestSupport
import Testing

/// One process under many exchanges: streams, clocks, uploads, refusals, worlds.
@Suite(.serialized) struct ExchangeTests {
    private func messages(_ served: Served, _ token: String) throws -> [JSON] {
        try served.chat("GET", "/conversations/conv_welcome_00000001/messages", token: token).json["messages"]?
            .arrayValue ?? []
    }

    @Test func `a streamed reply comes one event to a chunk, over time`() throws {
        let served = try Served()
        let pace = #"{"omnichat":{"stream":{"gapMs":20,"firstTokenMs":1000}}}"#
        try expectEqual(served.control("PUT", "/settings", pace).status, 200)
        let stream = try served.startStream(try served.token())
        try stream.wait(for: "message_start")
        #expect(!stream.text.contains("[DONE]"), "the first event at once, not with the rest")
        let last = try stream.wait(for: "[DONE]")
        let answer = try stream.answer()
        expectEqual(answer["Content-Type"], "text/event-stream")
        expectEqual(answer["Transfer-Encoding"], "chunked")
        expectNil(answer["Content-Length"])
        #expect(answer.chunks.count > 10)
        for chunk in answer.chunks {
            let text = String(decoding: chunk, as: UTF8.self)
            #expect(text.hasPrefix("data: ") && text.hasSuffix("\n\n"))
            expectEqual(text.ranges(of: "data: ").count, 1)
        }
        let expected = 1 + 0.02 * Double(answer.chunks.count - 3)
        #expect(last >= expected - 0.02, "\(last) s for \(answer.chunks.count) chunks")
    }

    @Test func `a reply in one piece waits for the whole timeline, and the message is complete after it`() throws {
        let served = try Served()
        let token = try served.token()
        let start = Date()
        let path = "/conversations/conv_welcome_00000001/messages"
        let answer = try served.chat("POST", path, #"{"content":"Hi","stream":false}"#, token: token)
        let time = Date().timeIntervalSince(start)
        expectEqual(answer.status, 200)
        expectEqual(answer["Content-Length"], "\(answer.bytes.count)")
        #expect(time >= 0.3, "\(time) s")
        let last = try messages(served, token).last
        expectEqual(last?["isComplete"], true)
        expectEqual(last?["content"], answer.json["content"])
    }

    @Test func `advancing the clock ends the wait of a reply in one piece`() throws {
        let served = try Served()
        try makeSlow(served)
        let wire = try Wire(port: served.api)
        let path = "/api/v1/conversations/conv_welcome_00000001/messages"
        let body = Array(#"{"content":"Hi","stream":false}"#.utf8)
        try wire.send(Wire.request("POST", path, body: body, token: try served.token()))
        try Deadline().wait(for: "the request") {
            try served.control("GET", "/requests").json["items"]?.arrayValue?.isEmpty == false
        }
        #expect(wire.text.isEmpty)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":660}"#).json["fired"], 1)
        try expectEqual(wire.answer().status, 200)
    }

    /// The first piece of a reply comes after ten minutes, which is more than a test waits for anything.
    private func makeSlow(_ served: Served) throws {
        let pace = #"{"omnichat":{"stream":{"firstTokenMs":600000}}}"#
        try expectEqual(served.control("PUT", "/settings", pace).status, 200)
    }

    @Test func `advancing the clock ends a long wait at once`() throws {
        let served = try Served()
        try makeSlow(served)
        let stream = try served.startStream(try served.token())
        try stream.wait(for: "message_start")
        let early = try served.control("POST", "/clock/advance", #"{"seconds":599}"#)
        expectEqual(early.json["fired"], 0)
        #expect(!stream.text.contains("content_chunk"))
        let due = try served.control("POST", "/clock/advance", #"{"seconds":1}"#)
        expectEqual(due.json["fired"], 1)
        try stream.wait(for: "content_chunk")
        #expect(try stream.answer().text.hasSuffix("data: [DONE]\n\n"))
    }

    @Test func `a clock that is set forward or runs fast ends a wait too, one that is set back does not`() throws {
        for (body, ends) in [
            (#"{"mode":"frozen","now":"2025-01-01T12:10:00Z"}"#, true),
            (#"{"mode":"offset","now":"2025-01-01T12:00:00Z","rate":1000}"#, true),
            (#"{"mode":"frozen","now":"2024-01-01T12:00:00Z"}"#, false),
        ] {
            let served = try Served()
            try makeSlow(served)
            let stream = try served.startStream(try served.token())
            try stream.wait(for: "message_start")
            try expectEqual(served.control("PUT", "/clock", body).status, 200)
            if ends {
                try stream.wait(for: "content_chunk")
            } else {
                #expect(throws: TestError.self) { try stream.wait(for: "content_chunk", within: 0.2) }
            }
        }
    }

    @Test func `a world goes by itself when its time to live is over`() throws {
        let served = try Served()
        try expectEqual(served.control("POST", "/worlds", #"{"name":"brief","ttlSeconds":0.1}"#).status, 201)
        try Deadline().wait(for: "the end of the world") {
            try !served.control("GET", "/worlds").text.contains("brief")
        }
        try expectEqual(served.control("GET", "/worlds").json["items"]?.arrayValue?.count, 1)
    }

    @Test func `a rebound name reaches neither control calls nor the hub's page`() throws {
        let served = try Served()
        func ask(_ port: Int, _ target: String) throws -> WireAnswer {
            let wire = try Wire(port: port)
            try wire.send(Array("GET \(target) HTTP/1.1\r\nHost: rebound.example.com:\(port)\r\n\r\n".utf8))
            return try wire.answer()
        }
        for target in ["/", "/__admin/health", "//__admin//health", "/x/../__admin/health", "/%5f%5fadmin/health"] {
            try expectEqual(ask(served.hub, target).status, 421, "\(target)")
        }
        try expectEqual(ask(served.api, "/__admin/health").status, 421)
        try expectEqual(ask(served.api, "/@main/__admin/health").status, 421)
        try expectEqual(ask(served.api, "/api/v1/conversations").status, 401, "an app may know the API by any name")
    }

    @Test func `a reset cuts the answers under way and counts them`() throws {
        let served = try Served()
        try expectEqual(served.control("PUT", "/scenarios/omnichat/slow-first-token").status, 200)
        let token = try served.token()
        let streams = try (0..<3).map { _ in try served.startStream(token) }
        for stream in streams { try stream.wait(for: "message_start") }
        let reset = try served.control("POST", "/reset")
        expectEqual(reset.text, #"{"world":"main","cancelled":3}"#)
        for stream in streams {
            try stream.waitForEnd()
            #expect(!stream.text.contains("\r\n0\r\n"), "no final chunk")
            #expect(!stream.text.contains("content_chunk"))
        }
        try expectEqual(served.control("POST", "/reset").text, #"{"world":"main","cancelled":0}"#)
        try expectEqual(served.control("GET", "/requests").json["items"]?.arrayValue?.isEmpty, true)
    }

    @Test func `deleting a world cuts its answers and leaves the others`() throws {
        let served = try Served()
        for name in ["a", "b"] {
            try expectEqual(served.control("POST", "/worlds", #"{"name":"\#(name)"}"#).status, 201)
        }
        // The first world's reply does not end before the world does.
        let pace = Array(#"{"omnichat":{"stream":{"gapMs":1000}}}"#.utf8)
        try expectEqual(Wire(port: served.hub).ask("PUT", "/@a/__admin/settings", body: pace).status, 200)
        let (first, second) = (
            try served.startStream(try served.token(world: "a")), try served.startStream(try served.token(world: "b"))
        )
        for stream in [first, second] { try stream.wait(for: "content_chunk") }
        try expectEqual(served.control("DELETE", "/worlds/a").status, 204)
        try first.waitForEnd()
        #expect(!first.text.contains("[DONE]"))
        #expect(try second.answer().text.hasSuffix("data: [DONE]\n\n"))
    }

    @Test func `a client that leaves leaves the message incomplete, and the journal knows what it got`() throws {
        let served = try Served()
        let token = try served.token()
        // Slow enough that the reply does not end before its reader leaves.
        let pace = #"{"omnichat":{"stream":{"gapMs":1000}}}"#
        try expectEqual(served.control("PUT", "/settings", pace).status, 200)
        let stream = try served.startStream(token)
        try stream.wait(for: "content_chunk")
        stream.close()
        var entry: JSON = .null
        try Deadline().wait(for: "the outcome") {
            entry = try served.control("GET", "/requests?method=POST&limit=1").json["items"]?[0] ?? .null
            return entry["outcome"] == "interrupted"
        }
        let body = entry["responseBody"]?["text"]?.stringValue ?? ""
        #expect(body.hasPrefix("data: {\"id\":"))
        #expect(body.hasSuffix("\n\n"))
        #expect(body.contains("content_chunk"))
        #expect(!body.contains("message_complete"))
        expectEqual(entry["responseBody"]?["bytes"]?.intValue, Int64(body.utf8.count))
        let last = try messages(served, token).last
        expectEqual(last?["isComplete"], false)
        expectEqual(last?["content"], "")
    }

    @Test func `HEAD and OPTIONS have heads alone`() throws {
        let served = try Served()
        let wire = try Wire(port: served.api)
        let token = try served.token()
        let get = try wire.ask("GET", "/api/v1/conversations", token: token)
        let head = try wire.ask("HEAD", "/api/v1/conversations", token: token)
        expectEqual(head.status, 200)
        expectEqual(head["Content-Length"], get["Content-Length"])
        let options = try wire.ask("OPTIONS", "/api/v1/conversations", token: token)
        expectEqual(options.status, 204)
        expectEqual(options["Allow"], "GET, POST")
        expectNil(options["Content-Length"])
        try expectEqual(wire.ask("GET", "/api/v1/conversations", token: token).status, 200, "the connection is in step")
        let hub = try Wire(port: served.hub)
        try expectEqual(hub.ask("HEAD", "/__admin/health").status, 200)
        try expectEqual(hub.ask("GET", "/")["Content-Type"], "text/html; charset=utf-8")
    }

    @Test func `every answer carries the request's id, refusals and unknown worlds too`() throws {
        let served = try Served()
        for target in [
            "/api/v1/conversations", "/@nowhere/api/v1/conversations", "/nowhere", "/__admin/health",
        ] {
            #expect(try Wire(port: served.api).ask("GET", target)["X-Request-Id"] != nil, "\(target)")
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", target, fields: ["X-Request-Id: mine"]))
            try expectEqual(wire.answer()["X-Request-Id"], "mine", "\(target)")
        }
        #expect(try Wire(port: served.api).ask("GET", "/%zz")["X-Request-Id"] != nil)
        let broken = try Wire(port: served.api)
        try broken.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(try broken.answer()["X-Request-Id"] != nil)
    }

    @Test func `the stand-in for Apple's keys is at /auth/keys of the origin, the one of the world`() throws {
        let served = try Served(Served.frozen + ["--admin-token", "s3cret"])
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/apple/keys?api=omnichat", token: "s3cret"))
        let keys = try wire.answer()
        expectEqual(keys.status, 200)
        let origin = try Wire(port: served.api)
        try expectEqual(origin.ask("GET", "/auth/keys").bytes, keys.bytes)
        try expectEqual(origin.ask("GET", "/@main/auth/keys").bytes, keys.bytes)
        try expectEqual(origin.ask("GET", "/@nowhere/auth/keys").status, 404)
        try expectEqual(origin.ask("HEAD", "/auth/keys")["Content-Length"], "\(keys.bytes.count)")
        try expectEqual(origin.ask("POST", "/auth/keys").error, "404 Not found")
    }

    @Test func `CarbScan 2 7.23 Apple's keys are an endpoint of its own, with faults and a journal entry`() throws {
        let served = try Served()
        let origin = try Wire(port: served.port(of: "carbscan"))
        let keys = try origin.ask("GET", "/auth/keys")
        #expect(keys.status == 200 && keys.json["keys"]?[0]?["kid"] != nil, "\(keys.text)")
        expectEqual(keys["X-Request-Id"]?.hasPrefix("req_"), true, "an id of the world's counter")
        try expectEqual(origin.ask("HEAD", "/auth/keys")["Content-Length"], "\(keys.bytes.count)")
        try expectEqual(origin.ask("GET", "/@main/auth/keys/").bytes, keys.bytes)
        try expectEqual(origin.ask("POST", "/auth/keys").status, 405)
        let journal = try served.control("GET", "/requests?api=carbscan").json["items"]?.arrayValue ?? []
        expectEqual(journal.compactMap { $0["method"]?.stringValue }, ["POST", "GET", "HEAD", "GET"])
        try served.fault("carbscan", "/auth/keys", #"{"status":503}"#)
        try expectEqual(origin.ask("GET", "/auth/keys").json.text(at: "error.code"), "SERVICE_UNAVAILABLE")
        try expectEqual(origin.ask("GET", "/auth/keys").bytes, keys.bytes)
        try expectEqual(served.control("PUT", "/scenarios/carbscan/html-gateway-error", "{}").status, 200)
        try expectEqual(origin.ask("GET", "/auth/keys").status, 502)
    }

    @Test func `an upload that asks for 100 Continue gets it, then its answer`() throws {
        let served = try Served()
        let wire = try Wire(port: served.api)
        let body = Array(#"{"title":"Continued"}"#.utf8)
        let head =
            "POST /api/v1/conversations HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(try served.token())\r\n"
            + "User-Agent: curl/8.5.0\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
            + "Expect: 100-continue\r\n\r\n"
        try wire.send(Array(head.utf8))
        try expectEqual(wire.answer().raw, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        try wire.send(body)
        let answer = try wire.answer()
        expectEqual(answer.status, 200)
        expectEqual(answer.json["title"], "Continued")
    }

    @Test func `a JSON body may have 1 MiB, one byte more is 413`() throws {
        let served = try Served()
        let token = try served.token()
        for (size, expected) in [(1_048_576, 200), (1_048_577, 413)] {
            let frame = Array(#"{"title":""}"#.utf8)
            let body = frame.dropLast(2) + [UInt8](repeating: 0x61, count: size - frame.count) + frame.suffix(2)
            let wire = try Wire(port: served.api)
            let answer = try wire.ask("POST", "/api/v1/conversations", body: Array(body), token: token)
            expectEqual(answer.status, expected)
            if expected == 413 { expectEqual(answer.error, "413 Payload too large") }
        }
    }

    @Test func `a multipart body may have 11 MiB, one byte more is 413`() throws {
        let served = try Served()
        let token = try served.token()
        let start = Array(
            ("--b\r\nContent-Disposition: form-data; name=\"conversationId\"\r\n\r\nconv_welcome_00000001\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n")
                .utf8
        )
        let end = Array("\r\n--b--\r\n".utf8)
        let limit = 11 * 1024 * 1024
        for (size, expected) in [(limit, "400 File size exceeds 10MB limit"), (limit + 1, "413 Payload too large")] {
            let body = start + [UInt8](repeating: 0x61, count: size - start.count - end.count) + end
            let wire = try Wire(port: served.api)
            let type = "multipart/form-data; boundary=b"
            try wire.send(Wire.request("POST", "/api/v1/upload", body: body, token: token, type: type))
            try expectEqual(wire.answer().error, expected)
        }
        let file = 10 * 1024 * 1024
        for (size, expected) in [(file, 200), (file + 1, 400)] {
            let body = start + [UInt8](repeating: 0x61, count: size) + end
            let wire = try Wire(port: served.api)
            let type = "multipart/form-data; boundary=b"
            try wire.send(Wire.request("POST", "/api/v1/upload", body: body, token: token, type: type))
            try expectEqual(wire.answer().status, expected)
        }
    }

    @Test func `what HTTP/1.1 lets a server refuse is answered in OmniChat's form, and the connection closed`() throws {
        let served = try Served()
        let host = "Host: 127.0.0.1\r\n"
        let families: [(String, Int, String)] = [
            ("a bare line feed", 400, "GET / HTTP/1.1\nHost: 127.0.0.1\n\n"),
            ("two spaces in the request line", 400, "GET  / HTTP/1.1\r\n\(host)\r\n"),
            ("no version", 400, "GET /\r\n\(host)\r\n"),
            ("a fragment in the target", 400, "GET /a#b HTTP/1.1\r\n\(host)\r\n"),
            ("a method that is no token", 400, "GE(T / HTTP/1.1\r\n\(host)\r\n"),
            ("a folded line", 400, "GET / HTTP/1.1\r\n\(host)X-A: b\r\n c\r\n\r\n"),
            ("a space before the colon", 400, "GET / HTTP/1.1\r\n\(host)X-A : b\r\n\r\n"),
            ("a control character in a value", 400, "GET / HTTP/1.1\r\n\(host)X-A: b\u{1}c\r\n\r\n"),
            ("no host", 400, "GET / HTTP/1.1\r\n\r\n"), ("two hosts", 400, "GET / HTTP/1.1\r\n\(host)\(host)\r\n"),
            ("a host that is none", 400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
            ("both framings", 400, "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ("two lengths", 400, "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
            ("a length that is no number", 400, "POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\na"),
            (
                "a chunk size that is no number", 400,
                "POST /api/v1/auth/apple HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nxyz\r\n"
            ),
            ("an unknown transfer coding", 501, "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n"),
            (
                "a request line over 8 KiB", 414,
                "GET /" + String(repeating: "a", count: 8_192) + " HTTP/1.1\r\n\(host)\r\n"
            ),
            (
                "a header section over 64 KiB", 431,
                "GET / HTTP/1.1\r\n\(host)X-A: " + String(repeating: "a", count: 65_536) + "\r\n\r\n"
            ),
            ("201 fields", 431, "GET / HTTP/1.1\r\n\(host)" + String(repeating: "X-A: b\r\n", count: 200) + "\r\n"),
        ]
        for (family, status, text) in families {
            let wire = try Wire(port: served.api)
            try wire.send(Array(text.utf8))
            let answer = try wire.answer()
            expectEqual(answer.status, status, "\(family): \(answer.status)")
            expectEqual(answer["Content-Type"], "application/json", "\(family)")
            expectEqual(answer.json.objectValue?.members.map(\.name), ["error"], "\(family): \(answer.text)")
            expectEqual(answer["Connection"], "close", "\(family)")
            try wire.waitForEnd()
            let hub = try Wire(port: served.hub)
            try hub.send(Array(text.utf8))
            let problem = try hub.answer()
            #expect(
                problem.status == status && problem["Content-Type"] == "application/problem+json",
                "\(family) on the hub"
            )
        }
        try expectEqual(served.control("GET", "/health").status, 200)
    }

    @Test func `twenty worlds at once never mix`() throws {
        let served = try Served()
        let names = (0..<20).map { "w\($0)" }
        var wires: [Wire] = []
        var tokens: [String] = []
        for name in names {
            try expectEqual(served.control("POST", "/worlds", #"{"name":"\#(name)"}"#).status, 201)
            tokens.append(try served.token(world: name))
            wires.append(try Wire(port: served.api))
        }
        let rounds = 10
        for round in 0..<rounds {
            for (place, wire) in wires.enumerated() {
                let body = Array(#"{"title":"\#(names[place]) \#(round)"}"#.utf8)
                // Half of them by path, half by the token alone.
                let prefix = place.isMultiple(of: 2) ? "/@\(names[place])" : ""
                try wire.send(Wire.request("POST", prefix + "/api/v1/conversations", body: body, token: tokens[place]))
            }
            for wire in wires { try expectEqual(wire.answer().status, 200) }
        }
        var ids: Set<String> = []
        for (place, wire) in wires.enumerated() {
            let list = try wire.ask("GET", "/api/v1/conversations", token: tokens[place])
            let rows = list.json["conversations"]?.arrayValue ?? []
            let titles = rows.compactMap { $0["title"]?.stringValue }.filter { $0.hasPrefix("w") }
            expectEqual(Set(titles), Set((0..<rounds).map { "\(names[place]) \($0)" }))
            expectEqual(rows.count, rounds + 4)
            expectEqual(list["X-RateLimit-Remaining"], "\(100 - rounds - 1)")
            expectEqual(list["X-Request-Id"], "req_\(rounds + 1)")
            ids.insert(rows.first?["id"]?.stringValue ?? "")
        }
        expectEqual(ids.count, 1, "one seed, so the same ids in each of them")
        let main = try served.control("GET", "/requests")
        expectEqual(main.json["items"]?.arrayValue?.isEmpty, true)
    }
}
