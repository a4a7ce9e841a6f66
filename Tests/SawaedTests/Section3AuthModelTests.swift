import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Sawaed

/// Section 3: the authentication model.
struct Section3AuthModelTests {
    private let harness: Harness
    private static let me = "\(Harness.v1)/profile/me"

    init() throws { harness = try Harness() }

    // MARK: 3.1 Codes

    @Test func `3.1 a code is valid at exactly fifteen minutes and not after`() throws {
        for (seconds, isValid) in [(Int64(900), true), (901, false)] {
            _ = try harness.requestCode(Harness.layla)
            try harness.advance(.seconds(seconds))
            let reply = try harness.verify(Harness.layla)
            expectEqual(reply.status == 200, isValid, "\(seconds)")
            if !isValid { expectEqual(reply.error, "400 invalid_code") }
        }
    }

    @Test func `3.1 a code works once`() throws {
        try expectEqual(harness.signIn(Harness.layla).status, 200)
        try expectEqual(harness.verify(Harness.layla).error, "400 invalid_code")
    }

    @Test func `3.1 a new request replaces the former code, and codes can be distinct`() throws {
        try harness.set(["otp": ["codes": "distinct"]])
        _ = try harness.requestCode(Harness.layla)
        _ = try harness.requestCode(Harness.layla)
        let codes = try harness.outbox.compactMap(\.code)
        #expect(codes.count == 2 && codes[0] != codes[1])
        #expect(codes.allSatisfy { $0.utf8.count == 6 && $0.utf8.allSatisfy(\.isDigit) })
        try expectEqual(harness.verify(Harness.layla, codes[0]).error, "400 invalid_code")
        try expectEqual(harness.verify(Harness.layla, codes[1]).status, 200)
    }

    @Test func `3.1 the outbox has the code, its e-mail and its end`() throws {
        _ = try harness.requestCode(Harness.layla)
        let message = try #require(try harness.outbox.last)
        expectEqual(message.to, Harness.layla)
        expectEqual(message.kind, .otp)
        expectEqual(message.code, "123456")
        expectEqual(message.api, "sawaed")
        expectEqual(message.expiresAt, Harness.noon + .minutes(15))
    }

    @Test func `3.1 the e-mail is compared exactly`() throws {
        _ = try harness.requestCode(Harness.layla)
        try expectEqual(harness.verify("Layla@sawaed.test").error, "400 invalid_code")
        let other = try harness.signIn("Layla@sawaed.test")
        let profile = try harness.profile(other.text(at: "token"))
        expectEqual(profile["user"]?.string("id"), "appuser_0001")
        expectEqual(profile["user"]?.string("email"), "Layla@sawaed.test")
        expectEqual(profile["profile"], .null)
        try harness.state { state, _ in
            expectEqual(state.user(email: "Layla@sawaed.test")?.role, .youth)
            expectEqual(state.user(email: "Layla@sawaed.test")?.languagePreference, .ar)
        }
    }

    @Test func `3.1 ten failures are one too few, the eleventh attempt is refused with the right code too`() throws {
        _ = try harness.requestCode(Harness.layla)
        for _ in 0..<9 { try expectEqual(harness.verify(Harness.layla, "000000").error, "400 invalid_code") }
        try expectEqual(harness.verify(Harness.layla).status, 200)
        _ = try harness.requestCode(Harness.layla)
        for _ in 0..<10 { _ = try harness.verify(Harness.layla, "000000") }
        try expectEqual(harness.verify(Harness.layla).error, "400 invalid_code")
        try harness.advance(.minutes(6) - .microseconds(1))
        try expectEqual(harness.verify(Harness.layla).error, "400 invalid_code")
        // The refused attempts were not counted.
        try harness.advance(.microseconds(1))
        try expectEqual(harness.verify(Harness.layla).status, 200)
    }

    @Test func `3.1 a success resets the budget, and other e-mails have their own`() throws {
        for _ in 0..<9 { _ = try harness.verify(Harness.layla, "000000") }
        try expectEqual(harness.signIn(Harness.layla).status, 200)
        for _ in 0..<10 { _ = try harness.verify(Harness.layla, "000000") }
        try expectEqual(harness.signIn(Harness.layla).status, 400)
        try expectEqual(harness.signIn(Harness.omar).status, 200)
    }

    // MARK: 3.2 Tokens

    @Test func `3.2 the access token is RS256 with exactly these claims, and lives an hour`() throws {
        let token = try harness.signIn(Harness.layla).text(at: "token")
        let payload = try #require(TokenText.payload(of: token))
        expectEqual(payload.members.map(\.name), ["sub", "iss", "aud", "iat", "exp"])
        expectEqual(payload["sub"], "user_layla|session_0001")
        expectEqual(payload["aud"], "convex")
        expectEqual(payload["iss"], "https://understudy.invalid/@main")
        expectEqual(payload["iat"], .integer(Harness.noon.seconds))
        expectEqual(payload["exp"], .integer(Harness.noon.seconds + 3_600))
        try harness.advance(.seconds(3_599))
        try expectEqual(harness.get(Self.me, token: token).status, 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.get(Self.me, token: token).error, "401 unauthorized")
    }

    @Test func `3.2 two tokens of one session and second are the same bytes`() throws {
        let first = try harness.signIn(Harness.layla)
        let second = try harness.refresh(first.text(at: "refreshToken"))
        expectEqual(first.text(at: "token"), second.text(at: "token"))
        #expect(first.text(at: "refreshToken") != second.text(at: "refreshToken"))
        try harness.advance(.seconds(1))
        let third = try harness.refresh(second.text(at: "refreshToken"))
        #expect(third.text(at: "token") != first.text(at: "token"))
    }

    @Test func `3.2 several sessions of a user live side by side`() throws {
        let first = try harness.signIn(Harness.layla)
        let second = try harness.signIn(Harness.layla)
        #expect(second.text(at: "refreshToken").hasSuffix("|session_0002"))
        try expectEqual(harness.refresh(first.text(at: "refreshToken")).status, 200)
        try expectEqual(harness.refresh(second.text(at: "refreshToken")).status, 200)
    }

    @Test func `3.2 a session ends after thirty days however often it was refreshed`() throws {
        var refresh = try harness.signIn(Harness.layla).text(at: "refreshToken")
        for _ in 0..<3 {
            try harness.advance(.days(10))
            let reply = try harness.refresh(refresh)
            expectEqual(reply.status, 200)
            refresh = reply.text(at: "refreshToken")
        }
        try harness.advance(.microseconds(1))
        try expectEqual(harness.refresh(refresh).error, "400 invalid_refresh")
    }

    // MARK: 3.3 Rotation

    @Test func `3.3 a used token gets the same child again as long as that is the newest, at any time`() throws {
        let first = try harness.signIn(Harness.layla).text(at: "refreshToken")
        let child = try harness.refresh(first).text(at: "refreshToken")
        try harness.advance(.days(1))
        try expectEqual(harness.refresh(first).text(at: "refreshToken"), child)
    }

    @Test func `3.3 within ten seconds of its first use a token gets another child, later its family ends`() throws {
        let first = try harness.signIn(Harness.layla).text(at: "refreshToken")
        let child = try harness.refresh(first).text(at: "refreshToken")
        let grandchild = try harness.refresh(child).text(at: "refreshToken")
        try harness.advance(.seconds(10))
        let further = try harness.refresh(first).text(at: "refreshToken")
        #expect(further != child && further != grandchild && !further.isEmpty)
        let next = try harness.refresh(further).text(at: "refreshToken")
        try harness.advance(.microseconds(1))
        try expectEqual(harness.refresh(first).error, "400 invalid_refresh")
        for token in [child, grandchild, further, next] {
            try expectEqual(harness.refresh(token).error, "400 invalid_refresh")
        }
        // The session itself is not deleted by a replay.
        try harness.state { state, _ in #expect(state.sessions.contains("session_0001")) }
    }

    @Test func `3.3 a replay in one branch leaves a sibling's alone`() throws {
        let first = try harness.signIn(Harness.layla).text(at: "refreshToken")
        let left = try harness.refresh(first).text(at: "refreshToken")
        let leftChild = try harness.refresh(left).text(at: "refreshToken")
        let right = try harness.refresh(first).text(at: "refreshToken")
        try harness.advance(.seconds(11))
        _ = try harness.refresh(leftChild)
        let rightChild = try harness.refresh(right).text(at: "refreshToken")
        try harness.advance(.seconds(11))
        try expectEqual(harness.refresh(left).error, "400 invalid_refresh")
        try expectEqual(harness.refresh(rightChild).status, 200)
    }

    @Test func `3.3 an unknown token, or halves that disagree, delete the session they name`() throws {
        let first = try harness.signIn(Harness.layla).text(at: "refreshToken")
        let second = try harness.signIn(Harness.layla).text(at: "refreshToken")
        let third = try harness.signIn(Harness.layla).text(at: "refreshToken")
        try expectEqual(harness.refresh("nonsense|session_0001").error, "400 invalid_refresh")
        try expectEqual(harness.refresh(first).error, "400 invalid_refresh")
        let crossed = second.prefix { $0 != "|" } + "|session_0003"
        try expectEqual(harness.refresh(String(crossed)).error, "400 invalid_refresh")
        try expectEqual(harness.refresh(third).error, "400 invalid_refresh")
        try expectEqual(harness.refresh(second).status, 200)
    }

    @Test(arguments: ["x", "|x", "x|", "|"])
    func `3.3 a text that is no pair is refresh_failed`(token: String) throws {
        try expectEqual(harness.refresh(token).error, "400 refresh_failed")
    }

    // MARK: 3.4 Bearer

    @Test func `3.4 exactly one blank between two parts, any case, else the cookie`() throws {
        let token = try harness.mint(Harness.layla)
        func status(_ value: String?, cookie: String? = nil) throws -> Int {
            var headers: [(FieldName, String)] = []
            if let value { headers.append((.authorization, value)) }
            if let cookie { headers.append(("Cookie", cookie)) }
            return try harness.get(Self.me, headers: headers).status
        }
        try expectEqual(status("bEaReR \(token)"), 200)
        for wrong in ["Bearer", "Bearer ", "Bearer  \(token)", "Bearer \(token) x", "Basic \(token)", token] {
            try expectEqual(status(wrong), 401, "\(wrong.prefix(12))")
        }
        try expectEqual(status(nil, cookie: "a=b; __convexAuthJWT=\(token)"), 200)
        try expectEqual(status("Basic x", cookie: "__convexAuthJWT=\(token)"), 200)
        try expectEqual(status("Bearer bad", cookie: "__convexAuthJWT=\(token)"), 401)
        try expectEqual(status(nil, cookie: "__convexAuthJWT=; x=y"), 401)
    }

    @Test(arguments: [
        TokenOrder.State.expired, .revoked, .badSignature, .wrongAudience, .wrongIssuer,
    ])
    func `3.4 a token that is not good is 401`(state: TokenOrder.State) throws {
        let token = try harness.mint(Harness.layla, .access, state)
        try expectEqual(harness.get(Self.me, token: token).error, "401 unauthorized")
    }

    @Test func `3.4 a token of a user that does not exist is 401`() throws {
        let token = try harness.mint(Harness.layla, claims: ["sub": "user_gone|session_0001"])
        try expectEqual(harness.get(Self.me, token: token).error, "401 unauthorized")
        let odd = try harness.mint(Harness.layla, claims: ["sub": "user_layla"])
        try expectEqual(harness.get(Self.me, token: odd).error, "401 unauthorized")
    }

    // MARK: 3.5 Origin

    @Test(arguments: [
        ("http://127.0.0.1:4681", true), ("HTTP://127.0.0.1:4681", true), ("https://127.0.0.1:4681", false),
        ("http://127.0.0.1", false), ("http://127.0.0.1:4682", false), ("http://localhost:4681", false),
        ("null", false), ("http://", false), ("nonsense", false), ("", false),
    ])
    func `3.5 a foreign Origin is 403 before anything else on auth routes only`(origin: String, passes: Bool) throws {
        let headers: [(FieldName, String)] = [(.origin, origin)]
        for path in ["request-otp", "verify-otp", "refresh", "signout", "signup", "signin", "apple"] {
            let reply = try harness.send(.post, "\(Harness.auth)/\(path)", body: Array("{".utf8), headers: headers)
            if passes { #expect(reply.status != 403) } else { expectEqual(reply.error, "403 invalid_origin") }
        }
        let token = try harness.mint(Harness.layla)
        try expectEqual(harness.get(Self.me, token: token, headers: headers).status, 200)
        try expectEqual(harness.get("/api/chat/status", headers: headers).status, 400)
        try expectEqual(harness.get("/api/mobile/docs", headers: headers).status, 200)
    }

    @Test func `3.5 two Origin lines are no origin`() throws {
        let own = "http://127.0.0.1:4681"
        for other in ["http://evil.test", own] {
            let reply = try harness.requestCode("a@b.cd", headers: [(.origin, own), (.origin, other)])
            expectEqual(reply.error, "403 invalid_origin")
        }
    }

    @Test func `3.5 the port of http is 80 whether written or not`() throws {
        harness.host = "sawaed.test"
        try expectEqual(harness.requestCode("a@b.cd", headers: [(.origin, "http://sawaed.test:80")]).status, 200)
        harness.host = nil
        let reply = try harness.requestCode("a@b.cd", headers: [(.origin, "http://sawaed.test")])
        expectEqual(reply.error, "403 invalid_origin")
    }

    // MARK: 3.6 Roles

    private func statuses(_ user: String, _ calls: [(HTTPMessage.HTTPMethod, String, JSON)]) throws -> [Int] {
        let token = try harness.mint(user)
        return try calls.map { method, path, body in
            try harness.send(
                method,
                Harness.v1 + path,
                token: token,
                body: method == .get ? [] : body.serialized()
            ).status
        }
    }

    @Test func `3.6 the table of roles`() throws {
        let youth: [(HTTPMessage.HTTPMethod, String, JSON)] = [
            (.get, "/onboarding/status", [:]), (.get, "/onboarding/draft", [:]),
            (.post, "/onboarding/step", ["step": "skills"]), (.post, "/onboarding/complete", [:]),
            (
                .post, "/onboarding/save-draft-taxonomies",
                ["skillIds": [], "interestIds": []]
            ),
        ]
        let owner: [(HTTPMessage.HTTPMethod, String, JSON)] = [
            (.get, "/profile/me", [:]), (.post, "/profile/basics", [:]),
            (.post, "/profile/phone", ["phone": "+968912345678"]), (.post, "/profile/gender", ["gender": "male"]),
            (.get, "/profile/picture/upload-url", [:]), (.post, "/profile/picture/complete", ["storageId": "x"]),
            (.post, "/profile/awards", ["title": "x"]), (.patch, "/profile/awards/x", [:]),
            (.delete, "/profile/education/x", [:]),
        ]
        let open: [(HTTPMessage.HTTPMethod, String, JSON)] = [
            (.get, "/locations/regions", [:]), (.get, "/locations/cities", [:]), (.get, "/ai/config", [:]),
            (.post, "/ai/config", ["preferredLanguage": "en"]), (.get, "/ai/skills", [:]), (.get, "/events", [:]),
            (.get, "/events/event_full_sohar", [:]), (.get, "/ai/path/active", [:]),
        ]
        try expectEqual(statuses(Harness.admin, youth), [403, 403, 403, 403, 403])
        try expectEqual(statuses(Harness.blocked, youth), [200, 200, 200, 200, 200])
        for user in [Harness.admin, Harness.blocked] {
            #expect(try statuses(user, owner).allSatisfy { $0 == 403 }, "\(user)")
            #expect(try statuses(user, open).allSatisfy { $0 == 200 }, "\(user)")
        }
        let admin = try harness.mint(Harness.admin)
        try expectEqual(harness.register("event_open_unlimited", admin).status, 200)
        try expectEqual(harness.cancel("event_open_unlimited", admin).status, 200)
        let blocked = try harness.mint(Harness.blocked)
        try expectEqual(harness.register("event_open_unlimited", blocked).error, "403 forbidden")
        try expectEqual(harness.cancel("event_open_unlimited", blocked).error, "403 forbidden")
    }

    @Test func `3.6 paths of one who is no YOUTH: null, 404 by skill, null by id`() throws {
        try harness.set(["accounts": "admin"])
        let token = try harness.mint(Harness.layla)
        try expectEqual(harness.get("\(Harness.v1)/ai/path/active", token: token).text, "null")
        try expectEqual(harness.get("\(Harness.v1)/ai/path?aiSkillId=aiskill_digital", token: token).text, "null")
        for call in ["complete-module", "incomplete-module", "unenroll"] {
            let path = "\(Harness.v1)/ai/path/\(call)"
            let bySkill: JSON = ["aiSkillId": "aiskill_digital", "moduleId": "m1"]
            try expectEqual(harness.post(path, token: token, json: bySkill).error, "404 learning_path_not_found")
            let byID: JSON = ["learningPathId": "path_layla_digital", "moduleId": "m1"]
            let reply = try harness.post(path, token: token, json: byID)
            expectEqual(reply.status, 200)
            expectEqual(reply.text, "null")
        }
    }
}
