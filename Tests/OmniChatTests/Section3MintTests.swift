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

/// Section 3 with the tokens that the control API makes and ends (control contract, section 12).
struct Section3MintTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func access(_ token: String) throws -> String {
        let reply = try harness.get("/api/v1/user/profile", token: token)
        return reply.status == 200 ? "200" : reply.error
    }

    private func refresh(_ token: String) throws -> String {
        let reply = try harness.refresh(token)
        return reply.status == 200 ? "200" : reply.error
    }

    private func apple(_ token: String) throws -> String {
        let reply = try harness.post("/api/v1/auth/apple", json: ["idToken": .string(token)])
        return reply.status == 200 ? "200 \(reply.text(at: "user.email"))" : reply.error
    }

    @Test(arguments: TokenOrder.State.allCases)
    func `3.1 a minted access token works exactly when it is valid`(state: TokenOrder.State) throws {
        let expected = state == .valid ? "200" : "401 Invalid or expired token"
        try expectEqual(access(harness.mint(Harness.test, .access, state)), expected)
        try expectEqual(access(harness.mint("user_test_icloud_0001", .access, state, isOffline: true)), expected)
    }

    @Test(arguments: [
        (TokenOrder.State.valid, "200"), (.expired, "401 Invalid refresh token"),
        (.revoked, "401 Refresh token not found"),
        (.badSignature, "401 Invalid refresh token"), (.wrongAudience, "401 Invalid refresh token"),
        (.wrongIssuer, "401 Invalid refresh token"),
    ])
    func `3.4 a minted refresh token answers as its state says`(state: TokenOrder.State, expected: String) throws {
        try expectEqual(refresh(harness.mint(Harness.test, .refresh, state)), expected)
        try expectEqual(refresh(harness.mint(Harness.test, .refresh, state, isOffline: true)), expected)
    }

    @Test(arguments: TokenOrder.State.allCases, ["lenient", "strict"])
    func `3.2 a minted identity token is accepted only if it is valid, in both modes`(
        state: TokenOrder.State,
        mode: String
    ) throws {
        try harness.set(["apple": ["mode": .string(mode)]])
        let expected = state == .valid ? "200 test@icloud.com" : "401 Invalid Apple ID token"
        try expectEqual(apple(harness.mint(Harness.test, .appleIdentity, state)), expected)
        try expectEqual(apple(harness.mint(Harness.test, .appleIdentity, state, isOffline: true)), expected)
    }

    @Test(arguments: TokenOrder.State.allCases)
    func `3.1 and control 3 access tokens are stateless: a reset changes nothing of what they are`(
        state: TokenOrder.State
    ) throws {
        let token = try harness.mint(Harness.test, .access, state)
        let refreshing = try harness.mint(Harness.test, .refresh, state)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        try expectEqual(access(token), state == .valid ? "200" : "401 Invalid or expired token")
        #expect(try refresh(refreshing).hasPrefix("401 "), "refresh tokens are stored, and gone")
    }

    @Test func `3.1 a minted token ends when it was ordered to`() throws {
        let token = try harness.mint(Harness.test, .access, life: .seconds(10))
        try harness.advance(.seconds(9))
        try expectEqual(access(token), "200")
        try harness.advance(.seconds(1))
        try expectEqual(access(token), "401 Invalid or expired token")
    }

    @Test func `3.1 claims of the order are set, and taken out when null`() throws {
        let token = try harness.mint(Harness.test, claims: ["tier": "platinum", "email": .null])
        let payload = try #require(TokenText.payload(of: token))
        expectEqual(payload["tier"], "platinum")
        expectNil(payload["email"])
        try expectEqual(access(token), "200")
        try expectEqual(access(harness.mint(Harness.test, claims: ["exp": .null])), "401 Invalid or expired token")
    }

    @Test func `3.1 a minted refresh token is a real session, which can be revoked`() throws {
        let token = try harness.mint(Harness.test, .refresh)
        try expectEqual(refresh(token), "200")
        try harness.end(Harness.test, .refresh, .revoke)
        try expectEqual(refresh(token), "401 Refresh token not found")
    }

    @Test func `3.1 a minted token with a jti of the caller's is a real session too`() throws {
        let token = try harness.mint(Harness.test, .refresh, claims: ["jti": "my-own"])
        try expectEqual(refresh(token), "200")
        let bearer = try harness.mint(Harness.test, .access, claims: ["jti": "mine-too"])
        try expectEqual(access(bearer), "200")
        try harness.end(Harness.test, .all, .revoke)
        try expectEqual(refresh(token), "401 Refresh token not found")
        try expectEqual(access(bearer), "401 Invalid or expired token")
    }

    @Test func `3.1 an unknown user is refused`() throws {
        #expect(throws: Problem.self) { try harness.mint("nobody@example.com") }
    }

    // MARK: Ending

    @Test func `3.4 a session that the control API expired says so`() throws {
        let signedIn = try harness.signIn(as: Harness.test)
        try harness.end(Harness.test, .refresh, .expire)
        try expectEqual(refresh(signedIn.text(at: "refreshToken")), "401 Refresh token expired")
        try expectEqual(access(signedIn.text(at: "accessToken")), "200")
    }

    @Test func `3.4 a revoked session is not found`() throws {
        let signedIn = try harness.signIn(as: Harness.test)
        try harness.end(Harness.test, .refresh, .revoke)
        try expectEqual(refresh(signedIn.text(at: "refreshToken")), "401 Refresh token not found")
    }

    @Test(arguments: [TokenEnding.Manner.expire, .revoke])
    func `3.1 access tokens can be ended, and those issued later work`(manner: TokenEnding.Manner) throws {
        let signedIn = try harness.signIn(as: Harness.test)
        let minted = try harness.mint(Harness.test)
        let others = try harness.mint(Harness.power)
        try harness.end(Harness.test, .access, manner)
        try expectEqual(access(signedIn.text(at: "accessToken")), "401 Invalid or expired token")
        try expectEqual(access(minted), "401 Invalid or expired token")
        try expectEqual(access(others), "200")
        let renewed = try harness.refresh(signedIn.text(at: "refreshToken"))
        try expectEqual(access(renewed.text(at: "accessToken")), "200")
    }

    @Test func `3.1 an end that was ordered for later comes then`() throws {
        let signedIn = try harness.signIn(as: Harness.test)
        try harness.end(Harness.test, .all, .revoke, after: .seconds(10))
        try harness.advance(.microseconds(9_999_999))
        try expectEqual(access(signedIn.text(at: "accessToken")), "200")
        try expectEqual(refresh(signedIn.text(at: "refreshToken")), "200")
        try harness.advance(.microseconds(1))
        try expectEqual(access(signedIn.text(at: "accessToken")), "401 Invalid or expired token")
        try expectEqual(refresh(signedIn.text(at: "refreshToken")), "401 Refresh token not found")
    }

    @Test func `3.2 the published key verifies a minted identity token`() throws {
        let token = try harness.mint(Harness.test, .appleIdentity)
        let key = try #require(harness.emulator.apis[0].appleKeys(try harness.hosted().world, 0)["keys"]?[0])
        let modulus = try #require(Base64URL.decode(key.string("n")))
        let exponent = try #require(Base64URL.decode(key.string("e")))
        let publicKey = try #require(RSAPublicKey(modulus: modulus, exponent: exponent))
        #expect(JWT.verifyRS256(try JWT.Parts(parsing: token), key: publicKey))
        expectEqual(key.string("kid"), publicKey.kid)
        expectEqual(key.string("alg"), "RS256")
    }
}
