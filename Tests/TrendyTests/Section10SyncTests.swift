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

/// Sections 10.1 to 10.4 and 10.10 to 10.12: the rest of tier 2.
struct Section10SyncTests {
    let harness: Harness
    let token: String
    let new: String

    init() throws {
        harness = try Harness()
        token = try harness.mint("tracker@trendy.example")
        new = try harness.mint("new@trendy.example")
    }

    private func get(_ path: String, _ token: String? = nil) throws -> Played {
        try harness.get("/api/v1/\(path)", token: token ?? self.token)
    }

    // MARK: 10.1, 10.2

    @Test func `10.1 health says so`() throws {
        try expectEqual(harness.get("/health").text, #"{"env":"development","status":"ok"}"#)
    }

    @Test func `10.2 login, signup, logout and me`() throws {
        try harness.set(["rateLimits": "off"])
        func call(_ name: String, _ body: JSON) throws -> Played {
            try harness.post("/api/v1/auth/\(name)", json: body)
        }
        let login = try call("login", ["email": "NEW@trendy.example", "password": .string(Harness.password)])
        expectEqual(login.status, 200)
        expectEqual(login.keys, ["access_token", "refresh_token", "user"])
        expectEqual(login.json["user"]?.keys, ["id", "email", "created_at", "updated_at"])
        expectEqual(login.text(at: "user.created_at"), "2024-12-20T08:58:00Z")
        try expectEqual(harness.refresh(login.text(at: "refresh_token")).status, 200)
        try expectEqual(
            call("login", ["email": "new@trendy.example", "password": "nope"]).plain,
            "401 invalid credentials"
        )
        for body: JSON in [[:], ["email": "new@trendy.example"], ["email": "x", "password": "y"], [], ["email": 1]] {
            try expectEqual(call("login", body).plain, "400 invalid request format")
            try expectEqual(call("signup", body).plain, "400 invalid request format")
        }
        try expectEqual(
            call("signup", ["email": "n@trendy.example", "password": "12345"]).plain,
            "400 invalid request format"
        )
        let signup = try call("signup", ["email": "N@trendy.example", "password": "123456"])
        expectEqual(signup.status, 201)
        expectEqual(signup.keys, login.keys)
        try expectEqual(
            call("signup", ["email": "n@trendy.example", "password": "123456"]).plain,
            "400 unable to create account"
        )
        let access = signup.text(at: "access_token")
        try expectEqual(
            harness.send(.post, "/api/v1/auth/logout", token: access).text,
            #"{"message":"logged out successfully"}"#
        )
        let me = try harness.get("/api/v1/auth/me", token: access)
        expectEqual(me.text(at: "email"), "n@trendy.example")
        expectEqual(me.keys, ["id", "email", "created_at", "updated_at"])
    }

    // MARK: 10.3

    @Test func `10.3 the feed runs from 1 in the order of creation, only one's own`() throws {
        let page = try get("changes?limit=500").json
        let changes = page["changes"]?.arrayValue ?? []
        expectEqual(changes.compactMap { $0["id"]?.intValue }, Array(1...64))
        expectEqual(page["next_cursor"], 64)
        expectEqual(page["has_more"], false)
        expectEqual(changes[0].keys, ["id", "entity_type", "operation", "entity_id", "user_id", "data", "created_at"])
        let times = changes.map { $0.string("created_at") }
        expectEqual(times, times.sorted())
        expectEqual(
            changes.prefix(6).map { $0.string("entity_type") },
            ["event_type", "event_type", "event_type", "property_definition", "property_definition", "geofence"]
        )
        for change in changes { expectEqual(change["data"]?.string("id"), change.string("entity_id")) }
        try expectEqual(get("changes", new).text, #"{"changes":[],"next_cursor":0,"has_more":false}"#)
        try expectEqual(get("changes?since=7", new).json["next_cursor"], 7)
        try expectEqual(get("changes/latest-cursor").text, #"{"cursor":64}"#)
        try expectEqual(get("changes/latest-cursor", new).text, #"{"cursor":0}"#)
    }

    @Test func `10.3 limits outside 1 to 500 count as 100, and words are refused by name`() throws {
        try harness.activate("sync-backlog")
        for (limit, wanted) in [
            ("", 100), ("&limit=1", 1), ("&limit=500", 500), ("&limit=501", 100), ("&limit=0", 100), ("&limit=-1", 100),
            ("&limit=", 100),
        ] {
            let page = try get("changes?since=10\(limit)").json
            expectEqual(page["changes"]?.arrayValue?.count, wanted, "\(limit)")
            expectEqual(page["changes"]?[0]?["id"], 11)
            expectEqual(page["next_cursor"], .integer(Int64(10 + wanted)))
            expectEqual(page["has_more"], true)
        }
        for query in ["since=x", "limit=x", "since=1.5", "limit=99999999999999999999"] {
            let reply = try get("changes?\(query)")
            #expect(reply.plain.hasPrefix("400 ") && reply.text.contains(query.prefix { $0 != "=" }))
        }
        try expectEqual(get("changes?since=-5&limit=1").json["changes"]?[0]?["id"], 1)
        try expectEqual(get("changes?since=2000").text, #"{"changes":[],"next_cursor":2000,"has_more":false}"#)
    }

    @Test func `10.3 the sequence is the world's, and the data is that of the time`() throws {
        let mine = try harness.post(
            "/api/v1/event-types",
            token: new,
            json: ["name": "A", "color": "c", "icon": "i"]
        )
        try expectEqual(get("changes", new).json["next_cursor"], 65)
        let run = try harness.typeID("Run", token)
        _ = try harness.put("/api/v1/event-types/\(run)", token: token, json: ["name": "Jog"])
        let changes = try get("changes?limit=500").json["changes"]?.arrayValue ?? []
        expectEqual(changes.last?["id"], 66)
        expectEqual(changes.first?["data"]?.string("name"), "Run")
        expectEqual(changes.last?["data"]?.string("name"), "Jog")
        try expectEqual(get("changes", new).json["changes"]?[0]?["data"], mine.json)
    }

    // MARK: 10.4

    @Test func `10.4 the sync status counts, dates and judges`() throws {
        let reply = try get("me/sync")
        expectEqual(
            reply.text,
            #"{"last_event":"2024-12-31T08:00:00Z","last_event_type":"2024-12-20T09:10:20Z","#
                + #""counts":{"events":58,"event_types":3},"healthkit":{"last_sync":"2024-12-25T14:00:00Z","count":1},"#
                + #""latest_cursor":64,"status":"all_synced"}"#
        )
        expectEqual(reply.fields.values(.cacheControl), ["private, max-age=30"])
        let none = try get("me/sync", new)
        expectEqual(none.keys, ["counts", "healthkit", "latest_cursor", "status", "recommendations"])
        expectEqual(none.text(at: "status"), "pending_changes")
        expectEqual(none.json["healthkit"]?.text, #"{"count":0}"#)
        _ = try harness.post("/api/v1/event-types", token: new, json: ["name": "A", "color": "c", "icon": "i"])
        try expectEqual(get("me/sync", new).text(at: "status"), "pending_changes")
        #expect(try harness.get("/api/v1/me/sync").fields.values(.cacheControl) != ["private, max-age=30"])
    }

    @Test func `10.4 data without a log asks for a resync`() throws {
        try harness.state { state, _ in state.changes = .init() }
        let reply = try get("me/sync")
        expectEqual(reply.text(at: "status"), "resync_recommended")
        expectEqual(reply.json["recommendations"]?.arrayValue?.isEmpty, false)
    }

    // MARK: 10.10

    @Test func `10.10 without insights the lists are empty and the date is year 1`() throws {
        try expectEqual(
            get("insights", new).text,
            #"{"correlations":[],"patterns":[],"streaks":[],"weekly_summary":[],"#
                + #""computed_at":"0001-01-01T00:00:00Z","data_sufficient":false,"total_days":0}"#
        )
        try expectEqual(
            get("insights/correlations", new).text,
            #"{"computed_at":"0001-01-01T00:00:00Z","correlations":[]}"#
        )
        try expectEqual(get("insights/streaks", new).text, #"{"streaks":[]}"#)
        try expectEqual(get("insights/weekly-summary", new).text, #"{"weekly_summary":[]}"#)
        let refreshed = try harness.send(.post, "/api/v1/insights/refresh", token: new)
        expectEqual(refreshed.keys, ["message", "status"])
        expectEqual(refreshed.text(at: "status"), "success")
        try expectEqual(get("insights", new).json["data_sufficient"], false)
    }

    @Test func `10.10 the tracker has insights, which live for 6 hours`() throws {
        let reply = try get("insights")
        expectEqual(reply.json["data_sufficient"], true)
        expectEqual(reply.text(at: "computed_at"), "2025-01-01T12:00:00Z")
        for (list, kind) in [("correlations", "correlation"), ("patterns", "pattern"), ("streaks", "streak")] {
            let insights = reply.json[list]?.arrayValue ?? []
            #expect(!insights.isEmpty)
            for insight in insights {
                expectEqual(insight.string("insight_type"), kind)
                expectEqual(insight.string("valid_until"), "2025-01-01T18:00:00Z")
            }
        }
        try harness.advance(.hours(6) - .seconds(1))
        let token = try harness.mint("tracker@trendy.example")
        try expectEqual(get("insights", token).text(at: "computed_at"), "2025-01-01T12:00:00Z")
        try harness.advance(.seconds(1))
        try expectEqual(get("insights", token).text(at: "computed_at"), "2025-01-01T18:00:00Z")
        try harness.advance(.seconds(60))
        _ = try harness.send(.post, "/api/v1/insights/refresh", token: token)
        try expectEqual(get("insights", token).text(at: "computed_at"), "2025-01-01T18:01:00Z")
    }

    @Test func `10.10 streaks are counted in days, longest first, current for 48 hours`() throws {
        let streaks = try get("insights/streaks").json["streaks"]?.arrayValue ?? []
        let shown = streaks.map { streak in
            [
                streak.string("streak_type"), streak["length"]?.text ?? "", streak.string("start_date"),
                streak.string("end_date"),
            ]
            .joined(separator: " ")
        }
        expectEqual(
            shown,
            [
                "current 21 2024-12-11T00:00:00Z ", "longest 21 2024-12-11T00:00:00Z 2024-12-31T00:00:00Z",
                "longest 21 2024-12-10T00:00:00Z 2024-12-30T00:00:00Z",
                "longest 5 2024-12-16T00:00:00Z 2024-12-20T00:00:00Z", "current 2 2024-12-30T00:00:00Z ",
            ]
        )
        expectEqual(
            streaks[1].keys,
            [
                "id", "user_id", "event_type_id", "streak_type", "start_date", "end_date", "length", "is_active",
                "created_at", "updated_at",
            ]
        )
        try harness.advance(.hours(12))
        let token = try harness.mint("tracker@trendy.example")
        try expectEqual(get("insights/streaks", token).json["streaks"]?[0]?.string("streak_type"), "current")
        try harness.advance(.seconds(1))
        let later = try get("insights/streaks", token).json["streaks"]?.arrayValue ?? []
        #expect(!later.contains { $0.string("streak_type") == "current" })
    }

    @Test func `10.10 the week begins on Sunday and is held against the last one`() throws {
        let weeks = try get("insights/weekly-summary").json["weekly_summary"]?.arrayValue ?? []
        let shown = weeks.map { week in
            "\(week.string("event_type_name")) \(week["this_week_count"]?.text ?? "") \(week["last_week_count"]?.text ?? "")"
                + " \(week["change_percent"]?.text ?? "") \(week.string("direction"))"
        }
        expectEqual(
            shown,
            [
                "Run 3 7 -57.14285714285714 down", "Sleep 2 8 -75 down", "Coffee 2 5 -60 down",
            ]
        )
        expectEqual(
            weeks[0].keys,
            [
                "event_type_id", "event_type_name", "event_type_color", "event_type_icon", "this_week_count",
                "last_week_count", "change_percent", "direction",
            ]
        )
        _ = try harness.post("/api/v1/event-types", token: token, json: ["name": "Idle", "color": "c", "icon": "i"])
        let fresh = try harness.post(
            "/api/v1/event-types",
            token: token,
            json: ["name": "Fresh", "color": "c", "icon": "i"]
        )
        _ = try harness.post(
            "/api/v1/events",
            token: token,
            json: ["event_type_id": fresh.json["id"] ?? .null, "timestamp": "2024-12-29T00:00:00Z"]
        )
        let last = try get("insights/weekly-summary").json["weekly_summary"]?.arrayValue?.last
        expectEqual(last?.string("event_type_name"), "Fresh")
        expectEqual(last?["change_percent"], 100)
        expectEqual(last?.string("direction"), "up")
    }

    // MARK: 10.11

    @Test func `10.11 the summary counts and shows the last ten`() throws {
        let reply = try get("analytics/summary")
        expectEqual(reply.keys, ["total_events", "event_type_counts", "recent_events"])
        expectEqual(reply.json["total_events"], 58)
        let counts = reply.json["event_type_counts"]?.objectValue?.members.compactMap { $0.value.intValue } ?? []
        expectEqual(counts.sorted(), [15, 21, 22])
        expectEqual(reply.json["recent_events"]?.arrayValue?.count, 10)
        try expectEqual(
            get("analytics/summary", new).text,
            #"{"total_events":0,"event_type_counts":{},"recent_events":[]}"#
        )
    }

    @Test func `10.11 trends have buckets of a day, or of a week in a year`() throws {
        let trends = try get("analytics/trends").json.arrayValue ?? []
        expectEqual(trends.count, 3)
        expectEqual(trends[0].keys, ["event_type_id", "period", "data", "average", "trend"])
        expectEqual(trends[0].string("period"), "month")
        let data = trends[0]["data"]?.arrayValue ?? []
        expectEqual(data.count, 30)
        expectEqual(data.first?.text, #"{"date":"2024-12-02T12:00:00Z","count":0}"#)
        expectEqual(data.reduce(0) { $0 + ($1["count"]?.intValue ?? 0) }, 21)
        expectEqual(trends[0]["average"]?.doubleValue, 0.7)
        expectEqual(trends[0].string("trend"), "stable")
        let run = try harness.typeID("Run", token)
        let range = "start_date=2024-12-11T00:00:00Z&end_date=2025-01-01T00:00:00Z"
        let year = try get("analytics/event-type/\(run)?period=year&\(range)").json
        expectEqual(year["data"]?.arrayValue?.compactMap { $0["count"]?.intValue }, [7, 7, 7])
        expectEqual(year.string("period"), "year")
        let week = try get("analytics/event-type/\(run)?period=week&\(range)").json
        expectEqual(week["data"]?.arrayValue?.count, 21)
        let rising = try get(
            "analytics/event-type/\(run)?period=year&start_date=2024-12-01T00:00:00Z&end_date=2024-12-22T00:00:00Z"
        ).json
        expectEqual(rising["data"]?.arrayValue?.compactMap { $0["count"]?.intValue }, [0, 4, 7])
        expectEqual(rising.string("trend"), "increasing")
        for query in [
            "start_date=x", "end_date=2025-01-01", "start_date=2025-01-02T00:00:00Z&end_date=2025-01-01T00:00:00Z",
            "start_date=0001-01-01T00:00:00Z",
        ] {
            #expect(try get("analytics/trends?\(query)").plain.hasPrefix("400 "))
            #expect(try get("analytics/event-type/\(run)?\(query)").plain.hasPrefix("400 "))
        }
        try expectEqual(get("analytics/trends", new).text, "[]")
        try expectEqual(get("analytics/event-type/\(run)", new).plain, "404 event type not found")
    }

    // MARK: 10.12

    private static let preferField: FieldName = "Prefer"
    private static let acceptField: FieldName = "Accept"

    private func rest(
        _ method: HTTPMethod,
        _ query: String,
        _ body: JSON? = nil,
        prefer: String? = nil,
        accept: String? = nil
    ) throws -> Played {
        try harness.send(
            method,
            "/rest/v1/profiles\(query)",
            token: new,
            body: body?.serialized() ?? [],
            headers: (prefer.map { [(Self.preferField, $0)] } ?? []) + (accept.map { [(Self.acceptField, $0)] } ?? [])
        )
    }

    @Test func `10.12 the caller reads one row, and no other exists`() throws {
        let row =
            #"{"id":"\#(Harness.id(1))","onboarding_complete":false,"onboarding_step":null,"#
            + #""notifications_enabled":null,"location_enabled":null,"healthkit_enabled":null,"#
            + #""onboarding_started_at":null,"onboarding_completed_at":null,"created_at":"2024-12-20T08:58:00Z","#
            + #""updated_at":"2024-12-20T08:58:00Z"}"#
        try expectEqual(rest(.get, "?select=*&id=eq.\(Harness.id(1))").text, "[\(row)]")
        try expectEqual(rest(.get, "?id=eq.\(Harness.id(1).uppercased())").text, "[\(row)]")
        try expectEqual(rest(.get, "?select=*&id=eq.\(Harness.id(5))").text, "[]")
        try expectEqual(rest(.get, "").text, "[\(row)]")
        let object = "application/vnd.pgrst.object+json"
        try expectEqual(rest(.get, "?select=*&id=eq.\(Harness.id(1))", accept: object).text, row)
        try expectEqual(rest(.get, "?id=eq.\(Harness.id(5))", accept: object).status, 406)
        try expectEqual(
            rest(.get, "?select=onboarding_complete,id").text,
            #"[{"onboarding_complete":false,"id":"\#(Harness.id(1))"}]"#
        )
        try expectEqual(rest(.get, "?id=eq.x").status, 400)
        try expectEqual(rest(.get, "?select=nickname").status, 400)
        try expectEqual(harness.get("/rest/v1/users", token: new).status, 404)
        try expectEqual(harness.delete("/rest/v1/profiles", token: new).status, 405)
    }

    // MARK: 10.12 dates of the tables

    @Test(arguments: [
        ("2026-11-22T11:46:24.035", "2026-11-22T11:46:24.035000Z"), ("2026-11-22T11:46:24", "2026-11-22T11:46:24Z"),
        ("2026-11-22 11:46:24+00", "2026-11-22T11:46:24Z"), ("2026-11-22", "2026-11-22T00:00:00Z"),
        ("2026-11-22T11:46:24+0100", "2026-11-22T10:46:24Z"),
        ("2026-11-22T11:46:24.123456", "2026-11-22T11:46:24.123456Z"),
        ("2026-11-22T11:46:24.1234564Z", "2026-11-22T11:46:24.123456Z"),
        ("2026-11-22T11:46:24.9999999Z", "2026-11-22T11:46:25Z"), ("2026-11-22T11:46:24.Z", "2026-11-22T11:46:24Z"),
        ("2026-11-22t11:46:24z", "2026-11-22T11:46:24Z"), ("2026-11-22 11:46", "2026-11-22T11:46:00Z"),
        ("  2026-11-22   11:46:24  ", "2026-11-22T11:46:24Z"), ("2026-11-22 11:46:24 +02:00", "2026-11-22T09:46:24Z"),
        ("2026-11-22 11:46:24-03:30", "2026-11-22T15:16:24Z"), ("2026-11-22 11:46:24+05:53:28", "2026-11-22T05:52:56Z"),
        ("2026-11-22T24:00:00", "2026-11-23T00:00:00Z"), ("2026-11-22T23:59:60", "2026-11-23T00:00:00Z"),
        ("20261122T114624Z", "2026-11-22T11:46:24Z"), ("20261122T1146", "2026-11-22T11:46:00Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"), ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999", "9999-12-31T23:59:59.999999Z"),
        ("2026-11-22T11:46:24+15:59", "2026-11-21T19:47:24Z"),
        ("2026-11-22+02", "2026-11-21T22:00:00Z"), ("2026-11-22T11:46:24-00", "2026-11-22T11:46:24Z"),
    ])
    func `10.12 dates are read as PostgreSQL reads a timestamptz`(text: String, instant: String) throws {
        let write: JSON = ["onboarding_completed_at": .string(text)]
        let answer = try harness.patch(
            "/rest/v1/profiles",
            token: token,
            json: write,
            headers: [(Self.preferField, "return=representation")]
        )
        expectEqual(answer.status, 200, "\(answer.text)")
        expectEqual(answer.json[0]?["onboarding_completed_at"]?.stringValue, String(instant.prefix(19)) + "Z")
        // Whole seconds are answered, microseconds are kept.
        let user = try #require(answer.json[0]?["id"]?.stringValue)
        let index = try #require(harness.hosted().world.index(of: TrendyState.self))
        let row = try harness.hosted().world.state(index, TrendyState.self).profiles[user]
        expectEqual(row?.onboardingCompletedAt, Instant(iso8601: instant).map { .at($0) })
    }

    @Test(arguments: [
        "", " ", "infinity", "-infinity", "now", "today", "epoch", "2026", "2026-11", "2026-11-22T", "2026-11-22T11",
        "2026-11-22 11", "2026-13-01", "2026-00-01", "2026-02-29", "2026-11-31", "2026-11-22T25:00:00",
        "2026-11-22T24:00:01", "2026-11-22T24:00:00.1", "2026-11-22T11:60:00", "2026-11-22T11:46:61",
        "2026-11-22T11:46:24+16", "2026-11-22T11:46:24+01:60", "2026-11-22T11:46:24+", "2026-11-22T11:46:24ZZ",
        "2026-11-22T11:46:24+02:", "2026-11-22T11:46:24,5", "2026-11-22x11:46:24", "2026-11-22T11:46:24 CET x",
        "0000-01-01", "10000-01-01", "0001-01-01T00:00:00+01", "9999-12-31T23:59:60", "2026-11-22-05", "22.11.2026",
        "2026-11-22T11:46:24\u{2212}01:00", "٢٠٢٦-11-22",
    ])
    func `10.12 other dates are 22P02 and change nothing`(text: String) throws {
        let before = try harness.get("/rest/v1/profiles", token: token).text
        for column in ["onboarding_started_at", "onboarding_completed_at", "created_at", "updated_at"] {
            let answer = try harness.patch("/rest/v1/profiles", token: token, json: [column: .string(text)])
            expectEqual(answer.status, 400)
            expectEqual(answer.json["code"], "22P02")
            let message = "invalid input syntax for type timestamp with time zone: \"\(text)\""
            expectEqual(answer.json["message"]?.stringValue, message)
        }
        try expectEqual(harness.get("/rest/v1/profiles", token: token).text, before)
    }
}
