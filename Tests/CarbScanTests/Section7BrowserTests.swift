import Backend
import CivilTime
import Conditions
import Crypto
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Sections 7.20 to 7.23: the browser sign-in.
struct Section7BrowserTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private func authorize(_ harness: Harness, _ changes: [(String, String?)] = []) throws -> Played {
        var items: [(String, String)] = [
            ("mobile", "true"), ("state", "s t"), ("code_challenge", Self.challenge), ("code_challenge_method", "S256"),
            ("redirect_uri", "carbscan://auth-callback"), ("response_type", "code"),
        ]
        for (name, value) in changes {
            items.removeAll { $0.0 == name }
            if let value { items.append((name, value)) }
        }
        let query = items.map { "\($0.0)=\($0.1.percentEncodedComponent)" }.joined(separator: "&")
        return try harness.get("/auth/mobile/authorize?\(query)")
    }

    private func code(_ reply: Played) -> String {
        let query = reply[.location]?.split(separator: "?").last.map(String.init) ?? ""
        return QueryItems(query).first("code") ?? ""
    }

    private func exchange(_ harness: Harness, _ code: String, _ verifier: String = Self.verifier) throws -> Played {
        try harness.post(
            "/auth/mobile/token",
            json: ["code": .string(code), "code_verifier": .string(verifier), "grant_type": "authorization_code"]
        )
    }

    @Test func `7.20 and 7.21 the whole way: code, verifier, tokens`() throws {
        let harness = try Harness()
        let reply = try authorize(harness, [("login_hint", "Pro@carbscan.test")])
        #expect(reply.status == 302 && reply.bytes.isEmpty)
        let code = code(reply)
        expectEqual(reply[.location], "carbscan://auth-callback?code=\(code)&state=s%20t")
        let signedIn = try exchange(harness, code)
        expectEqual(signedIn.data.keys, ["accessToken", "refreshToken", "user"])
        expectEqual(signedIn.at("user.email"), "pro@carbscan.test")
        try expectEqual(harness.me(signedIn.at("accessToken").stringValue ?? "").status, 200)
        // Once.
        try expectEqual(exchange(harness, code).error, "400 INVALID_GRANT")
    }

    @Test func `7.20 redirect_uri is ours or 400, never a redirect`() throws {
        let harness = try Harness()
        for bad in [
            nil, "", "https://evil.example", "carbscan://auth-callback/x", "carbscan://other",
            "http://localhost.evil.example",
            "https://localhost/", "http://127.0.0.11/", "javascript:alert(1)", "http://localhost:3000/a b",
            "http://localhost/\r\nX: y",
        ] {
            let reply = try authorize(harness, [("redirect_uri", bad), ("login_hint", Harness.free)])
            let reason = (bad ?? "").isEmpty ? "required" : "unsupported_value"
            expectEqual(reply.error, #"400 VALIDATION_ERROR {"redirect_uri":"\#(reason)"}"#, "\(bad ?? "-")")
            expectNil(reply[.location])
        }
        for (good, start) in [
            ("http://localhost", "http://localhost?code="),
            ("http://localhost:3000/cb", "http://localhost:3000/cb?code="),
            ("http://127.0.0.1:8080/cb?x=1", "http://127.0.0.1:8080/cb?x=1&code="),
        ] {
            let reply = try authorize(harness, [("redirect_uri", good), ("login_hint", Harness.free)])
            expectEqual(reply[.location]?.hasPrefix(start), true)
        }
    }

    @Test(arguments: ["state", "code_challenge", "code_challenge_method", "response_type"])
    func `7.20 other faults go back by redirect`(name: String) throws {
        let harness = try Harness()
        for value in [nil, ""] as [String?] {
            let reply = try authorize(harness, [(name, value), ("login_hint", Harness.free)])
            expectEqual(reply.status, 302)
            let location = reply[.location] ?? ""
            #expect(location.hasPrefix("carbscan://auth-callback?error=invalid_request&error_description="))
            expectEqual(location.hasSuffix("&state=s%20t"), name != "state")
        }
        for (name, value) in [("code_challenge_method", "plain"), ("response_type", "token")] {
            try expectEqual(authorize(harness, [(name, value)])[.location]?.contains("error=invalid_request"), true)
        }
    }

    @Test func `7.20 without a hint a page has a link for each persona and one to cancel`() throws {
        let harness = try Harness()
        let reply = try authorize(harness)
        expectEqual(reply.status, 200)
        expectEqual(reply[.contentType], "text/html; charset=utf-8")
        for mail in [Harness.free, Harness.essentials, Harness.pro, Harness.new, Harness.relay, Harness.web] {
            #expect(reply.text.contains("login_hint=\(mail.percentEncodedComponent)\""))
        }
        let link = try #require(reply.text.split(separator: "href=\"").last?.split(separator: "\"").first)
        let target = String(link).replacing("&amp;", with: "&")
        #expect(target.hasSuffix("&error=access_denied"))
        let cancelled = try harness.send(.get, target)
        expectEqual(cancelled[.location]?.hasPrefix("carbscan://auth-callback?error=access_denied"), true)
        expectEqual(cancelled[.location]?.hasSuffix("&state=s%20t"), true)
        let evil = try authorize(harness, [("state", "\"><script>")])
        #expect(!evil.text.contains("<script>"))
    }

    @Test func `7.20 an unknown mail and browser-autoLogin`() throws {
        let harness = try Harness()
        try expectEqual(
            authorize(harness, [("login_hint", "nobody@x.y")])[.location]?.contains("error=access_denied"),
            true
        )
        try harness.set(["browser": ["autoLogin": .string(Harness.web)]])
        let reply = try authorize(harness)
        try expectEqual(exchange(harness, code(reply)).at("user.id"), "web-1001")
        try harness.set(["browser": ["autoLogin": .null]])
        try expectEqual(authorize(harness).status, 200)
    }

    @Test func `7.21 a code is good for 60 s, and a failed attempt burns it`() throws {
        let harness = try Harness()
        func fresh() throws -> String { code(try authorize(harness, [("login_hint", Harness.free)])) }
        let first = try fresh()
        try harness.advance(.seconds(60) - .microseconds(1))
        try expectEqual(exchange(harness, first).status, 200)
        let second = try fresh()
        try harness.advance(.seconds(60))
        try expectEqual(exchange(harness, second).error, "400 INVALID_GRANT")
        let third = try fresh()
        try expectEqual(exchange(harness, third, String(repeating: "x", count: 43)).error, "400 INVALID_GRANT")
        try expectEqual(exchange(harness, third).error, "400 INVALID_GRANT")
        try expectEqual(exchange(harness, "never").error, "400 INVALID_GRANT")
    }

    @Test func `7.21 the faults of the body leave the code as it is`() throws {
        let harness = try Harness()
        let code = code(try authorize(harness, [("login_hint", Harness.free)]))
        func error(_ body: JSON) throws -> String { try harness.post("/auth/mobile/token", json: body).error }
        try expectEqual(
            error([:]),
            #"400 VALIDATION_ERROR {"code":"required","code_verifier":"required","grant_type":"required"}"#
        )
        try expectEqual(
            error([
                "code": .string(code), "code_verifier": .string(String(repeating: "x", count: 42)),
                "grant_type": "password",
            ]),
            #"400 VALIDATION_ERROR {"code_verifier":"invalid_format","grant_type":"unsupported_value"}"#
        )
        try expectEqual(
            error([
                "code": .string(code), "code_verifier": .string(String(repeating: "x", count: 129)), "grant_type": 5,
            ]),
            #"400 VALIDATION_ERROR {"code_verifier":"too_long","grant_type":"wrong_type"}"#
        )
        try expectEqual(exchange(harness, code).status, 200)
    }

    @Test func `7.22 the cookie of a web session signs in`() throws {
        let harness = try Harness()
        func send(_ cookie: String?, _ body: JSON = ["deviceId": "d"]) throws -> Played {
            let headers: [(FieldName, String)] = cookie.map { [(Harness.cookie, $0)] } ?? []
            return try harness.post("/auth/replit", json: body, headers: headers)
        }
        for cookie in [
            "connect.sid=web@carbscan.test", "a=b; connect.sid=WEB%40carbscan.test; c=d",
            "connect.sid=\"web@carbscan.test\"",
        ] {
            try expectEqual(send(cookie).at("user.id"), "web-1001", "\(cookie)")
        }
        for cookie in [
            nil, "connect.sid=", "connect.sid=nobody@x.y", "connect_sid=web@carbscan.test", "sid=web@carbscan.test",
        ] {
            try expectEqual(send(cookie).error, "401 UNAUTHORIZED")
        }
        try expectEqual(
            send("connect.sid=web@carbscan.test", ["deviceId": 5]).error,
            #"400 VALIDATION_ERROR {"deviceId":"wrong_type"}"#
        )
        try expectEqual(send(nil, ["deviceId": 5]).error, "401 UNAUTHORIZED")
    }
}
