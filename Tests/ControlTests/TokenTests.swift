import Backend
import CivilTime
import Crypto
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 12.
@Suite struct TokenTests {
    static let states = TokenOrder.State.allCases.map(\.rawValue)

    private func payload(_ token: String) throws -> JSON {
        let parts = token.split(separator: ".").map(String.init)
        return try JSONReader.read(try #require(Base64URL.decode(parts[1])))
    }

    @Test(arguments: states)
    func `an access token is taken when valid and refused in every other state`(state: String) throws {
        let harness = try Harness()
        let answer = try harness.chat(.get, "/api/v1/conversations", token: try harness.token(state: state))
        #expect(state == "valid" ? answer.status == 200 : answer.error == "401 Invalid or expired token")
    }

    @Test(arguments: states)
    func `a refresh token is taken when valid and refused in every other state`(state: String) throws {
        let harness = try Harness()
        let body: JSON = ["refreshToken": .string(try harness.token("refresh", state: state))]
        let answer = try harness.chat(.post, "/api/v1/auth/refresh", body)
        switch state {
        case "valid": expectEqual(answer.status, 200)
        case "revoked": expectEqual(answer.error, "401 Refresh token not found")
        default: expectEqual(answer.error, "401 Invalid refresh token")
        }
    }

    @Test(arguments: states, ["lenient", "strict"])
    func `an Apple identity token is taken when valid and refused in every other state`(state: String, mode: String)
        throws
    {
        let harness = try Harness()
        try harness.set(#"{"omnichat":{"apple":{"mode":"\#(mode)"}}}"#)
        let token = try harness.token("apple-identity", state: state, user: "power@omnichat.test")
        let answer = try harness.chat(.post, "/api/v1/auth/apple", ["idToken": .string(token)])
        guard state == "valid" else {
            expectEqual(answer.error, "401 Invalid Apple ID token")
            return
        }
        expectEqual(answer.json["user"]?.text, #"{"id":"user_power_account_01","email":"power@omnichat.test"}"#)
    }

    @Test func `strict mode refuses what lenient mode takes`() throws {
        let harness = try Harness()
        try expectEqual(harness.chat(.post, "/api/v1/auth/apple", ["idToken": "mock_apple_token"]).status, 200)
        try harness.set(#"{"omnichat":{"apple":{"mode":"strict"}}}"#)
        let answer = try harness.chat(.post, "/api/v1/auth/apple", ["idToken": "mock_apple_token"])
        expectEqual(answer.error, "401 Invalid Apple ID token")
    }

    @Test func `the key set verifies the identity tokens`() throws {
        let harness = try Harness()
        let keys = try harness.call(.get, "/apple/keys?api=omnichat")
        expectEqual(keys.status, 200)
        expectEqual(keys.json["keys"]?[0]?.keys, ["kty", "kid", "use", "alg", "n", "e"])
        expectEqual(keys.json["keys"]?.arrayValue?.count, 1)
        let header = try harness.token("apple-identity").split(separator: ".").map(String.init)[0]
        let kid = try JSONReader.read(try #require(Base64URL.decode(header))).string("kid")
        expectEqual(keys.json["keys"]?[0]?.string("kid"), kid)
    }

    @Test func `the answer is 201 with the token and its end`() throws {
        let harness = try Harness()
        let access = try harness.call(.post, "/tokens", #"{"api":"omnichat","user":"test@icloud.com","kind":"access"}"#)
        expectEqual(access.status, 201)
        expectEqual(access.json.keys, ["token", "expiresAt"])
        expectEqual(access.json.string("expiresAt"), "2025-01-01T12:15:00.000Z")
        let refresh = try harness.call(
            .post,
            "/tokens?api=omnichat",
            #"{"user":"user_test_icloud_0001","kind":"refresh"}"#
        )
        expectEqual(refresh.json.string("expiresAt"), "2025-01-31T12:00:00.000Z")
        let atPort = try harness.call(
            .post,
            "/tokens",
            #"{"user":"test@icloud.com","kind":"access"}"#,
            entryPoint: .api(0)
        )
        expectEqual(atPort.status, 201)
    }

    @Test func `a time to live ends the token, to the second`() throws {
        let harness = try Harness()
        let order = #"{"user":"test@icloud.com","kind":"access","ttlSeconds":10}"#
        let answer = try harness.call(.post, "/tokens?api=omnichat", order)
        expectEqual(answer.json.string("expiresAt"), "2025-01-01T12:00:10.000Z")
        let token = answer.json.string("token")
        try harness.advance(9)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 200)
        try harness.advance(1)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 401)
    }

    @Test(
        arguments: [
            (#""ttlSeconds":2.5"#, "2025-01-01T12:00:02.000Z"),
            (#""claims":{"exp":1735732801}"#, "2025-01-01T12:00:01.000Z"),
            (#""ttlSeconds":5,"claims":{"exp":1735732803}"#, "2025-01-01T12:00:03.000Z"),
            (#""claims":{"exp":null}"#, nil), (#""claims":{"exp":1e300}"#, nil),
        ] as [(String, String?)]
    )
    func `12 expiresAt is the end that the token itself has`(order: String, end: String?) throws {
        let harness = try Harness()
        let body = #"{"user":"test@icloud.com","kind":"access",\#(order)}"#
        let answer = try harness.call(.post, "/tokens?api=omnichat", body)
        expectEqual(answer.status, 201)
        expectEqual(answer.json["expiresAt"]?.stringValue, end)
    }

    @Test func `claims are set in the payload, and null takes one out`() throws {
        let harness = try Harness()
        let order = #"{"user":"test@icloud.com","kind":"access","claims":{"tier":"gold","email":null}}"#
        let token = try harness.call(.post, "/tokens?api=omnichat", order).json.string("token")
        let payload = try payload(token)
        expectEqual(payload.string("tier"), "gold")
        expectNil(payload["email"])
        expectEqual(payload.string("iss"), "https://understudy.invalid/@main")
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 200)
    }

    @Test func `a valid token is a real session: it can be refreshed and revoked`() throws {
        let harness = try Harness()
        let refresh = try harness.token("refresh")
        let body: JSON = ["refreshToken": .string(refresh)]
        let fresh = try harness.chat(.post, "/api/v1/auth/refresh", body).json.string("accessToken")
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: fresh).status, 200)
        let revoke = try harness.call(.post, "/users/test@icloud.com/revoke", #"{"tokens":"all"}"#)
        expectEqual(revoke.text, #"{"user":"test@icloud.com"}"#)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: fresh).error, "401 Invalid or expired token")
        try expectEqual(harness.chat(.post, "/api/v1/auth/refresh", body).error, "401 Refresh token not found")
    }

    @Test(arguments: [
        ("{}", ["$.user", "$.kind"]), (#"{"user":"","kind":"access"}"#, ["$.user"]),
        (#"{"user":5,"kind":"access"}"#, ["$.user"]),
        (#"{"user":"test@icloud.com","kind":"session"}"#, ["$.kind"]),
        (#"{"user":"test@icloud.com","kind":5}"#, ["$.kind"]),
        (#"{"user":"test@icloud.com","kind":"access","state":"old"}"#, ["$.state"]),
        (#"{"user":"test@icloud.com","kind":"access","ttlSeconds":-1}"#, ["$.ttlSeconds"]),
        (#"{"user":"test@icloud.com","kind":"access","ttlSeconds":"10"}"#, ["$.ttlSeconds"]),
        (#"{"user":"test@icloud.com","kind":"access","claims":[]}"#, ["$.claims"]),
        (#"{"user":"test@icloud.com","kind":"access","api":"nope"}"#, ["$.api"]),
        (#"{"user":"test@icloud.com","kind":"access","scope":"all"}"#, ["$.scope"]),
    ])
    func `each fault of an order is 422 with its path`(body: String, paths: [String]) throws {
        let answer = try Harness().call(.post, "/tokens?api=omnichat", body)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faultPaths, paths, "\(answer.faults)")
    }

    @Test func `the hub wants to know the API`() throws {
        let answer = try Harness().call(.post, "/tokens", #"{"user":"test@icloud.com","kind":"access"}"#)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faults, ["$.api: is required on the hub, here or as ?api=NAME"])
    }

    @Test func `3 an API that is misspelt is refused with the nearest`() throws {
        let order = #"{"api":"omnichatt","user":"test@icloud.com","kind":"access"}"#
        let answer = try Harness().call(.post, "/tokens", order)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faults, ["$.api: must be one of omnichat; did you mean omnichat?"])
    }

    @Test func `an unknown user is 422`() throws {
        let harness = try Harness()
        let mint = try harness.call(.post, "/tokens?api=omnichat", #"{"user":"nobody@example.com","kind":"access"}"#)
        expectEqual(mint.problem, "422 unknown-user")
        for word in ["expire", "revoke"] {
            let answer = try harness.call(.post, "/users/nobody@example.com/\(word)", #"{"tokens":"all"}"#)
            expectEqual(answer.problem, "422 unknown-user")
            expectEqual(answer.detail, "No API has a user \"nobody@example.com\" in the world main.")
        }
    }

    @Test func `12 a user is named by id, or by e-mail in whatever case, as in a match`() throws {
        let harness = try Harness()
        for user in ["user_test_icloud_0001", "Test@iCloud.com"] {
            let token = try harness.token(user: user)
            try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 200)
            try expectEqual(harness.call(.post, "/users/\(user)/revoke", #"{"tokens":"all"}"#).status, 200)
            try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 401, "\(user)")
        }
        try expectEqual(harness.call(.post, "/users/USER_TEST_ICLOUD_0001/revoke", #"{"tokens":"all"}"#).status, 422)
    }

    // MARK: Ending tokens

    @Test(arguments: ["expire", "revoke"], ["access", "refresh", "all"])
    func `what a user holds ends at once, and only that`(manner: String, scope: String) throws {
        let harness = try Harness()
        let (access, refresh) = (try harness.token(), try harness.token("refresh"))
        let stranger = try harness.token(user: "other@omnichat.test")
        let answer = try harness.call(.post, "/users/test%40icloud.com/\(manner)", #"{"tokens":"\#(scope)"}"#)
        expectEqual(answer.status, 200)
        let first = try harness.chat(.get, "/api/v1/conversations", token: access)
        #expect(scope == "refresh" ? first.status == 200 : first.error == "401 Invalid or expired token")
        let second = try harness.chat(.post, "/api/v1/auth/refresh", ["refreshToken": .string(refresh)])
        if scope == "access" {
            expectEqual(second.status, 200)
        } else {
            expectEqual(second.error, "401 Refresh token " + (manner == "expire" ? "expired" : "not found"))
        }
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: stranger).status, 200)
        try expectEqual(
            harness.chat(.get, "/api/v1/conversations", token: try harness.token()).status,
            200,
            "new ones work"
        )
    }

    @Test(arguments: ["expire", "revoke"])
    func `inSeconds lets them live until then`(manner: String) throws {
        let harness = try Harness()
        let (access, refresh) = (try harness.token(), try harness.token("refresh"))
        let body = #"{"tokens":"all","inSeconds":60}"#
        try expectEqual(harness.call(.post, "/users/user_test_icloud_0001/\(manner)", body).status, 200)
        let order: JSON = ["refreshToken": .string(refresh)]
        try harness.advance(59)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: access).status, 200)
        try expectEqual(harness.chat(.post, "/api/v1/auth/refresh", order).status, 200)
        try harness.advance(1)
        try expectEqual(
            harness.chat(.get, "/api/v1/conversations", token: access).error,
            "401 Invalid or expired token"
        )
        try expectEqual(harness.chat(.post, "/api/v1/auth/refresh", order).status, 401)
    }

    @Test(arguments: [
        ("{}", "$.tokens"), (#"{"tokens":"everything"}"#, "$.tokens"), (#"{"tokens":5}"#, "$.tokens"),
        (#"{"tokens":"all","inSeconds":-1}"#, "$.inSeconds"), (#"{"tokens":"all","inSeconds":"1"}"#, "$.inSeconds"),
        (#"{"tokens":"all","now":true}"#, "$.now"),
    ])
    func `each fault of an ending is 422 with its path and ends nothing`(body: String, path: String) throws {
        let harness = try Harness()
        let token = try harness.token()
        for manner in ["expire", "revoke"] {
            let answer = try harness.call(.post, "/users/test@icloud.com/\(manner)", body)
            expectEqual(answer.problem, "422 invalid-body")
            expectEqual(answer.faultPaths, [path], "\(answer.faults)")
        }
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 200)
    }

    // MARK: Outbox

    @Test func `the outbox lists newest first, by address and API`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.get, "/outbox").text, #"{"items":[]}"#)
        let hosted = try harness.hosted()
        hosted.world.withCore { core in
            core.outbox.post(
                Outbox.Message(
                    to: "a@example.com",
                    kind: .otp,
                    api: "omnichat",
                    code: "123456",
                    at: core.now,
                    expiresAt: core.now + .seconds(60)
                )
            )
            core.outbox.post(
                Outbox.Message(
                    to: "b@example.com",
                    kind: .magicLink,
                    api: "omnichat",
                    token: "t",
                    url: "http://x/t",
                    at: core.now
                )
            )
        }
        let first =
            #"{"to":"b@example.com","kind":"magic-link","api":"omnichat","token":"t","url":"http://x/t","at":"2025-01-01T12:00:00.000Z"}"#
        let second =
            #"{"to":"a@example.com","kind":"otp","api":"omnichat","code":"123456","at":"2025-01-01T12:00:00.000Z","#
            + #""expiresAt":"2025-01-01T12:01:00.000Z"}"#
        try expectEqual(harness.call(.get, "/outbox").text, #"{"items":[\#(first),\#(second)]}"#)
        try expectEqual(harness.call(.get, "/outbox?to=a@example.com").text, #"{"items":[\#(second)]}"#)
        try expectEqual(harness.call(.get, "/outbox?to=A@Example.com").text, #"{"items":[\#(second)]}"#)
        try expectEqual(harness.call(.get, "/outbox?api=omnichat&limit=1").text, #"{"items":[\#(first)]}"#)
        try expectEqual(harness.call(.get, "/outbox?to=c@example.com")[.totalCount], "0")
        _ = try harness.call(.post, "/worlds", #"{"name":"f","from":"main"}"#)
        try expectEqual(harness.call(.get, "/outbox", world: "f").items.count, 2, "a fork copies the outbox")
        _ = try harness.call(.post, "/reset")
        #expect(try harness.call(.get, "/outbox").items.isEmpty)
        try expectEqual(harness.call(.get, "/outbox", world: "f").items.count, 2)
    }
}
