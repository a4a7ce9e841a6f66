import Backend
import CivilTime
import CustomAPIs
import Engine
import JSON
import TestSupport
import Testing
import Worlds

/// Tokens of the control API (own-API contract, section 15; control contract, section 12).
@Suite struct Section15ControlTests {
    private static let formats = Section15TokenTests.formats

    @Test(arguments: formats) func `15 a valid token that is made is a session`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        for who in ["1", "anna@EXAMPLE.com"] {
            let access = try harness.mint(TokenOrder(user: who, kind: .access))
            try expectEqual(harness.get("/v1/me", token: access).json["id"], 1)
            let refresh = try harness.mint(TokenOrder(user: who, kind: .refresh))
            try expectEqual(harness.get("/v1/me", token: refresh).verdict, "401 token_invalid")
            let next = try harness.refresh(refresh)
            expectEqual(next.status, 200)
            try expectEqual(harness.get("/v1/me", token: next.tokens.access).json["id"], 1)
            try expectEqual(harness.refresh(refresh).verdict, "401 refresh_reused")
        }
    }

    @Test(arguments: formats) func `15 the states of tokens`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        for (state, verdict) in [(TokenOrder.State.expired, "expired"), (.revoked, "revoked")] {
            let access = try harness.mint(TokenOrder(user: "1", kind: .access, state: state))
            try expectEqual(harness.get("/v1/me", token: access).verdict, "401 token_\(verdict)")
            let refresh = try harness.mint(TokenOrder(user: "1", kind: .refresh, state: state))
            try expectEqual(harness.refresh(refresh).verdict, "401 refresh_\(verdict)")
        }
        for state in [TokenOrder.State.badSignature, .wrongAudience, .wrongIssuer] {
            let order = TokenOrder(user: "1", kind: .access, state: state)
            guard !format.contains("opaque") else {
                #expect(throws: CustomAPIHarness.TestError.self) { try harness.mint(order) }
                continue
            }
            try expectEqual(harness.get("/v1/me", token: try harness.mint(order)).verdict, "401 token_invalid")
        }
    }

    @Test(arguments: formats) func `15 a life that is ordered has its limit`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let access = try harness.mint(TokenOrder(user: "1", kind: .access, life: .seconds(5)))
        try harness.advance(.seconds(5) - .microseconds(1))
        try expectEqual(harness.get("/v1/me", token: access).status, 200)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.get("/v1/me", token: access).verdict, "401 token_expired")
    }

    @Test func `15 a token made by a call has the claims of the API too, and what is ordered comes last`() throws {
        let tokens = #"{"claims":{"role":"{{user.role}}","day":"{{D0}}","at":"{{now}}","secret":"{{user.password}}"}}"#
        let harness = try SignInFixture.harness(tokens: tokens)
        let token = try payload(of: harness.mint(TokenOrder(user: "anna@example.com", kind: .access)))
        expectEqual(token["role"], "admin")
        expectEqual(token["day"], "2025-01-01")
        expectEqual(token["at"], "2025-01-01T12:00:00Z")
        expectNil(token["secret"])
        let order = TokenOrder(user: "2", kind: .refresh, claims: ["role": .null, "day": "x"])
        let other = try payload(of: harness.mint(order))
        expectNil(other["role"])
        expectEqual(other["day"], "x")
    }

    @Test func `15 claims are set in a JWT, also a jti`() throws {
        let harness = try SignInFixture.harness()
        let claims: JSONObject = ["role": "x", "jti": "mine", "iat": .null]
        let order = TokenOrder(user: "1", kind: .access, claims: ["role": "x", "jti": "mine"])
        let token = try harness.mint(order)
        try expectEqual(payload(of: token)["role"], "x")
        try expectEqual(harness.get("/v1/me", token: token).status, 200)
        #expect(throws: CustomAPIHarness.TestError.self) { try harness.mint(order) }
        #expect(try harness.end("1", .access, .revoke))
        try expectEqual(harness.get("/v1/me", token: token).verdict, "401 token_revoked")
        let without = try harness.mint(
            TokenOrder(user: "1", kind: .access, claims: claims.overridden(by: ["jti": "b"]))
        )
        try expectEqual(harness.get("/v1/me", token: without).verdict, "401 token_invalid")
        let other = try harness.mint(TokenOrder(user: "1", kind: .access, claims: ["sub": "2"]))
        try expectEqual(harness.get("/v1/me", token: other).verdict, "401 token_invalid")
        let later = try harness.mint(TokenOrder(user: "1", kind: .access, claims: ["exp": 1_735_732_801]))
        try expectEqual(harness.get("/v1/me", token: later).status, 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.get("/v1/me", token: later).verdict, "401 token_expired")
    }

    @Test func `15 an order that can't be met is told`() throws {
        let harness = try SignInFixture.harness(tokens: #"{"format":"opaque"}"#)
        for order in [
            TokenOrder(user: "nobody", kind: .access), TokenOrder(user: "1", kind: .appleIdentity),
            TokenOrder(user: "1", kind: .access, claims: ["a": 1]),
        ] {
            #expect(throws: CustomAPIHarness.TestError.self) { try harness.mint(order) }
        }
        #expect(try !harness.end("nobody", .all, .revoke))
        let plain = try CustomAPIHarness(["api.json": "{}"])
        #expect(throws: CustomAPIHarness.TestError.self) { try plain.mint(TokenOrder(user: "1", kind: .access)) }
        #expect(try !plain.end("1", .all, .revoke))
    }

    @Test(arguments: TokenEnding.Scope.allCases, TokenEnding.Manner.allCases)
    func `15 what a user holds ends as ordered`(scope: TokenEnding.Scope, manner: TokenEnding.Manner) throws {
        let harness = try SignInFixture.harness()
        let bo = try harness.login("bo@example.com")
        let tokens = try harness.login()
        #expect(try harness.end("ANNA@example.com", scope, manner, after: .seconds(3)))
        let word = manner == .expire ? "expired" : "revoked"
        try harness.advance(.seconds(3) - .microseconds(1))
        try expectEqual(harness.get("/v1/me", token: tokens.access).status, 200)
        try harness.advance(.microseconds(1))
        let access = try harness.get("/v1/me", token: tokens.access).verdict
        expectEqual(access, scope == .refresh ? "200" : "401 token_\(word)")
        let refresh = try harness.refresh(tokens.refresh).verdict
        expectEqual(refresh, scope == .access ? "200" : "401 refresh_\(word)")
        try expectEqual(harness.get("/v1/me", token: bo.access).status, 200)
        // Later tokens are not meant.
        try expectEqual(harness.get("/v1/me", token: try harness.login().access).status, 200)
    }

    @Test(arguments: formats, TokenEnding.Manner.allCases)
    func `15 the fault ends the token that was sent alone`(format: String, manner: TokenEnding.Manner) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let tokens = try harness.login()
        let second = try harness.login()
        let hosted = try harness.hosted()
        #expect(harness.api.endCredential(&hosted.world, 0, tokens.access, manner))
        #expect(!harness.api.endCredential(&hosted.world, 0, "nonsense", manner))
        let word = manner == .expire ? "expired" : "revoked"
        try expectEqual(harness.get("/v1/me", token: tokens.access).verdict, "401 token_\(word)")
        try expectEqual(harness.get("/v1/me", token: second.access).status, 200)
        #expect(harness.api.endCredential(&hosted.world, 0, second.refresh, manner))
        try expectEqual(harness.refresh(second.refresh).verdict, "401 refresh_\(word)")
        try expectEqual(harness.refresh(tokens.refresh).status, 200)
    }

    @Test(arguments: formats, TokenOrder.Kind.allCases)
    func `19 a token of the command line is good in main`(format: String, kind: TokenOrder.Kind) throws {
        guard kind != .appleIdentity else { return }
        func offline(_ state: TokenOrder.State) throws -> String {
            let outside = try SignInFixture.harness(tokens: format)
            return try outside.mint(TokenOrder(user: "bo@example.com", kind: kind, state: state, isOffline: true))
        }
        let harness = try SignInFixture.harness(tokens: format)
        // Time has passed since the server began.
        try harness.advance(.seconds(1))
        func use(_ token: String) throws -> String {
            let answer = kind == .access ? try harness.get("/v1/me", token: token) : try harness.refresh(token)
            return answer.verdict
        }
        let word = kind == .access ? "token" : "refresh"
        try expectEqual(use(offline(.expired)), "401 \(word)_expired")
        try expectEqual(use(offline(.revoked)), "401 \(word)_revoked")
        let token = try offline(.valid)
        try expectEqual(use(token), "200")
        try expectEqual(use(token), kind == .access ? "200" : "401 refresh_reused")
        #expect(try harness.end("2", .all, .revoke))
        try expectEqual(use(token), kind == .access ? "401 token_revoked" : "401 refresh_reused")
    }

    @Test func `10 a scenario can end the tokens of all users`() throws {
        let harness = try SignInFixture.harness()
        let tokens = [try harness.login(), try harness.login("bo@example.com")]
        let hosted = try harness.hosted()
        let definition = try #require(CustomAPIHarness.read(SignInFixture.files()).definition)
        let signIn = try #require(definition.signIn)
        hosted.world.with(0, CustomAPIState.self) { state, core in
            signIn.end(.access, of: nil, .expire, at: core.now, &state)
        }
        for pair in tokens {
            try expectEqual(harness.get("/v1/me", token: pair.access).verdict, "401 token_expired")
            try expectEqual(harness.refresh(pair.refresh).status, 200)
        }
    }
}
