import Backend
import CivilTime
import Conditions
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Idempotency keys (wire contract, section 8).
@Suite struct WireSection8Tests {
    private typealias Headers = KeyValuePairs<String, String>

    private static func harness(
        _ idempotency: String = "true",
        stubs: String = "[]",
        more: String = ""
    ) throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": """
            {"resources":[{"path":"/orders","table":"orders"}],"states":{"cart":["full","empty"]},
             "idempotency":\(idempotency)\(more)}
            """,
            "tables/orders.json": #"[{"id":0}]"#, "stubs/a.json": stubs,
            "openapi.yaml": """
            openapi: 3.1.0
            info: {title: T, version: 1.0.0}
            paths:
              /op: {post: {responses: {"201": {description: ok, content: {application/json: {example: {a: 1}}}}}}}
            """,
        ])
    }

    private func count(_ harness: CustomAPIHarness) throws -> Int {
        try (harness.get("/orders").json.arrayValue?.count ?? 0) - 1
    }

    @Test func `8 the same content gets the first answer again, and nothing is done`() throws {
        let harness = try Self.harness()
        let first = try harness.post("/orders", ["sku": "a"], ["Idempotency-Key": "k"])
        expectEqual(first.status, 201)
        expectNil(first["Idempotency-Replayed"])
        let second = try harness.post("/orders", ["sku": "a"], ["Idempotency-Key": "k"])
        expectEqual(second.status, 201)
        expectEqual(second["Idempotency-Replayed"], "true")
        for name in ["Location", "ETag", "Content-Type"] { expectEqual(second[name], first[name], name) }
        expectEqual(second.text, first.text)
        try expectEqual(count(harness), 1)
        let journal = try harness.hosted().world.journal
        let entry = try #require(journal.entries.dropLast().last)
        expectEqual(entry.route, "/orders")
        expectEqual(entry.source, .resource)
        // PATCH too, and each method, path and key by itself.
        let row = "/orders/1"
        try expectEqual(harness.patch(row, ["n": 1], ["Idempotency-Key": "k"]).status, 200)
        _ = try harness.patch(row, ["n": 2])
        try expectEqual(harness.patch(row, ["n": 1], ["Idempotency-Key": "k"]).json["n"], 1)
        try expectEqual(harness.get(row).json["n"], 2)
        try expectEqual(harness.post("/orders", ["sku": "a"], ["Idempotency-Key": "K"]).json["id"], 2)
        try expectEqual(harness.post("/orders", ["sku": "a"]).json["id"], 3)
        // A method that makes nothing new has no key.
        _ = try harness.put(row, ["n": 5], ["Idempotency-Key": "k"])
        _ = try harness.put(row, ["n": 6], ["Idempotency-Key": "k"])
        try expectEqual(harness.get(row).json["n"], 6)
    }

    @Test func `8 other content is a mismatch, and errors are not kept`() throws {
        let harness = try Self.harness()
        try expectEqual(harness.send("POST", "/orders", text: "{", "application/json").status, 400)
        let bad = try harness.send(
            .post,
            "/orders",
            body: Array("{".utf8),
            headers: ["Idempotency-Key": "k", "Content-Type": "application/json"]
        )
        expectEqual(bad.status, 400)
        try expectEqual(harness.post("/orders", ["a": 1], ["Idempotency-Key": "k"]).status, 201)
        let other = try harness.post("/orders", ["a": 2], ["Idempotency-Key": "k"])
        expectEqual(other.status, 422)
        expectEqual(other.json["error"]?["code"], "idempotency_mismatch")
        expectNil(other["Idempotency-Replayed"])
        try expectEqual(count(harness), 1)
        // A fault before the work leaves nothing behind.
        try harness.addFault(["match": ["method": "POST"], "when": ["times": 1], "effect": ["status": 503]])
        try expectEqual(harness.post("/orders", ["a": 3], ["Idempotency-Key": "f"]).status, 503)
        let done = try harness.post("/orders", ["a": 3], ["Idempotency-Key": "f"])
        expectEqual(done.status, 201)
        expectNil(done["Idempotency-Replayed"])
    }

    @Test(arguments: [
        #"{"status":500}"#, #"{"body":"empty"}"#, #"{"connection":"reset"}"#, #"{"connection":"truncate"}"#,
        #"{"respond":{"status":502}}"#,
    ])
    func `8 the answer is kept also if it was lost after the work`(effect: String) throws {
        let harness = try Self.harness()
        let order = #"{"match":{"method":"POST"},"phase":"after","when":{"times":1},"effect":\#(effect)}"#
        try harness.addFault(try JSONReader.read(text: order))
        // The harness can't play a connection that breaks.
        _ = try? harness.post("/orders", ["a": 1], ["Idempotency-Key": "k"])
        let again = try harness.post("/orders", ["a": 1], ["Idempotency-Key": "k"])
        expectEqual(again.status, 201)
        expectEqual(again["Idempotency-Replayed"], "true")
        try expectEqual(count(harness), 1)
    }

    @Test func `8 stubs, operations and states: a repetition uses nothing up`() throws {
        let harness = try Self.harness(
            stubs: """
                [{"match":{"method":"POST","path":"/pay"},"when":{"times":1},"sets":{"cart":"empty"},
                  "response":{"status":202,"text":"{{counter.p}}"}},
                 {"match":{"method":"POST","path":"/steps"},"responses":[{"text":"1"},{"text":"2"}],"after":"pass"}]
                """
        )
        for _ in 0..<2 {
            let answer = try harness.post("/pay", [:], ["Idempotency-Key": "k"])
            expectEqual(answer.status, 202)
            let stubs = try harness.hosted().world.stubs
            expectEqual(stubs.stubs.first?.hits, 1)
        }
        try expectEqual(harness.post("/pay", [:], ["Idempotency-Key": "other"]).status, 404)
        for (key, text) in [("a", "1"), ("a", "1"), ("b", "2"), ("b", "2"), ("a", "1")] {
            try expectEqual(harness.post("/steps", [:], ["Idempotency-Key": key]).text, text)
        }
        try expectEqual(harness.post("/op", [:], ["Idempotency-Key": "k"])["Idempotency-Replayed"], nil)
        let operation = try harness.post("/op", [:], ["Idempotency-Key": "k"])
        expectEqual(operation["Idempotency-Replayed"], "true")
        expectEqual(operation.text, #"{"a":1}"#)
    }

    @Test(arguments: [
        ("{\"required\":true}", nil, 400), ("{\"required\":true}", "k", 201), ("true", nil, 201), ("true", "", 400),
        ("true", String(repeating: "k", count: 255), 201), ("true", String(repeating: "k", count: 256), 400),
        ("{\"header\":\"X-Request-Key\",\"required\":true}", "k", 400),
    ])
    func `8 a key that is missing, empty or too long is a bad request`(declared: String, key: String?, status: Int)
        throws
    {
        let harness = try Self.harness(declared)
        let headers: Headers = key.map { ["Idempotency-Key": $0] } ?? [:]
        let answer = try harness.post("/orders", [:], headers)
        expectEqual(answer.status, status)
        if status == 400 { expectEqual(answer.json["error"]?["code"], "bad_request") }
        try expectEqual(harness.get("/orders").status, 200)
        // A path that nothing takes is no bad request.
        try expectEqual(harness.post("/nothing", [:], headers).status, 404)
    }

    @Test func `8 a key in another header, and a lifetime on the clock of the world`() throws {
        let harness = try Self.harness(#"{"header":"X-Key","lifetime":"PT1M"}"#)
        func post() throws -> CustomAPIHarness.Answer { try harness.post("/orders", ["a": 1], ["x-key": "k"]) }
        try expectEqual(post().json["id"], 1)
        try harness.advance(.microseconds(59_999_999))
        try expectEqual(post().json["id"], 1)
        try harness.advance(.microseconds(1))
        let anew = try post()
        expectEqual(anew.json["id"], 2)
        expectNil(anew["Idempotency-Replayed"])
        try expectEqual(post()["Idempotency-Replayed"], "true")
    }

    @Test(arguments: [
        ("1", "must be true, false or an object"), (#"{"header":""}"#, "must not be empty"),
        (#"{"header":"a b"}"#, "is not the name of a header field"), (#"{"lifetime":"1d"}"#, "ISO 8601 duration"),
        (#"{"lifetime":"PT0S"}"#, "must be longer than PT0S"), (#"{"lifetime":"P36526D"}"#, "at most P36525D"),
        (#"{"required":"yes"}"#, "must be true or false"), (#"{"ttl":1}"#, "unknown"),
    ])
    func `8 what is wrong in the declaration is told`(declared: String, reason: String) {
        let findings = CustomAPIHarness.findings("{\"idempotency\":\(declared)}")
        #expect(findings.contains { $0.contains("$.idempotency") && $0.contains(reason) }, "\(findings)")
        expectEqual(CustomAPIHarness.findings(#"{"idempotency":false}"#), [])
    }

    @Test func `8 each user has keys of their own, sign-in has none, and a bad token gets nothing`() throws {
        let harness = try CustomAPIHarness(SignInFixture.files(more: #""idempotency":{"required":true}"#))
        let (anna, bo) = (try harness.login().access, try harness.login("bo@example.com").access)
        func post(_ token: String) throws -> CustomAPIHarness.Answer {
            try harness.post("/v1/notes", ["text": "x"], ["Authorization": "Bearer \(token)", "Idempotency-Key": "k"])
        }
        try expectEqual(post(anna).json["id"], 3)
        try expectEqual(post(bo).json["id"], 4)
        try expectEqual(post(anna)["Idempotency-Replayed"], "true")
        try expectEqual(post("x").status, 401)
        // A sign-in is not repeated, and needs no key.
        let login: JSON = ["email": "anna@example.com", "password": .string(SignInFixture.password)]
        try expectEqual(harness.post("/v1/login", login, ["Idempotency-Key": "l"])["Idempotency-Replayed"], nil)
        try expectEqual(harness.post("/v1/login", login, ["Idempotency-Key": "l"])["Idempotency-Replayed"], nil)
        // The token comes before the key.
        try expectEqual(harness.post("/v1/notes", [:]).status, 401)
        try harness.advance(.minutes(16))
        try expectEqual(post(anna).status, 401)
    }

    // MARK: Under way

    /// Begins a request as the server does, and leaves it where it waits.
    private func begin(_ harness: CustomAPIHarness, _ path: String, _ id: UInt64, key: String = "k") throws -> Exchange
    {
        let head = RequestHead(
            method: .post,
            target: RequestTarget(rawPath: path, rawQuery: nil),
            fields: [.host: "127.0.0.1:4700", .contentType: "application/json", "Idempotency-Key": key]
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: harness.entryPoint))
        let exchange = harness.emulator.open(head, address: address, peer: "127.0.0.1", id: id, at: harness.hostTime)
        harness.emulator.receive(HTTPRequest(head: head, body: RequestBody(Array("{}".utf8))), of: exchange)
        harness.emulator.answer(exchange, at: harness.hostTime)
        return exchange
    }

    private func end(_ exchange: Exchange, in harness: CustomAPIHarness) {
        harness.emulator.finish(
            exchange.id,
            outcome: .delivered,
            timings: JournalEntry.Timings(),
            contentSent: nil
        )
    }

    @Test(arguments: [FaultSpec.Phase.before, .after])
    func `8 while the first waits at a gate the second is a conflict`(phase: FaultSpec.Phase) throws {
        let harness = try Self.harness()
        _ = try harness.hosted().world.gates.add("g", Matcher(), phase)
        let first = try begin(harness, "/orders", 1_000_001)
        #expect(first.isHeld)
        let hosted = try harness.hosted()
        hosted.world.gates.remove("g")
        let second = try harness.post("/orders", [:], ["Idempotency-Key": "k"])
        expectEqual(second.status, 409)
        expectEqual(second.json["error"]?["code"], "idempotency_in_progress")
        // Another key, path or world goes on.
        try expectEqual(harness.post("/orders", [:], ["Idempotency-Key": "l"]).status, 201)
        _ = harness.emulator.release("g", in: hosted, at: harness.hostTime)
        expectEqual(first.response.status.code, 201)
        let third = try harness.post("/orders", [:], ["Idempotency-Key": "k"])
        expectEqual(third["Idempotency-Replayed"], "true")
        expectEqual(third.text, String(decoding: first.response.body.content, as: UTF8.self))
        end(first, in: harness)
        try expectEqual(count(harness), 2)
    }

    @Test func `8 while the answer is delayed the second is a conflict, until the head leaves or the client has`()
        throws
    {
        let stubs = #"[{"match":{"path":"/slow"},"response":{"text":"x","delay":{"ms":2000}}}]"#
        let harness = try Self.harness(stubs: stubs)
        let first = try begin(harness, "/slow", 1_000_001)
        expectEqual(first.response.status.code, 200)
        try expectEqual(harness.post("/slow", [:], ["Idempotency-Key": "k"]).status, 409)
        try harness.advance(.microseconds(1_999_999))
        try expectEqual(harness.post("/slow", [:], ["Idempotency-Key": "k"]).status, 409)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.post("/slow", [:], ["Idempotency-Key": "k"])["Idempotency-Replayed"], "true")
        end(first, in: harness)
        // A client that has left does not wait.
        let other = try begin(harness, "/slow", 1_000_002, key: "o")
        try expectEqual(harness.post("/slow", [:], ["Idempotency-Key": "o"]).status, 409)
        harness.emulator.peerEnded(other)
        try expectEqual(harness.post("/slow", [:], ["Idempotency-Key": "o"])["Idempotency-Replayed"], "true")
        end(other, in: harness)
        expectEqual(try harness.hosted().world.stubs.stubs.first?.hits, 2)
    }

    // MARK: Worlds

    @Test func `8 forks, snapshots, export and reset have the kept answers`() throws {
        let harness = try Self.harness()
        func post(_ target: String = "/orders") throws -> CustomAPIHarness.Answer {
            try harness.post(target, ["a": 1], ["Idempotency-Key": "k"])
        }
        try harness.takeSnapshot("before")
        _ = try post()
        try harness.makeWorld("fork", from: "main")
        try expectEqual(post("/@fork/orders")["Idempotency-Replayed"], "true")
        let document = try harness.document()
        #expect(document.contains("_idempotency"))
        try harness.restore("before")
        expectNil(try post()["Idempotency-Replayed"])
        try harness.load(document)
        try expectEqual(harness.document(), document)
        try expectEqual(post()["Idempotency-Replayed"], "true")
        try harness.reset()
        expectNil(try post()["Idempotency-Replayed"])
    }

    @Test func `8 a world keeps 16,384 answers, and the oldest go first`() throws {
        let stubs = #"[{"match":{"method":"POST","path":"/s"},"response":{"status":204}}]"#
        let harness = try Self.harness(stubs: stubs)
        func post(_ key: Int) throws -> String? {
            try harness.post("/s", [:], ["Idempotency-Key": "\(key)"])["Idempotency-Replayed"]
        }
        for key in 0..<16_384 { _ = try post(key) }
        try expectEqual(post(0), "true")
        expectNil(try post(16_384))
        try expectEqual(post(1), "true")
        expectNil(try post(0))
        expectNil(try post(1))
        try expectEqual(post(3), "true")
    }

    @Test func `8 a world keeps 64 MiB of content, and the oldest go first`() throws {
        let harness = try Self.harness(stubs: "[]")
        for (path, count) in [("/big", 8 << 20), ("/small", 1), ("/none", 0)] {
            let text = JSON.string(String(repeating: "x", count: count))
            let stub: JSONObject = ["match": ["method": "POST", "path": .string(path)], "response": ["text": text]]
            var check = BodyCheck(stub)
            let spec = try #require(StubSpec.read(&check, stub, StubContext(harness.api)))
            try harness.hosted().world.stubs.add(spec, .call, at: 0)
        }
        func post(_ path: String, _ key: Int) throws -> String? {
            try harness.post(path, [:], ["Idempotency-Key": "\(key)"])["Idempotency-Replayed"]
        }
        for key in 0..<8 { expectNil(try post("/big", key)) }
        expectNil(try post("/none", 8))
        for key in 0..<8 { try expectEqual(post("/big", key), "true") }
        // One byte more.
        expectNil(try post("/small", 9))
        for key in [1, 7] { try expectEqual(post("/big", key), "true") }
        try expectEqual(post("/none", 8), "true")
        expectNil(try post("/big", 0))
        try expectEqual(post("/big", 2), "true")
        expectNil(try post("/big", 1))
    }

    @Test(arguments: [(262_143, false), (262_144, true)])
    func `8 long content with a key is digested by a worker, with the same result`(length: Int, isWork: Bool) throws {
        let harness = try Self.harness(stubs: #"[{"match":{"method":"POST","path":"/s"},"response":{"status":201}}]"#)
        let content = [UInt8](repeating: 0x61, count: length)
        func exchange(_ key: String?, _ id: UInt64) throws -> Exchange {
            var fields: Fields = [
                .host: "127.0.0.1:4700", .contentType: "text/plain", .contentLength: "\(length)",
            ]
            if let key { fields.append("Idempotency-Key", key) }
            let head = RequestHead(method: .post, target: RequestTarget(rawPath: "/s", rawQuery: nil), fields: fields)
            let address = try #require(harness.emulator.address(of: head, entryPoint: harness.entryPoint))
            let exchange = harness.emulator.open(
                head,
                address: address,
                peer: "127.0.0.1",
                id: id,
                at: harness.hostTime
            )
            harness.emulator.receive(HTTPRequest(head: head, body: RequestBody(content)), of: exchange)
            return exchange
        }
        expectNil(try harness.emulator.preparation(for: exchange(nil, 1_000_001), at: harness.hostTime)?.isSlow)
        let first = try exchange("k", 1_000_002)
        let work = harness.emulator.preparation(for: first, at: harness.hostTime)
        expectEqual(work != nil, isWork)
        if let work { harness.emulator.note(work.run(first.request), for: first) }
        harness.emulator.answer(first, at: harness.hostTime)
        expectEqual(first.response.status.code, 201)
        // The same content without a worker.
        let second = try exchange("k", 1_000_003)
        harness.emulator.answer(second, at: harness.hostTime)
        expectEqual(second.response.fields["Idempotency-Replayed"], "true")
    }
}
