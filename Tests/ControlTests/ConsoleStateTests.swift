import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Console contract, sections 4, 5, 7, 8 and 9.
@Suite struct ConsoleStateTests {
    // MARK: 4 Clock

    @Test func `console 4 what comes due is listed, soonest first, and an advance passes it`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.token("refresh")
        _ = try harness.call(
            .post,
            "/faults",
            #"{"name":"later","when":{"from":"T0+PT5M","until":"T0+PT10M"},"effect":{"status":500}}"#
        )
        _ = try harness.chat(.get, "/api/v1/conversations", token: token)
        let all = try harness.call(.get, "/clock/upcoming")
        let kinds = all.items.map { $0.string("kind") }
        expectEqual(kinds, ["rate-limit", "fault-from", "fault-until", "access", "quota", "refresh"], "\(all.text)")
        expectEqual(all["X-Total-Count"], "6")
        expectEqual(all.items.map { $0.string("at") }, all.items.map { $0.string("at") }.sorted())
        expectEqual(all.items[3].keys, ["at", "kind", "api", "user", "what"])
        expectEqual(all.items[3].string("at"), "2025-01-01T12:15:00.000Z")
        expectEqual(all.items[3].string("user"), Harness.user)
        expectEqual(all.items[1].string("fault"), "flt_1")
        #expect(!all.text.contains(token))
        try expectEqual(harness.call(.get, "/clock/upcoming?kind=access").items.count, 1)
        try expectEqual(harness.call(.get, "/clock/upcoming?user=TEST@icloud.com").items.count, 2)
        try expectEqual(harness.call(.get, "/clock/upcoming?until=2025-01-01T12:15:00Z").items.count, 4)
        try expectEqual(harness.call(.get, "/clock/upcoming?limit=1&offset=1").items[0].string("kind"), "fault-from")
        for query in ["limit=0", "limit=1001", "kind=x", "until=soon", "offset=-1"] {
            try expectEqual(harness.call(.get, "/clock/upcoming?\(query)").problem, "400 invalid-parameter", "\(query)")
        }
        let dry = try harness.call(.post, "/clock/advance?dryRun=true", #"{"by":"PT15M"}"#).json
        expectEqual(dry.keys, ["mode", "now", "rate", "fired", "passed"])
        expectEqual(dry["passed"]?.arrayValue?.count, 4)
        expectEqual(dry.string("now"), "2025-01-01T12:15:00.000Z")
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
        let moved = try harness.call(.post, "/clock/advance", #"{"to":"2025-01-01T12:15:00Z"}"#)
        expectEqual(moved.json.keys, ["mode", "now", "rate", "fired"])
        expectEqual(moved.json.string("now"), "2025-01-01T12:15:00.000Z")
        try expectEqual(harness.call(.get, "/clock/upcoming").items.map { $0.string("kind") }, ["quota", "refresh"])
        for body in [
            #"{"to":"2025-01-01T12:14:59Z"}"#, #"{"to":"x"}"#, #"{"to":"2026-01-01T00:00:00Z","seconds":1}"#,
        ] {
            try expectEqual(harness.call(.post, "/clock/advance", body).status, 422, "\(body)")
        }
        _ = try harness.call(.post, "/users/test@icloud.com/revoke", #"{"tokens":"all"}"#)
        let left = try harness.call(.get, "/clock/upcoming").items.map { $0.string("kind") }
        expectEqual(left, ["quota"], "what was revoked is not listed")
    }

    // MARK: 5 Tables and users

    @Test func `console 5 tables and rows are those of the world document`() throws {
        let harness = try Harness()
        let tables = try harness.call(.get, "/state/omnichat").json
        expectEqual(tables.keys, ["api", "epoch", "items"])
        expectEqual(tables.string("epoch"), "2025-01-01T12:00:00.000Z")
        let items = tables["items"]?.arrayValue ?? []
        let document = try harness.call(.get, "/state").json["apis"]?["omnichat"]
        let arrays = document?.objectValue?.members.filter { $0.value.arrayValue != nil }.map(\.name) ?? []
        expectEqual(items.map { $0.string("name") }, arrays)
        expectEqual(items[0].keys, ["name", "rows", "key", "schema"])
        expectEqual(items[0].string("key"), "id")
        let rows = try harness.call(.get, "/state/omnichat/users")
        expectEqual(rows.items.map { $0["row"] ?? .null }, document?["users"]?.arrayValue)
        expectEqual(rows.items[0].keys, ["id", "row"])
        let one = try harness.call(.get, "/state/omnichat/users/user_test_icloud_0001")
        expectEqual(one.json["row"], rows.items.first { $0.string("id") == "user_test_icloud_0001" }?["row"])
        try expectEqual(harness.call(.get, "/state/omnichat/users?q=TEST@ICLOUD").items.count, 1)
        for (path, hint) in [
            ("/state/omnicha", "omnichat"), ("/state/omnichat/user", "users"),
            ("/state/omnichat/users/user_test_icloud_0002", "user_test_icloud_0001"),
        ] {
            let refusal = try harness.call(.get, path)
            #expect(refusal.status == 404 && refusal.json.string("detail").contains("Did you mean \(hint)?"), "\(path)")
        }
        for query in ["limit=0", "limit=1001", "changed=yes", "q="] {
            try expectEqual(harness.call(.get, "/state/omnichat/users?\(query)").problem, "400 invalid-parameter")
        }
    }

    @Test func `console 5 a row is written whole, checked as an import, and told`() throws {
        let harness = try Harness()
        let path = "/state/omnichat/users/user_test_icloud_0001"
        var row = try harness.call(.get, path).json["row"]?.objectValue ?? JSONObject()
        row["name"] = "Somebody Else"
        let written = try harness.call(.put, path, JSON.object(row).text)
        expectEqual(written.status, 200, "\(written.text)")
        expectEqual(written.json["row"]?.string("name"), "Somebody Else")
        let profile = try harness.chat(.get, "/api/v1/user/profile", token: try harness.token())
        expectEqual(profile.json.string("name"), "Somebody Else", "with the next request")
        let order = try harness.call(.get, "/state/omnichat/users").items.map { $0.string("id") }
        let changed = try harness.call(.get, "/state/omnichat/users?changed=true").items
        expectEqual(changed.map { $0.string("id") }, ["user_test_icloud_0001"])
        expectEqual(changed[0].string("change"), "changed")
        expectEqual(changed[0]["row"]?.string("name"), "Somebody Else")
        expectEqual(changed[0]["old"]?.string("name"), "Test User")
        row["id"] = "user_new_000001"
        row["email"] = "new@example.com"
        try expectEqual(harness.call(.put, "/state/omnichat/users/user_new_000001", JSON.object(row).text).status, 200)
        try expectEqual(
            harness.call(.get, "/state/omnichat/users").items.map { $0.string("id") },
            order + ["user_new_000001"]
        )
        _ = try harness.token(user: "new@example.com")
        try expectEqual(
            harness.call(.delete, "/state/omnichat/users/user_new_000001").status,
            409,
            "it has a token now"
        )
        for (name, value, wrong) in [("tier", "gold", "$.tier"), ("id", "other", "$.id"), ("x", "y", "$.x")] {
            var broken = row
            broken[name] = .string(value)
            let refusal = try harness.call(.put, "/state/omnichat/users/user_new_000001", JSON.object(broken).text)
            expectEqual(refusal.status, 422, "\(name)")
            expectEqual(
                refusal.json["errors"]?.arrayValue?.contains { $0.string("path") == wrong },
                true,
                "\(refusal.text)"
            )
        }
        let notes = try harness.call(.get, "/notes?kind=row").items
        expectEqual(notes.count, 2)
        let needed = try harness.call(.delete, "/state/omnichat/users/user_test_icloud_0001")
        #expect(needed.status == 409 && needed.json.string("detail").contains("conversations/"), "\(needed.text)")
        _ = try harness.call(.post, "/reset")
        #expect(try harness.call(.get, "/state/omnichat/users?changed=true").items.isEmpty)
        let plan = try harness.call(.get, "/state/omnichat/models").items[0].string("id")
        try expectEqual(harness.call(.delete, "/state/omnichat/models/\(plan)").status, 204)
        try expectEqual(harness.call(.delete, "/state/omnichat/models/\(plan)").status, 404)
        let gone = try harness.call(.get, "/state/omnichat/models?changed=true").items
        expectEqual(gone.map { $0.string("change") }, ["deleted"])
    }

    @Test func `console 5 the windows of rate limits are tables, whose rows a key names`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/api/v1/conversations", token: token)
        let tables = try harness.call(.get, "/state/omnichat").items
        let table = try #require(tables.first { $0.string("name") == "windows" })
        expectEqual(table.string("key"), "key", "\(table)")
        expectEqual(table["rows"], 1, "\(table)")
        expectEqual(table["schema"]?["properties"]?["end"]?.text, #"{"type":"string","format":"date-time"}"#)
        let row = try #require(try harness.call(.get, "/state/omnichat/windows").items.first)
        expectEqual(row["row"]?["used"], 1)
        expectEqual(row.string("id"), row["row"]?.string("key"))
        let id = row.string("id").replacing("/", with: "%2F").replacing(" ", with: "%20").replacing(":", with: "%3A")
        var full = row["row"]?.objectValue ?? JSONObject()
        full["used"] = 1_000
        try expectEqual(harness.call(.put, "/state/omnichat/windows/\(id)", JSON.object(full).text).status, 200)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 429, "with the next request")
        try expectEqual(harness.call(.get, "/state/omnichat/windows?changed=true").items[0].string("change"), "added")
        try expectEqual(harness.call(.delete, "/state/omnichat/windows/\(id)").status, 204)
        #expect(try harness.chat(.get, "/api/v1/conversations", token: token).status != 429)
        // The window without a key holds for every client.
        let floor = #"{"used":1000,"end":"2025-01-01T13:00:00Z"}"#
        try expectEqual(harness.call(.put, "/state/omnichat/windows/*", floor).json["row"]?["used"], 1_000)
        try expectEqual(harness.call(.get, "/state/omnichat/windows/*").json.string("id"), "*")
        for (body, path) in [
            (#"{"key":"a","used":-1,"end":"2025-01-01T13:00:00Z"}"#, "$.used"),
            (#"{"key":"b","used":1,"end":"2025-01-01T13:00:00Z"}"#, "$.key"),
            (#"{"used":1,"end":"2025-01-01T13:00:00Z"}"#, "$.key"), (#"{"key":"a","used":1}"#, "$.end"),
        ] {
            let refusal = try harness.call(.put, "/state/omnichat/windows/a", body)
            expectEqual(refusal.status, 422, "\(body)")
            expectEqual(refusal.json["errors"]?[0]?.string("path"), path, "\(refusal.text)")
        }
    }

    @Test func `console 5 users show what they hold now`() throws {
        let harness = try Harness()
        _ = try harness.token()
        _ = try harness.token("refresh")
        let users = try harness.call(.get, "/users")
        let user = try #require(users.items.first { $0.string("email") == Harness.user })
        expectEqual(user.keys, ["api", "id", "email", "name", "sessions", "access", "refresh"])
        expectEqual(user["access"], 1)
        expectEqual(user["refresh"], 1)
        expectEqual(user["sessions"], 1)
        #expect(try harness.call(.get, "/users?q=ICLOUD&api=omnichat").items.count >= 1)
        #expect(try harness.call(.get, "/users?q=nobody-here").items.isEmpty)
        try harness.advance(901)
        try expectEqual(harness.call(.get, "/users?q=test@icloud").items[0]["access"], 0)
    }

    // MARK: 7 Notes

    @Test func `console 7 notes mark places in the journal`() throws {
        let harness = try Harness()
        let first = try harness.call(.post, "/notes", #"{"text":"begin","data":{"a":null}}"#)
        expectEqual(first.status, 201)
        expectEqual(first.json.keys, ["id", "kind", "after", "at", "wallAt", "text", "data"])
        expectEqual(first.json.string("id"), "note_1")
        expectEqual(first.json["after"], 0)
        _ = try harness.chat(.get, "/a")
        try expectEqual(harness.call(.post, "/notes", #"{"text":"second"}"#).json["after"], 1)
        try harness.advance(5)
        _ = try harness.call(.post, "/faults", #"{"effect":{"status":500}}"#)
        let listed = try harness.call(.get, "/notes")
        expectEqual(listed.items.map { $0.string("kind") }, ["faults", "clock", "note", "note"])
        expectEqual(listed["X-Total-Count"], "4")
        try expectEqual(harness.call(.get, "/notes?since=1&kind=note").items.map { $0.string("text") }, ["second"])
        let archived = try harness.call(.get, "/requests.har").json["log"]?["_notes"]?.arrayValue
        expectEqual(archived?.count, 4)
        let document = try harness.call(.get, "/state").text
        _ = try harness.call(.post, "/worlds", #"{"name":"copy","from":"main"}"#)
        try expectEqual(harness.call(.get, "/notes", world: "copy").items.count, 4)
        _ = try harness.call(.post, "/reset")
        try expectEqual(harness.call(.get, "/notes").items.map { $0.string("kind") }, ["reset"])
        _ = try harness.call(.put, "/state", document)
        try expectEqual(harness.call(.get, "/notes").items.map { $0.string("kind") }.first, "import")
        try expectEqual(harness.call(.get, "/notes").items.count, 5)
        _ = try harness.call(.delete, "/requests")
        #expect(try harness.call(.get, "/notes").items.isEmpty)
        let long = String(repeating: "é", count: 500)
        try expectEqual(harness.call(.post, "/notes", #"{"text":"\#(long)"}"#).status, 201)
        let data = String(repeating: "x", count: 16 * 1_024 - 2)
        try expectEqual(harness.call(.post, "/notes", #"{"text":"a","data":"\#(data)"}"#).status, 201)
        for body in [
            "{}", #"{"text":""}"#, #"{"text":"\#(long)é"}"#, #"{"text":"a","data":"\#(data)x"}"#,
            #"{"text":"a","x":1}"#,
        ] {
            try expectEqual(harness.call(.post, "/notes", body).status, 422)
        }
    }

    @Test func `console 7 the newest thousand notes are kept`() throws {
        let harness = try Harness()
        for number in 1...1_001 { _ = try harness.call(.post, "/notes", #"{"text":"\#(number)"}"#) }
        let notes = try harness.call(.get, "/notes").items
        expectEqual(notes.count, 1_000)
        expectEqual(notes.last?.string("text"), "2")
        expectEqual(notes.first?.string("id"), "note_1001")
    }

    // MARK: 8 Coverage

    @Test func `console 8 coverage counts what was seen, also after entries have dropped out`() throws {
        let harness = try Harness { $0.journalBytes = 3_000 }
        let token = try harness.token()
        for _ in 0..<4 { _ = try harness.chat(.get, "/api/v1/conversations", token: token) }
        _ = try harness.chat(.get, "/api/v1/conversations")
        _ = try harness.call(.put, "/scenarios/omnichat/unicode")
        _ = try harness.chat(.get, "/nowhere")
        let coverage = try harness.call(.get, "/coverage")
        expectEqual(coverage.json.keys, ["endpoints", "scenarios", "unmatched", "items"])
        let total = harness.emulator.apis[0].routes.count
        expectEqual(coverage.json["endpoints"]?.text, #"{"total":\#(total),"seen":1}"#)
        expectEqual(coverage.json["scenarios"]?["names"]?.text, #"["omnichat/unicode"]"#)
        expectEqual(coverage.json["unmatched"], 1)
        expectEqual(coverage["X-Total-Count"], "\(total)")
        let item = try #require(coverage.items.first { $0["count"] == 5 })
        expectEqual(item.keys, ["api", "method", "route", "count", "answers", "unseen"])
        expectEqual(item["answers"]?.text, #"[{"status":200,"count":4},{"status":401,"count":1}]"#)
        expectEqual(item["unseen"]?.arrayValue?.contains(200), false)
        _ = try harness.call(.delete, "/requests")
        try expectEqual(harness.call(.get, "/coverage").json["endpoints"]?["seen"], 0)
    }

    @Test func `console 8 coverage and what has dropped out are in forks, snapshots and the world document`() throws {
        let harness = try Harness { $0.journalBytes = 3_000 }
        _ = try harness.call(.put, "/scenarios/omnichat/unicode")
        for _ in 0..<9 { _ = try harness.chat(.get, "/api/v1/conversations") }
        _ = try harness.chat(.get, "/nowhere")
        let seen = try harness.call(.get, "/coverage").text
        let journal = try harness.call(.get, "/journal").json
        #expect(journal["dropped"]?.intValue ?? 0 > 0)
        let document = try harness.call(.get, "/state").text
        _ = try harness.call(.post, "/worlds", #"{"name":"copy","from":"main"}"#)
        try expectEqual(harness.call(.get, "/coverage", world: "copy").text, seen)
        _ = try harness.call(.post, "/snapshots", #"{"name":"s"}"#)
        _ = try harness.call(.post, "/reset")
        try expectEqual(harness.call(.get, "/coverage").json["unmatched"], 0)
        try expectEqual(harness.call(.get, "/journal").json["dropped"], 0)
        _ = try harness.call(.put, "/state", document)
        try expectEqual(harness.call(.get, "/coverage").text, seen)
        try expectEqual(harness.call(.get, "/journal").json.text, journal.text)
        _ = try harness.call(.delete, "/requests")
        _ = try harness.call(.post, "/snapshots/s/restore")
        try expectEqual(harness.call(.get, "/coverage").text, seen)
        for (member, wrong) in [("dropped", JSON.integer(-1)), ("dropped", .string("1"))] {
            var broken =
                try JSONReader.read(Array(document.utf8), options: .init(maxDepth: 100)).objectValue ?? JSONObject()
            broken[member] = wrong
            let refusal = try harness.call(.put, "/state", JSON.object(broken).text)
            #expect(refusal.status == 422 && refusal.text.contains("$.\(member)"), "\(refusal.text)")
        }
        var broken =
            try JSONReader.read(Array(document.utf8), options: .init(maxDepth: 100)).objectValue ?? JSONObject()
        broken["coverage"] = [
            "answers": [["api": "omnichat", "method": "GET", "route": "/x", "status": 99, "count": 0]],
            "scenarios": [], "unmatched": [],
        ]
        try expectEqual(harness.call(.put, "/state", JSON.object(broken).text).status, 422)
        broken["coverage"] = nil
        broken["dropped"] = nil
        try expectEqual(harness.call(.put, "/state", JSON.object(broken).text).status, 200, "from before they existed")
        try expectEqual(harness.call(.get, "/coverage").json["unmatched"], 0)
    }

    // MARK: 9 Compare

    @Test func `console 9 exchanges are compared by structure, and what changes by nature is ignored`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/api/v1/user/profile?a=1", token: token)
        try harness.advance(60)
        _ = try harness.chat(.get, "/api/v1/user/profile?a=2", token: try harness.token())
        let body = #"{"a":{"request":"req_1"},"b":{"request":"req_2"}}"#
        let found = try harness.call(.post, "/compare", body).json
        expectEqual(found.keys, ["same", "differences", "ignored"])
        expectEqual(found["same"], false)
        let paths = found["differences"]?.arrayValue?.map { $0.string("path") } ?? []
        #expect(paths.contains("query"))
        let ignored = found["ignored"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(ignored.contains("request.headers.authorization") && ignored.contains("response.headers.date"))
        #expect(ignored.contains("response.headers.x-request-id"))
        let same = try harness.call(.post, "/compare", #"{"a":{"request":"req_1"},"b":{"request":"req_1"}}"#).json
        expectEqual(same.text, #"{"same":true,"differences":[],"ignored":[]}"#)
        _ = try harness.call(.post, "/worlds", #"{"name":"w","from":"main"}"#)
        _ = try harness.chat(.get, "/only-here", world: "w")
        let worlds = try harness.call(.post, "/compare", #"{"a":{"world":"main"},"b":{"world":"w"}}"#).json
        expectEqual(worlds["same"], false)
        expectEqual(worlds["items"]?.arrayValue?.map { $0.string("state") }, ["same", "same", "extra"])
        expectEqual(worlds["items"]?[2]?.keys, ["state", "b", "api", "method", "route", "differences"])
        for (body, status) in [
            (#"{"a":{"request":"req_9"},"b":{"request":"req_1"}}"#, 404),
            (#"{"a":{"world":"x"},"b":{"world":"w"}}"#, 404),
            (#"{"a":{"request":"req_1"}}"#, 422), (#"{"a":{},"b":{}}"#, 422),
            (#"{"a":{"request":"req_1"},"b":{"world":"w"}}"#, 422),
        ] {
            try expectEqual(harness.call(.post, "/compare", body).status, status, "\(body)")
        }
    }

    @Test(arguments: 1...8) func `console 9 differences are symmetric, and none are found in what is equal`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        func value(_ depth: Int) -> JSON {
            switch random.below(depth > 3 ? 4 : 6) {
            case 0: return .null
            case 1: return .integer(Int64(random.below(3)))
            case 2: return .string(["a", "b", "2025-01-01T12:00:00Z", "2026-01-01T12:00:00Z"][random.below(4)])
            case 3: return .bool(random.below(2) == 0)
            case 4: return .array((0..<random.below(4)).map { _ in value(depth + 1) })
            default:
                var object = JSONObject()
                for name in ["x", "y", "z"] where random.below(2) == 0 { object.append(name, value(depth + 1)) }
                return .object(object)
            }
        }
        func entry(_ json: JSON) -> JournalEntry {
            JournalEntry(
                id: "req_1",
                seq: 1,
                at: .epoch,
                wallAt: .epoch,
                world: "main",
                api: "a",
                route: nil,
                user: nil,
                method: .get,
                path: "/",
                query: nil,
                headers: Fields(),
                body: JournalEntry.Body([]),
                status: .ok,
                responseHeaders: ["Content-Type": "application/json"],
                responseBody: JournalEntry.Body(json.serialized()),
                timings: JournalEntry.Timings()
            )
        }
        for _ in 0..<200 {
            let (a, b) = (value(0), value(0))
            let (one, other) = (ExchangeComparison(entry(a), entry(b)), ExchangeComparison(entry(b), entry(a)))
            expectEqual(one.differences.count, other.differences.count)
            expectEqual(
                Set(one.differences.map { $0.string("path") }),
                Set(other.differences.map { $0.string("path") })
            )
            #expect(ExchangeComparison(entry(a), entry(a)).isSame)
        }
    }
}
