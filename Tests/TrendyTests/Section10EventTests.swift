import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Section 10.6: events.
struct Section10EventTests {
    let harness: Harness
    let token: String
    let run: String

    init() throws {
        harness = try Harness()
        try harness.set(["rateLimits": "off"])
        token = try harness.mint("tracker@trendy.example")
        run = try harness.typeID("Run", token)
    }

    /// A UUID of version 7 made so many milliseconds after the world's now.
    private func id(_ offset: Int64 = 0, number: Int = 1) throws -> String {
        let hex = String(try harness.now.milliseconds + offset, radix: 16)
        let padded = String(repeating: "0", count: 12 - hex.count) + hex
        return padded.prefix(8) + "-" + padded.suffix(4) + "-7000-8000-" + String(100_000_000_000 + number)
    }

    private func create(_ body: JSON) throws -> Played { try harness.post("/api/v1/events", token: token, json: body) }

    private func event(_ more: JSONObject = JSONObject(), at time: String = "2025-01-01T11:00:00Z") -> JSON {
        var body: JSONObject = ["event_type_id": .string(run), "timestamp": .string(time)]
        for member in more.members { body[member.name] = member.value }
        return .object(body)
    }

    private func changes() throws -> [JSON] {
        let known = 64
        return try harness.get("/api/v1/changes?since=\(known)", token: token).json["changes"]?.arrayValue ?? []
    }

    // MARK: Reading

    @Test func `10.6 the list is newest first with the types embedded, 50 unless asked otherwise`() throws {
        let all = try harness.get("/api/v1/events?limit=1000", token: token).json.arrayValue ?? []
        expectEqual(all.count, 58)
        let times = all.map { $0.string("timestamp") }
        expectEqual(times, times.sorted(by: >))
        expectEqual(
            all.first?.keys,
            [
                "id", "user_id", "event_type_id", "timestamp", "is_all_day", "source_type", "created_at",
                "updated_at",
                "event_type",
            ]
        )
        expectEqual(
            all.first?["event_type"]?.keys,
            ["id", "user_id", "name", "color", "icon", "created_at", "updated_at"]
        )
        func count(_ query: String) throws -> Int {
            try harness.get("/api/v1/events\(query)", token: token).json.arrayValue?.count ?? -1
        }
        for (query, wanted) in [
            ("", 50), ("?limit=1", 1), ("?limit=1000", 58), ("?limit=1001", 58), ("?limit=0", 58), ("?limit=-1", 58),
            ("?limit=x", 58), ("?offset=57", 1), ("?offset=58", 0), ("?offset=-5", 50), ("?offset=x", 50),
            ("?limit=10&offset=55", 3), ("?event_type_id=x&start_date=bad", 50),
            ("?offset=99999999999999999999", 50),
        ] {
            try expectEqual(count(query), wanted, "\(query)")
        }
    }

    @Test func `10.6 a limit outside the range counts as 100`() throws {
        let items = (0..<100).map { number in
            event(
                at:
                    "2024-06-01T00:\(number / 60 < 1 ? "0" : "0")\(number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60)Z"
            )
        }
        try expectEqual(harness.post("/api/v1/events/batch", token: token, json: ["events": .array(items)]).status, 201)
        for (limit, wanted) in [("1001", 100), ("0", 100), ("1000", 158)] {
            let list = try harness.get("/api/v1/events?limit=\(limit)", token: token).json.arrayValue
            expectEqual(list?.count, wanted)
        }
    }

    @Test func `10.6 one event is 404 when it is unknown or foreign`() throws {
        let first = try harness.get("/api/v1/events?limit=1", token: token).json[0]
        let id = first?.string("id") ?? ""
        try expectEqual(harness.get("/api/v1/events/\(id)", token: token).json, first)
        let stranger = try harness.mint("second@trendy.example")
        for (path, token) in [(id, stranger), ("abc", token), (Harness.id(1), token)] {
            try expectEqual(harness.get("/api/v1/events/\(path)", token: token).plain, "404 event not found")
            try expectEqual(harness.put("/api/v1/events/\(path)", token: token, json: [:]).plain, "500 event not found")
            try expectEqual(harness.delete("/api/v1/events/\(path)", token: token).plain, "500 event not found")
        }
    }

    @Test func `10.6 export filters by both dates and by types`() throws {
        func count(_ query: String) throws -> Int {
            try harness.get("/api/v1/events/export\(query)", token: token).json.arrayValue?.count ?? -1
        }
        try expectEqual(count(""), 58)
        try expectEqual(count("?event_type_ids=\(run.uppercased())"), 21)
        try expectEqual(count("?event_type_ids=\(run),%20x"), 21)
        try expectEqual(count("?event_type_ids=x"), 0)
        try expectEqual(count("?start_date=2024-12-31T00:00:00Z"), 58)
        try expectEqual(count("?start_date=2024-12-31T07:00:00Z&end_date=2024-12-31T08:00:00Z"), 2)
        try expectEqual(count("?start_date=2024-12-31T07:00:01Z&end_date=2024-12-31T08:00:00Z"), 1)
        try expectEqual(
            count("?start_date=2024-12-31T07:00:00Z&end_date=2024-12-31T07:00:00Z&event_type_ids=\(run)"),
            1
        )
        for query in [
            "?start_date=2024-12-31", "?start_date=2024-12-31T07:00:00Z&end_date=x",
            "?start_date=2025-01-02T00:00:00Z&end_date=2025-01-01T00:00:00Z",
        ] {
            let reply = try harness.get("/api/v1/events/export\(query)", token: token)
            #expect(reply.plain.hasPrefix("400 "), "\(query)")
        }
    }

    // MARK: Creating

    @Test func `10.6 a new event is 201 with all members in wire order`() throws {
        let reply = try create(
            event([
                "id": .string(try id()), "notes": "n", "is_all_day": true, "end_date": "2025-01-01T11:30:00.9+00:00",
                "source_type": "imported", "external_id": "e", "original_title": "o",
                "geofence_id": .string(Harness.id(1)), "location_latitude": 48.5, "location_longitude": -3,
                "location_name": "here", "healthkit_sample_id": "h", "healthkit_category": "c",
                "properties": ["distance": ["type": "number", "value": 5.25, "extra": 1]], "user_id": "ignored",
            ])
        )
        expectEqual(reply.status, 201)
        expectEqual(
            reply.keys,
            [
                "id", "user_id", "event_type_id", "timestamp", "notes", "is_all_day", "end_date", "source_type",
                "external_id", "original_title", "geofence_id", "location_latitude", "location_longitude",
                "location_name", "healthkit_sample_id", "healthkit_category", "properties", "created_at",
                "updated_at",
            ]
        )
        expectEqual(reply.text(at: "end_date"), "2025-01-01T11:30:00Z")
        expectEqual(reply.json["properties"]?.text, #"{"distance":{"type":"number","value":5.25}}"#)
        expectEqual(reply.text(at: "user_id"), Harness.id(9))
        let change = try changes().last
        expectEqual(change?.string("operation"), "create")
        expectEqual(change?["data"], reply.json)
    }

    @Test func `10.6 without an id it gets one of version 7 with the present time`() throws {
        let reply = try create(event())
        expectEqual(reply.status, 201)
        let digits = reply.text(at: "id").replacing("-", with: "")
        expectEqual(Int64(digits.prefix(12), radix: 16), Harness.noon.milliseconds)
        expectEqual(Array(digits)[12], "7")
        expectEqual(reply.text(at: "source_type"), "manual")
        expectEqual(reply.json["is_all_day"], false)
        for empty: JSON in [.null, ""] {
            let reply = try create(
                event(["id": empty], at: empty.isNull ? "2025-01-01T10:00:00Z" : "2025-01-01T09:00:00Z")
            )
            expectEqual(reply.status, 201)
        }
    }

    @Test func `10.6 all faults of the fields come in one validation document`() throws {
        let reply = try create(["is_all_day": "perhaps", "end_date": "tomorrow"])
        expectEqual(reply.problem, "400 validation")
        expectEqual(reply.text(at: "title"), "Validation Error")
        let errors = reply.json["errors"]?.arrayValue ?? []
        expectEqual(
            errors.map { "\($0.string("field")) \($0.string("code"))" },
            [
                "event_type_id required", "timestamp required", "is_all_day invalid_type", "end_date invalid_format",
            ]
        )
        for error in errors { #expect(error.keys == ["field", "message", "code"] && !error.string("message").isEmpty) }
        let cases: [(JSONObject, String)] = [
            (["event_type_id": ""], "event_type_id required"), (["event_type_id": .null], "event_type_id required"),
            (["timestamp": ""], "timestamp required"), (["timestamp": 5], "timestamp invalid_format"),
            (["timestamp": "2025-01-01"], "timestamp invalid_format"), (["is_all_day": 1], "is_all_day invalid_type"),
            (["end_date": ""], "end_date invalid_format"), (["end_date": false], "end_date invalid_format"),
        ]
        for (more, wanted) in cases {
            let errors = try create(event(more)).json["errors"]?.arrayValue ?? []
            expectEqual(errors.map { "\($0.string("field")) \($0.string("code"))" }, [wanted])
        }
    }

    @Test func `10.6 is_all_day may be a boolean as a text`() throws {
        for (number, (sent, wanted))
            in ([("true", true), ("False", false), (true, true), (.null, false)] as [(JSON, Bool)])
            .enumerated()
        {
            let reply = try create(event(["is_all_day": sent], at: "2024-01-0\(number + 1)T00:00:00Z"))
            expectEqual(reply.json["is_all_day"], .bool(wanted))
        }
    }

    @Test func `10.6 syntax is bad_request, and the size is plain`() throws {
        for text in ["", "{", "[]", #"{"event_type_id":5}"#, #"{"event_type_id":"x","timestamp":"y","notes":1}"#] {
            let reply = try harness.send(.post, "/api/v1/events", token: token, body: Array(text.utf8))
            expectEqual(reply.problem, "400 bad_request", "\(text)")
        }
        let big = try harness.send(
            .post,
            "/api/v1/events",
            token: token,
            body: [UInt8](repeating: 0x20, count: 1_048_577)
        )
        expectEqual(big.plain, "413 request body too large")
    }

    @Test func `10.6 ids must be of version 7 and at most 60 s ahead`() throws {
        for bad in ["abc", "7e4d0000-0000-4000-8000-000000000001", "01942107-3a00-7000-8000-00000000000"] {
            let reply = try create(event(["id": .string(bad)]))
            expectEqual(reply.problem, "400 invalid_uuid")
            expectEqual(reply.text(at: "title"), "Invalid UUID Format")
            expectEqual(reply.json["errors"]?[0]?.string("field"), "id")
        }
        let late = try create(event(["id": .string(try id(60_001))]))
        expectEqual(late.problem, "400 future_timestamp")
        expectEqual(late.json["errors"]?[0]?.string("field"), "id")
        try expectEqual(create(event(["id": .string(try id(60_000))])).status, 201)
        // Fields come before the id.
        try expectEqual(create(["id": "abc", "timestamp": "x"]).problem, "400 validation")
    }

    @Test func `10.6 an unknown or foreign type and a bad source are internal`() throws {
        let stranger = try harness.mint("second@trendy.example")
        let body = event()
        try expectEqual(harness.post("/api/v1/events", token: stranger, json: body).problem, "500 internal")
        try expectEqual(create(event(["event_type_id": .string(Harness.id(1))])).problem, "500 internal")
        try expectEqual(create(event(["event_type_id": "x"])).problem, "500 internal")
        try expectEqual(create(event(["source_type": "watch"])).problem, "500 internal")
    }

    @Test func `10.6 a known id is overwritten as a whole`() throws {
        let id = try id()
        _ = try create(event(["id": .string(id), "notes": "first", "location_name": "x"]))
        try harness.advance(.seconds(5))
        let reply = try create(event(["id": .string(id.uppercased()), "external_id": "e"], at: "2025-01-01T10:30:00Z"))
        expectEqual(reply.status, 200)
        #expect(reply.json["notes"] == nil && reply.json["location_name"] == nil)
        expectEqual(reply.text(at: "created_at"), "2025-01-01T12:00:00Z")
        expectEqual(reply.text(at: "updated_at"), "2025-01-01T12:00:05Z")
        try expectEqual(harness.get("/api/v1/events/\(id)", token: token).text(at: "timestamp"), "2025-01-01T10:30:00Z")
        try expectEqual(changes().map { $0.string("operation") }, ["create", "update"])
        // The same id of somebody else is another event.
        let stranger = try harness.mint("second@trendy.example")
        let type = try harness.post(
            "/api/v1/event-types",
            token: stranger,
            json: ["name": "Run", "color": "c", "icon": "i"]
        ).text(at: "id")
        let foreign = try harness.post(
            "/api/v1/events",
            token: stranger,
            json: ["id": .string(id), "event_type_id": .string(type), "timestamp": "2025-01-01T10:30:00Z"]
        )
        expectEqual(foreign.status, 201)
    }

    @Test func `D31 a known health sample is answered as it is stored`() throws {
        let body = event([
            "source_type": "healthkit", "healthkit_sample_id": "ABC-1", "healthkit_category": "workout",
            "notes": "first",
        ])
        let first = try create(body)
        expectEqual(first.status, 201)
        try harness.advance(.seconds(3))
        let sameSample = event(
            ["source_type": "healthkit", "healthkit_sample_id": "abc-1", "notes": "other"],
            at: "2025-01-01T05:00:00Z"
        )
        let sameSecond = event(
            ["source_type": "healthkit", "healthkit_sample_id": "ABC-2", "healthkit_category": "workout"],
            at: "2025-01-01T11:00:00.9Z"
        )
        for again in [sameSample, sameSecond] {
            let reply = try create(again)
            expectEqual(reply.status, 200)
            expectEqual(reply.text, first.text)
        }
        let otherCategory = event(
            ["source_type": "healthkit", "healthkit_sample_id": "ABC-3", "healthkit_category": "sleep"],
            at: "2025-01-01T11:00:00Z"
        )
        try expectEqual(create(otherCategory).status, 201)
    }

    @Test func `10.6 type and instant are taken once, health samples aside`() throws {
        try expectEqual(create(event()).status, 201)
        try expectEqual(create(event()).problem, "409 conflict")
        try expectEqual(create(event(at: "2025-01-01T12:00:00+01:00")).problem, "409 conflict")
        try expectEqual(create(event(at: "2025-01-01T11:00:00.000001Z")).status, 201)
        try expectEqual(create(event(["source_type": "healthkit", "healthkit_sample_id": "x"])).status, 201)
        try expectEqual(create(event(["source_type": "healthkit", "healthkit_sample_id": "y"])).status, 201)
        let other = try create(event(at: "2025-01-01T06:00:00Z"))
        let moved = try create(event(["id": other.json["id"] ?? .null]))
        expectEqual(moved.problem, "409 conflict")
    }

    // MARK: Changing

    @Test func `10.6 a PUT keeps what is absent and clears the six that can be cleared`() throws {
        let full = try create(
            event([
                "notes": "n", "is_all_day": true, "end_date": "2025-01-01T11:30:00Z", "external_id": "e",
                "original_title": "o", "geofence_id": .string(Harness.id(1)), "location_latitude": 1,
                "location_longitude": 2, "location_name": "l", "healthkit_sample_id": "h", "healthkit_category": "c",
                "properties": ["a": ["type": "text", "value": "b"]],
            ])
        )
        let path = "/api/v1/events/\(full.text(at: "id"))"
        try harness.advance(.seconds(1))
        let same = try harness.put(path, token: token, json: [:])
        expectEqual(same.status, 200)
        expectEqual(same.text.replacing("12:00:01Z", with: "12:00:00Z"), full.text)
        let clearable = ["notes", "end_date", "external_id", "original_title", "geofence_id", "location_name"]
        var nulls = JSONObject()
        for name in full.keys { nulls[name] = .null }
        let cleared = try harness.put(path, token: token, json: .object(nulls))
        expectEqual(cleared.keys, full.keys.filter { !clearable.contains($0) })
        expectEqual(cleared.json["properties"], full.json["properties"])
        let replaced = try harness.put(
            path,
            token: token,
            json: ["properties": ["c": ["type": "number", "value": 1]], "timestamp": "2025-01-01T09:00:00Z"]
        )
        expectEqual(replaced.json["properties"]?.text, #"{"c":{"type":"number","value":1}}"#)
        try expectNil(harness.put(path, token: token, json: ["properties": [:]]).json["properties"])
        try expectEqual(changes().last?.string("operation"), "update")
    }

    @Test func `10.6 a PUT refuses what does not fit, and what is taken`() throws {
        let first = try create(event())
        let second = try create(event(at: "2025-01-01T10:00:00Z"))
        let path = "/api/v1/events/\(second.text(at: "id"))"
        for body: JSON in [
            ["is_all_day": "true"], ["timestamp": "x"], ["notes": 1], ["properties": []], ["source_type": "watch"], [],
        ] {
            #expect(try harness.put(path, token: token, json: body).plain.hasPrefix("400 "))
        }
        let taken = try harness.put(path, token: token, json: ["timestamp": first.json["timestamp"] ?? .null])
        #expect(taken.plain.hasPrefix("500 ") && taken.text.contains("duplicate key"))
        let unknown = try harness.put(path, token: token, json: ["event_type_id": .string(Harness.id(1))])
        expectEqual(unknown.status, 500)
        try expectEqual(harness.get(path, token: token).text(at: "updated_at"), "2025-01-01T12:00:00Z")
    }

    @Test func `10.6 a DELETE is 204 and leaves a word in the log`() throws {
        let id = try create(event()).text(at: "id")
        let reply = try harness.delete("/api/v1/events/\(id)", token: token)
        #expect(reply.status == 204 && reply.bytes.isEmpty)
        try expectEqual(harness.get("/api/v1/events/\(id)", token: token).status, 404)
        let change = try changes().last
        expectEqual(change?.string("operation"), "delete")
        expectEqual(change?["data"], .null)
        expectEqual(change?.string("deleted_at"), "2025-01-01T12:00:00Z")
    }

    // MARK: Batches

    private func batch(_ items: [JSON]) throws -> Played {
        try harness.post("/api/v1/events/batch", token: token, json: ["events": .array(items)])
    }

    @Test func `10.6 a batch is 201, 207 or 400, with the same body`() throws {
        let good = event(at: "2025-01-01T01:00:00Z")
        let unknown = event(["event_type_id": .string(Harness.id(1))])
        let all = try batch([good, event(at: "2025-01-01T02:00:00Z")])
        expectEqual(all.status, 201)
        expectEqual(all.keys, ["created", "total", "success", "failed"])
        expectEqual(all.json["created"]?.arrayValue?.count, 2)
        let some = try batch([event(at: "2025-01-01T03:00:00Z"), unknown, event(at: "2025-01-01T04:00:00Z")])
        expectEqual(some.status, 207)
        expectEqual(some.keys, ["created", "errors", "total", "success", "failed"])
        expectEqual(some.json["errors"]?.text, #"[{"index":1,"message":"invalid event type: \#(Harness.id(1))"}]"#)
        expectEqual(some.json["total"], 3)
        expectEqual(some.json["success"], 2)
        expectEqual(some.json["failed"], 1)
        let none = try batch([unknown, ["timestamp": "x"], 5, event(["id": "x"]), event(["source_type": "y"])])
        expectEqual(none.status, 400)
        expectEqual(none.json["created"], [])
        expectEqual(none.json["errors"]?.arrayValue?.compactMap { $0["index"]?.intValue }, [0, 1, 2, 3, 4])
    }

    @Test func `10.6 a batch holds 1 to 500`() throws {
        #expect(try batch([]).plain.hasPrefix("400 "))
        for body: JSON in [[:], ["events": .null], ["events": [:]], []] {
            #expect(
                try harness.post("/api/v1/events/batch", token: token, json: body).plain.hasPrefix("400 ")
            )
        }
        func items(_ count: Int) -> [JSON] {
            (0..<count).map { event(at: "2023-01-01T0\($0 / 360):\(10 + $0 / 60 % 6 * 8):\(10 + $0 % 50)Z") }
        }
        #expect(try batch((0..<501).map { _ in event() }).plain.hasPrefix("400 "))
        let many = (0..<500).map { number in
            event(at: Instant(seconds: 1_600_000_000 + Int64(number)).iso8601(.seconds))
        }
        try expectEqual(batch(many).json["success"], 500)
        expectEqual(items(1).count, 1)
    }

    @Test func `10.6 a conflict of one item fails the whole batch`() throws {
        let before = try harness.get("/api/v1/events?limit=1000", token: token).text
        let seeded = event(at: "2024-12-31T07:00:00Z")
        for items in [[event(), seeded], [event(), event()]] {
            let reply = try batch(items)
            #expect(reply.plain.hasPrefix("500 ") && reply.text.contains("duplicate key value"))
        }
        try expectEqual(harness.get("/api/v1/events?limit=1000", token: token).text, before)
        #expect(try changes().isEmpty)
    }

    @Test func `10.3 a known health sample in a batch leaves no word in the log`() throws {
        let sample = event(["source_type": "healthkit", "healthkit_sample_id": "S"])
        try expectEqual(batch([sample]).status, 201)
        let again = try batch([sample, event(at: "2025-01-01T05:00:00Z")])
        expectEqual(again.status, 201)
        expectEqual(again.json["success"], 2)
        try expectEqual(changes().count, 2)
        // A single creation says so.
        try expectEqual(create(sample).status, 200)
        try expectEqual(changes().map { $0.string("operation") }, ["create", "create", "update"])
    }
}

private func + (left: Substring, right: String) -> String { String(left) + right }
