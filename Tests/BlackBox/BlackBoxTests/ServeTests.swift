import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 2: `serve` from its start to its end.
@Suite(.serialized) struct ServeTests {
    @Test func `exactly one ready line goes to standard output, and the first call works`() throws {
        let served = try Served(log: [])
        let health = try served.control("GET", "/health")
        expectEqual(health.status, 200)
        expectEqual(served.ready.objectValue?.members.map(\.name), ["ready", "hub", "apis", "pid"])
        expectEqual(served.ready["ready"], true)
        expectEqual(served.ready["pid"]?.intValue, Int64(served.child.identifier))
        expectEqual(served.ready["hub"]?.stringValue, "http://127.0.0.1:\(served.hub)")
        expectEqual(served.ready["apis"]?.objectValue?.members.map(\.name), Checkout.apis)
        try expectEqual(served.chat("GET", "/conversations").error, "401 Missing or invalid authorization header")
        try expectEqual(served.child.output().split(separator: "\n", omittingEmptySubsequences: false).count, 2)
        #expect(try served.child.errors().contains("http://127.0.0.1:\(served.api)"), "the table for people")
        // A connection that is kept but idle holds nothing up.
        let idle = try Wire(port: served.api)
        try expectEqual(idle.ask("GET", "/api/v1/conversations").status, 401)
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
        #expect(try !served.child.errors().contains("cut by the stop"))
        try idle.waitForEnd()
    }

    @Test func `the first interrupt drains: a stream ends in order, and no new connection is taken`() throws {
        let served = try Served()
        let stream = try served.startStream(try served.token())
        try stream.wait(for: "content_chunk")
        served.child.signal(SIGINT)
        let answer = try stream.answer()
        #expect(answer.text.hasSuffix("data: [DONE]\n\n"))
        try expectEqual(served.child.waitForExit(), 130)
        #expect(throws: (any Error).self) { try Wire(port: served.api) }
    }

    @Test func `a stream of events ends in order when the server stops, and holds nothing up`() throws {
        let served = try Served(log: [])
        let events = try Wire(port: served.hub)
        try events.send(Wire.request("GET", "/__admin/events"))
        try events.wait(for: ": understudy")
        // Another one, told before it, that has something to wait for.
        let patient = try Served()
        try expectEqual(patient.control("PUT", "/scenarios/omnichat/slow-first-token").status, 200)
        let slow = try patient.startStream(try patient.token())
        try slow.wait(for: "message_start")
        let start = Date()
        patient.child.signal(SIGINT)
        served.child.signal(SIGINT)
        try expectEqual(served.child.waitForExit(), 130)
        // Unless the machine stood still meanwhile.
        #expect(patient.child.isRunning || Date().timeIntervalSince(start) > 4.4)
        try events.wait(for: "\r\n0\r\n\r\n")
        #expect(try !served.child.errors().contains("cut off"))
    }

    @Test func `a drain takes 5 seconds at most, and a second interrupt ends it at once`() throws {
        let (patient, hasty) = (try Served(log: []), try Served())
        var streams: [Wire] = []
        let start = Date()
        for served in [patient, hasty] {
            try expectEqual(served.control("PUT", "/scenarios/omnichat/slow-first-token").status, 200)
            streams.append(try served.startStream(try served.token()))
            try streams[streams.count - 1].wait(for: "message_start")
            served.child.signal(SIGINT)
        }
        // The first one is heard when no new connection is taken.
        try Deadline().wait(for: "the drain") { (try? Wire(port: hasty.api)) == nil }
        hasty.child.signal(SIGINT)
        try expectEqual(hasty.child.waitForExit(), 130)
        // The other one, which was told as soon, is still draining, unless the machine stood still meanwhile.
        #expect(patient.child.isRunning || Date().timeIntervalSince(start) > 4.4)
        try expectEqual(patient.child.waitForExit(), 130)
        let time = Date().timeIntervalSince(start)
        // The reply would have begun after 12 seconds and then gone on.
        #expect(time >= 4.4, "\(time)")
        #expect(try patient.child.errors().contains("the shutdown cut off 1 response"))
    }

    @Test func `an answer that only holds its connection open does not hold up the end`() throws {
        let served = try Served()
        try expectEqual(
            served.control("PUT", "/settings", #"{"omnichat":{"stream":{"stallAfterPieces":0}}}"#).status,
            200
        )
        let stream = try served.startStream(try served.token())
        try stream.wait(for: "message_start")
        // Another one, told before it, that has something to wait for.
        let patient = try Served()
        try expectEqual(patient.control("PUT", "/scenarios/omnichat/slow-first-token").status, 200)
        let slow = try patient.startStream(try patient.token())
        try slow.wait(for: "message_start")
        let start = Date()
        patient.child.signal(SIGTERM)
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
        #expect(patient.child.isRunning || Date().timeIntervalSince(start) > 4.4)
    }

    @Test func `a taken port is 3 and named with who to ask`() throws {
        let served = try Served()
        for flag in ["--port", "--port-omnichat"] {
            let others = flag == "--port" ? [] : ["--port", "0"]
            let result = try Program.run(["serve", flag, "\(served.hub)"] + others)
            expectEqual(result.status, 3)
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("port \(served.hub) is in use"), "\(result.errors)")
            #expect(result.errors.contains("lsof -nP -iTCP:\(served.hub)"))
        }
        try expectEqual(served.control("GET", "/health").status, 200)
    }

    @Test func `start scenarios hold, and the variables of the environment too`() throws {
        let served = try Served(environment: [
            "UNDERSTUDY_SCENARIO": "omnichat/fractional-dates", "UNDERSTUDY_SEED": "7",
            "UNDERSTUDY_ADMIN_TOKEN": "s3cret",
        ])
        try expectEqual(served.control("GET", "/health").status, 401)
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/settings", token: "s3cret"))
        try expectEqual(wire.answer().json["omnichat"]?["dates"], "fractional")
    }

    @Test(arguments: ["access", "refresh", "apple-identity"])
    func `a token of the command line is accepted by a serve of the same seed and clock`(kind: String) throws {
        let served = try Served()
        let flags = ["token", "--api", "omnichat", "--user", "power@omnichat.test", "--kind", kind] + Served.frozen
        for state in ["valid", "expired", "revoked", "bad-signature", "wrong-audience", "wrong-issuer"] {
            let made = try Program.run(flags + ["--state", state])
            expectEqual(made.status, 0)
            let token = String(made.output.dropLast())
            let answer =
                switch kind {
                case "access": try served.chat("GET", "/conversations", token: token)
                case "refresh": try served.chat("POST", "/auth/refresh", #"{"refreshToken":"\#(token)"}"#)
                default: try served.chat("POST", "/auth/apple", #"{"idToken":"\#(token)"}"#)
                }
            expectEqual(answer.status, state == "valid" ? 200 : 401, "\(kind) \(state): \(answer.text)")
        }
        let other = try Program.run(flags + ["--seed", "43"])
        let foreign = try served.chat("GET", "/conversations", token: String(other.output.dropLast()))
        expectEqual(foreign.status, 401)
        try expectEqual(Program.run(flags.map { $0 == "power@omnichat.test" ? "nobody" : $0 }).status, 1)
    }

    // MARK: Determinism

    private static let script: [(String, String, String)] = [
        ("POST", "/api/v1/auth/apple", #"{"idToken":"mock_apple_token"}"#), ("GET", "/api/v1/conversations", ""),
        ("POST", "/api/v1/conversations", #"{"title":"Same everywhere"}"#),
        ("POST", "/api/v1/conversations/conv_welcome_00000001/messages", #"{"content":"Hello 👋"}"#),
        ("POST", "/api/v1/conversations/conv_welcome_00000001/messages", #"{"content":"Once more","stream":false}"#),
        ("GET", "/api/v1/conversations/conv_welcome_00000001/messages", ""), ("GET", "/api/v1/user/usage", ""),
        ("GET", "/api/models", ""), ("HEAD", "/api/v1/conversations", ""), ("OPTIONS", "/api/v1/conversations", ""),
        ("GET", "/nowhere", ""), ("PUT", "/api/v1/conversations", "{}"), ("POST", "/api/v1/conversations", "{"),
    ]

    private func walk(_ served: Served) throws -> (answers: [[UInt8]], journal: String) {
        let wire = try Wire(port: served.api)
        let token = try served.token()
        var answers = [Array(token.utf8)]
        for (method, path, body) in Self.script {
            answers.append(try wire.ask(method, path, body: Array(body.utf8), token: token).raw)
        }
        var entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        for place in entries.indices {
            guard case .object(var entry) = entries[place] else { continue }
            // These belong to the machine (console contract, section 2).
            for name in ["wallAt", "startedAt", "endedAt", "peer", "connection", "timings"] { entry[name] = nil }
            entries[place] = .object(entry)
        }
        return (answers, JSON.array(entries).text)
    }

    @Test func `two processes of one seed and clock give the same bytes and the same journal`() throws {
        let (first, second) = (try walk(try Served()), try walk(try Served()))
        expectEqual(first.answers.count, Self.script.count + 1)
        for place in first.answers.indices {
            expectEqual(
                first.answers[place],
                second.answers[place],
                "\(String(decoding: first.answers[place], as: UTF8.self)) \(String(decoding: second.answers[place], as: UTF8.self))"
            )
        }
        expectEqual(first.journal, second.journal)
        #expect(first.journal.count > 5_000)
        let other = try walk(try Served(["--seed", "43", "--clock", "frozen:2025-01-01T12:00:00Z"]))
        #expect(other.answers[0] != first.answers[0])
    }

    @Test func `the journal shows the fields of the answer as they were sent`() throws {
        let served = try Served()
        let wire = try Wire(port: served.api)
        let token = try served.token()
        for (method, path, body) in Self.script where method != "HEAD" {
            let answer = try wire.ask(method, path, body: Array(body.utf8), token: token)
            let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
            let told = (entry?["responseHeaders"]?.arrayValue ?? []).map {
                "\($0[0]?.stringValue ?? ""): \($0[1]?.stringValue ?? "")"
            }
            let sent = answer.fields.map { "\($0.name): \($0.value)" }
            expectEqual(told, sent, "\(method) \(path)")
        }
    }
}
