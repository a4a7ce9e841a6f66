import CivilTime
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Section 9 of the conduct contract: the calls.
@Suite struct ConductCallTests {
    @Test func `conduct 9 the report is JSON in the order of the contract`() throws {
        let harness = try Harness()
        let report = try harness.call(.get, "/conduct").json
        expectEqual(report["format"], "understudy-conduct")
        expectEqual(report["verdict"], "pass")
        expectEqual(report["journal"], ["from": .null, "to": .null, "entries": 0, "complete": true])
        let rules = try #require(report["rules"]?.arrayValue)
        expectEqual(rules.count, 49)
        #expect(rules.allSatisfy { $0["status"] == "notExercised" })
    }

    @Test(arguments: [
        ("/conduct?rule=auth/repeat-after-402", 422), ("/conduct?failOn=eror", 400),
        ("/conduct?format=jason", 400), ("/conduct?world=nowhere", 404), ("/conduct?rul=x", 400),
        ("/conduct?since=-1", 400), ("/conduct/rules/auth/nothing", 404),
        ("/conduct?rule=auth/*&rule=sawaed/refresh-once&world=*", 200),
        ("/conduct/rules/sawaed/refresh-once?format=html", 200),
    ])
    func `conduct 9 values that do not fit are refused, and the nearest is named`(path: String, status: Int) throws {
        try expectEqual(Harness().call(.get, path).status, status)
    }

    @Test func `conduct 9 the rules come with their settings and instances`() throws {
        let items = try #require(try Harness().call(.get, "/conduct/rules").json["items"]?.arrayValue)
        let rule = try #require(items.first { $0["id"] == "poll/too-fast" })
        expectEqual(rule["settings"]?["minIntervalMs"], ["default": 1_000, "unit": "milliseconds"])
        expectEqual(rule["instances"]?.arrayValue?.contains { $0["id"] == "sawaed/poll-interval" }, true)
        expectEqual(rule["help"], "/__admin/conduct/rules/poll/too-fast")
        let page = try Harness().call(.get, "/conduct/rules/omnichat/no-list-polling").json
        expectEqual(page["id"], "poll/too-fast")
        expectEqual(page["as"], "omnichat/no-list-polling")
        expectEqual(page["fix"]?["urlsession"]?.stringValue?.isEmpty, false)
    }

    @Test func `conduct 3 an instance that is required counts as its rule does`() throws {
        let harness = try Harness()
        let settings = #"{"conduct":{"failOn":"never","require":["omnichat/bearer-everywhere"]}}"#
        try expectEqual(harness.call(.put, "/settings", settings).status, 200)
        _ = try harness.chat(.get, "/api/v1/user/profile", token: try harness.token())
        func verdict(_ query: String = "") throws -> JSON? {
            try harness.call(.get, "/conduct\(query)").json["verdict"]
        }
        try expectEqual(verdict(), "pass")
        try expectEqual(verdict("?since=100"), "fail")
        let off = #"{"conduct":{"rules":{"auth/credential-missing":{"severity":"off"}}}}"#
        try expectEqual(harness.call(.put, "/settings", off).status, 200)
        try expectEqual(verdict(), "fail")
    }

    @Test func `conduct 9 a world in the query counts as one in the header`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"w1"}"#).status, 201)
        try expectEqual(harness.call(.get, "/conduct?world=w1", world: "w1").status, 200)
        let both = try harness.call(.get, "/conduct?world=w1", world: "main")
        expectEqual(both.status, 400)
        expectEqual(both.json["type"], "/__admin/problems/conflicting-worlds")
    }

    // MARK: Epochs

    /// Calls with a token that has ended, which is refused, and waits a second.
    private func refused(_ harness: Harness, _ token: String, world: String? = nil) throws {
        let answer = try harness.chat(.get, "/api/v1/user/profile", token: token, world: world)
        expectEqual(answer.status, 401)
        harness.passRealTime(.seconds(1))
    }

    private func found(_ harness: Harness, world: String? = nil) throws -> [String] {
        let findings = try harness.call(.get, "/conduct", world: world).json["findings"]?.arrayValue ?? []
        return findings.compactMap { $0["rule"]?.stringValue }
    }

    @Test func `conduct 1 exchanges on both sides of a restore or an import are not compared`() throws {
        let harness = try Harness()
        let token = try harness.token(state: "expired")
        try refused(harness, token)
        try expectEqual(harness.call(.post, "/snapshots", #"{"name":"a"}"#).status, 201)
        try refused(harness, token)
        #expect(try found(harness).contains("auth/repeat-after-401"))
        try expectEqual(harness.call(.post, "/snapshots/a/restore").status, 200)
        try refused(harness, token)
        #expect(try !found(harness).contains("auth/repeat-after-401"))
        try refused(harness, token)
        #expect(try found(harness).contains("auth/repeat-after-401"))
        try expectEqual(harness.call(.post, "/snapshots/a/restore").status, 200)
        let state = try harness.call(.get, "/state")
        #expect(!state.text.contains("\"epochs\""))
        try expectEqual(harness.call(.put, "/state", state.text).status, 200)
        try refused(harness, token)
        #expect(try !found(harness).contains("auth/repeat-after-401"))
    }

    @Test func `conduct 1 a fork begins an epoch of its own`() throws {
        let harness = try Harness()
        for _ in 0..<2 { _ = try harness.chat(.get, "/api/v1/nothing") }
        harness.passRealTime(.seconds(1))
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"w1","from":"main"}"#).status, 201)
        _ = try harness.chat(.get, "/api/v1/nothing", world: "w1")
        let findings = try harness.call(.get, "/conduct?rule=retry/refusal-repeated", world: "w1").json["findings"]
        expectEqual(findings, [])
    }

    @Test func `conduct 8 a journal that took another one's place is judged anew`() throws {
        let harness = try Harness()
        for _ in 0..<3 { _ = try harness.chat(.get, "/api/v1/nothing") }
        #expect(try found(harness).contains("url/unknown-route"))
        try expectEqual(harness.call(.post, "/reset", "{}").status, 200)
        let token = try harness.token()
        for _ in 0..<3 { try expectEqual(harness.chat(.get, "/api/models", token: token).status, 200) }
        try expectEqual(found(harness), [])
        let journal = try harness.call(.get, "/conduct").json["journal"]
        expectEqual(journal, ["from": 1, "to": 3, "entries": 3, "complete": true])
    }
}
