import Backend
import CivilTime
import Engine
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import CustomAPIs

/// Tokens, and what needs one (own-API contract, section 15).
@Suite struct Section15TokenTests {
    static let formats = [#"{"format":"jwt"}"#, #"{"format":"opaque"}"#]

    @Test func `15 a JWT has the registered claims`() throws {
        let harness = try SignInFixture.harness()
        let tokens = try harness.login()
        for (token, life) in [(tokens.access, Int64(900)), (tokens.refresh, 2_592_000)] {
            let claims = try payload(of: token)
            expectEqual(claims.members.map(\.name), ["iss", "sub", "iat", "exp", "jti"])
            expectEqual(claims["iss"], "https://understudy.invalid/@main")
            expectEqual(claims["sub"], "1")
            expectEqual(claims["iat"], .integer(CustomAPIHarness.noon.seconds))
            expectEqual(claims["exp"], .integer(CustomAPIHarness.noon.seconds + life))
        }
        #expect(try payload(of: tokens.access)["jti"] != payload(of: tokens.refresh)["jti"])
    }

    @Test func `15 an opaque token is a text that names its world`() throws {
        let harness = try SignInFixture.harness(tokens: #"{"format":"opaque"}"#)
        let tokens = try harness.login()
        for token in [tokens.access, tokens.refresh] {
            #expect(token.hasPrefix("own0") && token.hasSuffix("-w-bWFpbg"))
            #expect(token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
        try expectEqual(harness.get("/v1/me", token: tokens.access).status, 200)
        // No character of it can be another.
        var damaged = 0
        for place in tokens.access.utf8.indices {
            var bytes = Array(tokens.access.utf8)
            let number = tokens.access.utf8.distance(from: tokens.access.utf8.startIndex, to: place)
            bytes[number] = bytes[number] == 0x61 ? 0x62 : 0x61
            let answer = try harness.get("/v1/me", token: String(decoding: bytes, as: UTF8.self))
            if answer.verdict == "401 token_invalid" { damaged += 1 }
        }
        expectEqual(damaged, tokens.access.utf8.count)
        try expectEqual(harness.get("/v1/me", token: tokens.access.uppercased()).verdict, "401 token_invalid")
    }

    @Test(arguments: formats) func `15 the same requests give the same tokens`(format: String) throws {
        let first = try SignInFixture.harness(tokens: format)
        let second = try SignInFixture.harness(tokens: format)
        let tokens = try first.login()
        try expectEqual(second.login(), tokens)
        #expect(try first.login() != tokens)
        try first.reset()
        try expectEqual(first.get("/v1/me", token: tokens.access).verdict, "401 token_revoked")
        try expectEqual(first.login(), tokens)
    }

    @Test(arguments: formats)
    func `15 a token of before a reset is not that of another user or time after it`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let tokens = try harness.login()
        try harness.reset()
        _ = try harness.login("bo@example.com")
        try expectEqual(harness.get("/v1/me", token: tokens.access).verdict, "401 token_revoked")
        try harness.reset()
        try harness.advance(.seconds(1))
        _ = try harness.login()
        try expectEqual(harness.get("/v1/me", token: tokens.access).verdict, "401 token_revoked")
        try expectEqual(harness.refresh(tokens.refresh).verdict, "401 refresh_revoked")
    }

    // MARK: What needs a token

    @Test func `15 every route needs a token but those that are open`() throws {
        let harness = try SignInFixture.harness(auth: #""open":["/v1/notes/*","/v1/mine/**"]"#)
        try expectEqual(harness.get("/v1/notes").verdict, "401 unauthorized")
        try expectEqual(harness.get("/v1/notes/1").status, 200)
        // A row that belongs to a user always needs one.
        try expectEqual(harness.get("/v1/mine/1").verdict, "401 unauthorized")
        try expectEqual(harness.get("/v1/nothing").verdict, "404 not_found")
        try expectEqual(harness.delete("/v1/notes").verdict, "405 method_not_allowed")
        try expectEqual(harness.options("/v1/notes").status, 204)
        try expectEqual(harness.head("/v1/notes").status, 401)
    }

    @Test func `15 without auth nothing is asked for`() throws {
        let harness = try CustomAPIHarness([
            "api.json": #"{"resources":[{"path":"/a","table":"a"}]}"#, "tables/a.json": "[]",
        ])
        try expectEqual(harness.get("/a").status, 200)
        try expectEqual(harness.get("/a", ["Authorization": "Bearer nonsense"]).status, 200)
    }

    @Test func `15 a resource with an owner shows each user their own rows`() throws {
        let harness = try SignInFixture.harness()
        let anna = try harness.login().access
        let bo = try harness.login("bo@example.com").access
        try expectEqual(harness.get("/v1/mine", token: anna).text, #"[{"id":1,"text":"one","userId":1}]"#)
        try expectEqual(harness.get("/v1/mine/1", token: bo).verdict, "404 not_found")
        let made = try harness.post("/v1/mine", ["text": "three"], ["Authorization": "Bearer \(bo)"])
        expectEqual(made.text, #"{"id":3,"text":"three","userId":2}"#)
    }

    @Test func `15 each reason has its code, and 401 its challenge`() throws {
        let harness = try SignInFixture.harness()
        let tokens = try harness.login()
        let none = try harness.get("/v1/notes")
        expectEqual(none.verdict, "401 unauthorized")
        expectEqual(none["WWW-Authenticate"], "Bearer")
        let basic = try harness.get("/v1/notes", ["Authorization": "Basic YTpi"])
        expectEqual(basic.verdict, "401 unauthorized")
        expectEqual(basic["WWW-Authenticate"], "Bearer")
        let challenge = #"Bearer error="invalid_token""#
        for (token, verdict) in [
            ("nonsense", "401 token_invalid"), (tokens.refresh, "401 token_invalid"),
            (tokens.access + "x", "401 token_invalid"),
        ] {
            let answer = try harness.get("/v1/notes", token: token)
            expectEqual(answer.verdict, verdict)
            expectEqual(answer["WWW-Authenticate"], challenge)
        }
        try expectEqual(harness.refresh(tokens.access).verdict, "401 refresh_invalid")
        try harness.advance(.seconds(900) - .microseconds(1))
        try expectEqual(harness.get("/v1/notes", ["Authorization": "bearer \(tokens.access)"]).status, 200)
        try harness.advance(.microseconds(1))
        let late = try harness.get("/v1/notes", token: tokens.access)
        expectEqual(late.verdict, "401 token_expired")
        expectEqual(late["WWW-Authenticate"], challenge)
    }

    @Test func `15 a token of another algorithm is invalid`() throws {
        let harness = try SignInFixture.harness()
        let parts = try harness.login().access.split(separator: ".").map(String.init)
        let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"
        for token in ["\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])."] {
            try expectEqual(harness.get("/v1/notes", token: token).verdict, "401 token_invalid")
        }
    }

    @Test func `15 a token is read for the user where none is needed, and ignored if it is not good`() throws {
        let auth = #""response":{"a":"{{access}}","me":"{{header.x-user ?? none}}"},"open":["/v1/**"]"#
        let harness = try SignInFixture.harness(auth: auth)
        let access = try #require(
            try harness.post("/v1/login", ["email": "bo@example.com", "password": "correct horse"]).json["a"]?
                .stringValue
        )
        try expectEqual(harness.get("/v1/notes", token: "nonsense").status, 200)
        try expectEqual(harness.get("/v1/notes", token: access).status, 200)
        let users = try harness.hosted().world.journal.entries.map(\.user?.id)
        expectEqual(users, ["2", nil, "2"])
    }

    @Test func `15 a user that is removed has no good tokens`() throws {
        let harness = try CustomAPIHarness(
            SignInFixture.files(more: #""description":"x""#).merging(
                [
                    "api.json": #"{"auth":{"login":"/v1/login","refresh":"/v1/refresh","open":["/users/**"]},"#
                        + #""resources":[{"path":"/users","table":"users"},{"path":"/v1/notes","table":"notes"}]}"#
                ]
            ) { $1 }
        )
        let tokens = try harness.login()
        try expectEqual(harness.delete("/users/1").status, 204)
        try expectEqual(harness.get("/v1/notes", token: tokens.access).verdict, "401 token_revoked")
        try expectEqual(harness.refresh(tokens.refresh).verdict, "401 refresh_revoked")
        // The secret is in no answer.
        try expectEqual(harness.get("/users").text, #"[{"id":2,"email":"bo@example.com","role":"guest"}]"#)
    }

    // MARK: Worlds

    @Test(arguments: formats) func `15 both tokens lead back to their world`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        try harness.makeWorld("one")
        try harness.makeWorld("two")
        _ = try harness.login()
        let tokens = try harness.login(in: "one")
        try harness.patch("/v1/me", ["role": "in one"], ["Authorization": "Bearer \(tokens.access)"])
        try expectEqual(harness.get("/v1/me", token: tokens.access).json["role"], "in one")
        let second = try harness.refresh(tokens.refresh)
        expectEqual(second.status, 200)
        try expectEqual(harness.get("/v1/me", token: second.tokens.access).json["role"], "in one")
        // A form leads there too, and the token endpoint.
        let third = try harness.form("/v1/refresh", "refreshToken=\(second.tokens.refresh)")
        expectEqual(third.status, 200)
        let fourth = try harness.form("/oauth/token", "grant_type=refresh_token&refresh_token=\(third.tokens.refresh)")
        expectEqual(fourth.status, 200)
        // A world that is named is the one that is asked.
        let elsewhere = try harness.get("/@two/v1/me", token: second.tokens.access)
        expectEqual(elsewhere.verdict, "401 token_invalid")
        try expectEqual(harness.get("/@main/v1/me", token: second.tokens.access).verdict, "401 token_invalid")
    }

    @Test(arguments: formats) func `15 a fork has the sessions, and other tokens`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let tokens = try harness.login()
        try harness.makeWorld("fork", from: "main")
        try expectEqual(harness.get("/@fork/v1/me", token: tokens.access).verdict, "401 token_invalid")
        let json: JSON = ["refreshToken": .string(tokens.refresh)]
        try expectEqual(harness.post("/@fork/v1/refresh", json).verdict, "401 refresh_invalid")
        try expectEqual(harness.post("/v1/refresh", json).status, 200)
        let forked = try #require(harness.emulator[world: "fork"])
        expectEqual(forked.world.state(0, CustomAPIState.self).signIn.sessions.count, 1)
    }

    @Test(arguments: formats) func `15 a snapshot has the sessions of its moment`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let before = try harness.login()
        let hosted = try harness.hosted()
        _ = try harness.emulator.takeSnapshot(named: "then", of: hosted, at: harness.hostTime)
        let after = try harness.refresh(before.refresh).tokens
        try expectEqual(harness.refresh(before.refresh).verdict, "401 refresh_reused")
        try expectEqual(harness.get("/v1/me", token: after.access).verdict, "401 token_revoked")
        try harness.emulator.restore("then", in: hosted, at: harness.hostTime)
        try expectEqual(harness.get("/v1/me", token: before.access).status, 200)
        // What was issued after the snapshot is gone with it.
        try expectEqual(harness.get("/v1/me", token: after.access).verdict, "401 token_revoked")
        try expectEqual(harness.refresh(after.refresh).verdict, "401 refresh_revoked")
        try harness.advance(.seconds(5))
        let again = try harness.refresh(before.refresh)
        #expect(again.status == 200 && again.tokens != after)
        try expectEqual(harness.get("/v1/me", token: after.access).verdict, "401 token_revoked")
        try expectEqual(harness.refresh(again.tokens.refresh).status, 200)
    }

    @Test(arguments: formats) func `15 an export keeps sessions and codes`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let tokens = try harness.login()
        try harness.post("/v1/otp", ["email": "bo@example.com"])
        let document = try #require(
            harness.emulator.dump(try harness.hosted(), at: harness.hostTime).document.objectValue
        )
        let other = try SignInFixture.harness(tokens: format)
        try other.emulator.load(document, into: try other.hosted(), at: other.hostTime)
        try expectEqual(other.get("/v1/me", token: tokens.access).status, 200)
        try expectEqual(other.post("/v1/otp/verify", ["email": "bo@example.com", "code": "123456"]).status, 200)
        try expectEqual(other.refresh(tokens.refresh).status, 200)
        try expectEqual(other.refresh(tokens.refresh).verdict, "401 refresh_reused")
    }

    @Test func `15 caches are dropped without a loss`() throws {
        let harness = try SignInFixture.harness()
        let tokens = try harness.login()
        let box = StateBox(try harness.hosted().world.state(0, CustomAPIState.self))
        harness.api.dropCaches(box)
        expectEqual(box.state.signIn.tokens.claims(of: tokens.access)?.user, "1")
        expectEqual(box.state.signIn.sessions.count, 1)
    }

    @Test(arguments: formats) func `23 every token that is issued is known as ours`(format: String) throws {
        let harness = try SignInFixture.harness(tokens: format)
        let tokens = try harness.login()
        let minted = try harness.mint(TokenOrder(user: "2", kind: .refresh))
        for token in [tokens.access, tokens.refresh, minted] {
            let known = format.contains("jwt") ? String(token.split(separator: ".")[2]) : token
            #expect(harness.emulator.issued.holds(Array(known.utf8)))
        }
    }
}
