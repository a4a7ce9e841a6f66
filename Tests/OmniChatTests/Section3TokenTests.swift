import Backend
import CivilTime
import Crypto
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import OmniChat

/// Section 3.1: tokens.
struct Section3TokenTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func parts(_ token: String) throws -> (header: String, payload: JSON) {
        let parts = try JWT.Parts(parsing: token)
        return (String(decoding: parts.headerBytes, as: UTF8.self), try JSONReader.read(parts.payloadBytes))
    }

    private func check(_ token: String) throws -> String {
        let reply = try harness.get("/api/v1/user/profile", token: token)
        return reply.status == 200 ? "200" : reply.error
    }

    /// A token of the payload signed with this world's key.
    private func signed(header: String, _ payload: JSONObject) throws -> String {
        let secret = try harness.hosted().world.core.secret("omnichat tokens")
        return JWT.signed(
            header: Array(header.utf8),
            payload: JSON.object(payload).serialized(),
            key: .hs256(HMACKey(secret: secret))
        )
    }

    private var goodPayload: JSONObject {
        [
            "sub": "user_test_icloud_0001", "email": "test@icloud.com", "scope": ["read", "write"], "jti": "any",
            "iat": 1_735_732_800, "exp": 1_735_733_700, "iss": "https://understudy.invalid/@main",
        ]
    }

    @Test func `3.1 an access token has these claims`() throws {
        let token = try harness.signIn(as: Harness.test).text(at: "accessToken")
        let (header, payload) = try parts(token)
        expectEqual(header, #"{"alg":"HS256"}"#)
        expectEqual(payload["sub"], "user_test_icloud_0001")
        expectEqual(payload["email"], "test@icloud.com")
        expectEqual(payload["scope"], ["read", "write"])
        expectEqual(payload["iat"], 1_735_732_800)
        expectEqual(payload["exp"], 1_735_733_700)
        expectEqual(payload.string("jti").count, 21)
        expectEqual(payload.keys, ["sub", "email", "scope", "jti", "iat", "exp", "iss"])
    }

    @Test func `3.1 a refresh token has these claims and thirty days`() throws {
        let (header, payload) = try parts(try harness.signIn(as: Harness.test).text(at: "refreshToken"))
        expectEqual(header, #"{"alg":"HS256"}"#)
        expectEqual(payload["sub"], "user_test_icloud_0001")
        expectEqual(payload["exp"], .integer(1_735_732_800 + 2_592_000))
        expectEqual(payload.keys, ["sub", "jti", "iat", "exp", "iss"])
    }

    @Test func `3.1 an access token works at +899 s and not at +900 s`() throws {
        let token = try harness.signIn(as: Harness.test).text(at: "accessToken")
        try harness.advance(.seconds(899))
        try expectEqual(check(token), "200")
        try harness.advance(.microseconds(999_999))
        try expectEqual(check(token), "200")
        try harness.advance(.microseconds(1))
        try expectEqual(check(token), "401 Invalid or expired token")
    }

    @Test func `3.1 whole seconds count, a token of a half second ends on the second`() throws {
        try harness.advance(.milliseconds(500))
        let token = try harness.signIn(as: Harness.test).text(at: "accessToken")
        try harness.advance(.milliseconds(899_499))
        try expectEqual(check(token), "200")
        try harness.advance(.milliseconds(1))
        try expectEqual(check(token), "401 Invalid or expired token")
    }

    @Test func `3.1 a refresh token works at one second before 30 days and not at 30 days`() throws {
        let token = try harness.signIn(as: Harness.test).text(at: "refreshToken")
        try harness.advance(.seconds(2_591_999))
        try expectEqual(harness.refresh(token).status, 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.refresh(token).error, "401 Invalid refresh token")
    }

    @Test func `3.1 two tokens of the same second differ`() throws {
        let first = try harness.signIn(as: Harness.test)
        let second = try harness.signIn(as: Harness.test)
        #expect(first.text(at: "accessToken") != second.text(at: "accessToken"))
        #expect(first.text(at: "refreshToken") != second.text(at: "refreshToken"))
    }

    @Test func `3.1 a token made with the right key is accepted, so the refusals below are for their own reason`()
        throws
    {
        try expectEqual(check(signed(header: #"{"alg":"HS256"}"#, goodPayload)), "200")
        try expectEqual(check(signed(header: #"{"typ":"JWT","alg":"HS256"}"#, goodPayload)), "200")
    }

    @Test(arguments: ["none", "None", "NONE", "HS384", "HS512", "RS256", "hs256", "", "ES256"])
    func `3.1 other algorithms than HS256 are refused`(algorithm: String) throws {
        let token = try signed(header: #"{"alg":"\#(algorithm)"}"#, goodPayload)
        try expectEqual(check(token), "401 Invalid or expired token")
        let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".") + "."
        try expectEqual(check(unsigned), "401 Invalid or expired token")
        try expectEqual(harness.refresh(token).error, "401 Invalid refresh token")
    }

    @Test func `3.1 a header without an algorithm is refused`() throws {
        try expectEqual(check(signed(header: "{}", goodPayload)), "401 Invalid or expired token")
        try expectEqual(check(signed(header: #"{"alg":null}"#, goodPayload)), "401 Invalid or expired token")
        try expectEqual(check(signed(header: "[]", goodPayload)), "401 Invalid or expired token")
    }

    @Test(arguments: ["sub", "jti", "exp", "iat", "iss", "scope"])
    func `3.1 a token without one of its claims is refused`(claim: String) throws {
        var payload = goodPayload
        payload[claim] = nil
        try expectEqual(check(signed(header: #"{"alg":"HS256"}"#, payload)), "401 Invalid or expired token")
    }

    @Test func `3.1 every changed character of a token spoils it`() throws {
        let token = try harness.mint(Harness.test)
        for place in token.indices where token[place] != "." {
            var changed = token
            changed.replaceSubrange(place...place, with: token[place] == "A" ? "B" : "A")
            try expectEqual(check(changed), "401 Invalid or expired token")
            harness.peer += "x"
        }
        try expectEqual(check(token), "200")
        // The Kelvin sign equals K for Swift, but not on the wire.
        if let place = token.firstIndex(of: "K") {
            try expectEqual(
                check(token.replacingCharacters(at: place, with: "\u{212A}")),
                "401 Invalid or expired token"
            )
        }
    }

    @Test func `3.1 a Kelvin sign in a token that was accepted before is not a K`() throws {
        // Of twenty tokens one has a K for certain: each has over a hundred characters.
        for _ in 0..<20 {
            let token = try harness.signIn(as: Harness.test).text(at: "accessToken")
            try expectEqual(check(token), "200")
            guard let place = token.firstIndex(of: "K") else { continue }
            let changed = token.replacingCharacters(at: place, with: "\u{212A}")
            try expectEqual(check(changed), "401 Invalid or expired token")
            return
        }
        Issue.record("no token had a K")
    }

    @Test(arguments: ["x", "a.b", "a.b.c", "....", "eyJhbGciOiJIUzI1NiJ9..", " ", "null"])
    func `3.1 what is no token at all is refused`(token: String) throws {
        try expectEqual(check(token), "401 Invalid or expired token")
        try expectEqual(harness.refresh(token).error, "401 Invalid refresh token")
    }

    @Test func `3.1 refreshing does not cancel older access tokens`() throws {
        let signedIn = try harness.signIn(as: Harness.test)
        let renewed = try harness.refresh(signedIn.text(at: "refreshToken"))
        try expectEqual(check(signedIn.text(at: "accessToken")), "200")
        try expectEqual(check(renewed.text(at: "accessToken")), "200")
    }

    @Test func `3.1 several refresh tokens of a user live side by side, one for each sign-in`() throws {
        let tokens = try (0..<3).map { _ in try harness.signIn(as: Harness.test).text(at: "refreshToken") }
        for token in tokens { try expectEqual(harness.refresh(token).status, 200) }
        try expectEqual(harness.state { state, _ in state.refreshSessions.count(in: "user_test_icloud_0001") }, 3)
    }

    @Test func `3.1 D9 a refresh token is no access token`() throws {
        try expectEqual(check(harness.mint(Harness.test, .refresh)), "401 Invalid or expired token")
    }

    @Test func `3.1 a token of another seed is refused`() throws {
        let foreign = try Harness(seed: 43).mint(Harness.test)
        try expectEqual(check(foreign), "401 Invalid or expired token")
    }
}

extension String {
    fileprivate func replacingCharacters(at place: Index, with text: String) -> String {
        String(self[..<place]) + text + self[index(after: place)...]
    }
}
