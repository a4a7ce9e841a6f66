import Backend
import CivilTime
import CustomAPIs
import Engine
import JSON
import TestSupport
import Testing
import Worlds

/// Sessions and the rotation of refresh tokens (own-API contract, section 15).
@Suite struct Section15RefreshTests {
    @Test func `15 of two refreshes with one token the first wins, and the second ends the session`() throws {
        let harness = try SignInFixture.harness()
        let other = try harness.login()
        let first = try harness.login()
        let second = try harness.refresh(first.refresh)
        expectEqual(second.status, 200)
        #expect(second.tokens.refresh != first.refresh)
        // An older access token works until it ends.
        try expectEqual(harness.get("/v1/me", token: first.access).status, 200)
        try expectEqual(harness.get("/v1/me", token: second.tokens.access).status, 200)
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_reused")
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_reused")
        try expectEqual(harness.refresh(second.tokens.refresh).verdict, "401 refresh_revoked")
        for token in [first.access, second.tokens.access] {
            try expectEqual(harness.get("/v1/me", token: token).verdict, "401 token_revoked")
        }
        try expectEqual(harness.get("/v1/me", token: other.access).status, 200)
    }

    @Test func `15 within the grace a spent token gives new tokens again`() throws {
        let harness = try SignInFixture.harness(tokens: #"{"grace":"PT10S"}"#)
        let first = try harness.login()
        let second = try harness.refresh(first.refresh).tokens
        try harness.advance(.seconds(10) - .microseconds(1))
        let third = try harness.refresh(first.refresh)
        expectEqual(third.status, 200)
        #expect(third.tokens.refresh != second.refresh)
        // Both successors are good, and the grace counts from the first use.
        let fourth = try harness.refresh(second.refresh).tokens
        try harness.advance(.microseconds(1))
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_reused")
        for token in [third.tokens.refresh, fourth.refresh] {
            try expectEqual(harness.refresh(token).verdict, "401 refresh_revoked")
        }
    }

    @Test func `15 a clock that is put back does not extend the grace`() throws {
        let harness = try SignInFixture.harness()
        let first = try harness.login()
        try harness.advance(.seconds(60))
        try expectEqual(harness.refresh(first.refresh).status, 200)
        try harness.advance(.seconds(-30))
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_reused")
    }

    @Test func `15 reuse sends the same refresh token back`() throws {
        let harness = try SignInFixture.harness(tokens: #"{"rotation":"reuse"}"#)
        let first = try harness.login()
        for _ in 0..<3 {
            let next = try harness.refresh(first.refresh)
            expectEqual(next.status, 200)
            expectEqual(next.tokens.refresh, first.refresh)
            #expect(next.tokens.access != first.access)
        }
        // Its life is not extended.
        try harness.advance(.days(30) - .microseconds(1))
        try expectEqual(harness.refresh(first.refresh).status, 200)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_expired")
    }

    @Test func `15 the setting changes the rotation`() throws {
        let harness = try SignInFixture.harness()
        let first = try harness.login()
        try harness.set(["auth": ["rotation": "reuse"]])
        try expectEqual(harness.refresh(first.refresh).tokens.refresh, first.refresh)
        try harness.set(["auth": ["rotation": "rotate"]])
        #expect(try harness.refresh(first.refresh).tokens.refresh != first.refresh)
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_reused")
    }

    @Test func `15 a lifetime is that of the setting when the token was issued`() throws {
        let harness = try SignInFixture.harness()
        let old = try harness.login()
        try harness.set(["auth": ["accessSeconds": 60, "refreshSeconds": 120]])
        let answer = try harness.post("/v1/login", ["email": "bo@example.com", "password": "correct horse"])
        expectEqual(answer.json["expiresIn"], 60)
        let new = answer.tokens
        try harness.advance(.seconds(60) - .microseconds(1))
        try expectEqual(harness.get("/v1/me", token: new.access).status, 200)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.get("/v1/me", token: new.access).verdict, "401 token_expired")
        try expectEqual(harness.get("/v1/me", token: old.access).status, 200)
        try harness.advance(.seconds(60))
        try expectEqual(harness.refresh(new.refresh).verdict, "401 refresh_expired")
        try expectEqual(harness.refresh(old.refresh).status, 200)
    }

    @Test(arguments: ["0", "3155760001", "1.5", "\"60\"", "null"])
    func `10 a lifetime out of bounds is refused`(value: String) throws {
        let harness = try SignInFixture.harness()
        let json = try JSONReader.read(text: #"{"auth":{"accessSeconds":\#(value)}}"#)
        expectEqual(harness.api.settingFaults(json).map(\.path), ["$.shop.auth.accessSeconds"])
    }

    @Test func `10 the settings are there with auth alone`() throws {
        let names = try harnessSettings(SignInFixture.harness())
        expectEqual(names, #"{"accessSeconds":900,"refreshSeconds":2592000,"rotation":"rotate"}"#)
        let plain = try CustomAPIHarness(["api.json": #"{"tables":{"users":{}}}"#])
        expectEqual(
            plain.api.readSettings(try plain.hosted().world, 0).text,
            #"{"validation":"report","compress":"off"}"#
        )
        let silent = try CustomAPIHarness(["api.json": #"{"tables":{"users":{}},"auth":{"login":"/login"}}"#])
        expectNil(silent.api.readSettings(try silent.hosted().world, 0)["otp"])
    }

    private func harnessSettings(_ harness: CustomAPIHarness) throws -> String {
        let settings = harness.api.readSettings(try harness.hosted().world, 0)
        expectEqual(settings["otp"], ["codes": "fixed"])
        return settings["auth"]?.text ?? ""
    }

    @Test func `15 a long session forgets what has no effect`() throws {
        let harness = try SignInFixture.harness(tokens: #"{"rotation":"reuse"}"#)
        let first = try harness.login()
        var latest = first
        for _ in 0..<1_100 { latest = try harness.refresh(first.refresh).tokens }
        try expectEqual(harness.refresh(first.refresh).status, 200)
        try expectEqual(harness.get("/v1/me", token: latest.access).status, 200)
        let rows = try harness.hosted().world.state(0, CustomAPIState.self).signIn.sessions.rows
        #expect(rows.count == 1 && rows[0].tokens.count <= 1_024)
    }

    @Test func `15 a token of long ago is still known to be spent`() throws {
        let harness = try SignInFixture.harness()
        let first = try harness.login()
        var latest = first
        for _ in 0..<200 {
            try harness.advance(.minutes(1))
            latest = try harness.refresh(latest.refresh).tokens
        }
        let rows = try harness.hosted().world.state(0, CustomAPIState.self).signIn.sessions.rows
        #expect(rows[0].tokens.count <= 65)
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_reused")
        try expectEqual(harness.refresh(latest.refresh).verdict, "401 refresh_revoked")
    }

    @Test func `15 the oldest sessions of a user make room`() throws {
        let harness = try SignInFixture.harness()
        let first = try harness.login()
        #expect(try harness.end("1", .all, .revoke))
        for _ in 0..<1_100 { _ = try harness.login() }
        let sessions = try harness.hosted().world.state(0, CustomAPIState.self).signIn.sessions
        expectEqual(sessions.count, 1_100)
        try expectEqual(harness.get("/v1/me", token: first.access).verdict, "401 token_revoked")
        try expectEqual(harness.refresh(first.refresh).verdict, "401 refresh_revoked")
    }
}
