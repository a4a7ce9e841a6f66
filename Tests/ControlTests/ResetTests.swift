import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 3: `POST /__admin/reset`.
@Suite struct ResetTests {
    private func used() throws -> Harness {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.post, "/api/v1/conversations", ["title": "made"], token: token)
        try harness.set(#"{"omnichat":{"dates":"fractional"}}"#)
        _ = try harness.call(.put, "/scenarios/omnichat/unicode")
        try harness.advance(120)
        harness.host.calls = []
        return harness
    }

    @Test func `everything returns to the seed`() throws {
        let harness = try used()
        let old = try harness.token()
        let fresh = try Harness()
        let answer = try harness.call(.post, "/reset")
        expectEqual(answer.text, #"{"world":"main","cancelled":0}"#)
        expectEqual(answer.status, 200)
        for path in ["/clock", "/settings", "/scenarios", "/requests", "/worlds", "/outbox"] {
            try expectEqual(harness.call(.get, path).text, try fresh.call(.get, path).text, "\(path)")
        }
        let list = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        expectEqual(list.text, try fresh.chat(.get, "/api/v1/conversations", token: try fresh.token()).text)
        expectEqual(list["X-RateLimit-Remaining"], "99")
        expectEqual(list[.requestID], "req_1")
        let refresh: JSON = ["refreshToken": .string(old)]
        try expectEqual(harness.chat(.post, "/api/v1/auth/refresh", refresh).status, 401)
    }

    @Test func `a reset makes the same ids and tokens again`() throws {
        let harness = try Harness()
        func walk() throws -> [String] {
            let token = try harness.token()
            let made = try harness.chat(.post, "/api/v1/conversations", ["title": "x"], token: token)
            return [token, made.text]
        }
        let first = try walk()
        _ = try harness.call(.post, "/reset")
        try expectEqual(walk(), first)
    }

    @Test func `a session of before the reset is gone`() throws {
        let harness = try Harness()
        let signIn = try harness.chat(.post, "/api/v1/auth/apple", ["idToken": "mock_apple_token"]).json
        let body: JSON = ["refreshToken": .string(signIn.string("refreshToken"))]
        try expectEqual(harness.chat(.post, "/api/v1/auth/refresh", body).status, 200)
        _ = try harness.call(.post, "/reset")
        try expectEqual(harness.chat(.post, "/api/v1/auth/refresh", body).error, "401 Refresh token not found")
    }

    @Test func `answers under way are cut and counted, and the player learns the clock`() throws {
        let harness = try used()
        harness.host.underWay = 4
        try expectEqual(harness.call(.post, "/reset").text, #"{"world":"main","cancelled":4}"#)
        expectEqual(harness.host.calls, [.cut(world: 0, api: nil), .moved(world: 0, now: Harness.noon, speed: 0)])
    }

    @Test func `only the chosen world is reset`() throws {
        let harness = try used()
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        let before = try harness.call(.get, "/requests").text
        let key = try harness.hosted("w").key
        try expectEqual(harness.call(.post, "/reset", world: "w").text, #"{"world":"w","cancelled":0}"#)
        expectEqual(harness.host.calls.first, .cut(world: key, api: nil))
        try expectEqual(harness.call(.get, "/requests").text, before)
    }

    @Test func `with an API only its part is reset, the clock's setting too`() throws {
        for call in [
            { try $0.call(.post, "/reset?api=omnichat") }, { try $0.call(.post, "/reset", entryPoint: .api(0)) },
        ]
            as [(Harness) throws -> Played]
        {
            let harness = try used()
            try expectEqual(call(harness).status, 200)
            expectEqual(harness.host.calls.first, .cut(world: 0, api: 0))
            #expect(try harness.call(.get, "/requests").items.isEmpty)
            try expectEqual(harness.call(.get, "/settings").json["omnichat"]?.string("dates"), "whole")
            try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
            #expect(try harness.call(.get, "/scenarios").items.allSatisfy { $0["active"] == false })
        }
    }

    @Test func `keep=clock leaves the clock, and the seed moves with it`() throws {
        let harness = try used()
        try expectEqual(harness.call(.post, "/reset?keep=clock").status, 200)
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:02:00.000Z")
        let list = try harness.chat(.get, "/api/v1/conversations", token: try harness.token())
        expectEqual(list.json["conversations"]?[0]?.string("updatedAt"), "2025-01-01T11:52:00Z")
    }

    @Test(arguments: ["data", "", "Clock"])
    func `another value of keep is 400 and resets nothing`(value: String) throws {
        let harness = try used()
        let answer = try harness.call(.post, "/reset?keep=\(value)")
        expectEqual(answer.problem, "400 invalid-parameter")
        expectEqual(answer.faultPaths, ["?keep"])
        try expectEqual(harness.call(.get, "/requests").items.count, 1)
        #expect(harness.host.calls.isEmpty)
    }

    @Test func `start scenarios are on again after a reset of main, and only there`() throws {
        let harness = try Harness(startScenarios: ["omnichat/fractional-dates", "omnichat/clock-skew"])
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        for _ in 0..<2 {
            _ = try harness.call(.post, "/reset")
            let active = try harness.call(.get, "/scenarios").items.filter { $0["active"] == true }
            expectEqual(active.map { $0.string("name") }, ["omnichat/clock-skew", "omnichat/fractional-dates"])
            try expectEqual(harness.call(.get, "/settings").json["omnichat"]?.string("dates"), "fractional")
            try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:10:00.000Z")
        }
        _ = try harness.call(.post, "/reset", world: "w")
        #expect(try harness.call(.get, "/scenarios", world: "w").items.allSatisfy { $0["active"] == false })
    }

    @Test func `a kept clock is not moved by the start scenarios`() throws {
        let harness = try Harness(startScenarios: ["omnichat/clock-skew"])
        _ = try harness.call(.post, "/reset")
        for _ in 0..<3 { _ = try harness.call(.post, "/reset?keep=clock") }
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:10:00.000Z")
        let active = try harness.call(.get, "/scenarios").items.filter { $0["active"] == true }
        expectEqual(active.map { $0.string("name") }, ["omnichat/clock-skew"])
    }
}
