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

/// Sections 12 and 13.1: the decisions with a setting, each both ways.
struct Section12DecisionTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
        try harness.set(["rateLimits": "off"])
    }

    @Test func `13.1 the settings have these defaults, and refuse other values`() throws {
        let hosted = try harness.hosted()
        let settings = harness.emulator.apis[0].readSettings(hosted.world, 0)
        let wanted: JSON = [
            "shape": "plan", "validation": "plan", "expiredToken": 401, "conflicts": "plan", "otpMail": "ok",
            "otpAnswer": "normal", "otpLimited": false, "refresh": "ok", "bearer": "ok", "steps": "plan",
            "paging": "filtered", "limiterKey": "token", "chatAuth": "open", "chatOutcome": "script",
            "chatPaceMs": 120, "rateLimits": "off",
        ]
        for member in wanted.objectValue?.members ?? [] { expectEqual(settings[member.name], member.value) }
        expectEqual(settings["otp"]?["codes"], "fixed")
        for wrong: JSON in [
            ["shape": "other"], ["expiredToken": 402], ["otpLimited": "yes"], ["chatPaceMs": 0], ["chatPaceMs": 1.5],
            ["otp": ["codes": "random"]], ["nonsense": true],
        ] {
            #expect(!harness.emulator.apis[0].settingFaults(wrong).isEmpty, "\(wrong)")
        }
        for right: JSON in [
            ["expiredToken": "500"], ["expiredToken": 500], ["otpLimited": "true"], ["otpLimited": true],
        ] {
            try harness.set(right)
            let after = harness.emulator.apis[0].readSettings(try harness.hosted().world, 0)
            expectEqual(after["expiredToken"], 500)
        }
    }

    @Test func `D1 to D3 the backend's shape: its keys only, unset ones left out`() throws {
        harness.checksAnswers = false
        try harness.set(["shape": "backend"])
        let list = try harness.get("\(Harness.v1)/events?pageSize=2", token: token)
        expectEqual(list.keys, ["page", "isDone", "continueCursor"])
        expectEqual(list.json["isDone"], false)
        let item = try #require(list.json["page"]?[0])
        for key in ["id", "title", "description", "startsAt", "endsAt", "posterUrl"] { expectNil(item[key]) }
        #expect(item.string("_id") == "event_series_10" && item["startingDate"] != nil && item["titleAr"] != nil)
        let next = try harness.get(
            "\(Harness.v1)/events?pageSize=50&cursor=\(list.text(at: "continueCursor"))",
            token: token
        )
        expectEqual(next.json["isDone"], true)
        expectEqual(next.json["continueCursor"], "")
        expectEqual(next.json["page"]?.arrayValue?.count, 22)
        let event = try harness.get("\(Harness.v1)/events/event_open_unlimited", token: token)
        #expect(event.json["capacity"] == nil && event.json["id"] == nil && event.text(at: "contact") != "")
        let path = try harness.get("\(Harness.v1)/ai/path/active", token: token).json
        #expect(path["id"] == nil && path.string("_id") == "path_layla_digital")
        expectEqual(path["modules"]?[0]?.string("id"), "m1")
        expectNil(path["modules"]?[1]?["resourceUrl"])
        let me = try harness.profile(token)
        #expect(me["user"]?["firstNameAr"] == nil && me["user"]?.string("firstName") == "ليلى")
        #expect(me["user"]?["pictureUrl"] == nil && me["education"]?[0]?["id"] == nil)
        expectEqual(me["education"]?[0]?.string("_id"), "education_layla1")
        expectEqual(me["awards"], [])
        try expectNil(harness.profile(try harness.mint(Harness.fresh))["profile"])
        try expectEqual(harness.get("\(Harness.v1)/ai/path?aiSkillId=none", token: token).text, "null")
    }

    @Test func `D4 the backend's validation: bodies, ids and phones are 500 with the route's code`() throws {
        try harness.set(["validation": "backend"])
        let base = "\(Harness.v1)/profile"
        try expectEqual(harness.post("\(base)/basics", token: token, text: "{").error, "500 profile_basics_failed")
        try expectEqual(
            harness.post("\(base)/phone", token: token, json: ["phone": "1"]).error,
            "500 profile_phone_failed"
        )
        try expectEqual(harness.delete("\(base)/education/none", token: token).error, "500 education_delete_failed")
        try expectEqual(
            harness.patch("\(base)/projects/none", token: token, json: [:]).error,
            "500 project_update_failed"
        )
        try expectEqual(harness.post("\(base)/awards", token: token).error, "500 award_create_failed")
        try expectEqual(
            harness.post("\(Harness.v1)/onboarding/step", token: token).error,
            "500 onboarding_set_step_failed"
        )
        // Not the auth routes, nor roles, nor queries, nor the draft.
        try expectEqual(harness.requestCode("x").error, "400 request_otp_failed")
        try expectEqual(harness.get("\(Harness.v1)/events?page=x", token: token).error, "400 validation_error")
        try expectEqual(harness.get("\(base)/me").error, "401 unauthorized")
        let fresh = try harness.mint(Harness.fresh)
        _ = try harness.post("\(Harness.v1)/onboarding/step", token: fresh, json: ["step": "skills"])
        try expectEqual(harness.post("\(Harness.v1)/onboarding/complete", token: fresh).error, "400 invalid_draft")
        try expectEqual(harness.get("\(Harness.v1)/nothing", token: token).error, "404 not_found")
    }

    @Test func `D6 an expired or forged bearer can be 500, but not on the list of events`() throws {
        try harness.set(["expiredToken": 500])
        let expired = try harness.mint(Harness.layla, .access, .expired)
        try expectEqual(harness.get("\(Harness.v1)/profile/me", token: expired).error, "500 profile_fetch_failed")
        try expectEqual(harness.get("\(Harness.v1)/ai/config", token: "forged").error, "500 ai_config_fetch_failed")
        try expectEqual(harness.get("\(Harness.v1)/events", token: expired).error, "401 unauthorized")
        try expectEqual(harness.get("\(Harness.v1)/profile/me").error, "401 unauthorized")
        try expectEqual(harness.get("\(Harness.v1)/profile/me", token: token).status, 200)
    }

    @Test func `D14 the backend's words for the steps`() throws {
        try harness.set(["steps": "backend"])
        let fresh = try harness.mint(Harness.fresh)
        func step() throws -> JSON? {
            try harness.get("\(Harness.v1)/onboarding/status", token: fresh).json["currentStep"]
        }
        try expectEqual(step(), "welcome")
        for (sent, shown) in [
            ("profile", "details"), ("skills", "taxonomies"), ("details", "details"), ("taxonomies", "taxonomies"),
            ("location", "location"),
        ] {
            let body: JSON = ["step": .string(sent)]
            try expectEqual(harness.post("\(Harness.v1)/onboarding/step", token: fresh, json: body).status, 200)
            try expectEqual(step(), .string(shown))
        }
        let layla = try harness.get("\(Harness.v1)/onboarding/status", token: token)
        expectEqual(layla.text, #"{"completed":true,"currentStep":"done"}"#)
    }

    @Test func `D19 sparse paging filters after the cut`() throws {
        try harness.set(["paging": "sparse"])
        var cursor = ""
        var sizes: [Int] = []
        var found: [String] = []
        repeat {
            let page = try harness.get(
                "\(Harness.v1)/events?pageSize=5&registrationPolicy=approval&cursor=\(cursor)",
                token: token
            )
            let ids = page.json["items"]?.arrayValue?.map { $0.string("id") } ?? []
            sizes.append(ids.count)
            found += ids
            cursor = page.text(at: "nextCursor")
        } while !cursor.isEmpty && sizes.count < 10
        #expect(sizes.count == 5 && sizes.contains(0))
        expectEqual(found, ["event_rejected_buraimi", "event_approvalfull_ibri", "event_approval_salalah"])
    }

    @Test func `D24 strict chat asks for a bearer`() throws {
        try harness.set(["chatAuth": "strict"])
        try expectEqual(harness.chat("x").error, "401 unauthorized")
        try expectEqual(harness.chat("x", token: "bad").error, "401 unauthorized")
        try expectEqual(harness.chat("x", token: token).status, 200)
    }

    @Test func `D25 no reasoning anywhere`() throws {
        try harness.set(["chatOutcome": "assessNow"])
        #expect(!(try harness.say("x", token: token)).contains("reasoning"))
        #expect(!(try harness.get("\(Harness.v1)/ai/path/active", token: token).text).contains("reasoning"))
    }

    @Test func `D32 redacted conflicts are 400 server error`() throws {
        try harness.set(["conflicts": "redacted"])
        for reply in [
            try harness.register("event_full_sohar", token), try harness.cancel("event_open_unlimited", token),
        ] {
            expectEqual(reply.status, 400)
            expectEqual(reply.text, #"{"error":{"code":"server error","message":"server error"}}"#)
        }
        try expectEqual(harness.register("abc", token).error, "400 invalid_id")
    }

    @Test func `13.1 with both switches a redacted conflict stays 400, while bodies and ids become 500`() throws {
        try harness.set(["conflicts": "redacted", "validation": "backend"])
        try expectEqual(harness.register("event_full_sohar", token).error, "400 server error")
        try expectEqual(harness.cancel("event_open_unlimited", token).error, "400 server error")
        try expectEqual(harness.register("abc", token).error, "500 apply_failed")
    }

    @Test func `13.1 the pace of chat, queued lasting a third`() throws {
        try harness.set(["chatPaceMs": 2_000])
        let id = try harness.chat("x").text(at: "sessionId")
        for (time, status) in [
            (665, "queued"), (666, "running"), (1_999, "running"), (2_000, "partial"), (9_999, "partial"),
            (10_000, "done"),
        ] {
            try harness.setClock(Harness.noon + .milliseconds(Int64(time)))
            try expectEqual(harness.poll(id).text(at: "status"), status, "\(time)")
        }
    }
}
