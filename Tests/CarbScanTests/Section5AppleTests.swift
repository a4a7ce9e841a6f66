import Backend
import CivilTime
import Crypto
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Section 5.2: Sign in with Apple.
struct Section5AppleTests {
    private static func unsigned(_ payload: JSON) -> String {
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"x"}"#.utf8))
        return "\(header).\(Base64URL.encode(payload.serialized())).\(Base64URL.encode([1, 2, 3]))"
    }

    private func signed(
        _ harness: Harness,
        header: JSONObject? = nil,
        _ changes: JSONObject = JSONObject()
    ) throws -> String {
        try harness.state { state, core in
            let key = state.tokens.apple.key
            let payload: JSONObject = [
                "iss": "https://appleid.apple.com", "aud": "ai.carbscan.app", "sub": "001234.abc.0001",
                "iat": .integer(core.now.seconds), "exp": .integer(core.now.seconds + 600),
                "email": "apple@example.com", "email_verified": "true", "is_private_email": false,
            ]
            let usual: JSONObject = ["alg": "RS256", "kid": .string(key.publicKey.kid)]
            return JWT.signed(
                header: JSON.object(header ?? usual).serialized(),
                payload: JSON.object(payload.overridden(by: changes)).serialized(),
                key: .rs256(key)
            )
        }
    }

    @Test func `5.2 lenient: a foreign JWT gives sub and mail unverified, whatever its dates`() throws {
        let harness = try Harness()
        let token = Self.unsigned(["sub": "001.real.001", "email": "Real@Example.com", "exp": 1])
        let user = try harness.apple(token).at("user")
        expectEqual(
            user.text,
            #"{"id":"001.real.001","email":"Real@Example.com","firstName":null,"lastName":null,"subscriptionTier":"free","profileImageUrl":null}"#
        )
        try expectEqual(harness.apple(token).at("user.id"), "001.real.001")
    }

    @Test func `5.2 lenient: mock_apple names an account, any other string is a user of its own`() throws {
        let harness = try Harness()
        try expectEqual(
            harness.apple("mock_apple:Essentials@carbscan.test").at("user.id"),
            "000102.000000000000000000000000e55e0002.0102"
        )
        try expectEqual(harness.apple("mock_apple:fresh@example.com").at("user.email"), "fresh@example.com")
        let digest = Hex.encode(SHA256.digest(Array("anything".utf8))).prefix(32)
        try expectEqual(harness.apple("anything").at("user.id"), .string("001999.\(digest).0001"))
        try expectEqual(harness.apple("anything").at("user.id"), .string("001999.\(digest).0001"))
        #expect(try harness.apple("anything else").at("user.id") != .string("001999.\(digest).0001"))
        // ResponseModel like a JWT, but without a sub: a string like any other.
        try expectEqual(harness.apple("a.b.c").at("user.id").stringValue?.hasPrefix("001999."), true)
    }

    @Test func `5.2 lenient: of the minted ones only the valid pass`() throws {
        for mode in ["lenient", "strict"] {
            let harness = try Harness()
            try harness.set(["apple": ["mode": .string(mode)]])
            for state in TokenOrder.State.allCases {
                let reply = try harness.apple(try harness.mint(Harness.pro, .appleIdentity, state))
                if state == .valid {
                    expectEqual(reply.at("user.email"), "pro@carbscan.test")
                } else {
                    expectEqual(reply.error, "401 INVALID_TOKEN", "\(mode) \(state)")
                }
            }
            let token = try harness.mint(Harness.pro, .appleIdentity)
            try harness.advance(.days(1))
            try expectEqual(harness.apple(token).error, "401 INVALID_TOKEN")
        }
    }

    @Test func `5.2 strict: a good token passes, and so does a list of audiences`() throws {
        let harness = try Harness()
        try harness.set(["apple": ["mode": "strict"]])
        try expectEqual(harness.apple(signed(harness)).at("user.id"), "001234.abc.0001")
        try expectEqual(harness.apple(signed(harness, ["aud": ["x", "ai.carbscan.app"]])).status, 200)
        try expectEqual(
            harness.apple(signed(harness, ["email_verified": true, "is_private_email": "true"])).status,
            200
        )
        try expectEqual(harness.apple(signed(harness, ["nonce": "unchecked"])).status, 200)
        try harness.set(["apple": ["clientId": "com.example.other"]])
        try expectEqual(harness.apple(signed(harness)).error, "401 INVALID_TOKEN")
        try expectEqual(harness.apple(signed(harness, ["aud": "com.example.other"])).status, 200)
    }

    @Test func `5.2 strict: every claim is checked`() throws {
        let harness = try Harness()
        try harness.set(["apple": ["mode": "strict"]])
        let now = try harness.now.seconds
        let bad: [JSONObject] = [
            ["iss": "https://appleid.apple.com/"], ["iss": .null], ["aud": "ai.carbscan"], ["aud": .null],
            ["aud": []], ["aud": 1], ["exp": .integer(now)], ["exp": .null], ["exp": "soon"],
            ["iat": .integer(now + 61)], ["iat": .null], ["sub": ""], ["sub": .null], ["sub": 1],
        ]
        for changes in bad {
            try expectEqual(harness.apple(signed(harness, changes)).error, "401 INVALID_TOKEN", "\(changes)")
        }
        try expectEqual(harness.apple(signed(harness, ["iat": .integer(now + 60)])).status, 200)
        try expectEqual(harness.apple(signed(harness, ["exp": .integer(now + 1)])).status, 200)
        let kid = try harness.state { state, _ in state.tokens.apple.key.publicKey.kid }
        for header: JSONObject in [
            ["alg": "RS256"], ["alg": "RS256", "kid": "other"], ["alg": "HS256", "kid": .string(kid)],
            ["alg": "none", "kid": .string(kid)], ["kid": .string(kid)],
        ] {
            try expectEqual(harness.apple(signed(harness, header: header)).error, "401 INVALID_TOKEN")
        }
        for token in ["anything", "mock_apple:pro@carbscan.test", Self.unsigned(["sub": "x"]), "a.b.c"] {
            try expectEqual(harness.apple(token).error, "401 INVALID_TOKEN")
        }
        let good = try signed(harness)
        let last = good.last == "A" ? "B" : "A"
        try expectEqual(harness.apple(String(good.dropLast(6)) + last + good.suffix(5)).error, "401 INVALID_TOKEN")
    }

    @Test func `5.2 strict: the keys of endpoint 23 verify what is minted`() throws {
        let harness = try Harness()
        let reply = try harness.get("//auth/keys")
        expectEqual(reply.keys, ["keys"])
        expectEqual(reply[.contentType], "application/json; charset=utf-8")
        let key = reply.json.at("keys.0")
        expectEqual(key.keys, ["kty", "kid", "use", "alg", "n", "e"])
        expectEqual(key["e"], "AQAB")
        expectEqual(key["alg"], "RS256")
        let modulus = try #require(Base64URL.decode(key.string("n")))
        let exponent = try #require(Base64URL.decode(key.string("e")))
        let known = try #require(RSAPublicKey(modulus: modulus, exponent: exponent))
        let token = try JWT.Parts(parsing: try harness.mint(Harness.free, .appleIdentity))
        #expect(JWT.verifyRS256(token, key: known))
        expectEqual(known.kid, key.string("kid"))
    }

    @Test func `5.2 account rules: a known sub wins, what is sent only fills nulls`() throws {
        let harness = try Harness()
        let token = Self.unsigned([
            "sub": "000104.00000000000000000000000000000004.0104", "email": "free@carbscan.test",
        ])
        let user = try harness.apple(token, user: ["email": "x@example.com", "firstName": "New", "lastName": "Name"])
            .at("user")
        #expect(
            user.string("email") == Harness.new && user.string("firstName") == "New"
                && user.string("lastName") == "Name"
        )
        let again = try harness.apple(token, user: ["firstName": "Other"]).at("user")
        expectEqual(again.string("firstName"), "New")
        // A mail fills a stored null, unless somebody has it.
        let bare = Self.unsigned(["sub": "bare"])
        try expectEqual(harness.apple(bare, user: ["email": "pro@carbscan.test"]).at("user.email"), .null)
        try expectEqual(harness.apple(bare, user: ["email": "bare@example.com"]).at("user.email"), "bare@example.com")
    }

    @Test func `5.2 account rules: the token's mail links, in any case of its letters; the body's never does`() throws {
        let harness = try Harness()
        let linked = try harness.apple(Self.unsigned(["sub": "a1", "email": "WEB@carbscan.test"]))
        expectEqual(linked.at("user.id"), "web-1001")
        expectEqual(linked.at("user.subscriptionTier"), "essentials")
        let token = linked.at("accessToken").stringValue ?? ""
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 12)
        // From now on by its sub alone.
        try expectEqual(harness.apple(Self.unsigned(["sub": "a1"])).at("user.id"), "web-1001")
        let other = try harness.apple(Self.unsigned(["sub": "a2"]), user: ["email": "web@carbscan.test"])
        expectEqual(other.at("user.id"), "a2")
        expectEqual(other.at("user.email"), .null)
    }

    @Test func `5.2 account rules: an id that is somebody's is never taken over`() throws {
        let harness = try Harness()
        let reply = try harness.apple(Self.unsigned(["sub": "web-1001"]))
        expectEqual(reply.at("user.id"), "apple.web-1001")
        try expectEqual(harness.get("/meals", token: try harness.mint(Harness.web)).at("pagination.total"), 12)
    }

    @Test func `7.3 the body is validated before everything, field by field`() throws {
        let harness = try Harness()
        try harness.set(["apple": ["configured": false]])
        func error(_ body: JSON) throws -> String { try harness.post("/auth/apple", json: body).error }
        try expectEqual(
            error([:]),
            #"400 VALIDATION_ERROR {"identityToken":"required","authorizationCode":"required"}"#
        )
        try expectEqual(
            error(["identityToken": ["identityToken": "x"]]),
            #"400 VALIDATION_ERROR {"identityToken":"wrong_type","authorizationCode":"required"}"#
        )
        try expectEqual(
            error(["identityToken": " ", "authorizationCode": ""]),
            #"400 VALIDATION_ERROR {"identityToken":"empty","authorizationCode":"empty"}"#
        )
        let long: JSON = .string(String(repeating: "x", count: 16_385))
        try expectEqual(
            error(["identityToken": long, "authorizationCode": long, "user": "x"]),
            #"400 VALIDATION_ERROR {"identityToken":"too_long","authorizationCode":"too_long","user":"wrong_type"}"#
        )
        let person: JSON = [
            "email": .string(String(repeating: "x", count: 255)),
            "firstName": .string(String(repeating: "x", count: 101)),
            "lastName": 5,
        ]
        try expectEqual(
            error(["identityToken": "x", "authorizationCode": "x", "user": person]),
            #"400 VALIDATION_ERROR {"user.email":"too_long","user.firstName":"too_long","user.lastName":"wrong_type"}"#
        )
        let reply = try harness.apple(
            "x",
            user: ["email": .string(String(repeating: "x", count: 254)), "firstName": .null]
        )
        expectEqual(reply.error, "500 CONFIGURATION_ERROR")
        expectEqual(reply.json.at("error.message").stringValue?.contains("Apple Sign In"), true)
        expectEqual(reply.json.at("error.message").stringValue?.contains("not configured"), true)
    }

    @Test func `7.3 identityToken and authorizationCode at their limits pass`() throws {
        let harness = try Harness()
        let body: JSON = [
            "identityToken": .string(String(repeating: "x", count: 16_384)),
            "authorizationCode": .string(String(repeating: "x", count: 4_096)),
        ]
        try expectEqual(harness.post("/auth/apple", json: body).status, 200)
    }
}
