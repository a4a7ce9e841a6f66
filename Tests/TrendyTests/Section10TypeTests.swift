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

/// Sections 10.5, 10.7, 10.8 and 10.9: event types, property definitions, geofences, idempotency keys.
struct Section10TypeTests {
    let harness: Harness
    let token: String
    let stranger: String

    init() throws {
        harness = try Harness()
        token = try harness.mint("tracker@trendy.example")
        stranger = try harness.mint("second@trendy.example")
    }

    private func list(_ path: String, _ token: String? = nil) throws -> [JSON] {
        try harness.get("/api/v1/\(path)", token: token ?? self.token).json.arrayValue ?? []
    }

    private func duplicate(_ reply: Played) {
        #expect(reply.plain.hasPrefix("500 "))
        #expect(reply.text.contains("duplicate key value violates unique constraint"))
    }

    // MARK: 10.5

    @Test func `10.5 types are listed oldest first, only one's own`() throws {
        try expectEqual(list("event-types").map { $0.string("name") }, ["Run", "Sleep", "Coffee"])
        #expect(try list("event-types", stranger).isEmpty)
        try expectEqual(harness.get("/api/v1/event-types", token: stranger).text, "[]")
    }

    @Test func `10.5 a type needs three texts, and its name once`() throws {
        let good: JSONObject = ["name": "Swim", "color": "#fff", "icon": "pool"]
        for name in ["name", "color", "icon"] {
            for bad: JSON? in [nil, .null, "", 5] {
                var body = good
                body[name] = bad
                let reply = try harness.post("/api/v1/event-types", token: token, json: .object(body))
                #expect(reply.plain.hasPrefix("400 ") && reply.text.contains(name))
            }
        }
        let reply = try harness.post("/api/v1/event-types", token: token, json: .object(good))
        expectEqual(reply.status, 201)
        expectEqual(reply.keys, ["id", "user_id", "name", "color", "icon", "created_at", "updated_at"])
        duplicate(try harness.post("/api/v1/event-types", token: token, json: .object(good)))
        try expectEqual(harness.post("/api/v1/event-types", token: stranger, json: .object(good)).status, 201)
        var own = good
        own["name"] = "Other"
        own["id"] = reply.json["id"]
        duplicate(try harness.post("/api/v1/event-types", token: token, json: .object(own)))
        own["id"] = "no uuid"
        try expectEqual(harness.post("/api/v1/event-types", token: token, json: .object(own)).status, 400)
    }

    @Test func `10.5 absent, null and empty members of a PUT stay`() throws {
        let id = try harness.typeID("Run", token)
        let before = try harness.get("/api/v1/event-types/\(id)", token: token)
        try harness.advance(.seconds(1))
        for body: JSON in [[:], ["name": .null, "color": ""], ["icon": "", "user_id": "x"]] {
            let reply = try harness.put("/api/v1/event-types/\(id)", token: token, json: body)
            expectEqual(reply.status, 200)
            expectEqual(reply.text(at: "name"), "Run")
            expectEqual(reply.text(at: "color"), "#FF3B30")
            expectEqual(reply.text(at: "updated_at"), "2025-01-01T12:00:01Z")
            expectEqual(reply.json["created_at"], before.json["created_at"])
        }
        try expectEqual(
            harness.put("/api/v1/event-types/\(id)", token: token, json: ["name": "Jog"]).text(at: "name"),
            "Jog"
        )
        duplicate(try harness.put("/api/v1/event-types/\(id)", token: token, json: ["name": "Sleep"]))
        try expectEqual(harness.put("/api/v1/event-types/\(id)", token: token, json: ["name": 5]).status, 400)
    }

    @Test func `10.5 unknown and foreign types are 404 when read and 500 when changed`() throws {
        let id = try harness.typeID("Run", token)
        for (path, token) in [("event-types/\(id)", stranger), ("event-types/x", token)] {
            try expectEqual(harness.get("/api/v1/\(path)", token: token).plain, "404 event type not found")
            try expectEqual(harness.put("/api/v1/\(path)", token: token, json: [:]).plain, "500 event type not found")
            try expectEqual(harness.delete("/api/v1/\(path)", token: token).plain, "500 event type not found")
            try expectEqual(harness.get("/api/v1/\(path)/properties", token: token).plain, "500 event type not found")
        }
    }

    @Test func `10.5 deleting a type takes its events and definitions along, without a word in the log`() throws {
        let id = try harness.typeID("Run", token)
        let definition = try list("event-types/\(id)/properties")[0].string("id")
        let cursor = try harness.get("/api/v1/changes/latest-cursor", token: token).json["cursor"]?.intValue ?? 0
        let reply = try harness.delete("/api/v1/event-types/\(id)", token: token)
        #expect(reply.status == 204 && reply.bytes.isEmpty)
        try expectEqual(list("events?limit=1000").count, 37)
        try expectEqual(harness.get("/api/v1/property-definitions/\(definition)", token: token).status, 404)
        try expectNil(list("geofences")[0]["event_type_entry_id"])
        let changes = try harness.get("/api/v1/changes?since=\(cursor)", token: token).json["changes"]?.arrayValue
        expectEqual(changes?.count, 1)
        expectEqual(changes?[0].string("entity_type"), "event_type")
        expectEqual(changes?[0].string("operation"), "delete")
    }

    // MARK: 10.7

    @Test func `10.7 definitions are listed by display_order, then age`() throws {
        let id = try harness.typeID("Run", token)
        let path = "/api/v1/event-types/\(id)/properties"
        try expectEqual(list("event-types/\(id)/properties").map { $0.string("key") }, ["distance", "mood"])
        for (key, order) in [("late", 5), ("first", -1), ("tie", 0)] {
            let reply = try harness.post(
                path,
                token: token,
                json: [
                    "event_type_id": "ignored", "key": .string(key), "label": "L", "property_type": "text",
                    "display_order": .integer(Int64(order)),
                ]
            )
            expectEqual(reply.status, 201)
            expectEqual(reply.text(at: "event_type_id"), id)
        }
        try expectEqual(
            list("event-types/\(id)/properties").map { $0.string("key") },
            ["first", "distance", "tie", "mood", "late"]
        )
    }

    @Test func `10.7 creation checks its members, then the type, the options and the key`() throws {
        let id = try harness.typeID("Sleep", token)
        let path = "/api/v1/event-types/\(id)/properties"
        let good: JSONObject = ["event_type_id": .string(id), "key": "k", "label": "L", "property_type": "text"]
        func post(_ path: String, _ change: JSONObject) throws -> Played {
            var body = good
            for member in change.members { body[member.name] = member.value.isNull ? nil : member.value }
            return try harness.post(path, token: token, json: .object(body))
        }
        for change: JSONObject in [
            ["event_type_id": .null], ["key": ""], ["label": .null], ["property_type": "color"], ["options": [1]],
            ["display_order": "1"], ["display_order": 1.5], ["display_order": 9_999_999_999],
        ] {
            #expect(try post(path, change).plain.hasPrefix("400 "), "\(change)")
        }
        try expectEqual(post("/api/v1/event-types/\(Harness.id(1))/properties", [:]).plain, "500 event type not found")
        for options: JSON in [.null, []] {
            try expectEqual(
                post(path, ["property_type": "select", "options": options]).plain,
                "500 select property type requires options"
            )
        }
        let select = try post(
            path,
            ["property_type": "select", "options": ["a", "b"], "default_value": ["deep": [1]], "display_order": 3]
        )
        expectEqual(select.status, 201)
        expectEqual(
            select.keys,
            [
                "id", "event_type_id", "user_id", "key", "label", "property_type", "options", "default_value",
                "display_order", "created_at", "updated_at",
            ]
        )
        expectEqual(select.json["default_value"]?.text, #"{"deep":[1]}"#)
        duplicate(try post(path, [:]))
        for kind in ["text", "number", "boolean", "date", "duration", "url", "email"] {
            try expectEqual(post(path, ["key": .string(kind), "property_type": .string(kind)]).status, 201)
        }
    }

    @Test func `10.7 D32 a PUT keeps absent and null members, display_order too`() throws {
        let id = try harness.typeID("Run", token)
        let mood = try list("event-types/\(id)/properties")[1]
        let path = "/api/v1/property-definitions/\(mood.string("id"))"
        let kept = try harness.put(path, token: token, json: ["key": .null, "options": .null, "display_order": .null])
        expectEqual(kept.json["display_order"], 1)
        expectEqual(kept.json["options"], mood["options"])
        try expectEqual(harness.put(path, token: token, json: ["label": "How"]).text(at: "label"), "How")
        try expectEqual(
            harness.put(path, token: token, json: ["options": []]).plain,
            "500 select property type requires options"
        )
        duplicate(try harness.put(path, token: token, json: ["key": "distance"]))
        try expectEqual(harness.put(path, token: token, json: ["property_type": "x"]).status, 400)
        let missing = "/api/v1/property-definitions/\(Harness.id(1))"
        try expectEqual(harness.get(missing, token: token).plain, "404 property definition not found")
        try expectEqual(harness.put(missing, token: token, json: [:]).plain, "500 property definition not found")
        try expectEqual(harness.delete(missing, token: token).plain, "500 property definition not found")
        try expectEqual(harness.get(path, token: stranger).status, 404)
        try expectEqual(harness.delete(path, token: token).status, 204)
        try expectEqual(harness.get(path, token: token).status, 404)
    }

    // MARK: 10.8

    private static let fence: JSONObject = [
        "id": "7E4D0000-0000-4000-8000-00000000AAAA", "name": "Home", "latitude": 90, "longitude": -180, "radius": 50,
    ]

    @Test func `10.8 a geofence has its members in order, booleans false unless sent`() throws {
        let reply = try harness.post("/api/v1/geofences", token: token, json: .object(Self.fence))
        expectEqual(reply.status, 201)
        expectEqual(
            reply.text,
            #"{"id":"7e4d0000-0000-4000-8000-00000000aaaa","user_id":"\#(Harness.id(9))","name":"Home","#
                + #""latitude":90,"longitude":-180,"radius":50,"is_active":false,"notify_on_entry":false,"#
                + #""notify_on_exit":false,"created_at":"2025-01-01T12:00:00Z","updated_at":"2025-01-01T12:00:00Z"}"#
        )
        try expectEqual(list("geofences").map { $0.string("name") }, ["Home", "Gym"])
        try expectEqual(list("geofences?active=true").map { $0.string("name") }, ["Gym"])
        try expectEqual(list("geofences?active=false").count, 2)
        duplicate(try harness.post("/api/v1/geofences", token: token, json: .object(Self.fence)))
        var same = Self.fence
        same["id"] = "7e4d0000-0000-4000-8000-00000000bbbb"
        duplicate(try harness.post("/api/v1/geofences", token: token, json: .object(same)))
        same["ios_region_identifier"] = "region-1"
        let watched = try harness.post("/api/v1/geofences", token: stranger, json: .object(same))
        expectEqual(watched.status, 201)
        expectEqual(watched.text(at: "ios_region_identifier"), "region-1")
    }

    @Test(
        arguments: [
            ("id", ["", "x", nil]), ("name", ["", 5, nil]), ("latitude", [90.000001, -90.000001, "5", nil]),
            ("longitude", [180.5, -181, nil]), ("radius", [49.999, 10000.001, 0, nil]), ("is_active", ["true", 1]),
            ("event_type_entry_id", ["x", 5]),
        ] as [(String, [JSON?])]
    )
    func `10.8 ranges and types are 400`(name: String, values: [JSON?]) throws {
        let harness = try Harness()
        let token = try harness.mint("tracker@trendy.example")
        for value in values {
            var body = Self.fence
            body[name] = value
            let reply = try harness.post("/api/v1/geofences", token: token, json: .object(body))
            #expect(reply.plain.hasPrefix("400 ") && reply.text.contains(name), "\(String(describing: value))")
        }
    }

    @Test func `10.8 a linked type that is unknown or another user's is 400, and nothing is stored`() throws {
        let gym = try list("geofences")[0]
        let foreign = try harness.post(
            "/api/v1/event-types",
            token: stranger,
            json: ["name": "Theirs", "color": "#000000", "icon": "star"]
        )
        for name in ["event_type_entry_id", "event_type_exit_id"] {
            for id in [Harness.id(1), foreign.text(at: "id")] {
                var body = Self.fence
                body[name] = .string(id)
                let refused = try harness.post("/api/v1/geofences", token: token, json: .object(body))
                expectEqual(refused.plain, "400 \(name): event type not found")
                let path = "/api/v1/geofences/\(gym.string("id"))"
                let kept = try harness.put(path, token: token, json: [name: .string(id), "radius": 500])
                expectEqual(kept.plain, refused.plain)
            }
        }
        try expectEqual(list("geofences"), [gym])
    }

    @Test func `10.8 a PUT keeps absent and null and holds the same ranges`() throws {
        let gym = try list("geofences")[0]
        let path = "/api/v1/geofences/\(gym.string("id"))"
        var nulls = JSONObject()
        for name in gym.keys { nulls[name] = .null }
        let kept = try harness.put(path, token: token, json: .object(nulls))
        expectEqual(kept.keys, gym.keys)
        expectEqual(kept.json["radius"], 150)
        for body: JSON in [["radius": 49], ["radius": 10001], ["latitude": 91], ["longitude": "x"]] {
            #expect(try harness.put(path, token: token, json: body).plain.hasPrefix("400 "))
        }
        let changed = try harness.put(
            path,
            token: token,
            json: ["radius": 10000, "is_active": false, "ios_region_identifier": "r", "latitude": -90]
        )
        expectEqual(changed.json["radius"], 10000)
        expectEqual(changed.json["is_active"], false)
        expectEqual(changed.text(at: "ios_region_identifier"), "r")
        for (path, token) in [("/api/v1/geofences/x", token), (path, stranger)] {
            try expectEqual(harness.get(path, token: token).plain, "404 geofence not found")
            try expectEqual(harness.put(path, token: token, json: [:]).plain, "500 geofence not found")
            try expectEqual(harness.delete(path, token: token).plain, "500 geofence not found")
        }
        try expectEqual(harness.delete(path, token: token).status, 204)
        #expect(try list("geofences").isEmpty)
    }

    @Test func `10.8 events keep their other members when their geofence goes`() throws {
        let gym = try list("geofences")[0].string("id")
        let event = try harness.post(
            "/api/v1/events",
            token: token,
            json: [
                "event_type_id": .string(try harness.typeID("Run", token)), "timestamp": "2025-01-01T11:00:00Z",
                "geofence_id": .string(gym.uppercased()), "location_name": "gym",
            ]
        )
        expectEqual(event.text(at: "geofence_id"), gym)
        try expectEqual(harness.delete("/api/v1/geofences/\(gym)", token: token).status, 204)
        let after = try harness.get("/api/v1/events/\(event.text(at: "id"))", token: token)
        expectNil(after.json["geofence_id"])
        expectEqual(after.text(at: "location_name"), "gym")
    }

    // MARK: 10.9

    @Test func `10.9 a key repeats its first success and does no work`() throws {
        let body: JSON = ["name": "Swim", "color": "c", "icon": "i"]
        func post(_ key: String, _ body: JSON, _ token: String) throws -> Played {
            try harness.post("/api/v1/event-types", token: token, json: body, headers: [("Idempotency-Key", key)])
        }
        let first = try post("k1", body, token)
        expectEqual(first.status, 201)
        expectNil(first["X-Idempotency-Replayed"])
        for other in [body, ["name": "Else"], "no object"] {
            let again = try post("k1", other, token)
            expectEqual(again.status, 201)
            expectEqual(again.text, first.text)
            expectEqual(again["X-Idempotency-Replayed"], "true")
        }
        try expectEqual(list("event-types").count, 4)
        // Another key, user or path is another matter.
        duplicate(try post("k2", body, token))
        try expectEqual(post("k1", body, stranger).status, 201)
        let elsewhere = try harness.post(
            "/api/v1/geofences",
            token: token,
            json: .object(Self.fence),
            headers: [("Idempotency-Key", "k1")]
        )
        expectEqual(elsewhere.status, 201)
        expectNil(elsewhere["X-Idempotency-Replayed"])
        // An empty key is none.
        duplicate(try post("", body, token))
    }

    @Test func `10.9 errors are not stored, and an answer lives for 24 hours`() throws {
        let headers: [(FieldName, String)] = [("Idempotency-Key", "k")]
        let bad = try harness.post("/api/v1/event-types", token: token, json: [:], headers: headers)
        expectEqual(bad.status, 400)
        let body: JSON = ["name": "Swim", "color": "c", "icon": "i"]
        let good = try harness.post("/api/v1/event-types", token: token, json: body, headers: headers)
        expectEqual(good.status, 201)
        try harness.advance(.hours(24) - .microseconds(1))
        let token = try harness.mint("tracker@trendy.example")
        let late = try harness.post("/api/v1/event-types", token: token, json: body, headers: headers)
        expectEqual(late["X-Idempotency-Replayed"], "true")
        try harness.advance(.microseconds(1))
        duplicate(try harness.post("/api/v1/event-types", token: token, json: body, headers: headers))
    }

    @Test func `10.9 one key on two ids changes both`() throws {
        let ids = try list("event-types").map { $0.string("id") }
        for (id, name) in zip(ids, ["A", "B", "C"]) {
            let reply = try harness.send(
                .put,
                "/api/v1/event-types/\(id)",
                token: token,
                body: (["name": .string(name)] as JSON).serialized(),
                headers: [("Idempotency-Key", "same")]
            )
            expectEqual(reply.text(at: "name"), name)
        }
    }

    @Test func `10.9 onboarding knows no keys`() throws {
        for flag in [true, false] {
            let reply = try harness.patch(
                Harness.onboarding,
                token: token,
                json: ["completed": .bool(flag)],
                headers: [("Idempotency-Key", "k")]
            )
            expectEqual(reply.json["completed"], .bool(flag))
        }
    }
}
