import Backend
import CivilTime
import Crypto
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trafikskola

/// Section 3: tokens, refresh, theft, devices, variants.
struct Section3SessionTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func claims(_ token: String) throws -> JSON {
        try JSONReader.read(try JWT.Parts(parsing: token).payloadBytes)
    }

    // MARK: 3.2

    @Test func `3.2 both tokens are short HS256 JWTs with these claims`() throws {
        let tokens = try harness.logIn(device: "d1")
        for (token, type, life) in [(tokens.access, "access", Int64(3_600)), (tokens.refresh, "refresh", 7_776_000)] {
            #expect(token.hasPrefix("eyJ"))
            #expect(token.utf8.count < 700)
            let claims = try claims(token)
            expectEqual(claims["sub"], "usr_123")
            expectEqual(claims["typ"]?.stringValue, type)
            expectEqual(claims["sid"]?.stringValue?.isEmpty, false)
            expectEqual(claims["jti"]?.stringValue?.isEmpty, false)
            expectEqual(claims["iat"], .integer(Harness.noon.seconds))
            expectEqual(claims["exp"], .integer(Harness.noon.seconds + life))
        }
    }

    @Test func `3.2 an access token works for 3600 s, and a refresh does not harm it`() throws {
        let tokens = try harness.logIn()
        try expectEqual(harness.refresh(tokens.refresh).status, 200)
        try harness.advance(.seconds(3_599))
        try expectEqual(harness.check(tokens.access), 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.check(tokens.access), 401)
    }

    @Test func `3.2 a refresh token works for 90 days from its own issue`() throws {
        let first = try harness.logIn().refresh
        try harness.advance(.days(90) - .seconds(1))
        let reply = try harness.refresh(first)
        expectEqual(reply.status, 200)
        let second = reply.text(at: "data.refreshToken")
        try harness.advance(.days(90) - .seconds(1))
        let third = try harness.refresh(second).text(at: "data.refreshToken")
        try harness.advance(.days(90))
        try expectEqual(harness.refresh(third).error, "401 INVALID_REFRESH_TOKEN")
    }

    // MARK: 3.3

    @Test func `3.3 a refresh answers these three members`() throws {
        let reply = try harness.refresh(try harness.logIn().refresh)
        expectEqual(reply.keys(), ["success", "data"])
        expectEqual(reply.keys("data"), ["accessToken", "refreshToken", "expiresIn"])
        expectEqual(reply.data["expiresIn"], 3_600)
        try expectEqual(harness.check(reply.text(at: "data.accessToken")), 200)
    }

    @Test(arguments: [[:], ["refreshToken": ""], ["refreshToken": 1], ["refreshToken": .null]] as [JSON])
    func `3.3 a missing refresh token is VALIDATION_ERROR`(body: JSON) throws {
        let reply = try harness.post("/api/mobile/auth/refresh", json: body)
        expectEqual(reply.error, "400 VALIDATION_ERROR")
        expectEqual(reply.faulty, ["refreshToken"])
    }

    @Test func `3.3 what is no refresh token of ours is INVALID_REFRESH_TOKEN`() throws {
        let tokens = try harness.logIn()
        let forged = String(tokens.refresh.dropLast(4)) + "AAAA"
        for token in ["x", "eyJ.eyJ.x", tokens.access, forged, try harness.mint(Harness.anna, .refresh, .badSignature)]
        {
            let reply = try harness.refresh(token)
            expectEqual(reply.error, "401 INVALID_REFRESH_TOKEN")
            expectNil(reply["WWW-Authenticate"])
        }
        try expectEqual(harness.refresh(tokens.refresh).status, 200)
    }

    @Test func `3.3 an expired token that had been rotated is merely expired`() throws {
        let first = try harness.logIn().refresh
        try harness.advance(.days(89))
        let second = try harness.refresh(first).text(at: "data.refreshToken")
        try harness.advance(.days(1))
        try expectEqual(harness.refresh(first).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.refresh(second).status, 200)
    }

    @Test func `3.3 of fifty interleaved clients with one token one rotation wins`() throws {
        let token = try harness.logIn().refresh
        let other = try harness.logIn(Harness.other)
        let replies = try (0..<50).map { _ in try harness.refresh(token) }
        expectEqual(replies.count { $0.status == 200 }, 1)
        expectEqual(replies[0].status, 200)
        expectEqual(replies[1].error, "401 REFRESH_TOKEN_REUSED")
        // The theft ended the session, so that the rest is plainly refused.
        #expect(replies[2...].allSatisfy { $0.error == "401 INVALID_REFRESH_TOKEN" })
        try expectEqual(harness.check(other.access), 200)
    }

    @Test func `3.3 fifty clients of one account, each with a session of its own, do not disturb each other`() throws {
        var tokens = try (0..<50).map { try harness.logIn(device: "device-\($0)").refresh }
        for round in 0..<3 {
            try harness.advance(.minutes(Int64(round)))
            for place in tokens.indices {
                let reply = try harness.refresh(tokens[place])
                expectEqual(reply.status, 200)
                tokens[place] = reply.text(at: "data.refreshToken")
            }
        }
        expectEqual(Set(tokens).count, 50)
        let devices = try harness.get("/api/mobile/devices", token: try harness.mint(Harness.anna))
        expectEqual(devices.data["total"], 51)
    }

    // MARK: 3.4

    @Test func `3.4 a reused refresh token ends all of the user's sessions and nobody else's`() throws {
        let phone = try harness.logIn(device: "phone")
        let tablet = try harness.logIn(device: "tablet")
        let other = try harness.logIn(Harness.other)
        let rotated = try harness.refresh(phone.refresh)
        try expectEqual(harness.refresh(phone.refresh).error, "401 REFRESH_TOKEN_REUSED")
        for token in [phone.access, tablet.access, rotated.text(at: "data.accessToken")] {
            try expectEqual(harness.check(token), 401)
        }
        for token in [rotated.text(at: "data.refreshToken"), tablet.refresh, phone.refresh] {
            try expectEqual(harness.refresh(token).error, "401 INVALID_REFRESH_TOKEN")
        }
        try expectEqual(harness.check(other.access), 200)
        try expectEqual(harness.refresh(other.refresh).status, 200)
        try harness.state { state, _ in
            #expect(state.sessions.rows(in: "usr_123").allSatisfy { $0.endReason == .reuse })
        }
    }

    @Test func `3.4 a later login starts clean, and old tokens can't end it`() throws {
        let old = try harness.logIn().refresh
        _ = try harness.refresh(old)
        _ = try harness.refresh(old)
        let fresh = try harness.logIn()
        try expectEqual(harness.refresh(old).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(fresh.access), 200)
    }

    @Test func `3.4 within the grace period the old token gives the same answer`() throws {
        try harness.set(["reuseGraceSeconds": 10])
        let old = try harness.logIn().refresh
        let first = try harness.refresh(old)
        try harness.advance(.seconds(9))
        try expectEqual(harness.refresh(old).text, first.text)
        try harness.advance(.seconds(1))
        try expectEqual(harness.refresh(old).error, "401 REFRESH_TOKEN_REUSED")
    }

    // MARK: 3.5

    @Test func `3.5 a logout ends the sessions of this device alone`() throws {
        let first = try harness.logIn(device: "phone")
        let second = try harness.logIn(device: "phone")
        let tablet = try harness.logIn(device: "tablet")
        try expectEqual(harness.check(first.access), 200)
        let reply = try harness.post("/api/mobile/auth/logout", token: second.access)
        expectEqual(reply.text, #"{"success":true}"#)
        for token in [first, second] {
            try expectEqual(harness.check(token.access), 401)
            try expectEqual(harness.refresh(token.refresh).error, "401 INVALID_REFRESH_TOKEN")
            try expectEqual(harness.refresh(token.refresh).error, "401 INVALID_REFRESH_TOKEN")
        }
        try expectEqual(harness.check(tablet.access), 200)
        try expectEqual(harness.refresh(tablet.refresh).status, 200)
    }

    @Test func `3.5 a session without device takes the one of its next registration`() throws {
        let one = try harness.logIn()
        let other = try harness.logIn()
        let reply = try harness.post(
            "/api/mobile/device/register",
            token: one.access,
            json: ["deviceId": "phone", "platform": "ios", "deviceName": "iPhone", "pushToken": "p1"]
        )
        expectEqual(reply.data, ["registered": true, "deviceId": "phone"])
        let devices = try harness.get("/api/mobile/devices", token: one.access).data["devices"]?.arrayValue ?? []
        expectEqual(devices.compactMap { $0["deviceId"]?.stringValue }, ["phone"])
        try expectEqual(harness.post("/api/mobile/auth/logout", token: other.access).status, 200)
        try expectEqual(harness.check(one.access), 200)
    }

    // MARK: 3.6

    @Test func `3.6 reusable: no new token, the old one works any number of times`() throws {
        try harness.set(["refreshMode": "reusable"])
        let token = try harness.logIn().refresh
        for _ in 0..<5 {
            let reply = try harness.refresh(token)
            expectEqual(reply.keys("data"), ["accessToken", "expiresIn"])
            try harness.advance(.days(17))
        }
        try harness.advance(.days(5))
        try expectEqual(harness.refresh(token).error, "401 INVALID_REFRESH_TOKEN")
    }

    @Test func `3.6 single-use: dead after one use, and coming back is no theft`() throws {
        try harness.set(["refreshMode": "single-use"])
        let tokens = try harness.logIn()
        let reply = try harness.refresh(tokens.refresh)
        expectEqual(reply.keys("data"), ["accessToken", "expiresIn"])
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(tokens.access), 200)
        try harness.set(["refreshMode": "rotating"])
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
    }

    @Test(arguments: [("refresh-24h", Int64(86_400)), ("refresh-7d", 604_800)])
    func `3.6 short-lived tokens, those of before too`(name: String, seconds: Int64) throws {
        let old = try harness.logIn()
        try harness.activate(name)
        let fresh = try harness.logIn()
        try harness.advance(.seconds(seconds - 1))
        let reply = try harness.refresh(fresh.refresh)
        expectEqual(reply.keys("data"), ["accessToken", "refreshToken", "expiresIn"])
        try harness.advance(.seconds(1))
        try expectEqual(harness.refresh(old.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try harness.deactivate(name)
        try expectEqual(harness.refresh(old.refresh).status, 200)
    }

    @Test func `3.6 the variants can be switched while sessions live`() throws {
        let tokens = try harness.logIn()
        try harness.set(["refreshMode": "reusable"])
        try expectNil(harness.refresh(tokens.refresh).data["refreshToken"])
        try harness.set(["refreshMode": "rotating"])
        let next = try harness.refresh(tokens.refresh).text(at: "data.refreshToken")
        try harness.set(["refreshMode": "single-use"])
        try expectNil(harness.refresh(next).data["refreshToken"])
        try expectEqual(harness.refresh(next).error, "401 INVALID_REFRESH_TOKEN")
    }

    @Test func `3.6 the life of access tokens is a setting`() throws {
        try harness.set(["accessLifetimeSeconds": 60])
        let reply = try harness.refresh(try harness.logIn().refresh)
        expectEqual(reply.data["expiresIn"], 60)
        try harness.advance(.seconds(59))
        try expectEqual(harness.check(reply.text(at: "data.accessToken")), 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.check(reply.text(at: "data.accessToken")), 401)
    }

    @Test func `3.4 the literal reading counts tokens ended by logout as theft too`() throws {
        try harness.set(["reuseScope": "any-revoked"])
        let phone = try harness.logIn(device: "phone")
        let tablet = try harness.logIn(device: "tablet")
        _ = try harness.post("/api/mobile/auth/logout", token: phone.access)
        try expectEqual(harness.check(tablet.access), 200)
        try expectEqual(harness.refresh(phone.refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.check(tablet.access), 401)
    }

    // MARK: Control

    @Test func `3 tokens made by the control API are real sessions`() throws {
        let access = try harness.mint(Harness.anna)
        try expectEqual(harness.check(access), 200)
        let refresh = try harness.mint(Harness.anna, .refresh)
        let reply = try harness.refresh(refresh)
        expectEqual(reply.status, 200)
        try expectEqual(harness.refresh(refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.check(access), 401)
        for state in TokenOrder.State.allCases where state != .valid {
            try expectEqual(harness.check(try harness.mint(Harness.anna, .access, state)), 401, "\(state)")
            let token = try harness.mint(Harness.anna, .refresh, state)
            try expectEqual(harness.refresh(token).error, "401 INVALID_REFRESH_TOKEN", "\(state)")
        }
        #expect(throws: Problem.self) { try harness.mint("nobody@example.com") }
        #expect(throws: Problem.self) { try harness.mint(Harness.anna, .appleIdentity) }
    }

    @Test func `3 a token of the command line works in a world of the same seed`() throws {
        let access = try harness.mint(Harness.anna, isOffline: true)
        let refresh = try harness.mint(Harness.anna, .refresh, isOffline: true)
        let elsewhere = try Harness()
        try expectEqual(elsewhere.check(access), 200)
        try expectEqual(elsewhere.refresh(refresh).status, 200)
        try expectEqual(elsewhere.refresh(refresh).error, "401 REFRESH_TOKEN_REUSED")
    }

    @Test func `3 what a user holds can be ended, now or later`() throws {
        let tokens = try harness.logIn()
        try harness.end(Harness.anna, .access, .expire, after: .seconds(10))
        try harness.advance(.seconds(9))
        try expectEqual(harness.check(tokens.access), 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.check(tokens.access), 401)
        try harness.end(Harness.anna, .refresh, .revoke, after: .seconds(5))
        let next = try harness.refresh(tokens.refresh)
        expectEqual(next.status, 200)
        let more = try harness.logIn()
        try harness.end(Harness.anna, .all, .revoke)
        try expectEqual(harness.check(more.access), 401)
        try expectEqual(harness.refresh(more.refresh).error, "401 INVALID_REFRESH_TOKEN")
    }

    @Test func `3.7 a reset drops all sessions and brings back the seed`() throws {
        let tokens = try harness.logIn()
        _ = try harness.put("/api/mobile/student/profile", token: tokens.access, json: ["firstName": "Eva"])
        let fresh = try Harness()
        try expectEqual(fresh.check(tokens.access), 401)
        try expectEqual(
            fresh.get("/api/mobile/student/profile", token: try fresh.mint(Harness.anna)).text(at: "data.firstName"),
            "Anna"
        )
    }
}
