import Backend
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 4: the world that a request selects.
@Suite struct WorldChoiceTests {
    private func harness() throws -> Harness {
        let harness = try Harness()
        for (name, day) in [("w", 2), ("v", 3)] {
            let clock = #"{"mode":"frozen","now":"2025-01-0\#(day)T00:00:00Z"}"#
            _ = try harness.call(.post, "/worlds", #"{"name":"\#(name)","clock":\#(clock)}"#)
        }
        return harness
    }

    private func day(_ played: Played) -> String { String(played.json.string("now").prefix(10)) }

    @Test func `header, path and host each choose the world of a control call`() throws {
        let harness = try harness()
        expectEqual(day(try harness.call(.get, "/clock")), "2025-01-01")
        expectEqual(day(try harness.call(.get, "/clock", world: "w")), "2025-01-02")
        expectEqual(day(try harness.send(.get, "/@w/__admin/clock")), "2025-01-02")
        expectEqual(day(try harness.send(.get, "/%40w/__admin/clock")), "2025-01-02")
        expectEqual(day(try harness.call(.get, "/clock", host: "w.localhost:4680")), "2025-01-02")
        expectEqual(day(try harness.call(.get, "/clock", host: "V.LOCALHOST.:4680")), "2025-01-03")
        expectEqual(day(try harness.call(.get, "/clock", host: "localhost")), "2025-01-01")
        expectEqual(day(try harness.send(.get, "/@w/__admin/clock", entryPoint: .api(0))), "2025-01-02")
    }

    @Test(arguments: ["/health", "/apis", "/worlds", "/openapi.json"])
    func `an unknown name is 404 also where no world is needed`(path: String) throws {
        let harness = try harness()
        try expectEqual(harness.call(.get, path, world: "x").problem, "404 unknown-world")
        try expectEqual(harness.call(.get, path, world: "w").status, 200)
    }

    @Test func `a token leads a control call to its world, unless an admin token is asked for`() throws {
        let harness = try harness()
        let token = try harness.token(world: "w")
        let answer = try harness.call(.get, "/clock", headers: [(.authorization, "Bearer \(token)")])
        expectEqual(day(answer), "2025-01-02")
        // Where an admin token is asked for, that is what the field carries, and it leads nowhere.
        harness.control = ControlAPI(
            safety: ControlSafety(adminToken: token),
            version: "9.8.7",
            startedAt: harness.hostTime.monotonic
        )
        let guarded = try harness.call(.get, "/clock", headers: [(.authorization, "Bearer \(token)")])
        expectEqual(day(guarded), "2025-01-01")
        harness.control = try Harness().control
        // A name beats it.
        let named = try harness.call(.get, "/clock", world: "v", headers: [(.authorization, "Bearer \(token)")])
        expectEqual(day(named), "2025-01-03")
    }

    @Test func `three equal names agree`() throws {
        let answer = try harness().send(.get, "/@w/__admin/clock", headers: [(.world, "w")], host: "w.localhost")
        expectEqual(day(answer), "2025-01-02")
    }

    @Test func `two different names are 400, whichever they are`() throws {
        let harness = try harness()
        let answers = [
            try harness.send(.get, "/@w/__admin/clock", headers: [(.world, "v")]),
            try harness.send(.get, "/@w/__admin/clock", host: "v.localhost"),
            try harness.call(.get, "/clock", world: "w", host: "v.localhost"),
            try harness.call(.get, "/clock", headers: [(.world, "w"), (.world, "v")]),
            try harness.send(.get, "/@w/__admin/clock", headers: [(.world, "no-such")]),
            try harness.send(.get, "/@w/omnichat/api/v1/conversations", headers: [(.world, "v")]),
        ]
        for answer in answers { expectEqual(answer.problem, "400 conflicting-worlds") }
        expectEqual(answers[0].detail, "The request names the worlds \"v\" and \"w\".")
    }

    @Test func `an unknown name is 404 and never main`() throws {
        let harness = try harness()
        let answers = [
            try harness.call(.get, "/clock", world: "x"), try harness.send(.get, "/@x/__admin/clock"),
            try harness.call(.get, "/clock", host: "x.localhost"), try harness.call(.get, "/clock", world: ""),
            try harness.send(.get, "/@/__admin/clock"), try harness.call(.get, "/clock", world: "W"),
            try harness.send(.get, "/@x/omnichat/api/v1/conversations"), try harness.call(.post, "/reset", world: "x"),
        ]
        for answer in answers { expectEqual(answer.problem, "404 unknown-world") }
        #expect(answers[0].detail.contains("POST /__admin/worlds {\"name\":\"x\"}"))
        #expect(harness.host.calls.isEmpty)
    }

    @Test func `a token leads back to its world`() throws {
        let harness = try harness()
        let access = try harness.token(world: "w")
        let made = try harness.chat(.post, "/api/v1/conversations", ["title": "by token"], token: access)
        #expect(made.json.string("createdAt").hasPrefix("2025-01-02"))
        let refresh = try harness.token("refresh", world: "v")
        let fresh = try harness.chat(.post, "/api/v1/auth/refresh", ["refreshToken": .string(refresh)])
        expectEqual(fresh.status, 200)
        let identity = try harness.token("apple-identity", world: "w")
        try expectEqual(harness.chat(.post, "/api/v1/auth/apple", ["idToken": .string(identity)]).status, 200)
        let journals = try ["main", "w", "v"].map { try harness.call(.get, "/requests", world: $0).items.count }
        expectEqual(journals, [0, 2, 1])
    }

    @Test func `an explicit name beats the token, which is then simply not valid`() throws {
        let harness = try harness()
        let token = try harness.token(world: "w")
        let answer = try harness.chat(.get, "/api/v1/conversations", token: token, world: "v")
        expectEqual(answer.error, "401 Invalid or expired token")
        try expectEqual(harness.call(.get, "/requests", world: "v").items.count, 1)
        #expect(try harness.call(.get, "/requests", world: "w").items.isEmpty)
    }

    @Test func `a token of a deleted world falls to main and is refused there`() throws {
        let harness = try harness()
        let token = try harness.token(world: "w")
        _ = try harness.call(.delete, "/worlds/w")
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).error, "401 Invalid or expired token")
        try expectEqual(harness.call(.get, "/requests").items.count, 1)
    }

    @Test func `with world-required a request without a name is 421 and says how to name one`() throws {
        let harness = try Harness { $0.isWorldRequired = true }
        for answer in [try harness.call(.get, "/clock"), try harness.chat(.get, "/api/v1/conversations")] {
            expectEqual(answer.problem, "421 world-required")
            for way in ["X-Understudy-World", "/@NAME", "NAME.localhost", "token"] {
                #expect(answer.detail.contains(way))
            }
        }
        try expectEqual(harness.call(.get, "/clock", world: "main").status, 200)
        try expectEqual(harness.call(.get, "/health").status, 200)
        try expectEqual(harness.call(.get, "/worlds").status, 200)
        let token = try harness.token(world: "main")
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 200)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: "rubbish").problem, "421 world-required")
    }
}
