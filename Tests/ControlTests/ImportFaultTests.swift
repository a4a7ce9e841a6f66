import Backend
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 4: an import is refused with the path of each fault.
@Suite struct ImportFaultTests {
    /// A document with an entry in its journal and a window of a rate limit.
    private func document(_ harness: Harness) throws -> JSON {
        _ = try harness.chat(.get, "/api/v1/user/profile", token: try harness.token())
        return try harness.call(.get, "/state").json
    }

    private func paths(_ harness: Harness, _ document: JSON) throws -> [String] {
        let answer = try harness.call(.put, "/state", document.text)
        expectEqual(answer.status, 422, "\(answer.text.prefix(300))")
        return (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
    }

    @Test func `4 every fault of a journal entry is told`() throws {
        let harness = try Harness()
        let before = try document(harness)
        let read =
            before
            .setting(["journal", 0, "method"], to: 5)
            .setting(["journal", 0, "path"], to: 5)
            .setting(["journal", 0, "status"], to: "x")
        try expectEqual(paths(harness, read), ["$.journal[0].method", "$.journal[0].path", "$.journal[0].status"])
        let checked =
            before
            .setting(["journal", 0, "method"], to: 5)
            .setting(["journal", 0, "status"], to: 5)
            .setting(["journal", 0, "outcome"], to: "lost")
            .setting(["journal", 0, "timings"], to: [1])
            .setting(["journal", 0, "responseBody", "length"], to: -1)
            .setting(["journal", 0, "seq"], to: 1_000)
        let expected = ["method", "status", "outcome", "timings", "responseBody.length", "seq"]
        expectEqual(Set(try paths(harness, checked)), Set(expected.map { "$.journal[0].\($0)" }))
    }

    @Test func `4 every fault of a message is told`() throws {
        let harness = try Harness()
        let message: JSON = [
            "id": "7", "to": "a@b.test", "kind": "x", "api": "omnichat", "at": "never", "zz": 1,
        ]
        let document = try document(harness).setting(["outbox"], to: [message])
        try expectEqual(paths(harness, document), ["id", "kind", "at", "zz"].map { "$.outbox[0].\($0)" })
    }

    @Test func `4 every fault of a clock is told`() throws {
        let harness = try Harness()
        let before = try document(harness)
        let first = before.setting(["clock"], to: ["mode": "x", "now": "never"])
        try expectEqual(paths(harness, first), ["$.clock.mode", "$.clock.now"])
        let second = before.setting(["startClock"], to: ["mode": "offset", "rate": 0, "at": 1.5])
        try expectEqual(paths(harness, second), ["$.startClock.now", "$.startClock.rate", "$.startClock.at"])
        let third = before.setting(["clock"], to: ["mode": "frozen", "now": JSON.integer(1 << 60), "rate": 1])
        try expectEqual(paths(harness, third), ["$.clock.now", "$.clock.rate"])
    }

    @Test func `4 one fault in a stub, a fault or a gate hides no other`() throws {
        let harness = try Harness()
        let stub = #"{"match":{"api":"omnichat","path":"/hello"},"response":{"text":"hi"}}"#
        try expectEqual(harness.call(.post, "/stubs", stub).status, 201)
        try expectEqual(harness.call(.post, "/faults", #"{"effect":{"status":500}}"#).status, 201)
        try expectEqual(harness.call(.post, "/gates", #"{"name":"g","phase":"after"}"#).status, 201)
        let document = try document(harness)
            .setting(["stubs", "stubs", 0, "isEnabled"], to: "x")
            .setting(["stubs", "stubs", 0, "origin"], to: "nobody")
            .setting(["stubs", "stubs", 0, "hits"], to: -1)
            .setting(["faults", "faults", 0, "origin"], to: "nobody")
            .setting(["faults", "faults", 0, "matches"], to: "x")
            .setting(["faults", "faults", 0, "hits"], to: -1)
            .setting(["faults", "lastNumber"], to: "x")
            .setting(["gates", "gates", 0, "phase"], to: "never")
            .setting(["gates", "gates", 0, "ordinal"], to: 1_000)
            .setting(["gates", "gates", 0, "zz"], to: 1)
            .setting(["latency", "draws"], to: -1)
        let expected = [
            "$.stubs.stubs[0].isEnabled", "$.stubs.stubs[0].origin", "$.stubs.stubs[0].hits",
            "$.faults.faults[0].origin", "$.faults.faults[0].matches", "$.faults.faults[0].hits",
            "$.faults.lastNumber", "$.gates.gates[0].phase", "$.gates.gates[0].ordinal", "$.gates.gates[0].zz",
            "$.latency.draws",
        ]
        let found = try paths(harness, document)
        expectEqual(found.sorted(), expected.sorted(), "\(found)")
    }

    @Test func `4 an unknown table hides no wrong epoch and no wrong row`() throws {
        let harness = try Harness()
        let document = try document(harness)
            .setting(["apis", "omnichat", "epoch"], to: "never")
            .setting(["apis", "omnichat", "users", 0, "email"], to: 5)
            .setting(["apis", "omnichat", "plans"], to: nil)
            .setting(["apis", "omnichat", "zz"], to: [])
        let found = try paths(harness, document)
        expectEqual(found, ["plans", "epoch", "users[0].email", "zz"].map { "$.apis.omnichat.\($0)" }, "\(found)")
    }

    @Test func `4 a wrong key of a window hides nothing of it`() throws {
        let harness = try Harness()
        let window: JSON = ["key": 5, "used": "x", "end": "never"]
        let taken: JSON = ["key": "a", "used": 1, "end": "2025-01-01T12:00:00Z", "zz": 1]
        let document = try document(harness)
            .setting(["apis", "omnichat", "windows"], to: [window, taken, taken])
        try expectEqual(
            paths(harness, document),
            [
                "[0].key", "[0].used", "[0].end", "[1].zz", "[2].key", "[2].zz",
            ].map { "$.apis.omnichat.windows\($0)" }
        )
    }

    @Test func `4 an id that is taken is told beside other faults of its row`() throws {
        let harness = try Harness()
        let before = try document(harness)
        let id = try #require(before["apis"]?["omnichat"]?["users"]?[0]?["id"])
        let document =
            before
            .setting(["apis", "omnichat", "users", 1, "id"], to: id)
            .setting(["apis", "omnichat", "users", 1, "email"], to: 5)
        expectEqual(
            Set(try paths(harness, document)),
            ["$.apis.omnichat.users[1].id", "$.apis.omnichat.users[1].email"]
        )
    }

    @Test func `4 very many faults are a hundred items`() throws {
        let harness = try Harness()
        let message: JSON = ["id": 5, "to": 5, "kind": 5, "api": 5, "at": 5.5]
        let document = try document(harness)
            .setting(["outbox"], to: .array(Array(repeating: message, count: 20_000)))
        try expectEqual(paths(harness, document).count, Problem.mostItems)
    }
}
