import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trendy

/// Section 13: every scenario on, its effect, and off again; and section 7.5, the form of injected failures.
struct Section13ScenarioTests {
    static let names = [
        "new-user-defaults", "returning-completed", "partial-onboarding/welcome", "partial-onboarding/auth",
        "partial-onboarding/permissions", "partial-onboarding/gap", "completed-without-steps", "after-reset",
        "second-device", "backend-timeout", "backend-slow", "backend-stall", "offline", "offline-then-online",
        "push-lost", "push-out-of-order", "stale-read", "flaky", "rate-limited", "expired-session",
        "expired-session/refresh-dead", "signed-out-elsewhere", "refresh-replay", "refresh-answer-lost", "auth-down",
        "user-switch", "invalid-permission", "problem-errors", "not-json", "fractional-dates", "null-members",
        "unknown-permission", "upper-case-id", "clock-skew", "as-deployed", "sign-up-taken", "weak-password",
        "sync-backlog", "batch-partial", "idempotent-retry", "captive-portal", "keep-alive-closed", "slash-redirect",
        "gzip-mislabelled",
    ]

    let harness: Harness

    init() throws {
        harness = try Harness()
        harness.checksAnswers = false
    }

    private func onboarding(_ name: String) throws -> Played {
        try harness.get(Harness.onboarding, token: try harness.mint(Harness.mail(name)))
    }

    private func push(_ token: String) throws -> Played {
        try harness.patch(Harness.onboarding, token: token, json: ["completed": true])
    }

    @Test func `13 these 44 scenarios exist, each with a title and what to do`() throws {
        let found = harness.emulator.apis[0].scenarios
        expectEqual(found.map(\.name).sorted(), Self.names.map { "trendy/\($0)" }.sorted())
        for scenario in found { #expect(!scenario.title.isEmpty && !scenario.expect.isEmpty) }
    }

    @Test(arguments: names)
    func `13 a scenario leaves settings, faults and limits as they were when it goes off`(name: String) throws {
        let before = harness.emulator.apis[0].readSettings(try harness.hosted().world, 0)
        let token = try harness.mint("completed@trendy.example")
        try harness.activate(name)
        try harness.activate(name)
        #expect(try harness.deactivate(name) != nil)
        try expectNil(harness.deactivate(name))
        expectEqual(harness.emulator.apis[0].readSettings(try harness.hosted().world, 0), before)
        if ["expired-session", "expired-session/refresh-dead", "signed-out-elsewhere", "clock-skew"].contains(name) {
            try expectEqual(harness.get(Harness.onboarding, token: token).status, 401)
        }
        let fresh = try harness.signIn("completed").text(at: "access_token")
        let reply = try harness.get(Harness.onboarding, token: fresh)
        expectEqual(reply.status, 200)
        expectEqual(reply.duration, 0)
        expectEqual(reply.ending, .ended)
        expectEqual(reply.text(at: "updated_at"), "2024-12-20T09:04:05Z")
    }

    @Test func `13 the seed accounts are in the states that the scenarios need`() throws {
        try expectEqual(onboarding("new").keys, ["user_id", "completed", "created_at", "updated_at"])
        try expectEqual(onboarding("completed").keys, Section3OnboardingTests.members)
        #expect(try onboarding("welcome").keys.contains("welcome_completed_at"))
        #expect(try !onboarding("welcome").keys.contains("auth_completed_at"))
        #expect(try onboarding("auth").keys.contains("auth_completed_at"))
        let permissions = try onboarding("permissions")
        expectEqual(permissions.keys, Section3OnboardingTests.members)
        expectEqual(permissions.json["completed"], false)
        let gap = try onboarding("gap")
        expectEqual(gap.keys, ["user_id", "completed", "permissions_completed_at", "created_at", "updated_at"])
        let flagOnly = try onboarding("flag-only")
        #expect(flagOnly.keys.count == 4 && flagOnly.json["completed"] == true)
        let reset = try onboarding("reset")
        expectEqual(Section3OnboardingTests.statuses.map { reset.text(at: $0) }, ["granted", "skipped", "denied"])
        #expect(!reset.keys.contains("welcome_completed_at") && reset.keys.contains("location_completed_at"))
    }

    @Test(arguments: [
        ("backend-timeout", 5_000), ("backend-slow", 2_500), ("stale-read", 2_000), ("user-switch", 2_000),
    ])
    func `13 slow reads come with the right answer`(name: String, milliseconds: Int64) throws {
        try harness.activate(name)
        let reply = try onboarding("completed")
        expectEqual(reply.duration, milliseconds)
        expectEqual(reply.status, 200)
        expectEqual(reply.json["completed"], true)
        try expectEqual(push(try harness.mint("completed@trendy.example")).duration, 0)
        try expectEqual(onboarding("completed").duration, name == "user-switch" ? 0 : milliseconds)
    }

    @Test func `13 backend-stall never answers`() throws {
        try harness.activate("backend-stall")
        try expectEqual(onboarding("completed").ending, .held)
    }

    @Test func `13 offline resets everything, offline-then-online three pushes`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("offline")
        try expectEqual(harness.get("/health").ending, .aborted)
        try expectEqual(harness.signIn("new").ending, .aborted)
        _ = try harness.deactivate("offline")
        try harness.activate("offline-then-online")
        for _ in 0..<3 { try expectEqual(push(token).ending, .aborted) }
        try expectEqual(harness.get(Harness.onboarding, token: token).json["completed"], false)
        try expectEqual(push(token).json["completed"], true)
    }

    @Test func `7_5 push-lost is 500 with the text of the route, once, and stores nothing`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("push-lost")
        try expectEqual(push(token).plain, "500 failed to update onboarding status")
        try expectEqual(harness.get(Harness.onboarding, token: token).json["completed"], false)
        try expectEqual(push(token).status, 200)
    }

    @Test func `13 push-out-of-order delays the first push, and both are applied`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("push-out-of-order")
        try expectEqual(push(token).duration, 2_000)
        let second = try harness.patch(
            Harness.onboarding,
            token: token,
            json: ["welcome_completed_at": "2025-01-01T12:00:00Z"]
        )
        expectEqual(second.duration, 0)
        expectEqual(second.json["completed"], true)
    }

    @Test func `13 flaky fails every second request`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("flaky")
        let statuses = try (0..<6).map { _ in try harness.get(Harness.onboarding, token: token).status }
        expectEqual(statuses, [200, 500, 200, 500, 200, 500])
        let calls = try (0..<2).map { _ in try harness.delete(Harness.onboarding, token: token).status }
        expectEqual(calls, [200, 500])
    }

    @Test func `13 rate-limited is the limiter's answer for 60 s`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("rate-limited")
        let reply = try harness.get(Harness.onboarding, token: token)
        expectEqual(reply.plain, "429 rate limit exceeded")
        expectEqual(reply["Retry-After"], "60")
        expectEqual(reply["X-RateLimit-Limit"], "300")
        try harness.advance(.milliseconds(59_999))
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 429)
        try harness.advance(.milliseconds(1))
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 200)
        _ = try harness.deactivate("rate-limited")
        try harness.activate("rate-limited")
        _ = try harness.deactivate("rate-limited")
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 200)
    }

    @Test func `13 expired-session asks for one refresh, before and after a sign-in`() throws {
        let before = try harness.signIn("new")
        try harness.activate("expired-session")
        let after = try harness.signIn("new")
        for session in [before, after] {
            let access = session.text(at: "access_token")
            try expectEqual(harness.get(Harness.onboarding, token: access).problem, "401 unauthorized")
            try expectEqual(harness.authUser(access).auth, "403 bad_jwt")
            let next = try harness.refresh(session.text(at: "refresh_token"))
            try expectEqual(harness.get(Harness.onboarding, token: next.text(at: "access_token")).status, 200)
        }
    }

    @Test func `13 expired-session refresh-dead and signed-out-elsewhere end what there is`() throws {
        for name in ["expired-session/refresh-dead", "signed-out-elsewhere"] {
            let session = try harness.signIn("new")
            try harness.activate(name)
            let access = session.text(at: "access_token")
            try expectEqual(harness.get(Harness.onboarding, token: access).status, 401)
            try expectEqual(
                harness.authUser(access).auth,
                name == "signed-out-elsewhere" ? "403 session_not_found" : "403 bad_jwt"
            )
            try expectEqual(harness.refresh(session.text(at: "refresh_token")).auth, "400 refresh_token_not_found")
            try expectEqual(harness.deactivate(name)?.isEmpty, false)
            try expectEqual(harness.signIn("new").status, 200)
        }
    }

    @Test func `13 refresh-replay ends the session`() throws {
        try harness.activate("refresh-replay")
        let first = try harness.signIn("new").text(at: "refresh_token")
        let second = try harness.refresh(first).text(at: "refresh_token")
        _ = try harness.refresh(second)
        try harness.advance(.seconds(11))
        try expectEqual(harness.refresh(first).auth, "400 refresh_token_already_used")
    }

    @Test func `13 refresh-answer-lost loses the answer but not the rotation`() throws {
        let session = try harness.signIn("new")
        try harness.activate("refresh-answer-lost")
        let token = session.text(at: "refresh_token")
        try expectEqual(harness.refresh(token).ending, .closed)
        let again = try harness.refresh(token)
        #expect(again.status == 200 && again.text(at: "refresh_token") != token)
        try expectEqual(harness.signIn("new").status, 200)
    }

    @Test func `13 D26 auth-down is 503 at the auth server and 401 at the backend`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("auth-down")
        try expectEqual(harness.signIn("new").auth, "503 unexpected_failure")
        try expectEqual(harness.authUser(token).auth, "503 unexpected_failure")
        let reply = try harness.get(Harness.onboarding, token: token, headers: [("X-Request-ID", "abc")])
        expectEqual(reply.problem, "401 unauthorized")
        expectEqual(reply["X-Request-ID"], "abc")
        expectEqual(reply["X-Frame-Options"], "DENY")
        try expectEqual(harness.get("/health").status, 200)
    }

    @Test func `7_5 problem-errors is a 401, then a 503 with retry_after, then nothing`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("problem-errors")
        try expectEqual(harness.get(Harness.onboarding, token: token).problem, "401 unauthorized")
        let second = try harness.get(Harness.onboarding, token: token)
        expectEqual(second.problem, "503 internal")
        expectEqual(second.text(at: "title"), "Service Unavailable")
        expectEqual(second.json["retry_after"], 30)
        expectEqual(second["Retry-After"], "30")
        expectEqual(second.keys, ["type", "title", "status", "detail", "request_id", "user_message", "retry_after"])
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 200)
    }

    @Test(arguments: [
        (400, "plain"), (401, "problem"), (404, "plain"), (409, "plain"), (429, "plain"), (500, "plain"),
        (502, "plain"),
        (503, "problem"),
    ])
    func `7_5 an injected status has the body that production would send`(status: Int, form: String) throws {
        let token = try harness.mint("new@trendy.example")
        func answer(_ path: String, retryAfter: Int? = nil) throws -> Played {
            let response = TrendyAPI.faultAnswer(
                InjectedStatus(Status(status), retryAfter: retryAfter.map { .seconds($0) }),
                state: try harness.state { state, _ in state },
                call: Call(
                    request: HTTPRequest(
                        head: RequestHead(
                            method: .delete,
                            target: RequestTarget(rawPath: path),
                            fields: ["X-Supabase-Api-Version": "2024-01-01"]
                        )
                    ),
                    path: Path(raw: path) ?? Path(segments: []),
                    peer: "127.0.0.1",
                    now: Harness.noon,
                    epoch: Epoch(start: Harness.noon),
                    requestID: "req_1"
                )
            )
            return Played(immediate: response)
        }
        #expect(!token.isEmpty)
        let backend = try answer("/api/v1/events/x", retryAfter: 7)
        #expect((form == "plain" ? backend.plain : backend.problem).hasPrefix("\(status) "))
        #expect(backend["X-Request-ID"] != nil && backend["X-Frame-Options"] == "DENY")
        if status == 429 { expectEqual(backend["X-RateLimit-Limit"], "300") }
        if status == 429 || status == 503 { expectEqual(backend["Retry-After"], "7") }
        if status == 503 { expectEqual(backend.json["retry_after"], 7) }
        let auth = try answer("/auth/v1/token")
        let code = status == 429 ? "over_request_rate_limit" : status >= 500 ? "unexpected_failure" : nil
        if let code { expectEqual(auth.auth, "\(status) \(code)") }
        #expect(!["session_not_found", "session_expired"].contains(auth.text(at: "code")))
        #expect(!auth.text(at: "code").hasPrefix("refresh_token"))
        expectNil(auth["X-Frame-Options"])
        try expectEqual(answer("/rest/v1/profiles").keys, ["code", "details", "hint", "message"])
    }

    @Test func `13 not-json is cut off under status 200`() throws {
        try harness.activate("not-json")
        let reply = try onboarding("completed")
        #expect(reply.status == 200 && reply.json.isNull && !reply.bytes.isEmpty)
    }

    @Test func `13 the shapes that drift: fractions, nulls, an unknown permission, an upper-case id`() throws {
        try harness.activate("fractional-dates")
        try expectEqual(onboarding("completed").text(at: "updated_at"), "2024-12-20T09:04:05.000000Z")
        _ = try harness.deactivate("fractional-dates")
        try harness.activate("null-members")
        let nulls = try onboarding("new")
        expectEqual(nulls.keys, Section3OnboardingTests.members)
        expectEqual(nulls.json["location_status"], .null)
        expectEqual(nulls.json["auth_completed_at"], .null)
        _ = try harness.deactivate("null-members")
        try harness.activate("unknown-permission")
        try expectEqual(onboarding("completed").text(at: "notifications_status"), "provisional")
        _ = try harness.deactivate("unknown-permission")
        try harness.activate("upper-case-id")
        try expectEqual(onboarding("flag-only").text(at: "user_id"), Harness.id(7).uppercased())
    }

    @Test func `13 clock-skew sets the clock a day ahead, and tokens go by it`() throws {
        let token = try harness.signIn("new").text(at: "access_token")
        try harness.activate("clock-skew")
        try expectEqual(harness.now, Harness.noon + .days(1))
        try expectEqual(harness.get(Harness.onboarding, token: token).status, 401)
        try expectEqual(harness.signIn("new").json["expires_at"], 1_735_822_800)
    }

    @Test func `13 as-deployed is the profile of section 12`() throws {
        try harness.activate("as-deployed")
        let token = try harness.mint("new@trendy.example")
        try expectEqual(push(token).status, 500)
        #expect(try harness.get(Harness.onboarding, token: token).text(at: "created_at").contains("."))
        try expectEqual(push(token).json["completed"], true)
        try expectEqual(harness.get(Harness.onboarding, token: token).json["completed"], false)
    }

    @Test func `13 the refusals that need no switch`() throws {
        for name in ["sign-up-taken", "weak-password", "invalid-permission", "batch-partial"] {
            try harness.activate(name)
        }
        let taken = try harness.signUp(["email": "new@trendy.example", "password": "123456"])
        expectEqual(taken.auth, "422 user_already_exists")
        let weak = try harness.signUp(["email": "weak@trendy.example", "password": "12345"])
        expectEqual(weak.json["weak_password"]?["reasons"], ["length"])
        let token = try harness.mint("tracker@trendy.example")
        let bad = try harness.patch(Harness.onboarding, token: token, json: ["location_status": "maybe"])
        #expect(bad.plain.hasPrefix("400 invalid location_status"))
        let run = try harness.typeID("Run", token)
        let items: [JSON] = ["a", "b", "c"].enumerated().map { place, name in
            [
                "event_type_id": .string(place == 1 ? name : run),
                "timestamp": .string("2025-01-01T0\(place):00:00Z"),
            ]
        }
        let batch = try harness.post("/api/v1/events/batch", token: token, json: ["events": .array(items)])
        expectEqual(batch.status, 207)
    }

    @Test func `13 sync-backlog has 2000 changes in pages of 100`() throws {
        try harness.activate("sync-backlog")
        let token = try harness.mint("tracker@trendy.example")
        try expectEqual(harness.get("/api/v1/changes/latest-cursor", token: token).json["cursor"], 2000)
        var (since, pages, count) = (Int64(0), 0, 0)
        while true {
            let page = try harness.get("/api/v1/changes?since=\(since)", token: token).json
            pages += 1
            count += page["changes"]?.arrayValue?.count ?? 0
            since = page["next_cursor"]?.intValue ?? 0
            if page["has_more"] != true { break }
        }
        #expect(pages == 20 && count == 2_000 && since == 2_000)
        try expectEqual(harness.deactivate("sync-backlog")?.isEmpty, false)
    }

    @Test func `13 idempotent-retry drops the answer of a creation, and the key finds it again`() throws {
        let token = try harness.mint("new@trendy.example")
        try harness.activate("idempotent-retry")
        func create() throws -> Played {
            try harness.post(
                "/api/v1/event-types",
                token: token,
                json: ["name": "Swim", "color": "c", "icon": "i"],
                headers: [("Idempotency-Key", "k")]
            )
        }
        try expectEqual(create().ending, .closed)
        let again = try create()
        expectEqual(again.status, 201)
        expectEqual(again["X-Idempotency-Replayed"], "true")
        try expectEqual(harness.get("/api/v1/event-types", token: token).json.arrayValue?.count, 1)
    }
}
