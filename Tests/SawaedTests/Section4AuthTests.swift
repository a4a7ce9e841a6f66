import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Sawaed

/// Section 4: the auth endpoints, and row 54.
struct Section4AuthTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    // MARK: 4.1

    @Test(arguments: [
        "a@b.cd", "first.last+tag@sub-domain.example.com", "o'neil@example.com", "_x-y@1-2.org", "A@B.CD", "'a@b.cd",
        "-a-@b.cd", "a@b-.cd", "a@1.cd",
    ])
    func `4.1 these are addresses`(email: String) throws {
        let reply = try harness.requestCode(email)
        expectEqual(reply.text, #"{"ok":true,"code":"user_unverified"}"#)
    }

    @Test(arguments: [
        "", "a", "a@b", "a@b.c", "a@b.c1", ".a@b.cd", "a..b@b.cd", "a.@b.cd", "a'@b.cd", "a@-b.cd", "a@b..cd", "a@.cd",
        " a@b.cd", "a@b.cd ", "a b@c.de", "a@b@c.de", "ä@b.cd", "a@bü.cd", "a!@b.cd", "@b.cd", "a@", "ليلى@b.cd",
        "a@b.cd\n",
    ])
    func `4.1 these are none`(email: String) throws {
        try expectEqual(harness.requestCode(email).error, "400 request_otp_failed")
        #expect(try harness.outbox.isEmpty)
    }

    @Test func `4.1 ten requests a minute for an e-mail, thirty for a client, counted once the e-mail is valid`() throws
    {
        for _ in 0..<40 { _ = try harness.requestCode("no address") }
        for _ in 0..<10 { try expectEqual(harness.requestCode("a@b.cd").status, 200) }
        let refused = try harness.requestCode("a@b.cd")
        expectEqual(refused.error, "429 rate_limited")
        expectEqual(refused[.retryAfter], "60")
        try harness.advance(.milliseconds(59_001))
        try expectEqual(harness.requestCode("a@b.cd")[.retryAfter], "1")
        try harness.advance(.milliseconds(999))
        try expectEqual(harness.requestCode("a@b.cd").status, 200)
        let client: [(FieldName, String)] = [(.forwardedFor, "10.0.0.1, 10.0.0.2")]
        for number in 0..<30 { try expectEqual(harness.requestCode("x\(number)@b.cd", headers: client).status, 200) }
        try expectEqual(harness.requestCode("y@b.cd", headers: client).error, "429 rate_limited")
        try expectEqual(harness.requestCode("y@b.cd", headers: [(.forwardedFor, "10.0.0.2")]).status, 200)
    }

    // MARK: 4.2

    @Test(arguments: ["12345", "1234567", " 123456", "١٢٣٤٥٦", "12345a", ""])
    func `4.2 a code that is no six digits is verify_otp_failed`(code: String) throws {
        _ = try harness.requestCode(Harness.layla)
        try expectEqual(harness.verify(Harness.layla, code).error, "400 verify_otp_failed")
    }

    @Test func `4.2 the answer has exactly two keys`() throws {
        try expectEqual(harness.signIn(Harness.layla).keys, ["token", "refreshToken"])
    }

    @Test func `4.2 verifying any code of the e-mail verifies its password account (D12)`() throws {
        let email = "unverified@sawaed.test"
        try expectEqual(harness.password("signin", email, "sawaed-unverified-1").error, "403 unverified")
        try expectEqual(harness.outbox.map(\.to), [email])
        _ = try harness.signIn(email)
        try expectEqual(harness.password("signin", email, "sawaed-unverified-1").status, 200)
    }

    // MARK: 4.3 and 4.4

    @Test func `4.3 a refresh is never 401 and needs no bearer`() throws {
        let pair = try harness.signIn(Harness.layla)
        let reply = try harness.post(
            "\(Harness.auth)/refresh",
            token: "nonsense",
            json: ["refreshToken": .string(pair.text(at: "refreshToken"))]
        )
        expectEqual(reply.keys, ["token", "refreshToken"])
        try expectEqual(harness.refresh("").error, "400 refresh_failed")
    }

    @Test func `4.4 sign-out ends the session, its refresh tokens, not the access token`() throws {
        let pair = try harness.signIn(Harness.layla)
        let token = pair.text(at: "token")
        for body in ["", "{}", "{broken"] {
            try expectEqual(harness.post("\(Harness.auth)/signout", text: body).text, #"{"ok":true}"#)
            try expectEqual(harness.post("\(Harness.auth)/signout", token: "bad", text: body).status, 200)
        }
        try expectEqual(harness.post("\(Harness.auth)/signout", token: token).text, #"{"ok":true}"#)
        try expectEqual(harness.refresh(pair.text(at: "refreshToken")).error, "400 invalid_refresh")
        try expectEqual(harness.get("\(Harness.v1)/profile/me", token: token).status, 200)
        try harness.advance(.hours(1))
        try expectEqual(harness.get("\(Harness.v1)/profile/me", token: token).status, 401)
    }

    // MARK: 4.5 and 4.6

    @Test func `4.5 sign-up makes an unverified account and mails a code`() throws {
        try expectEqual(harness.password("signup", " New.One@Example.com ", "eight888").text, #"{"ok":true}"#)
        try expectEqual(harness.outbox.map(\.to), ["new.one@example.com"])
        try expectEqual(harness.password("signin", "new.one@example.com", "eight888").error, "403 unverified")
        try expectEqual(harness.verify("new.one@example.com").status, 200)
        try expectEqual(harness.password("signin", "NEW.ONE@example.com", "eight888").keys, ["token", "refreshToken"])
        try expectEqual(harness.password("signup", "new.one@example.com", "eight888").status, 200)
        try expectEqual(
            harness.password("signup", "new.one@example.com", "nine99999").error,
            "409 email_already_exists"
        )
    }

    @Test(arguments: [("12345", false), ("123456", false), ("1234567", false), ("12345678", true)])
    func `4.5 a password has eight characters or more`(password: String, isTaken: Bool) throws {
        let reply = try harness.password("signup", "a@b.cd", password)
        if isTaken { expectEqual(reply.status, 200) } else { expectEqual(reply.error, "400 signup_failed") }
    }

    @Test func `4.6 every failure of a sign-in looks the same`() throws {
        for (email, password) in [
            ("nobody@sawaed.test", "whatever"), (Harness.layla, "wrong-one"), (Harness.layla, "short"),
            (Harness.omar, "no-password-account"), ("broken", "whatever"),
        ] {
            try expectEqual(harness.password("signin", email, password).error, "401 invalid_credentials")
        }
        try expectEqual(harness.password("signin", "LAYLA@sawaed.test", "sawaed-layla-1").status, 200)
    }

    @Test func `4.6 more than ten failures an hour lock the account`() throws {
        for _ in 0..<10 { _ = try harness.password("signin", Harness.layla, "wrong-one") }
        try expectEqual(harness.password("signin", Harness.layla, "sawaed-layla-1").error, "401 invalid_credentials")
        try harness.advance(.minutes(6))
        try expectEqual(harness.password("signin", Harness.layla, "sawaed-layla-1").status, 200)
    }

    // MARK: Row 54

    private func apple(_ token: String) throws -> Played {
        try harness.post("\(Harness.auth)/apple", json: ["identityToken": .string(token)])
    }

    @Test func `8.6 row 54 any text is one new user, a stand-in token its own`() throws {
        let first = try apple("any text")
        let second = try apple("another text")
        for reply in [first, second] {
            try expectEqual(harness.profile(reply.text(at: "token"))["user"]?.string("id"), "appuser_0001")
        }
        let layla = try apple(try harness.mint(Harness.layla, .appleIdentity))
        try expectEqual(harness.profile(layla.text(at: "token"))["user"]?.string("id"), "user_layla")
        for state in TokenOrder.State.allCases where state != .valid {
            let token = try harness.mint(Harness.layla, .appleIdentity, state)
            try expectEqual(apple(token).error, "401 invalid_credentials", "\(state)")
        }
        try expectEqual(apple("").error, "401 invalid_credentials")
        try harness.set(["apple": ["mode": "strict"]])
        try expectEqual(apple("any text").error, "401 invalid_credentials")
        try expectEqual(apple(try harness.mint(Harness.layla, .appleIdentity)).status, 200)
    }

    // MARK: The control API's tokens

    @Test func `control 12 a refresh token made here is a real session, other states are refused`() throws {
        for isOffline in [false, true] {
            let valid = try harness.mint(Harness.layla, .refresh, isOffline: isOffline)
            let pair = try harness.refresh(valid)
            expectEqual(pair.status, 200)
            try expectEqual(harness.refresh(pair.text(at: "refreshToken")).status, 200)
            for state in [TokenOrder.State.expired, .revoked] {
                let token = try harness.mint(Harness.layla, .refresh, state, isOffline: isOffline)
                try expectEqual(harness.refresh(token).error, "400 invalid_refresh", "\(state)")
            }
        }
        let access = try harness.mint(Harness.layla, isOffline: true)
        try expectEqual(harness.get("\(Harness.v1)/profile/me", token: access).status, 200)
    }

    @Test(arguments: [TokenOrder.State.badSignature, .wrongAudience, .wrongIssuer], [false, true])
    func `control 12 a refresh token is opaque, so that states of signed ones are refused`(
        state: TokenOrder.State,
        isOffline: Bool
    ) throws {
        let refused = #expect(throws: Problem.self) {
            try harness.mint(Harness.layla, .refresh, state, isOffline: isOffline)
        }
        expectEqual(refused?.response.status.code, 422)
        expectEqual(refused?.items.map(\.path), ["$.state"])
        expectEqual(refused?.items.first?.reason, "must be one of valid, expired, revoked")
    }

    @Test func `control 12 what a user holds can be ended, and a refresh then gives tokens that work`() throws {
        let pair = try harness.signIn(Harness.layla)
        let other = try harness.signIn(Harness.omar)
        for _ in 0..<3 {
            try harness.end(Harness.layla, .access, .expire)
            try expectEqual(harness.get("\(Harness.v1)/profile/me", token: pair.text(at: "token")).status, 401)
            try expectEqual(harness.get("\(Harness.v1)/profile/me", token: other.text(at: "token")).status, 200)
            let again = try harness.refresh(pair.text(at: "refreshToken"))
            try expectEqual(harness.get("\(Harness.v1)/profile/me", token: again.text(at: "token")).status, 200)
        }
        for manner in [TokenEnding.Manner.expire, .revoke] {
            let token = try harness.signIn(Harness.layla).text(at: "refreshToken")
            try harness.end(Harness.layla, .refresh, manner, after: .seconds(5))
            try expectEqual(harness.refresh(token).status, 200)
            try harness.advance(.seconds(5))
            try expectEqual(harness.refresh(token).error, "400 invalid_refresh")
        }
    }
}
