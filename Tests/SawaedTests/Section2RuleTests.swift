import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Sawaed

/// Section 2: rules for all routes.
struct Section2RuleTests {
    private let harness: Harness
    private let token: String
    private static let basics = "\(Harness.v1)/profile/basics"

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
        try harness.set(["rateLimits": "off"])
    }

    // MARK: 2.1

    @Test func `2.1 a wrong method is 405 with Allow, OPTIONS 204, HEAD as GET`() throws {
        let wrong = try harness.send(.put, Self.basics)
        expectEqual(wrong.error, "405 method_not_allowed")
        expectEqual(wrong[.allow], "POST")
        let both = try harness.send(.options, "\(Harness.v1)/ai/config", headers: [(.origin, "http://evil.test")])
        expectEqual(both.status, 204)
        expectEqual(both[.allow], "GET, POST")
        expectNil(both["Access-Control-Allow-Origin"])
        #expect(both.bytes.isEmpty)
        try expectEqual(harness.send(.head, "/api/mobile/docs").status, 200)
    }

    @Test func `2.1 no answer outside chat carries caching fields`() throws {
        for path in ["\(Harness.v1)/locations/regions", "\(Harness.v1)/events", "/api/storage/poster_default"] {
            let reply = try harness.get(path, token: token)
            expectEqual(reply.status, 200)
            #expect(reply["ETag"] == nil && reply[.cacheControl] == nil && reply["Last-Modified"] == nil, "\(path)")
        }
    }

    // MARK: 2.2

    @Test func `2.2 the type of a body is not looked at, an empty one is an empty object, a BOM is no fault`() throws {
        let reply = try harness.send(
            .post,
            Self.basics,
            token: token,
            body: Array("\u{FEFF}{}".utf8),
            headers: [(.contentType, "image/png")]
        )
        expectEqual(reply.keys, ["id", "completion"])
        try expectEqual(harness.send(.post, Self.basics, token: token).keys, ["id", "completion"])
        try expectEqual(harness.send(.post, "\(Harness.v1)/profile/phone", token: token).error, "400 validation_error")
    }

    @Test func `2.2 262144 UTF-16 code units are read, one more is 400 body_too_large`() throws {
        // Two code units each, four bytes each.
        let frame = #"{"bio":""}"#.utf16.count
        let text = String(repeating: "😀", count: (262_144 - frame) / 2)
        let fits = try harness.post(Self.basics, token: token, text: #"{"bio":"\#(text)"}"#)
        expectEqual(fits.status, 200)
        let over = try harness.post(Self.basics, token: token, text: #"{"bio":"\#(text)a"}"#)
        expectEqual(over.error, "400 body_too_large")
        let auth = try harness.post("\(Harness.auth)/refresh", text: #"{"refreshToken":"\#(text)aaaaaaaaaaaa"}"#)
        expectEqual(auth.error, "400 refresh_failed")
    }

    @Test func `2.2 more than the general limit is 413`() throws {
        let body = [UInt8](repeating: 0x20, count: 20 * 1024 * 1024 + 1)
        try expectEqual(harness.send(.post, Self.basics, token: token, body: body).error, "413 body_too_large")
        try expectEqual(harness.send(.post, "/api/chat/send", body: body).text, #"{"sessionId":""}"#)
    }

    @Test(arguments: [
        ("{", "invalid_json"), (" ", "invalid_json"), ("[]", "validation_error"), ("null", "validation_error"),
        (#""x""#, "validation_error"), (#"{"bio":null}"#, "validation_error"), (#"{"bio":1}"#, "validation_error"),
        (#"{"bio":"a","bio":2}"#, "validation_error"), ("{} x", "invalid_json"),
    ])
    func `2.2 a body that does not fit has its code`(body: String, code: String) throws {
        try expectEqual(harness.post(Self.basics, token: token, text: body).error, "400 \(code)")
    }

    @Test func `2.2 nesting is read to 64 levels`() throws {
        func nested(_ depth: Int) -> String {
            #"{"x":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        try expectEqual(harness.post(Self.basics, token: token, text: nested(64)).status, 200)
        try expectEqual(harness.post(Self.basics, token: token, text: nested(65)).error, "400 invalid_json")
    }

    @Test(arguments: [
        ("request-otp", "400 request_otp_failed"), ("verify-otp", "400 verify_otp_failed"),
        ("refresh", "400 refresh_failed"), ("signup", "400 signup_failed"), ("signin", "401 invalid_credentials"),
    ])
    func `2.2 auth routes answer any such body with their own code`(path: String, error: String) throws {
        for body in ["{", "[]", "{}", #"{"email":1,"refreshToken":1}"#, ""] {
            try expectEqual(harness.post("\(Harness.auth)/\(path)", text: body).error, error, "\(body)")
        }
    }

    // MARK: 2.3

    @Test(arguments: [
        ("", 0), (" 12 ", 12), ("0x10", 16), ("0b101", 5), ("0o17", 15), ("1e3", 1000), (".5", 0.5), ("5.", 5),
        ("-2", -2), ("+7", 7), ("Infinity", Double.infinity), ("-Infinity", -Double.infinity),
    ])
    func `2.3 numbers are converted as JavaScript's Number does`(text: String, value: Double) {
        expectEqual(JavaScriptNumber.of(text), value)
    }

    @Test(arguments: ["x", "1x", "0x", "0xg", "1e", ".", "- 1", "nan", "inf", "1_0", "0x1p3", "--1", "infinity"])
    func `2.3 what is no number there is none here`(text: String) throws {
        expectNil(JavaScriptNumber.of(text))
        let query = text.percentEncodedComponent
        try expectEqual(
            harness.get("\(Harness.v1)/events?pageSize=\(query)", token: token).error,
            "400 validation_error"
        )
    }

    @Test func `2.3 the last of repeated parameters counts`() throws {
        let reply = try harness.get("\(Harness.v1)/events?pageSize=1&pageSize=3", token: token)
        expectEqual(reply.json["items"]?.arrayValue?.count, 3)
    }

    // MARK: 2.4

    @Test func `2.4 the bearer goes before the limit, the limit before the body, the body before the role`() throws {
        try harness.set(["rateLimits": "on"])
        let admin = try harness.mint(Harness.admin)
        try expectEqual(harness.post(Self.basics, text: "{").error, "401 unauthorized")
        try expectEqual(harness.post(Self.basics, token: admin, text: "{").error, "400 invalid_json")
        try expectEqual(harness.post(Self.basics, token: admin, text: "{}").error, "403 forbidden")
        for _ in 0..<8 { _ = try harness.post(Self.basics, token: admin, text: "{") }
        try expectEqual(harness.post(Self.basics, token: admin, text: "{").error, "429 rate_limited")
        let blocked = try harness.mint(Harness.blocked)
        try expectEqual(harness.register("abc", blocked).error, "400 invalid_id")
        try expectEqual(harness.register("event_unknown", blocked).error, "403 forbidden")
        try expectEqual(harness.delete("\(Harness.v1)/profile/awards/none", token: admin).error, "403 forbidden")
    }

    // MARK: 2.6

    @Test func `2.6 injected statuses come in the form of the route`() throws {
        func call(_ method: HTTPMethod, _ path: String, _ route: String?) throws -> Call {
            let target = RequestTarget(rawPath: path, rawQuery: nil)
            let head = RequestHead(method: method, target: target)
            var call = Call(
                request: HTTPRequest(head: head),
                path: try #require(Path(raw: path)),
                peer: "p",
                now: Harness.noon,
                epoch: Epoch(start: Harness.noon),
                requestID: "r"
            )
            call.route = route
            return call
        }
        func text(_ status: Int, _ method: HTTPMethod, _ route: String, code: String? = nil) throws -> String {
            let answer = SawaedAPI.faultAnswer(
                InjectedStatus(Status(status), code: code),
                state: SawaedState(),
                call: try call(method, route, route)
            )
            expectEqual(answer.status.code, status)
            return String(decoding: answer.body.content, as: UTF8.self)
        }
        let register = "\(Harness.v1)/events/{id}/register"
        #expect(try text(409, .post, register).contains(#""code":"event_full""#))
        #expect(try text(500, .post, register).contains(#""code":"apply_failed""#))
        #expect(try text(409, .post, "\(Harness.v1)/events/{id}/cancel").contains("not_registered"))
        #expect(try text(409, .post, "\(Harness.auth)/signup").contains("email_already_exists"))
        #expect(try text(409, .post, Self.basics).contains(#""code":"conflict""#))
        #expect(try text(418, .post, Self.basics).contains("validation_error"))
        #expect(try text(503, .head, "\(Harness.v1)/profile/me").contains("profile_fetch_failed"))
        #expect(try text(500, .delete, "\(Harness.v1)/profile/projects/{id}").contains("project_delete_failed"))
        #expect(try text(401, .get, "\(Harness.v1)/events", code: "mine").contains(#""code":"mine""#))
        try expectEqual(text(500, .post, "/api/chat/send"), #"{"sessionId":""}"#)
        #expect(try text(502, .get, "/api/chat/status").contains("status_unexpected_error"))
        #expect(try text(502, .get, "/api/chat/status", code: "odd").contains(#""error":"odd""#))
    }

    // MARK: 2.7

    @Test(arguments: [
        ("ar", "?locale=en", "مسقط"), ("en-GB,ar", "?locale=ar", "Muscat"), ("fr, en", "", "مسقط"),
        ("fr, en", "?locale=EN", "Muscat"), (nil, "?locale=en", "Muscat"), (nil, "?locale=fr", "مسقط"),
        (nil, "", "مسقط"), ("AR-om", "", "مسقط"), ("", "?locale=En", "Muscat"),
    ])
    func `2.7 the header goes before the query, Arabic is the default`(
        header: String?,
        query: String,
        name: String
    ) throws {
        let reply = try harness.get(
            "\(Harness.v1)/locations/regions\(query)",
            token: token,
            headers: header.map { [(Harness.acceptLanguage, $0)] } ?? []
        )
        expectEqual(reply.json["items"]?[0]?.string("name"), name)
    }

    @Test func `2.7 a blank text falls back to the other language`() {
        expectEqual(LocalisedText(en: " ", ar: "نص").text(.en), "نص")
        expectEqual(LocalisedText(en: "text", ar: "").text(.ar), "text")
    }

    // MARK: 2.9

    @Test func `2.9 new ids count up by kind, and start again with a reset`() throws {
        func make() throws -> [String] {
            let token = try harness.mint(Harness.fresh)
            return try ["education", "experience", "projects", "awards"].flatMap { path in
                let body: JSON = ["institution": "i", "degree": "d", "title": "t", "organization": "o"]
                return try (0..<2).map { _ in
                    try harness.post("\(Harness.v1)/profile/\(path)", token: token, json: body).text(at: "id")
                }
            }
        }
        let wanted = ["education", "experience", "project", "award"].flatMap { ["\($0)_0001", "\($0)_0002"] }
        try expectEqual(make(), wanted)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, only: 0, keepClock: false, at: harness.hostTime)
        try expectEqual(make(), wanted)
    }
}
