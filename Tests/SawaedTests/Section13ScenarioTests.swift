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

/// Section 13.2: every scenario on, its effect, and off again.
struct Section13ScenarioTests {
    private let harness: Harness
    private let token: String
    private static let v1 = Harness.v1

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
    }

    /// The response to a call in one line: the error, or its body.
    private func line(_ reply: Played) -> String {
        reply.keys == ["error"] ? reply.error : "\(reply.status) \(reply.text)"
    }

    /// The line before, while and after a scenario is active.
    private func lines(_ name: String, _ call: () throws -> Played) throws -> [String] {
        let before = line(try call())
        try harness.scenario(name)
        let during = line(try call())
        try harness.scenario(name, isOn: false)
        return [before, during, line(try call())]
    }

    @Test func `13.2 the catalogue has these 75 scenarios, each with what a client should do`() throws {
        let scenarios = harness.emulator.apis[0].scenarios
        expectEqual(scenarios.count, 75)
        for scenario in scenarios {
            #expect(!scenario.title.isEmpty && !scenario.expect.isEmpty)
            try harness.scenario(String(scenario.name.dropFirst("sawaed/".count)))
            try harness.scenario(String(scenario.name.dropFirst("sawaed/".count)), isOn: false)
        }
    }

    @Test(arguments: [
        ("otp-mail-failed", "400 request_otp_failed"), ("otp-user-exists", "409 user_exists"),
        ("otp-rate-limited", "429 rate_limited"), ("origin-mismatch", "403 invalid_origin"),
    ])
    func `13.2 scenarios of request-otp`(name: String, error: String) throws {
        let good = #"200 {"ok":true,"code":"user_unverified"}"#
        try expectEqual(lines(name) { try harness.requestCode(Harness.layla) }, [good, error, good])
        if name == "otp-rate-limited" {
            try harness.scenario(name)
            try expectEqual(harness.requestCode(Harness.layla)[.retryAfter], "60")
        }
        if name == "otp-mail-failed" { try expectEqual(harness.outbox.count, 2) }
    }

    @Test(arguments: ["otp-expired", "otp-locked-out"])
    func `13.2 scenarios of verify-otp that last`(name: String) throws {
        try harness.scenario(name)
        for _ in 0..<3 {
            try expectEqual(harness.signIn(Harness.layla).error, "400 invalid_code")
            try harness.advance(.minutes(7))
        }
        try harness.scenario(name, isOn: false)
        try expectEqual(harness.signIn(Harness.layla).status, 200)
    }

    @Test func `13.2 otp-wrong-code fails the next verification of each e-mail, once`() throws {
        for _ in 0..<2 {
            try harness.scenario("otp-wrong-code")
            for user in [Harness.layla, Harness.omar] {
                _ = try harness.requestCode(user)
                try expectEqual(harness.verify(user).error, "400 invalid_code")
                try expectEqual(harness.verify(user).status, 200)
            }
            try harness.scenario("otp-wrong-code", isOn: false)
        }
        try expectEqual(harness.signIn(Harness.layla).status, 200)
    }

    @Test func `13.2 otp-replaced makes codes distinct`() throws {
        try harness.scenario("otp-replaced")
        _ = try harness.requestCode(Harness.layla)
        _ = try harness.requestCode(Harness.layla)
        let codes = try harness.outbox.compactMap(\.code)
        #expect(codes.count == 2 && codes[0] != codes[1])
        try expectEqual(harness.verify(Harness.layla, codes[0]).status, 400)
    }

    @Test func `13.2 signin-unverified`() throws {
        try harness.scenario("signin-unverified")
        try expectEqual(harness.password("signin", Harness.layla, "sawaed-layla-1").error, "403 unverified")
        try expectEqual(harness.outbox.last?.to, Harness.layla)
        try expectEqual(harness.verify(Harness.layla).status, 200)
        try expectEqual(harness.password("signin", Harness.layla, "sawaed-layla-1").status, 200)
    }

    @Test func `13.2 expired-access-token: 401, then refresh and replay work, also twice in one second`() throws {
        let pair = try harness.signIn(Harness.layla)
        for _ in 0..<2 {
            try harness.scenario("expired-access-token")
            #expect(try harness.profile(pair.text(at: "token"))["error"] != nil)
            let again = try harness.refresh(pair.text(at: "refreshToken"))
            try expectEqual(harness.get("\(Self.v1)/profile/me", token: again.text(at: "token")).status, 200)
            try harness.scenario("expired-access-token", isOn: false)
        }
    }

    @Test(arguments: ["expired-refresh-token", "session-over", "signed-out-elsewhere"])
    func `13.2 scenarios that end a session: refresh is 400, signing in works`(name: String) throws {
        let pair = try harness.signIn(Harness.layla)
        try harness.scenario(name)
        try expectEqual(harness.refresh(pair.text(at: "refreshToken")).error, "400 invalid_refresh")
        let isDead = try harness.get("\(Self.v1)/profile/me", token: pair.text(at: "token")).status == 401
        expectEqual(isDead, name == "expired-refresh-token")
        let next = try harness.signIn(Harness.layla)
        try expectEqual(harness.get("\(Self.v1)/profile/me", token: next.text(at: "token")).status, 200)
        try expectEqual(harness.refresh(next.text(at: "refreshToken")).status, 200)
    }

    @Test func `13.2 expired-token-500`() throws {
        try harness.scenario("expired-token-500")
        try expectEqual(harness.get("\(Self.v1)/profile/me", token: token).error, "500 profile_fetch_failed")
        try harness.scenario("expired-token-500", isOn: false)
        try expectEqual(harness.get("\(Self.v1)/profile/me", token: token).error, "401 unauthorized")
    }

    @Test func `13.2 refresh-lost-response: done, never heard of, and repeated with the same child`() throws {
        let token = try harness.signIn(Harness.layla).text(at: "refreshToken")
        try harness.scenario("refresh-lost-response")
        let lost = try harness.refresh(token)
        #expect(lost.ending == .closed && lost.bytes.isEmpty && lost.headAt == -1)
        let again = try harness.refresh(token)
        expectEqual(again.status, 200)
        expectEqual(again.ending, .ended)
        let child = try #require(try harness.state { state, _ in state.refreshTokens.rows.last }.map(SawaedState.text))
        expectEqual(again.text(at: "refreshToken"), child)
        try expectEqual(harness.refresh(child).ending, .closed)
        try harness.scenario("refresh-lost-response", isOn: false)
        let grandchild = try harness.refresh(child).text(at: "refreshToken")
        try expectEqual(harness.refresh(grandchild).ending, .ended)
    }

    @Test func `13.2 always-401`() throws {
        let call = { try harness.get("\(Self.v1)/ai/config", token: token) }
        let lines = try lines("always-401", call)
        #expect(lines[1] == "401 unauthorized" && lines[0] == lines[2])
        try harness.scenario("always-401")
        let pair = try harness.signIn(Harness.layla)
        let refreshed = try harness.refresh(pair.text(at: "refreshToken"))
        expectEqual(refreshed.status, 200)
        try expectEqual(harness.get("\(Self.v1)/ai/config", token: refreshed.text(at: "token")).status, 401)
    }

    @Test(arguments: [
        ("role-not-youth", "/onboarding/status"), ("role-not-youth", "/profile/me"), ("blocked-user", "/profile/me"),
    ])
    func `13.2 scenarios of accounts hold for everybody, new users too`(name: String, path: String) throws {
        let lines = try lines(name) { try harness.get(Self.v1 + path, token: token) }
        #expect(lines[1] == "403 forbidden" && lines[0] == lines[2] && lines[0].hasPrefix("200"))
        try harness.scenario(name)
        let new = try harness.signIn("somebody@example.com").text(at: "token")
        try expectEqual(harness.get(Self.v1 + path, token: new).error, "403 forbidden")
        let active = try harness.get("\(Self.v1)/ai/path/active", token: token)
        expectEqual(active.status, 200)
        expectEqual(active.text == "null", name == "role-not-youth")
    }

    @Test func `13.2 scenarios of onboarding and profile`() throws {
        try harness.scenario("onboarding-incomplete")
        try expectEqual(harness.post("\(Self.v1)/onboarding/complete", token: token).error, "400 invalid_draft")
        try harness.scenario("fresh-user-draft-403")
        try expectEqual(harness.get("\(Self.v1)/onboarding/draft", token: token).error, "403 forbidden")
        try harness.scenario("unknown-onboarding-step")
        try expectEqual(harness.get("\(Self.v1)/onboarding/status", token: token).text(at: "currentStep"), "welcome")
        try harness.scenario("profile-null")
        try expectEqual(harness.profile(token)["profile"], .null)
        try harness.scenario("no-active-path")
        try expectEqual(harness.get("\(Self.v1)/ai/path/active", token: token).text, "null")
        try harness.scenario("legacy-500")
        try expectEqual(harness.post("\(Self.v1)/profile/gender", token: token).error, "500 profile_gender_failed")
        try harness.scenario("backend-envelope")
        try expectEqual(harness.get("\(Self.v1)/events", token: token).keys, ["page", "isDone", "continueCursor"])
    }

    @Test func `13.2 buckets that are full stay full`() throws {
        let calls: [(String, () throws -> Played)] = [
            ("basics-rate-limited", { try harness.post("\(Self.v1)/profile/basics", token: token) }),
            ("register-rate-limited", { try harness.register("event_invite_muscat", token) }),
            ("chat-send-rate-limited", { try harness.chat("") }),
            ("chat-status-rate-limited", { try harness.poll("x") }),
        ]
        for (name, call) in calls {
            let former = try call().status
            try harness.scenario(name)
            for _ in 0..<2 {
                let reply = try call()
                expectEqual(reply.status, 429, "\(name)")
                let isChat = name.hasPrefix("chat")
                expectEqual(reply[.retryAfter] == nil, isChat)
                if let text = reply[.retryAfter] { #expect((0...10).contains(Int(text) ?? -1)) }
                try harness.advance(.minutes(2))
            }
            try harness.scenario(name, isOn: false)
            try expectEqual(call().status, former, "\(name)")
        }
        try harness.scenario("shared-rate-limit")
        let other = try harness.mint(Harness.omar)
        for _ in 0..<5 { _ = try harness.cancel("event_unknown", other) }
        try expectEqual(harness.cancel("event_unknown", token).status, 429)
    }

    @Test func `13.2 scenarios of the upload`() throws {
        func upload(_ count: Int) throws -> Int {
            let token = try harness.mint(Harness.layla)
            let url = try harness.get("\(Self.v1)/profile/picture/upload-url", token: token).text(at: "uploadUrl")
            let query = url.split(separator: "?").last.map(String.init) ?? ""
            let bytes = [UInt8](repeating: 1, count: count)
            return try harness.send(.post, "/api/storage/upload?\(query)", body: bytes).status
        }
        try harness.scenario("upload-url-expired")
        try expectEqual(upload(10), 403)
        try harness.scenario("upload-url-expired", isOn: false)
        try harness.scenario("upload-too-large")
        try expectEqual(upload(1_024), 200)
        try expectEqual(upload(1_025), 413)
        try harness.scenario("upload-too-large", isOn: false)
        try expectEqual(upload(1_025), 200)
    }

    @Test func `13.2 upload tokens issued while upload-url-expired is on are expired for good`() throws {
        func address() throws -> String {
            let url = try harness.get("\(Self.v1)/profile/picture/upload-url", token: token).text(at: "uploadUrl")
            return "/api/storage/upload?\(url.split(separator: "?").last ?? "")"
        }
        let former = try address()
        try harness.scenario("upload-url-expired")
        let expired = try address()
        try expectEqual(harness.send(.post, former, body: [1]).error, "403 forbidden")
        try harness.scenario("upload-url-expired", isOn: false)
        try expectEqual(harness.send(.post, expired, body: [1]).error, "403 forbidden")
        try expectEqual(harness.send(.post, former, body: [1]).status, 200)
        try expectEqual(harness.send(.post, try address(), body: [1]).status, 200)
    }

    // MARK: Chat

    /// The last status of a send, after so long.
    private func outcome(_ name: String, after milliseconds: Int64 = 600, _ message: String = "x") throws -> Played {
        try harness.set(["rateLimits": "off"])
        try harness.scenario(name)
        let id = try harness.chat(message, token: token).text(at: "sessionId")
        try harness.advance(.milliseconds(milliseconds))
        return try harness.poll(id)
    }

    @Test func `13.2 chat-error ends after two pieces`() throws {
        let reply = try outcome("chat-error", after: 359)
        expectEqual(reply.text(at: "status"), "partial")
        let failed = try outcome("chat-error", after: 10_000)
        expectEqual(failed.text(at: "status"), "error")
        expectEqual(failed.text(at: "error"), "unknown_error")
        expectEqual(failed.text(at: "text"), reply.text(at: "text"))
        // The conversation did not move on.
        try harness.scenario("chat-error", isOn: false)
        #expect(try harness.say("x", token: token).hasPrefix("Question 1/5"))
    }

    @Test func `13.2 chat-empty-response, chat-stuck, chat-slow and chat-session-gone`() throws {
        let empty = try outcome("chat-empty-response", after: 120)
        expectEqual(empty.text(at: "error"), "empty_response")
        expectEqual(empty.text(at: "text"), "")
        try harness.scenario("chat-empty-response", isOn: false)
        try expectEqual(outcome("chat-stuck", after: 100_000).text(at: "status"), "running")
        try harness.scenario("chat-stuck", isOn: false)
        try expectEqual(outcome("chat-slow", after: 2_000).text(at: "status"), "partial")
        try harness.scenario("chat-slow", isOn: false)
        let gone = try outcome("chat-session-gone", after: 600)
        expectEqual(gone.status, 404)
        expectEqual(gone.text(at: "error"), "session_not_found")
        try expectEqual(outcome("chat-session-gone", after: 599).text(at: "status"), "partial")
    }

    @Test func `13.2 chat-done-with-error`() throws {
        let reply = try outcome("chat-done-with-error")
        expectEqual(reply.text(at: "status"), "done")
        expectEqual(reply.text(at: "error"), "assessment_repair_failed")
        #expect(reply.text(at: "text").hasPrefix("Question 1/5"))
    }

    @Test func `13.2 chat-assessment yields a path at once, chat-invalid-assessment none`() throws {
        let valid = try outcome("chat-assessment").text(at: "text")
        #expect(valid.contains("```json") && valid.contains("\"m4\""))
        try expectEqual(harness.get("\(Self.v1)/ai/path/active", token: token).text(at: "id"), "learningpath_0001")
        #expect(try outcome("chat-assessment", "__start__").text(at: "text").hasPrefix("Welcome"))
        try harness.scenario("chat-assessment", isOn: false)
        let invalid = try outcome("chat-invalid-assessment").text(at: "text")
        #expect(invalid.contains("```json") && invalid.contains("\"m2\"") && !invalid.contains("\"m3\""))
        try expectEqual(harness.state { state, _ in state.learningPaths.count }, 4)
    }

    @Test func `13.2 chat-anonymous and chat-send-401`() throws {
        try harness.scenario("chat-anonymous")
        try expectEqual(harness.chat("x", token: token).json["conversationId"], .null)
        try harness.scenario("chat-anonymous", isOn: false)
        try harness.scenario("chat-send-401")
        try expectEqual(harness.chat("x").error, "401 unauthorized")
        try expectEqual(harness.chat("x", token: token).text(at: "conversationId"), "conversation_0001")
    }

    // MARK: Events

    @Test(arguments: [
        ("event-full", "event_open_unlimited", "409 event_full"),
        ("event-full", "event_waitlist_nizwa", "409 event_full"),
        ("event-full", "event_registered_rustaq", "409 event_full"),
        ("event-waitlisted", "event_open_unlimited", "waitlisted"),
        ("event-waitlisted", "event_full_sohar", "waitlisted"),
        ("event-approval", "event_open_unlimited", "pending"), ("event-approval", "event_full_sohar", "pending"),
        ("event-approval", "event_waitlist_nizwa", "pending"),
        ("event-invite-only", "event_closed_khasab", "409 invite_only"),
        ("event-invite-only", "event_past_muttrah", "409 invite_only"),
        ("event-not-open", "event_open_unlimited", "409 registration_not_open"),
        ("event-not-open", "event_past_muttrah", "409 registration_not_open"),
        ("event-closed", "event_notopen_duqm", "409 registration_closed"),
        ("event-past", "event_closed_khasab", "409 event_past"),
        ("already-registered", "event_open_unlimited", "409 already_registered"),
        ("rejected", "event_open_unlimited", "409 rejected_cannot_reapply"),
        ("events-empty", "event_open_unlimited", "409 event_not_available"),
        ("redacted-domain-error", "event_full_sohar", "400 server error"),
    ])
    func `13.2 scenarios of registration`(name: String, event: String, result: String) throws {
        try harness.scenario(name)
        let omar = try harness.mint(Harness.omar)
        let new = try harness.signIn("somebody@example.com").text(at: "token")
        for token in [omar, new] {
            let reply = try harness.register(event, token)
            expectEqual(reply.status == 200 ? reply.text(at: "status") : reply.error, result, "\(name)")
        }
    }

    @Test func `13.2 not-registered, events-empty, and the rows that changed are told`() throws {
        try harness.scenario("not-registered")
        try expectEqual(harness.cancel("event_registered_rustaq", token).error, "409 not_registered")
        try expectEqual(harness.profile(token)["activities"], [])
        try harness.scenario("events-empty")
        try expectEqual(harness.get("\(Self.v1)/events", token: token).text, #"{"items":[]}"#)
        let name = try #require(harness.emulator.scenario(named: "sawaed/events-empty"))
        let changed = try #require(harness.emulator.deactivate(name, in: try harness.hosted()))
        #expect(changed.count == 25 && changed.contains("events/event_full_sohar"))
    }
}
