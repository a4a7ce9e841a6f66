import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Section 4: rate limiting.
struct Section4LimitTests {
    private static let list = "/api/v1/conversations"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    private func list(_ headers: [(FieldName, String)] = []) throws -> Played {
        try harness.get(Self.list, token: token, headers: headers)
    }

    private func spend(_ count: Int, _ headers: [(FieldName, String)] = []) throws {
        for _ in 0..<count { _ = try list(headers) }
    }

    @Test func `4 request 100 is answered and request 101 is the first 429`() throws {
        for number in 1...100 {
            let reply = try list()
            expectEqual(reply.status, 200)
            expectEqual(reply.remaining, "\(100 - number)")
        }
        let refused = try list()
        expectEqual(refused.error, "429 Too many requests")
        expectEqual(refused.remaining, "0")
        try expectEqual(list().remaining, "0")
    }

    @Test func `4 D6 the three fields have these forms and there is no Retry-After`() throws {
        let first = try list()
        expectEqual(first.fields.values("X-RateLimit-Limit"), ["100"])
        expectEqual(first.fields.values("X-RateLimit-Remaining"), ["99"])
        expectEqual(first.fields.values("X-RateLimit-Reset"), ["2025-01-01T12:01:00.000Z"])
        try harness.advance(.seconds(30))
        try spend(100)
        let refused = try list()
        expectEqual(refused["X-RateLimit-Reset"], "2025-01-01T12:01:00.000Z")
        expectNil(refused[.retryAfter])
    }

    @Test func `4 the window still holds at its reset and has ended one microsecond later`() throws {
        try spend(101)
        try harness.advance(.milliseconds(60_000))
        try expectEqual(list().status, 429)
        try harness.advance(.microseconds(1))
        let reply = try list()
        expectEqual(reply.status, 200)
        expectEqual(reply.remaining, "99")
        expectEqual(reply["X-RateLimit-Reset"], "2025-01-01T12:02:00.000Z")
    }

    @Test func `4 the next window is opened by a request and not by the clock`() throws {
        try spend(1)
        try harness.advance(.seconds(90))
        try expectEqual(list()["X-RateLimit-Reset"], "2025-01-01T12:02:30.000Z")
    }

    @Test func `4 the key is the whole of X-Forwarded-For, else the peer`() throws {
        try spend(100)
        try expectEqual(list().status, 429)
        try expectEqual(list([(.forwardedFor, "10.0.0.1")]).remaining, "99")
        try expectEqual(list([(.forwardedFor, "10.0.0.1, 10.0.0.2")]).remaining, "99")
        try expectEqual(list([(.forwardedFor, "10.0.0.1"), (.forwardedFor, "10.0.0.2")]).remaining, "98")
        try expectEqual(list([(.forwardedFor, "")]).status, 429)
        harness.peer = "127.0.0.2"
        try expectEqual(list().remaining, "99")
    }

    @Test func `4 two users on one machine share a bucket`() throws {
        let other = try harness.mint(Harness.other)
        try spend(100)
        try expectEqual(harness.get(Self.list, token: other).status, 429)
    }

    @Test func `4 requests that end in an error count as well`() throws {
        _ = try harness.get(Self.list)
        _ = try harness.get("/api/v1/conversations/x", token: token)
        _ = try harness.post(Self.list, token: token, text: "{")
        _ = try harness.get("/api/v1/files/x/y", token: token)
        _ = try harness.ask("x", in: "conv_edge_nomodel_001", try harness.mint(Harness.edge))
        try expectEqual(list().remaining, "94")
    }

    @Test func `4 a request whose token ends after it was answered counts once`() throws {
        let order: JSON = ["phase": "after", "when": ["times": 1], "effect": ["tokens": "expire"]]
        var check = BodyCheck(try #require(order.objectValue))
        let spec = try #require(FaultSpec.read(&check, apis: ["omnichat"], scope: "omnichat"))
        try spend(99)
        _ = try harness.hosted().world.faults.add(spec, .control)
        let refused = try list()
        expectEqual(refused.error, "401 Invalid or expired token")
        expectEqual(refused.remaining, "0")
        try expectEqual(list().error, "429 Too many requests")
    }

    @Test func `4 refused requests count, and the window is not prolonged by them`() throws {
        try spend(150)
        try expectEqual(harness.state { state, _ in state.windows.current("127.0.0.1", now: Harness.noon)?.used }, 150)
        try harness.advance(.microseconds(60_000_001))
        try expectEqual(list().status, 200)
    }

    @Test func `4 D7 rows 1, 2 and 17 to 19, unknown paths and wrong methods are not counted`() throws {
        try spend(1)
        for reply in [
            try harness.signIn(as: Harness.test), try harness.refresh("x"),
            try harness.get("/api/models", token: token),
            try harness.get("/api/conversations", token: token),
            try harness.post("/api/conversations", token: token, json: ["title": "x", "model": "y"]),
            try harness.get("/api/v1/nothing", token: token), try harness.send(.put, Self.list, token: token),
            try harness.send(.options, Self.list),
        ] {
            expectNil(reply.remaining)
            expectNil(reply["X-RateLimit-Limit"])
            expectNil(reply["X-RateLimit-Reset"])
        }
        try expectEqual(list().remaining, "98")
    }

    @Test func `4 event streams and answers in one piece carry the fields`() throws {
        let stream = try harness.stream("x", to: "conv_welcome_00000001", token)
        expectEqual(stream["X-RateLimit-Limit"], "100")
        expectEqual(stream.remaining, "99")
        expectEqual(stream["X-RateLimit-Reset"], "2025-01-01T12:01:00.000Z")
        try expectEqual(harness.ask("x", in: "conv_welcome_00000001", token).remaining, "98")
        let failed = try harness.ask("x", in: "conv_edge_nomodel_001", try harness.mint(Harness.edge))
        expectEqual(failed.status, 500)
        expectEqual(failed.remaining, "97")
    }

    @Test func `4 D10 uploads have twenty of their own`() throws {
        for number in 1...20 {
            let reply = try harness.upload([], token: token)
            expectEqual(reply.status, 400)
            expectEqual(reply["X-RateLimit-Limit"], "20")
            expectEqual(reply.remaining, "\(20 - number)")
        }
        let refused = try harness.upload([], token: token)
        expectEqual(refused.error, "429 Too many requests")
        expectEqual(refused.remaining, "0")
        try expectEqual(list().remaining, "99")
        try expectEqual(harness.get("/api/v1/upload", token: token).remaining, "98")
    }

    @Test func `4 D10 a spent general bucket leaves uploads alone`() throws {
        try spend(101)
        try expectEqual(harness.upload([], token: token).status, 400)
    }

    @Test func `4 HEAD counts like GET`() throws {
        _ = try harness.send(.head, Self.list, token: token)
        try expectEqual(list().remaining, "98")
    }

    @Test func `4 a reset of the world clears all windows`() throws {
        try spend(101)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, keepClock: true, at: harness.hostTime)
        try expectEqual(harness.get(Self.list, token: try harness.mint(Harness.test)).remaining, "99")
    }

    @Test func `4 a clock that is set back does not leave a bucket spent`() throws {
        try spend(101)
        try harness.setClock(Harness.noon - .days(1))
        try expectEqual(list().status, 200)
    }

    @Test func `4 a clock within the window keeps counting where it was`() throws {
        try spend(50)
        try harness.advance(.seconds(59))
        try expectEqual(list().remaining, "49")
    }

    @Test func `D7 a switch counts the sign-in routes too`() throws {
        harness.checksAnswers = false
        try harness.set(["limitAuthRoutes": "on"])
        let reply = try harness.signIn(as: Harness.test)
        expectEqual(reply.remaining, "99")
        for _ in 0..<99 { _ = try harness.refresh("x") }
        try expectEqual(harness.refresh("x").error, "429 Too many requests")
        try expectNil(harness.get("/api/models", token: token).remaining)
    }

    @Test func `4 a switch turns the limiter off and keeps the fields`() throws {
        try harness.set(["rateLimits": "off"])
        for _ in 0..<150 { try expectEqual(list().remaining, "100") }
        try expectEqual(harness.upload([], token: token)["X-RateLimit-Limit"], "20")
    }

    @Test func `D11 there is no limit of messages for each user`() throws {
        try harness.set(["stream": ["replyText": "ok"]])
        for number in 0..<60 {
            harness.peer = "10.0.0.\(number)"
            try expectEqual(harness.ask("x", in: "conv_welcome_00000001", token).status, 200)
        }
    }
}
