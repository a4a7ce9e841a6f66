import CivilTime
import Emulation
import EmulationTesting
import HTTPMessage
import JSON
import Testing

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
        #expect(try list("event-types").map { $0.string("name") } == ["Run", "Sleep", "Coffee"])
        #expect(try list("event-types", stranger).isEmpty)
        #expect(try harness.get("/api/v1/event-types", token: stranger).text == "[]")
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
        #expect(reply.status == 201)
        #expect(reply.keys == ["id", "user_id", "name", "color", "icon", "created_at", "updated_at"])
        duplicate(try harness.post("/api/v1/event-types", token: token, json: .object(good)))
        #expect(try harness.post("/api/v1/event-types", token: stranger, json: .object(good)).status == 201)
        var own = good
        own["name"] = "Other"
        own["id"] = reply.json["id"]
        duplicate(try harness.post("/api/v1/event-types", token: token, json: .object(own)))
        own["id"] = "no uuid"
        #expect(try harness.post("/api/v1/event-types", token: token, json: .object(own)).status == 400)
    }

    @Test func `10.5 absent, null and empty members of a PUT stay`() throws {
        let id = try harness.typeID("Run", token)
        let before = try harness.get("/api/v1/event-types/\(id)", token: token)
        try harness.advance(.seconds(1))
        for body: JSON in [[:], ["name": .null, "color": ""], ["icon": "", "user_id": "x"]] {
            let reply = try harness.put("/api/v1/event-types/\(id)", token: token, json: body)
            #expect(reply.status == 200)
            #expect(reply.text(at: "name") == "Run" && reply.text(at: "color") == "#FF3B30")
            #expect(reply.text(at: "updated_at") == "2025-01-01T12:00:01Z")
            #expect(reply.json["created_at"] == before.json["created_at"])
        }
        #expect(
            try harness.put("/api/v1/event-types/\(id)", token: token, json: ["name": "Jog"]).text(at: "name") == "Jog"
        )
        duplicate(try harness.put("/api/v1/event-types/\(id)", token: token, json: ["name": "Sleep"]))
        #expect(try harness.put("/api/v1/event-types/\(id)", token: token, json: ["name": 5]).status == 400)
    }

    @Test func `10.5 unknown and foreign types are 404 when read and 500 when changed`() throws {
        let id = try harness.typeID("Run", token)
        for (path, token) in [("event-types/\(id)", stranger), ("event-types/x", token)] {
            #expect(try harness.get("/api/v1/\(path)", token: token).plain == "404 event type not found")
            #expect(
                try harness.put("/api/v1/\(path)", token: token, json: [:]).plain == "500 event type not found"
            )
            #expect(try harness.delete("/api/v1/\(path)", token: token).plain == "500 event type not found")
            #expect(
                try harness.get("/api/v1/\(path)/properties", token: token).plain == "500 event type not found"
            )
        }
    }

    @Test func `10.5 deleting a type takes its events and definitions along, without a word in the log`() throws {
        let id = try harness.typeID("Run", token)
        let definition = try list("event-types/\(id)/properties")[0].string("id")
        let cursor = try harness.get("/api/v1/changes/latest-cursor", token: token).json["cursor"]?.intValue ?? 0
        let reply = try harness.delete("/api/v1/event-types/\(id)", token: token)
        #expect(reply.status == 204 && reply.bytes.isEmpty)
        #expect(try list("events?limit=1000").count == 37)
        #expect(try harness.get("/api/v1/property-definitions/\(definition)", token: token).status == 404)
        #expect(try list("geofences")[0]["event_type_entry_id"] == nil)
        let changes = try harness.get("/api/v1/changes?since=\(cursor)", token: token).json["changes"]?.arrayValue
        #expect(changes?.count == 1)
        #expect(changes?[0].string("entity_type") == "event_type")
        #expect(changes?[0].string("operation") == "delete")
    }

    // MARK: 10.7

    @Test func `10.7 definitions are listed by display_order, then age`() throws {
        let id = try harness.typeID("Run", token)
        let path = "/api/v1/event-types/\(id)/properties"
        #expect(try list("event-types/\(id)/properties").map { $0.string("key") } == ["distance", "mood"])
        for (key, order) in [("late", 5), ("first", -1), ("tie", 0)] {
            let reply = try harness.post(
                path,
                token: token,
                json: [
                    "event_type_id": "ignored", "key": .string(key), "label": "L", "property_type": "text",
                    "display_order": .integer(Int64(order)),
                ]
            )
            #expect(reply.status == 201)
            #expect(reply.text(at: "event_type_id") == id)
        }
        #expect(
            try list("event-types/\(id)/properties").map { $0.string("key") }
                == ["first", "distance", "tie", "mood", "late"]
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
        #expect(
            try post("/api/v1/event-types/\(Harness.id(1))/properties", [:]).plain == "500 event type not found"
        )
        for options: JSON in [.null, []] {
            #expect(
                try post(path, ["property_type": "select", "options": options]).plain
                    == "500 select property type requires options"
            )
        }
        let select = try post(
            path,
            ["property_type": "select", "options": ["a", "b"], "default_value": ["deep": [1]], "display_order": 3]
        )
        #expect(select.status == 201)
        #expect(
            select.keys
                == [
                    "id", "event_type_id", "user_id", "key", "label", "property_type", "options", "default_value",
                    "display_order", "created_at", "updated_at",
                ]
        )
        #expect(select.json["default_value"]?.text == #"{"deep":[1]}"#)
        duplicate(try post(path, [:]))
        for kind in ["text", "number", "boolean", "date", "duration", "url", "email"] {
            #expect(try post(path, ["key": .string(kind), "property_type": .string(kind)]).status == 201)
        }
    }

    @Test func `10.7 D32 a PUT keeps absent and null members, display_order too`() throws {
        let id = try harness.typeID("Run", token)
        let mood = try list("event-types/\(id)/properties")[1]
        let path = "/api/v1/property-definitions/\(mood.string("id"))"
        let kept = try harness.put(path, token: token, json: ["key": .null, "options": .null, "display_order": .null])
        #expect(kept.json["display_order"] == 1)
        #expect(kept.json["options"] == mood["options"])
        #expect(try harness.put(path, token: token, json: ["label": "How"]).text(at: "label") == "How")
        #expect(
            try harness.put(path, token: token, json: ["options": []]).plain
                == "500 select property type requires options"
        )
        duplicate(try harness.put(path, token: token, json: ["key": "distance"]))
        #expect(try harness.put(path, token: token, json: ["property_type": "x"]).status == 400)
        let missing = "/api/v1/property-definitions/\(Harness.id(1))"
        #expect(try harness.get(missing, token: token).plain == "404 property definition not found")
        #expect(try harness.put(missing, token: token, json: [:]).plain == "500 property definition not found")
        #expect(try harness.delete(missing, token: token).plain == "500 property definition not found")
        #expect(try harness.get(path, token: stranger).status == 404)
        #expect(try harness.delete(path, token: token).status == 204)
        #expect(try harness.get(path, token: token).status == 404)
    }

    // MARK: 10.8

    private static let fence: JSONObject = [
        "id": "7E4D0000-0000-4000-8000-00000000AAAA", "name": "Home", "latitude": 90, "longitude": -180, "radius": 50,
    ]

    @Test func `10.8 a geofence has its members in order, booleans false unless sent`() throws {
        let reply = try harness.post("/api/v1/geofences", token: token, json: .object(Self.fence))
        #expect(reply.status == 201)
        #expect(
            reply.text
                == #"{"id":"7e4d0000-0000-4000-8000-00000000aaaa","user_id":"\#(Harness.id(9))","name":"Home","#
                + #""latitude":90,"longitude":-180,"radius":50,"is_active":false,"notify_on_entry":false,"#
                + #""notify_on_exit":false,"created_at":"2025-01-01T12:00:00Z","updated_at":"2025-01-01T12:00:00Z"}"#
        )
        #expect(try list("geofences").map { $0.string("name") } == ["Home", "Gym"])
        #expect(try list("geofences?active=true").map { $0.string("name") } == ["Gym"])
        #expect(try list("geofences?active=false").count == 2)
        duplicate(try harness.post("/api/v1/geofences", token: token, json: .object(Self.fence)))
        var same = Self.fence
        same["id"] = "7e4d0000-0000-4000-8000-00000000bbbb"
        duplicate(try harness.post("/api/v1/geofences", token: token, json: .object(same)))
        same["ios_region_identifier"] = "region-1"
        let watched = try harness.post("/api/v1/geofences", token: stranger, json: .object(same))
        #expect(watched.status == 201 && watched.text(at: "ios_region_identifier") == "region-1")
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
                #expect(refused.plain == "400 \(name): event type not found")
                let path = "/api/v1/geofences/\(gym.string("id"))"
                let kept = try harness.put(path, token: token, json: [name: .string(id), "radius": 500])
                #expect(kept.plain == refused.plain)
            }
        }
        #expect(try list("geofences") == [gym])
    }

    @Test func `10.8 a PUT keeps absent and null and holds the same ranges`() throws {
        let gym = try list("geofences")[0]
        let path = "/api/v1/geofences/\(gym.string("id"))"
        var nulls = JSONObject()
        for name in gym.keys { nulls[name] = .null }
        let kept = try harness.put(path, token: token, json: .object(nulls))
        #expect(kept.keys == gym.keys)
        #expect(kept.json["radius"] == 150)
        for body: JSON in [["radius": 49], ["radius": 10001], ["latitude": 91], ["longitude": "x"]] {
            #expect(try harness.put(path, token: token, json: body).plain.hasPrefix("400 "))
        }
        let changed = try harness.put(
            path,
            token: token,
            json: ["radius": 10000, "is_active": false, "ios_region_identifier": "r", "latitude": -90]
        )
        #expect(changed.json["radius"] == 10000 && changed.json["is_active"] == false)
        #expect(changed.text(at: "ios_region_identifier") == "r")
        for (path, token) in [("/api/v1/geofences/x", token), (path, stranger)] {
            #expect(try harness.get(path, token: token).plain == "404 geofence not found")
            #expect(try harness.put(path, token: token, json: [:]).plain == "500 geofence not found")
            #expect(try harness.delete(path, token: token).plain == "500 geofence not found")
        }
        #expect(try harness.delete(path, token: token).status == 204)
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
        #expect(event.text(at: "geofence_id") == gym)
        #expect(try harness.delete("/api/v1/geofences/\(gym)", token: token).status == 204)
        let after = try harness.get("/api/v1/events/\(event.text(at: "id"))", token: token)
        #expect(after.json["geofence_id"] == nil)
        #expect(after.text(at: "location_name") == "gym")
    }

    // MARK: 10.9

    @Test func `10.9 a key repeats its first success and does no work`() throws {
        let body: JSON = ["name": "Swim", "color": "c", "icon": "i"]
        func post(_ key: String, _ body: JSON, _ token: String) throws -> Played {
            try harness.post("/api/v1/event-types", token: token, json: body, headers: [("Idempotency-Key", key)])
        }
        let first = try post("k1", body, token)
        #expect(first.status == 201 && first["X-Idempotency-Replayed"] == nil)
        for other in [body, ["name": "Else"], "no object"] {
            let again = try post("k1", other, token)
            #expect(again.status == 201)
            #expect(again.text == first.text)
            #expect(again["X-Idempotency-Replayed"] == "true")
        }
        #expect(try list("event-types").count == 4)
        // Another key, user or path is another matter.
        duplicate(try post("k2", body, token))
        #expect(try post("k1", body, stranger).status == 201)
        let elsewhere = try harness.post(
            "/api/v1/geofences",
            token: token,
            json: .object(Self.fence),
            headers: [("Idempotency-Key", "k1")]
        )
        #expect(elsewhere.status == 201 && elsewhere["X-Idempotency-Replayed"] == nil)
        // An empty key is none.
        duplicate(try post("", body, token))
    }

    @Test func `10.9 errors are not stored, and an answer lives for 24 hours`() throws {
        let headers: [(FieldName, String)] = [("Idempotency-Key", "k")]
        let bad = try harness.post("/api/v1/event-types", token: token, json: [:], headers: headers)
        #expect(bad.status == 400)
        let body: JSON = ["name": "Swim", "color": "c", "icon": "i"]
        let good = try harness.post("/api/v1/event-types", token: token, json: body, headers: headers)
        #expect(good.status == 201)
        try harness.advance(.hours(24) - .microseconds(1))
        let token = try harness.mint("tracker@trendy.example")
        let late = try harness.post("/api/v1/event-types", token: token, json: body, headers: headers)
        #expect(late["X-Idempotency-Replayed"] == "true")
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
            #expect(reply.text(at: "name") == name)
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
            #expect(reply.json["completed"] == .bool(flag))
        }
    }
}
