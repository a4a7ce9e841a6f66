import Backend
import Crypto
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Sections 3.2 and 3.3: Apple identity tokens and the sign-in.
struct Section3AppleTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func signIn(_ token: String, email: String? = nil, first: String? = nil, last: String? = nil) throws
        -> Played
    {
        var user = JSONObject()
        if let email { user["email"] = .string(email) }
        var name = JSONObject()
        if let first { name["firstName"] = .string(first) }
        if let last { name["lastName"] = .string(last) }
        if !name.isEmpty { user["name"] = .object(name) }
        var body: JSONObject = ["idToken": .string(token)]
        if !user.isEmpty { body["user"] = .object(user) }
        return try harness.post("/api/v1/auth/apple", json: .object(body))
    }

    private func jwt(_ payload: JSONObject, header: String = #"{"alg":"RS256"}"#) -> String {
        let parts = [Array(header.utf8), JSON.object(payload).serialized(), Array("signature".utf8)]
        return parts.map { Base64URL.encode($0) }.joined(separator: ".")
    }

    private func profile(_ reply: Played) throws -> Played {
        try harness.get("/api/v1/user/profile", token: reply.text(at: "accessToken"))
    }

    // MARK: 3.3 The answer

    @Test func `3.3 a sign-in answers exactly these fields`() throws {
        let reply = try signIn("mock_apple_token")
        expectEqual(reply.status, 200)
        expectEqual(reply.keys, ["accessToken", "refreshToken", "expiresIn", "tokenType", "user"])
        expectEqual(reply.json["user"], ["id": "user_test_icloud_0001", "email": "test@icloud.com"])
        #expect(
            reply.text.hasSuffix(
                #""expiresIn":900,"tokenType":"Bearer","user":{"id":"user_test_icloud_0001","email":"test@icloud.com"}}"#
            )
        )
    }

    @Test(arguments: [#"{}"#, #"{"idToken":null}"#, #"{"idToken":""}"#, #"{"user":{"email":"a@example.com"}}"#])
    func `3.3 a missing identity token is 400`(body: String) throws {
        try expectEqual(harness.post("/api/v1/auth/apple", text: body).error, "400 Missing idToken")
    }

    @Test func `3.3 a new identity without an e-mail is 400 and makes nobody`() throws {
        let count = try harness.state { state, _ in state.users.count }
        try expectEqual(signIn("unheard of").error, "400 Email required for new users")
        try expectEqual(signIn("unheard of", email: "").error, "400 Email required for new users")
        try expectEqual(signIn(jwt(["sub": "apple.1"])).error, "400 Email required for new users")
        try expectEqual(harness.state { state, _ in state.users.count }, count)
    }

    @Test func `3.3 a new user is free with the joined name and nothing else`() throws {
        let reply = try profile(signIn("t", email: "new@example.com", first: " Ada ", last: " Lovelace "))
        expectEqual(reply.text(at: "name"), "Ada   Lovelace")
        expectEqual(reply.text(at: "tier"), "free")
        expectEqual(reply.json["imageUrl"], .null)
        expectEqual(reply.json["subscription"], .null)
        expectEqual(reply.json["battery"], .null)
        expectEqual(reply.text(at: "createdAt"), "2025-01-01T12:00:00Z")
    }

    @Test(
        arguments: [
            (nil, nil, "someone"), ("", "", "someone"), ("  ", nil, "someone"), ("Ada", nil, "Ada"),
            (nil, "Lovelace", "Lovelace"),
            ("Ada", "", "Ada"), ("Ada", "Lovelace", "Ada Lovelace"),
        ] as [(String?, String?, String)]
    )
    func `3.3 without a name the part before the at sign is it`(first: String?, last: String?, name: String) throws {
        let reply = try profile(signIn("t", email: "someone@example.com", first: first, last: last))
        expectEqual(reply.text(at: "name"), name)
    }

    @Test func `3.3 a known identity ignores the body's user`() throws {
        let token = jwt(["sub": "apple.1", "email": "first@example.com"])
        let first = try signIn(token, first: "First")
        let second = try signIn(token, email: "second@example.com", first: "Second")
        expectEqual(second.json["user"], first.json["user"])
        try expectEqual(profile(second).text(at: "name"), "First")
    }

    @Test func `3.3 an unknown identity with a known e-mail is linked to that user`() throws {
        let linked = try signIn(jwt(["sub": "apple.power", "email": "power@omnichat.test"]))
        expectEqual(linked.text(at: "user.id"), "user_power_account_01")
        try expectEqual(signIn(jwt(["sub": "apple.power"])).text(at: "user.id"), "user_power_account_01")
    }

    @Test func `3.3 e-mails are compared exactly`() throws {
        let reply = try signIn("t", email: "Test@icloud.com")
        expectEqual(reply.status, 200)
        #expect(reply.text(at: "user.id") != "user_test_icloud_0001")
        let composed = try signIn("t1", email: "caf\u{E9}@example.com")
        let decomposed = try signIn("t2", email: "cafe\u{301}@example.com")
        #expect(composed.text(at: "user.id") != decomposed.text(at: "user.id"))
    }

    @Test func `3.3 the body's e-mail is used only if the token has none`() throws {
        let own = try signIn(jwt(["sub": "apple.1", "email": "token@example.com"]), email: "body@example.com")
        expectEqual(own.text(at: "user.email"), "token@example.com")
        let none = try signIn(jwt(["sub": "apple.2"]), email: "body@example.com")
        expectEqual(none.text(at: "user.email"), "body@example.com")
        let empty = try signIn(jwt(["sub": "apple.3", "email": ""]), email: "third@example.com")
        expectEqual(empty.text(at: "user.email"), "third@example.com")
    }

    @Test func `3.3 every success stores one session`() throws {
        for number in 1...3 {
            _ = try signIn("mock_apple_token")
            try expectEqual(harness.state { state, _ in state.refreshSessions.count }, number)
        }
    }

    // MARK: 3.2 Lenient mode

    @Test func `3.2 D27 the mock token is the documented user's from the start`() throws {
        try expectEqual(signIn("mock_apple_token").text(at: "user.id"), "user_test_icloud_0001")
    }

    @Test func `3.2 an opaque string with an e-mail is remembered as belonging to it`() throws {
        let first = try signIn("my token", email: "new@example.com")
        let second = try signIn("my token")
        expectEqual(second.json["user"], first.json["user"])
        try expectEqual(signIn("my other token").error, "400 Email required for new users")
        let third = try signIn("my other token", email: "new@example.com")
        expectEqual(third.json["user"], first.json["user"])
    }

    @Test func `3.2 the e-mail of the request wins over what a string was remembered for`() throws {
        _ = try signIn("shared", email: "one@example.com")
        let second = try signIn("shared", email: "two@example.com")
        expectEqual(second.text(at: "user.email"), "two@example.com")
        try expectEqual(signIn("shared").text(at: "user.email"), "two@example.com")
    }

    @Test func `3.2 any other JWT is believed without signature and audience`() throws {
        let reply = try signIn(jwt(["sub": "apple.1", "email": "jwt@example.com", "aud": "anything", "iss": "anyone"]))
        expectEqual(reply.text(at: "user.email"), "jwt@example.com")
    }

    @Test func `3.2 only the second of the three parts has to decode`() throws {
        let payload = Base64URL.encode(Array(#"{"sub":"apple.1","email":"jwt@example.com"}"#.utf8))
        for token in ["header.\(payload).signature", ".\(payload).", "!.\(payload).?"] {
            try expectEqual(signIn(token).text(at: "user.email"), "jwt@example.com", "\(token)")
        }
        // Not JWTs: other numbers of parts, or no object inside.
        let list = Base64URL.encode(Array("[1]".utf8))
        for token in ["a.\(payload)", "a.\(payload).c.d", "a.\(list).c", "a.b.c", payload] {
            try expectEqual(signIn(token).error, "400 Email required for new users", "\(token)")
        }
    }

    @Test(arguments: [(1, "200"), (0, "401 Invalid Apple ID token"), (-1, "401 Invalid Apple ID token")])
    func `3.2 a JWT whose end is past is refused`(seconds: Int64, expected: String) throws {
        let end = JSON.integer(1_735_732_800 + seconds)
        let reply = try signIn(jwt(["sub": "apple.1", "email": "jwt@example.com", "exp": end]))
        expectEqual(reply.status == 200 ? "200" : reply.error, expected)
    }

    @Test func `3.2 a JWT without a subject is refused, also with an e-mail in the body`() throws {
        for payload: JSONObject in [
            ["email": "a@example.com"], ["sub": "", "email": "a@example.com"], ["sub": 5], [:],
        ] {
            try expectEqual(signIn(jwt(payload), email: "b@example.com").error, "401 Invalid Apple ID token")
        }
    }

    // MARK: 3.2 Strict mode

    @Test func `3.2 strict mode refuses opaque strings and foreign JWTs`() throws {
        try harness.set(["apple": ["mode": "strict"]])
        for token in [
            "mock_apple_token", "x", jwt(["sub": "apple.1", "email": "jwt@example.com", "exp": 9_999_999_999]),
        ] {
            try expectEqual(signIn(token, email: "a@example.com").error, "401 Invalid Apple ID token")
        }
    }

    @Test(
        arguments: [
            ("aud", "com.example.other"), ("iss", "https://apple.example"), ("aud", .null), ("iss", .null),
            ("exp", .null),
            ("sub", .null), ("exp", 1_735_732_800), ("exp", "9999999999"), ("aud", ["com.example.omnichat"]),
        ] as [(String, JSON)]
    )
    func `3.2 strict mode checks issuer, audience, end and subject`(claim: String, value: JSON) throws {
        try harness.set(["apple": ["mode": "strict"]])
        let token = try harness.mint(
            Harness.test,
            .appleIdentity,
            claims: JSONObject([.init(name: claim, value: value)])
        )
        try expectEqual(signIn(token).error, "401 Invalid Apple ID token")
    }

    @Test func `3.2 strict mode takes the configured client id`() throws {
        let former = try harness.mint(Harness.test, .appleIdentity)
        expectEqual(TokenText.payload(of: former)?["aud"], "com.example.omnichat")
        try harness.set(["apple": ["mode": "strict", "clientId": "org.example.app"]])
        try expectEqual(signIn(former).error, "401 Invalid Apple ID token")
        try expectEqual(signIn(harness.mint(Harness.test, .appleIdentity)).status, 200)
    }

    @Test func `3.2 strict mode finds the key by its id and takes RS256 alone`() throws {
        try harness.set(["apple": ["mode": "strict"]])
        let key = try harness.state { state, _ in state.tokens.apple.key }
        func token(_ header: String) -> String {
            let payload: JSONObject = [
                "iss": "https://appleid.apple.com", "aud": "com.example.omnichat", "exp": 9_999_999_999,
                "sub": "apple.1",
                "email": "strict@example.com",
            ]
            return JWT.signed(header: Array(header.utf8), payload: JSON.object(payload).serialized(), key: .rs256(key))
        }
        try expectEqual(
            signIn(token(#"{"alg":"RS256","kid":"\#(key.publicKey.kid)"}"#)).text(at: "user.email"),
            "strict@example.com"
        )
        for header in [
            #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":"other"}"#, #"{"alg":"RS512","kid":"\#(key.publicKey.kid)"}"#,
            #"{"alg":"none","kid":"\#(key.publicKey.kid)"}"#, #"{"kid":"\#(key.publicKey.kid)"}"#,
        ] {
            try expectEqual(signIn(token(header)).error, "401 Invalid Apple ID token", "\(header)")
        }
    }
}
