import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Control contract, section 8, as Trafikskola's section 2.2 has it.
struct FaultTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func fault(_ text: String) throws {
        var check = BodyCheck(try #require(JSONReader.read(text: text).objectValue))
        let spec = FaultSpec.read(&check, apis: ["trafikskola"], scope: "trafikskola")
        check.refuseUnknown()
        #expect(check.items.isEmpty, "\(text): \(check.items)")
        _ = try harness.hosted().world.faults.add(try #require(spec), .control)
    }

    private func clear() throws { try harness.hosted().world.faults = FaultRegistry() }

    // MARK: Injected statuses

    @Test(arguments: [
        (401, HTTPMessage.HTTPMethod.get, "/student/profile", "INVALID_TOKEN"),
        (401, .post, "/auth/refresh", "INVALID_REFRESH_TOKEN"), (401, .post, "/auth/login", "INVALID_CREDENTIALS"),
        (401, .post, "/auth/quick-login", "INVALID_QUICK_LOGIN_TOKEN"),
        (401, .post, "/auth/verify-otp", "OTP_ATTEMPTS_EXCEEDED"), (401, .get, "/config", "INVALID_APP_SECRET"),
        (400, .post, "/auth/login", "VALIDATION_ERROR"), (403, .get, "/bookings", "FORBIDDEN"),
        (404, .get, "/bookings", "NOT_FOUND"), (409, .post, "/bookings", "BOOKING_UNAVAILABLE"),
        (409, .delete, "/bookings/bk_1", "CANCELLATION_NOT_ALLOWED"), (413, .post, "/sync", "PAYLOAD_TOO_LARGE"),
        (429, .get, "/notifications", "RATE_LIMITED"), (500, .get, "/config", "INTERNAL_ERROR"),
        (502, .get, "/config", "INTERNAL_ERROR"), (503, .get, "/nowhere", "MAINTENANCE"),
    ])
    func `2.2 an injected status has the envelope with the endpoint's own code`(
        status: Int,
        method: HTTPMessage.HTTPMethod,
        path: String,
        code: String
    ) throws {
        try fault(#"{"effect":{"status":\#(status)}}"#)
        let reply = try harness.send(method, Harness.mobile + path)
        expectEqual(reply.error, "\(status) \(code)")
        expectEqual(reply["Access-Control-Allow-Origin"], "*")
        expectEqual(reply["WWW-Authenticate"] == "Bearer", code == "INVALID_TOKEN")
    }

    @Test func `2.2 code and message of the order win, also a code that pages have inside`() throws {
        for code in ["TEAPOT", APIError.pageCode] {
            try fault(#"{"effect":{"status":418,"code":"\#(code)","message":"Kort och gott"}}"#)
            let reply = try harness.get("/logo.png")
            expectEqual(reply.error, "418 \(code)")
            expectEqual(reply.text(at: "error"), "Kort och gott")
            try clear()
        }
        try fault(#"{"effect":{"status":429,"retryAfter":7}}"#)
        try expectEqual(harness.get("/api/app-config")["Retry-After"], "7")
    }

    @Test func `2.2 an injected fault comes before scenario, path and method`() throws {
        try harness.activate("server-502")
        try fault(#"{"effect":{"status":500}}"#)
        try expectEqual(harness.get("/nowhere").error, "500 INTERNAL_ERROR")
        try expectEqual(harness.send(.patch, "/api/app-config").error, "500 INTERNAL_ERROR")
    }

    @Test func `2.2 an injected error follows the setting of the error form`() throws {
        try fault(#"{"effect":{"status":500}}"#)
        try harness.activate("error-object")
        let object = try harness.get("/api/app-config")
        expectEqual(object.text(at: "error.code"), "INTERNAL_ERROR")
        try harness.deactivate("error-object")
        try harness.activate("html-errors")
        try expectEqual(harness.get("/api/app-config")[.contentType], "text/html; charset=utf-8")
    }

    // MARK: Credentials

    @Test(arguments: ["expire", "revoke"])
    func `control 8 the fault tokens ends the access token that was sent, and nothing else`(manner: String) throws {
        let first = try harness.logIn(device: "a")
        let second = try harness.logIn(device: "b")
        try fault(#"{"match":{"path":"/api/mobile/bookings"},"when":{"times":1},"effect":{"tokens":"\#(manner)"}}"#)
        try expectEqual(harness.check(first.access), 401)
        try expectEqual(harness.check(first.access), 401)
        try expectEqual(harness.check(second.access), 200)
        let next = try harness.refresh(first.refresh)
        expectEqual(next.status, 200)
        try expectEqual(harness.check(next.text(at: "data.accessToken")), 200)
        try expectEqual(harness.refresh(second.refresh).status, 200)
    }

    @Test(arguments: ["expire", "revoke"])
    func `control 8 the fault tokens ends the refresh token that was sent, and nothing else`(manner: String) throws {
        let first = try harness.logIn(device: "a")
        let second = try harness.logIn(device: "b")
        try fault(#"{"match":{"path":"/**/refresh"},"when":{"times":1},"effect":{"tokens":"\#(manner)"}}"#)
        try expectEqual(harness.refresh(first.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.refresh(first.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(first.access), 200)
        try expectEqual(harness.refresh(second.refresh).status, 200)
    }

    @Test(arguments: ["expire", "revoke"])
    func `control 8 tokens that end after a refresh was made fail as ended, not as stolen`(manner: String) throws {
        let tokens = try harness.logIn(device: "a")
        try fault(
            #"{"match":{"path":"/**/refresh"},"phase":"after","when":{"times":1},"effect":{"tokens":"\#(manner)"}}"#
        )
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(tokens.access), 200)
    }

    @Test func `control 8 tokens that no running world made can be ended too, and what is none of ours can't`() throws {
        let access = try harness.mint(Harness.anna, isOffline: true)
        let refresh = try harness.mint(Harness.anna, .refresh, isOffline: true)
        let forged = try harness.mint(Harness.anna, .access, .badSignature)
        for (credential, isOurs) in [(access, true), (refresh, true), (forged, false), ("x", false)] {
            let isEnded = try harness.state { state, core in
                TrafikskolaAPI.endCredential(credential, .revoke, state: &state, core: &core)
            }
            expectEqual(isEnded, isOurs)
        }
        try expectEqual(harness.check(access), 401)
        try expectEqual(harness.refresh(refresh).error, "401 INVALID_REFRESH_TOKEN")
    }

    @Test func `control 12 expiring what a user holds takes in an access token of the command line`() throws {
        let access = try harness.mint(Harness.anna, isOffline: true)
        try expectEqual(harness.check(access), 200)
        try harness.end(Harness.anna, .access, .expire)
        try expectEqual(harness.check(access), 401)
    }

    @Test func `control 8 the user behind a credential is known, expired or a refresh token alike`() throws {
        let old = try harness.mint(Harness.anna, .access, .expired)
        let refresh = try harness.mint(Harness.anna, .refresh)
        let other = try harness.mint(Harness.other)
        try fault(#"{"match":{"user":"anna@example.com"},"effect":{"status":503}}"#)
        try expectEqual(harness.check(old), 503)
        try expectEqual(harness.refresh(refresh).status, 503)
        try expectEqual(harness.check(other), 200)
    }
}
