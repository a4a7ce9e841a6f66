import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Section 4: clock, ids, determinism; and the SDK-like flow through all of it.
struct Section4DeterminismTests {
    /// A script through every endpoint; each answer as text.
    private func script(_ harness: Harness) throws -> [String] {
        var log: [String] = []
        func note(_ played: Played) -> Played {
            log.append("\(played.status) \(played.fields.pairs.map { "\($0.name): \($0.value)" }) \(played.text)")
            return played
        }
        let signedIn = note(try harness.apple("opaque", user: ["email": "new@example.com", "firstName": "N"]))
        let token = signedIn.at("accessToken").stringValue ?? ""
        let refresh = signedIn.at("refreshToken")
        _ = note(try harness.post("/auth/refresh", json: ["refreshToken": refresh]))
        _ = note(try harness.analyze(Harness.picture, token))
        _ = note(try harness.sync(token, [Harness.localMeal("a"), Harness.localMeal("b", carbs: 12.5)]))
        _ = note(try harness.ask("How many carbs are in a banana?", token))
        try harness.advance(.seconds(61))
        let paths = [
            "/health", "/config", "/auth/me", "/meals", "/chat/history", "/insights", "/subscriptions/status",
            "/nothing", "//auth/keys",
            "/auth/mobile/authorize?state=s&code_challenge=\(String(repeating: "a", count: 43))"
                + "&code_challenge_method=S256&response_type=code&redirect_uri=carbscan://auth-callback"
                + "&login_hint=free@carbscan.test",
        ]
        for path in paths { _ = note(try harness.get(path, token: token)) }
        _ = note(try harness.receipt("pro.monthly", token))
        _ = note(try harness.post("/auth/magic-link/request", json: ["email": "free@carbscan.test"]))
        _ = note(try harness.post("/auth/revoke", json: ["refreshToken": refresh]))
        for kind in TokenOrder.Kind.allCases { log.append(try harness.mint(Harness.free, kind)) }
        let outbox = try harness.state { _, core in core.outbox.messages.map { "\($0)" } }
        return log + outbox
    }

    @Test func `4 the same script gives the same bytes, in two emulators and after a reset`() throws {
        let harness = try Harness()
        let first = try script(harness)
        try expectEqual(script(Harness()), first)
        try harness.reset()
        try expectEqual(script(harness), first)
    }

    @Test func `4 a world and its fork share nothing, and their tokens do not pass in the other`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        try harness.makeWorld("fork", from: "main")
        harness.world = "fork"
        let forked = try harness.mint(Harness.free)
        try expectEqual(
            harness.send(.get, "/@fork" + Harness.base + "/auth/me", token: token).error,
            "401 UNAUTHORIZED"
        )
        try expectEqual(harness.send(.get, "/@fork" + Harness.base + "/auth/me", token: forked).status, 200)
        // The token alone leads to its world.
        try expectEqual(harness.me(forked).status, 200)
        try expectEqual(harness.analyze(Harness.picture, forked).at("scanUsage.remainingScans"), 2)
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 2)
    }

    @Test func `4 reindexing changes no answer`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        _ = try harness.sync(token, [Harness.localMeal("a")])
        let known = try harness.sync(token, [Harness.localMeal("a")]).at("syncedLocalMeals").text
        try harness.state { state, _ in state.reindex() }
        try expectEqual(harness.sync(token, [Harness.localMeal("a")]).at("syncedLocalMeals").text, known)
        try expectEqual(harness.apple("mock_apple:FREE@carbscan.test").at("user.email"), "free@carbscan.test")
    }

    @Test func `5 a client signs in, works, meets the end of its token, refreshes once and goes on`() throws {
        let harness = try Harness()
        let signedIn = try harness.signIn(as: Harness.essentials)
        try expectEqual(harness.analyze(Harness.picture, signedIn.access).at("scanUsage.remainingScans"), 84)
        try harness.advance(.days(30))
        try expectEqual(harness.me(signedIn.access).error, "401 UNAUTHORIZED")
        let renewed = try harness.refresh(signedIn.refresh).at("accessToken").stringValue ?? ""
        try expectEqual(harness.me(renewed).status, 200)
        // Another month has begun.
        try expectEqual(harness.analyze(Harness.picture, renewed).at("scanUsage.remainingScans"), 89)
        try harness.advance(.days(60))
        try expectEqual(harness.refresh(signedIn.refresh).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(try harness.signIn(as: Harness.essentials).access).status, 200)
    }
}
