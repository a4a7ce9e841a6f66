import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Section 10: rate limits, each at n and n+1, and their windows.
struct Section10LimitTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
    }

    /// Calls until refused; answers how many passed.
    private func passed(_ call: () throws -> Played) rethrows -> Int {
        var count = 0
        while try call().status != 429 { count += 1 }
        return count
    }

    @Test func `10 basics takes ten in ten seconds, register and cancel five each, in buckets of their own`() throws {
        let basics = { try harness.post("\(Harness.v1)/profile/basics", token: token, text: "{") }
        let register = { try harness.register("event_invite_muscat", token) }
        let cancel = { try harness.cancel("abc", token) }
        try expectEqual(passed(basics), 10)
        try expectEqual(passed(register), 5)
        try expectEqual(passed(cancel), 5)
        for call in [basics, register, cancel] {
            let refused = try call()
            expectEqual(refused.error, "429 rate_limited")
            expectEqual(refused[.retryAfter], "10")
        }
        // Refused requests do not extend a window.
        try harness.advance(.seconds(10) - .microseconds(1))
        try expectEqual(basics()[.retryAfter], "1")
        try harness.advance(.microseconds(1))
        try expectEqual(passed(basics), 10)
        try expectEqual(passed(register), 5)
    }

    @Test func `10 every token has a bucket, unless they share one (D31)`() throws {
        let other = try harness.mint(Harness.omar)
        for isShared in [false, true] {
            try harness.set(["limiterKey": isShared ? "shared" : "token"])
            try harness.advance(.seconds(10))
            try expectEqual(passed { try harness.register("event_invite_muscat", token) }, 5)
            let reply = try harness.register("event_invite_muscat", other)
            expectEqual(reply.status, isShared ? 429 : 409)
        }
    }

    @Test func `10 chat send takes ten in ten seconds, in its own form`() throws {
        try expectEqual(passed { try harness.chat("") }, 10)
        let refused = try harness.chat("x", token: token)
        expectEqual(refused.text, #"{"sessionId":""}"#)
        expectNil(refused[.retryAfter])
        try harness.advance(.seconds(10))
        try expectEqual(harness.chat("x").status, 200)
    }

    @Test func `10 chat status takes 180 in 60 seconds, in its own form`() throws {
        try expectEqual(passed { try harness.poll("x") }, 180)
        let refused = try harness.poll("x")
        expectEqual(
            refused.text,
            #"{"sessionId":"","status":"error","text":"","updatedAt":1735732800000,"error":"rate_limited"}"#
        )
        #expect(refused[.retryAfter] == nil && refused["ETag"] == nil)
        try harness.advance(.seconds(60))
        try expectEqual(harness.poll("x").status, 404)
    }

    @Test func `10 the client is named by the first of these that says something`() throws {
        let agent = String(repeating: "a", count: 120)
        let clients: [[(FieldName, String)]] = [
            [], [("User-Agent", agent)], [("Cf-Connecting-Ip", "3"), ("User-Agent", agent)],
            [("X-Real-Ip", "2"), ("Cf-Connecting-Ip", "3")], [(.forwardedFor, "1, 9"), ("X-Real-Ip", "2")],
        ]
        for fields in clients { try expectEqual(passed { try post(fields) }, 10) }
        // The same clients by other words.
        try expectEqual(post([("User-Agent", "unknown")]).status, 429)
        try expectEqual(post([("User-Agent", agent + "b")]).status, 429)
        try expectEqual(post([(.forwardedFor, " 1 ,7")]).status, 429)
        try expectEqual(post([(.forwardedFor, ""), ("X-Real-Ip", "2")]).status, 429)
        try expectEqual(post([("User-Agent", "other")]).status, 400)
    }

    private func post(_ headers: [(FieldName, String)]) throws -> Played {
        try harness.post("/api/chat/send", json: [:], headers: headers)
    }

    @Test func `10 rateLimits off counts nothing, a reset forgets`() throws {
        try expectEqual(passed { try harness.chat("") }, 10)
        try harness.set(["rateLimits": "off"])
        for _ in 0..<50 { try expectEqual(harness.chat("x").status, 200) }
        for _ in 0..<40 { try expectEqual(harness.requestCode("a@b.cd").status, 200) }
        for _ in 0..<20 { _ = try harness.verify("a@b.cd", "000000") }
        try expectEqual(harness.verify("a@b.cd").status, 200)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        try expectEqual(passed { try harness.chat("") }, 10)
    }
}
