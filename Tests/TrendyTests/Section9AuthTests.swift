import Backend
import CivilTime
import Crypto
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trendy

/// Section 9: Supabase Auth.
struct Section9AuthTests {
    let harness: Harness

    init() throws { harness = try Harness() }

    private func code(_ status: Int, _ code: String, _ message: String? = nil, of reply: Played) {
        expectEqual(reply.auth, "\(status) \(code)")
        if let message { expectEqual(reply.text(at: "message"), message) }
    }

    // MARK: 9.2 Errors

    @Test(arguments: ["2024-01-01", "2024-01-02", "2025-12-31", "9999-12-31"])
    func `9.2 a client that names a version of 2024-01-01 or later gets the modern form and the echo`(version: String)
        throws
    {
        let reply = try harness.post(
            "/auth/v1/token?grant_type=password",
            json: ["email": "new@trendy.example", "password": "wrong"],
            headers: [("X-Supabase-Api-Version", version)]
        )
        expectEqual(reply.status, 400)
        expectEqual(reply.text, #"{"code":"invalid_credentials","message":"Invalid login credentials"}"#)
        expectEqual(reply["X-Supabase-Api-Version"], "2024-01-01")
        expectEqual(reply["x-sb-error-code"], "invalid_credentials")
        expectEqual(reply.fields.values(.contentType), ["application/json"])
    }

    @Test(arguments: [nil, "", "2023-12-31", "latest", "2024-13-01", "2024-1-1", "20240101", "2024-01-01T00:00:00Z"])
    func `9.2 without a usable version the form is the numeric one`(version: String?) throws {
        let reply = try harness.post(
            "/auth/v1/token?grant_type=password",
            json: ["email": "new@trendy.example", "password": "wrong"],
            headers: version.map { [(Harness.modern.0, $0)] } ?? []
        )
        expectEqual(reply.text, #"{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#)
        expectNil(reply["X-Supabase-Api-Version"])
        expectEqual(reply["x-sb-error-code"], "invalid_credentials")
    }

    @Test func `9.2 weak_password adds its reasons to either form`() throws {
        let body: JSON = ["email": "weak@trendy.example", "password": "12345"]
        let modern = try harness.signUp(body)
        expectEqual(
            modern.text,
            #"{"code":"weak_password","message":"Password should be at least 6 characters.","#
                + #""weak_password":{"reasons":["length"]}}"#
        )
        expectEqual(modern.status, 422)
        let old = try harness.post("/auth/v1/signup", json: body)
        expectEqual(
            old.text,
            #"{"code":422,"error_code":"weak_password","msg":"Password should be at least 6 characters.","#
                + #""weak_password":{"reasons":["length"]}}"#
        )
    }

    @Test func `9.2 unknown paths are 404 as text, other methods are refused`() throws {
        for path in ["/auth/v1", "/auth/v1/recover", "/auth/v2/user", "/auth/v1/user/x"] {
            let reply = try harness.get(path)
            expectEqual(reply.status, 404)
            expectEqual(reply.fields.values(.contentType), ["text/plain"])
        }
        let reply = try harness.get("/auth/v1/token")
        expectEqual(reply.status, 405)
        expectEqual(reply["Allow"], "POST")
    }

    @Test func `9.2 bodies that are empty, broken, no object, or over 1 MiB are refused`() throws {
        for path in [
            "/auth/v1/signup", "/auth/v1/token?grant_type=password", "/auth/v1/token?grant_type=refresh_token",
        ] {
            for text in ["", "{", "[]", "null", "{} {}", #"{"email":5,"password":"x","refresh_token":5,"data":5}"#] {
                let reply = try harness.send(.post, path, body: Array(text.utf8), headers: [Harness.modern])
                code(400, "bad_json", of: reply)
            }
            let big = Array(#"{"x":""#.utf8) + [UInt8](repeating: 0x61, count: 1_048_576 - 8) + Array(#""}"#.utf8)
            #expect(try harness.send(.post, path, body: big).status != 413)
            code(
                413,
                "request_entity_too_large",
                of: try harness.send(.post, path, body: big + [0x20], headers: [Harness.modern])
            )
        }
    }

    // MARK: 9.3 Sign-up

    @Test func `9.3 sign-up answers a session, makes a profile and no onboarding record`() throws {
        let reply = try harness.signUp([
            "email": "Fresh.One@Trendy.Example", "password": "trendy-pass-2",
            "data": ["full_name": "Fresh One", "email": "ignored"], "gotrue_meta_security": [:],
            "code_challenge": .null,
        ])
        expectEqual(reply.status, 200)
        expectEqual(reply.keys, ["access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user"])
        expectEqual(reply.text(at: "user.email"), "fresh.one@trendy.example")
        expectEqual(
            reply.json["user"]?["user_metadata"]?.text,
            #"{"email":"fresh.one@trendy.example","email_verified":true,"phone_verified":false,"sub":""#
                + reply.text(at: "user.id") + #"","full_name":"Fresh One"}"#
        )
        let token = reply.text(at: "access_token")
        let profiles = try harness.get("/rest/v1/profiles?select=*", token: token)
        expectEqual(profiles.json[0]?["id"]?.stringValue, reply.text(at: "user.id"))
        try expectNil(harness.state { state, _ in state.onboarding[reply.text(at: "user.id")] })
        try expectEqual(harness.get(Harness.onboarding, token: token).keys.count, 4)
        try expectEqual(
            harness.grant("password", ["email": "FRESH.ONE@trendy.example", "password": "trendy-pass-2"]).status,
            200
        )
    }

    @Test(arguments: [1, 60, 64, 500, 510])
    func `9.3 the session of a sign-up with deep data works`(depth: Int) throws {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let body = #"{"email":"deep@trendy.example","password":"123456","data":{"x":\#(deep)}}"#
        let reply = try harness.send(
            .post,
            "/auth/v1/signup",
            body: Array(body.utf8),
            headers: [Harness.modern]
        )
        expectEqual(reply.status, 200)
        try expectEqual(harness.get(Harness.onboarding, token: reply.text(at: "access_token")).status, 200)
    }

    @Test func `9.3 the refusals come in their order, with limits at n and n and one`() throws {
        func signUp(_ email: JSON, _ password: JSON) throws -> Played {
            try harness.signUp(["email": email, "password": password])
        }
        let long = String(repeating: "p", count: 73)
        code(422, "anonymous_provider_disabled", of: try signUp("", ""))
        code(422, "anonymous_provider_disabled", of: try harness.signUp([:]))
        code(400, "validation_failed", of: try signUp("bad", .null))
        code(400, "validation_failed", of: try harness.signUp(["phone": "123"]))
        code(400, "validation_failed", of: try signUp("new@trendy.example", .string(long)))
        code(422, "weak_password", "Password should be at least 6 characters.", of: try signUp("bad", "12345"))
        code(400, "validation_failed", of: try signUp("bad", "123456"))
        code(422, "user_already_exists", "User already registered", of: try signUp("NEW@trendy.example", "123456"))
        try expectEqual(signUp("a72@trendy.example", .string(String(long.dropLast()))).status, 200)
        try expectEqual(signUp("a6@trendy.example", "123456").status, 200)
        try expectEqual(signUp("u6@trendy.example", "äöüäöü").status, 200)
        code(400, "validation_failed", of: try signUp("u73@trendy.example", .string(String(repeating: "ä", count: 37))))
        let local = String(repeating: "l", count: 255 - "@trendy.example".count)
        try expectEqual(signUp(.string(local + "@trendy.example"), "123456").status, 200)
        code(400, "validation_failed", of: try signUp(.string(local + "l@trendy.example"), "123456"))
        for bad in [" a@b.c", "a@b.c ", "a b@c.d", "a@", "@b.c", "a@b@c.d", "a@-b.c", "a@b..c", "ä@b.c"] {
            code(400, "validation_failed", of: try signUp(.string(bad), "123456"))
        }
    }

    // MARK: 9.4 Password

    @Test func `9.4 a password sign-in has the documented members, user and claims in their order`() throws {
        let reply = try harness.signIn("new")
        expectEqual(reply.status, 200)
        expectEqual(
            reply.keys,
            ["access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user", "weak_password"]
        )
        expectEqual(reply.text(at: "token_type"), "bearer")
        expectEqual(reply.json["expires_in"], 3600)
        expectEqual(reply.json["expires_at"], 1_735_736_400)
        expectEqual(reply.json["weak_password"], .null)
        let refresh = reply.text(at: "refresh_token")
        expectEqual(refresh.utf8.count, 12)
        #expect(refresh.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
        let id = Harness.id(1)
        let identity = reply.json["user"]?["identities"]?[0]?.string("identity_id") ?? ""
        let expected = [
            #"{"id":"\#(id)","aud":"authenticated","role":"authenticated","email":"new@trendy.example","#,
            #""email_confirmed_at":"2024-12-20T08:58:00Z","phone":"","confirmed_at":"2024-12-20T08:58:00Z","#,
            #""last_sign_in_at":"2025-01-01T12:00:00Z","app_metadata":{"provider":"email","providers":["email"]},"#,
            #""user_metadata":{"email":"new@trendy.example","email_verified":true,"phone_verified":false,"#,
            #""sub":"\#(id)"},"identities":[{"identity_id":"\#(identity)","id":"\#(id)","user_id":"\#(id)","#,
            #""identity_data":{"email":"new@trendy.example","email_verified":true,"phone_verified":false,"#,
            #""sub":"\#(id)"},"provider":"email","last_sign_in_at":"2025-01-01T12:00:00Z","#,
            #""created_at":"2024-12-20T08:58:00Z","updated_at":"2024-12-20T08:58:00Z","#,
            #""email":"new@trendy.example"}],"created_at":"2024-12-20T08:58:00Z","#,
            #""updated_at":"2025-01-01T12:00:00Z","is_anonymous":false}"#,
        ]
        expectEqual(reply.json["user"]?.text, expected.joined())
        let token = reply.text(at: "access_token")
        let header = try JWT.Parts(parsing: token).headerBytes
        expectEqual(String(decoding: header, as: UTF8.self), #"{"alg":"HS256","typ":"JWT"}"#)
        let claims = harness.payload(token)
        expectEqual(
            claims.members.map(\.name).prefix(14),
            [
                "iss", "sub", "aud", "exp", "iat", "email", "phone", "app_metadata", "user_metadata", "role", "aal",
                "amr", "session_id", "is_anonymous",
            ]
        )
        expectEqual(claims["iss"], "http://127.0.0.1:4685/auth/v1")
        expectEqual(claims["exp"], 1_735_736_400)
        expectEqual(claims["iat"], 1_735_732_800)
        expectEqual(claims["amr"]?.text, #"[{"method":"password","timestamp":1735732800}]"#)
        #expect(UUIDShape.canonical(claims["session_id"]?.stringValue ?? "") != nil)
        expectEqual(claims["aud"], "authenticated")
        expectEqual(claims["aal"], "aal1")
    }

    @Test func `9.4 unknown address and wrong password are the same, and an address must be there`() throws {
        let wrong = try harness.signIn("new", password: "nope-nope")
        let unknown = try harness.signIn("nobody")
        code(400, "invalid_credentials", "Invalid login credentials", of: wrong)
        expectEqual(wrong.text, unknown.text)
        code(400, "invalid_credentials", of: try harness.grant("password", ["email": "new@trendy.example"]))
        code(400, "validation_failed", of: try harness.grant("password", ["password": "x"]))
        code(400, "validation_failed", of: try harness.grant("password", ["email": ""]))
        try expectEqual(
            harness.grant(
                "password",
                ["email": "NEW@Trendy.Example", "password": .string(Harness.password)]
            ).status,
            200
        )
    }

    @Test func `9.2 another grant type, or none, is unsupported before the body is looked at`() throws {
        for path in ["/auth/v1/token", "/auth/v1/token?grant_type=", "/auth/v1/token?grant_type=pkce"] {
            let reply = try harness.send(.post, path, headers: [Harness.modern])
            code(400, "invalid_credentials", "unsupported_grant_type", of: reply)
        }
    }

    @Test func `9.1 the key that the SDK sends as a bearer is ignored`() throws {
        let credentials: JSON = ["email": "new@trendy.example", "password": .string(Harness.password)]
        for header in ["Bearer anon-key", "Bearer a.b.c", "Basic x", "nonsense"] {
            let reply = try harness.post(
                "/auth/v1/token?grant_type=password",
                json: credentials,
                headers: [(.authorization, header)]
            )
            expectEqual(reply.status, 200)
            try expectEqual(
                harness.get("/auth/v1/.well-known/jwks.json", headers: [(.authorization, header)]).status,
                200
            )
        }
    }

    // MARK: 9.5 Refresh

    @Test func `9.5 1 and 2 malformed and unknown refresh tokens`() throws {
        for token in ["", "abc", "abcdefghijk", "ABCDEFGHIJKL", "abcdefghijk-", "abcdefghijkä"] {
            code(400, "validation_failed", "Refresh token is not valid", of: try harness.refresh(token))
        }
        code(400, "validation_failed", of: try harness.grant("refresh_token", [:]))
        for token in ["abcdefghijkl", "abcdefghijklm", String(repeating: "X", count: 100)] {
            code(
                400,
                "refresh_token_not_found",
                "Invalid Refresh Token: Refresh Token Not Found",
                of: try harness.refresh(token)
            )
        }
    }

    @Test func `9.5 3 the active token is exchanged for a new one of the same session`() throws {
        let signIn = try harness.signIn("new")
        try harness.advance(.seconds(100))
        let reply = try harness.refresh(signIn.text(at: "refresh_token"))
        expectEqual(reply.keys, ["access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user"])
        #expect(reply.text(at: "refresh_token") != signIn.text(at: "refresh_token"))
        expectEqual(reply.json["expires_at"], 1_735_736_500)
        let session = harness.payload(signIn.text(at: "access_token"))["session_id"]
        let claims = harness.payload(reply.text(at: "access_token"))
        expectEqual(claims["session_id"], session)
        expectEqual(claims["exp"], 1_735_736_500)
        try expectEqual(harness.authUser(reply.text(at: "access_token")).status, 200)
        try expectEqual(harness.authUser(signIn.text(at: "access_token")).status, 200)
    }

    @Test func `9.5 4 the parent of the active token gives the active one, at any age`() throws {
        let first = try harness.signIn("new").text(at: "refresh_token")
        let second = try harness.refresh(first).text(at: "refresh_token")
        for _ in 0..<3 {
            try harness.advance(.days(30))
            let again = try harness.refresh(first)
            expectEqual(again.status, 200)
            expectEqual(again.text(at: "refresh_token"), second)
        }
    }

    @Test func `9.5 5 an older token is taken for 10 s after its use, the last moment included`() throws {
        let first = try harness.signIn("new").text(at: "refresh_token")
        let second = try harness.refresh(first).text(at: "refresh_token")
        let third = try harness.refresh(second).text(at: "refresh_token")
        try harness.advance(.seconds(10))
        let late = try harness.refresh(first)
        expectEqual(late.status, 200)
        expectEqual(late.text(at: "refresh_token"), third)
    }

    @Test func `9.5 6 D18 after that the session ends with all its tokens`() throws {
        let signIn = try harness.signIn("new")
        let first = signIn.text(at: "refresh_token")
        let second = try harness.refresh(first).text(at: "refresh_token")
        let newest = try harness.refresh(second)
        let elsewhere = try harness.signIn("new")
        try harness.advance(.microseconds(10_000_001))
        code(
            400,
            "refresh_token_already_used",
            "Invalid Refresh Token: Already Used",
            of: try harness.refresh(first)
        )
        for token in [first, second, newest.text(at: "refresh_token")] {
            code(400, "refresh_token_not_found", of: try harness.refresh(token))
        }
        for reply in [signIn, newest] {
            let token = reply.text(at: "access_token")
            try expectEqual(harness.get(Harness.onboarding, token: token).status, 401)
            code(403, "session_not_found", of: try harness.authUser(token))
        }
        try expectEqual(harness.authUser(elsewhere.text(at: "access_token")).status, 200)
        try expectEqual(harness.refresh(elsewhere.text(at: "refresh_token")).status, 200)
    }

    // MARK: 9.6 Identity tokens

    @Test func `9.6 an opaque identity token makes the account that its digest names`() throws {
        let reply = try harness.grant("id_token", ["provider": "apple", "id_token": "opaque", "nonce": "n"])
        expectEqual(reply.status, 200)
        let digest = Hex.encode(SHA256.digest("opaque".utf8)).prefix(8)
        expectEqual(reply.text(at: "user.email"), "apple-\(digest)@trendy.example")
        expectEqual(reply.json["user"]?["app_metadata"]?.text, #"{"provider":"apple","providers":["apple"]}"#)
        expectNil(reply.json["weak_password"])
        let again = try harness.grant("id_token", ["provider": "apple", "id_token": "opaque"])
        expectEqual(again.text(at: "user.id"), reply.text(at: "user.id"))
        #expect(
            try harness.grant("id_token", ["provider": "google", "id_token": "opaque"]).text(at: "user.id")
                != reply.text(at: "user.id")
        )
    }

    @Test func `9.6 an email claim is the account, known or new`() throws {
        func token(_ payload: JSON) -> String {
            "e30." + Base64URL.encode(payload.serialized()) + ".sig"
        }
        let known = try harness.grant(
            "id_token",
            ["provider": "apple", "id_token": .string(token(["email": "NEW@trendy.example"]))]
        )
        expectEqual(known.text(at: "user.id"), Harness.id(1))
        expectEqual(known.json["user"]?["app_metadata"]?["providers"]?.text, #"["email","apple"]"#)
        let fresh = try harness.grant(
            "id_token",
            ["provider": "apple", "id_token": .string(token(["email": "who@else.example"]))]
        )
        expectEqual(fresh.text(at: "user.email"), "who@else.example")
        let without = try harness.grant("id_token", ["provider": "apple", "id_token": .string(token(["sub": "x"]))])
        #expect(without.text(at: "user.email").hasPrefix("apple-"))
    }

    @Test func `9.6 provider and id_token must be there`() throws {
        let bodies: [JSON] = [
            [:], ["provider": "apple"], ["id_token": "x"], ["provider": "", "id_token": "x"],
            ["provider": "apple", "id_token": ""], ["provider": "apple", "id_token": .null],
        ]
        for body in bodies { code(400, "validation_failed", of: try harness.grant("id_token", body)) }
    }

    @Test(arguments: ["lenient", "strict"])
    func `9.6 an identity token of the control API is its user if its state is valid`(mode: String) throws {
        try harness.set(["apple": ["mode": .string(mode)]])
        func signIn(_ token: String) throws -> Played {
            try harness.grant("id_token", ["provider": "apple", "id_token": .string(token)])
        }
        try expectEqual(
            signIn(try harness.mint("second@trendy.example", .appleIdentity)).text(at: "user.id"),
            Harness.id(10)
        )
        for state in [TokenOrder.State.expired, .revoked, .badSignature, .wrongAudience, .wrongIssuer] {
            let token = try harness.mint("second@trendy.example", .appleIdentity, state)
            code(400, "invalid_credentials", of: try signIn(token))
        }
        try expectEqual(signIn("opaque").status, mode == "lenient" ? 200 : 400)
    }

    // MARK: 9.7 to 9.9

    @Test func `9.7 the user needs a bearer, in any case of the word`() throws {
        let token = try harness.mint("new@trendy.example")
        for word in ["Bearer", "bearer", "BEARER"] {
            let reply = try harness.get("/auth/v1/user", headers: [(.authorization, "\(word) \(token)")])
            expectEqual(reply.status, 200)
            expectEqual(reply.text(at: "id"), Harness.id(1))
            expectEqual(reply.keys.count, 14)
        }
        for header in [nil, "", "Bearer", "Bearer ", token, "Basic \(token)"] {
            let reply = try harness.get(
                "/auth/v1/user",
                headers: (header.map { [(.authorization, $0)] } ?? []) + [Harness.modern]
            )
            code(401, "no_authorization", of: reply)
        }
    }

    @Test func `9.2 bad tokens are bad_jwt, ended sessions session_not_found, lost accounts user_not_found`() throws {
        for state in [TokenOrder.State.expired, .badSignature, .wrongAudience, .wrongIssuer] {
            for call in [harness.authUser, { try harness.logout($0) }] {
                let reply = try call(try harness.mint("new@trendy.example", .access, state))
                code(403, "bad_jwt", of: reply)
                #expect(reply.text(at: "message").hasPrefix("invalid JWT"))
            }
        }
        code(403, "bad_jwt", of: try harness.authUser("nonsense"))
        code(
            403,
            "session_not_found",
            of: try harness.authUser(try harness.mint("new@trendy.example", .access, .revoked))
        )
        let lost = try harness.mint("new@trendy.example", claims: ["sub": "7e4d0000-0000-4000-8000-0000000000ff"])
        code(403, "user_not_found", of: try harness.authUser(lost))
    }

    @Test(arguments: [nil, "global", "local", "others"])
    func `9.8 logout ends the sessions of its scope`(scope: String?) throws {
        let mine = try harness.signIn("new")
        let other = try harness.signIn("new")
        let stranger = try harness.signIn("second")
        let reply = try harness.logout(mine.text(at: "access_token"), scope: scope)
        expectEqual(reply.status, 204)
        #expect(reply.bytes.isEmpty)
        func isAlive(_ session: Played) throws -> Bool {
            let token = session.text(at: "access_token")
            let alive = try harness.authUser(token).status == 200
            if !alive { code(403, "session_not_found", of: try harness.authUser(token)) }
            try expectEqual(harness.get(Harness.onboarding, token: token).status == 200, alive)
            let refreshed = try harness.refresh(session.text(at: "refresh_token"))
            if !alive { code(400, "refresh_token_not_found", of: refreshed) }
            expectEqual(refreshed.status == 200, alive)
            return alive
        }
        try expectEqual(isAlive(mine), scope == "others")
        try expectEqual(isAlive(other), scope == "local")
        #expect(try isAlive(stranger))
    }

    @Test func `9.8 another scope is refused, after the token`() throws {
        let token = try harness.mint("new@trendy.example")
        code(400, "validation_failed", of: try harness.logout(token, scope: "all"))
        code(401, "no_authorization", of: try harness.logout(nil, scope: "all"))
        try expectEqual(harness.authUser(token).status, 200)
    }

    @Test func `9.9 the key set is empty unless an asymmetric key is configured, which then signs`() throws {
        let reply = try harness.get("/auth/v1/.well-known/jwks.json")
        expectEqual(reply.text, #"{"keys":[]}"#)
        expectEqual(reply.fields.values(.cacheControl), ["public, max-age=600"])
        let old = try harness.signIn("new").text(at: "access_token")
        try harness.set(["tokens": ["signing": "RS256"]])
        let keys = try harness.get("/auth/v1/.well-known/jwks.json").json["keys"]?[0]
        let token = try harness.signIn("new").text(at: "access_token")
        let header = try JSONReader.read(JWT.Parts(parsing: token).headerBytes)
        expectEqual(header["alg"], "RS256")
        expectEqual(header["kid"], keys?["kid"])
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 200)
        try expectEqual(harness.get(Harness.onboarding, token: old).status, 200)
        try harness.set(["tokens": ["signing": "HS256"]])
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 401)
    }

    @Test func `D28 Supabase's own limits count only when they are switched on`() throws {
        for _ in 0..<40 { try expectEqual(harness.signIn("nobody").status, 400) }
        try harness.set(["authRateLimits": "on"])
        for _ in 0..<30 { code(400, "invalid_credentials", of: try harness.signIn("nobody")) }
        code(429, "over_request_rate_limit", "Request rate limit reached", of: try harness.signIn("new"))
        for _ in 0..<150 { code(400, "refresh_token_not_found", of: try harness.refresh("abcdefghijkl")) }
        code(429, "over_request_rate_limit", of: try harness.refresh("abcdefghijkl"))
        try harness.advance(.seconds(301))
        try expectEqual(harness.signIn("new").status, 200)
    }

    // MARK: The control API's tokens (control contract, section 12)

    @Test func `control 12 minted refresh tokens work unless their state says otherwise`() throws {
        try expectEqual(harness.refresh(try harness.mint("new@trendy.example", .refresh)).status, 200)
        for state in [TokenOrder.State.expired, .revoked] {
            code(
                400,
                "refresh_token_not_found",
                of: try harness.refresh(try harness.mint("new@trendy.example", .refresh, state))
            )
        }
        for state in [TokenOrder.State.badSignature, .wrongAudience, .wrongIssuer] {
            // An opaque text has none of these.
            #expect(throws: Problem.self, "\(state)") {
                _ = try harness.mint("new@trendy.example", .refresh, state)
            }
        }
        let short = try harness.mint("new@trendy.example", .refresh, life: .seconds(5))
        try harness.advance(.seconds(5))
        code(400, "refresh_token_not_found", of: try harness.refresh(short))
    }

    @Test func `control 12 tokens of the command line are taken by a world of the same seed`() throws {
        let maker = try Harness()
        for kind in [TokenOrder.Kind.access, .refresh] {
            for state in [TokenOrder.State.valid, .revoked, .expired] {
                let token = try maker.mint("new@trendy.example", kind, state, isOffline: true)
                let isGood =
                    kind == .access
                    ? try harness.get(Harness.onboarding, token: token).status == 200
                    : try harness.refresh(token).status == 200
                expectEqual(isGood, state == .valid, "\(kind) \(state)")
            }
        }
        let token = try maker.mint("second@trendy.example", isOffline: true)
        try expectEqual(harness.logout(token).status, 204)
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 401)
        let refresh = try maker.mint("second@trendy.example", .refresh, isOffline: true)
        let next = try harness.refresh(refresh)
        expectEqual(next.text(at: "user.id"), Harness.id(10))
        try expectEqual(harness.refresh(next.text(at: "refresh_token")).status, 200)
    }

    @Test func `control 12 what a user holds ends now or later, as scope and manner say`() throws {
        for (scope, manner) in [
            (TokenEnding.Scope.access, TokenEnding.Manner.expire), (.access, .revoke), (.refresh, .expire),
            (.refresh, .revoke), (.all, .expire), (.all, .revoke),
        ] {
            let harness = try Harness()
            let session = try harness.signIn("new")
            let stranger = try harness.signIn("second")
            try harness.end("new@trendy.example", scope, manner, after: .seconds(10))
            let (access, refresh) = (session.text(at: "access_token"), session.text(at: "refresh_token"))
            try harness.advance(.milliseconds(9_999))
            try expectEqual(harness.authUser(access).status, 200)
            try harness.advance(.milliseconds(1))
            try expectEqual(harness.authUser(access).status == 200, scope == .refresh)
            if scope != .refresh {
                // A revoked session is over; everything else that ends an access token is an early expiry.
                let isOver = scope == .all && manner == .revoke
                code(403, isOver ? "session_not_found" : "bad_jwt", of: try harness.authUser(access))
            }
            let again = try harness.refresh(refresh)
            expectEqual(again.status == 200, scope == .access, "\(scope) \(manner)")
            if scope == .access {
                try expectEqual(harness.authUser(again.text(at: "access_token")).status, 200)
            }
            try expectEqual(harness.authUser(stranger.text(at: "access_token")).status, 200)
        }
    }
}
