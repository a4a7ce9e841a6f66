import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trendy

/// Section 14: the seed world.
struct Section14SeedTests {
    static let accounts = [
        "new", "welcome", "auth", "permissions", "completed", "reset", "flag-only", "gap", "tracker", "second",
    ]

    @Test func `14 ten accounts with the one password, their ids in order, each with a profile`() throws {
        let harness = try Harness()
        for (place, name) in Self.accounts.enumerated() {
            let reply = try harness.signIn(name)
            expectEqual(reply.text(at: "user.id"), Harness.id(place + 1))
            #expect(reply.text(at: "user.created_at").hasPrefix("2024-12-20T"))
            let token = reply.text(at: "access_token")
            try expectEqual(harness.get("/rest/v1/profiles", token: token).json.arrayValue?.count, 1)
        }
        try expectEqual(harness.state { state, _ in state.accounts.count }, 10)
    }

    @Test func `14 records were created at 08:59 and updated at their latest step`() throws {
        let harness = try Harness()
        for (name, updated) in [
            ("welcome", "09:00:00"), ("auth", "09:01:30"), ("permissions", "09:04:00"), ("gap", "09:04:00"),
            ("second", "09:00:00"),
        ] {
            let reply = try harness.get(Harness.onboarding, token: try harness.mint(Harness.mail(name)))
            expectEqual(reply.text(at: "created_at"), "2024-12-20T08:59:00Z")
            expectEqual(reply.text(at: "updated_at"), "2024-12-20T\(updated)Z")
        }
    }

    @Test func `14 the tracker has three types, their events, a sample, a geofence and two definitions`() throws {
        let harness = try Harness()
        let token = try harness.mint("tracker@trendy.example")
        let types = try harness.get("/api/v1/event-types", token: token).json.arrayValue ?? []
        expectEqual(
            types.map { "\($0.string("name")) \($0.string("color")) \($0.string("icon"))" },
            ["Run #FF3B30 figure.run", "Sleep #5856D6 bed.double", "Coffee #A2845E cup.and.saucer"]
        )
        let events = try harness.get("/api/v1/events?limit=1000", token: token).json.arrayValue ?? []
        func times(_ name: String) -> [String] {
            events.filter { $0["event_type"]?.string("name") == name && $0.string("source_type") == "manual" }
                .map { $0.string("timestamp") }.sorted()
        }
        let days = (1...21).map { (Instant(seconds: 1_735_689_600) - .days(Int64(22 - $0))).isoDay }
        expectEqual(times("Run"), days.map { "\($0)T07:00:00Z" })
        #expect(times("Sleep").count == 21 && times("Sleep").allSatisfy { $0.hasSuffix("T22:30:00Z") })
        expectEqual(times("Coffee").count, 15)
        let withDistance = events.filter { $0["properties"]?["distance"]?.string("type") == "number" }
        expectEqual(withDistance.count, 7)
        let samples = events.filter { $0.string("source_type") == "healthkit" }
        #expect(samples.count == 1 && samples[0]["healthkit_sample_id"] != nil)
        for event in events {
            let digits = event.string("id").replacing("-", with: "")
            let made = Int64(digits.prefix(12), radix: 16) ?? 0
            expectEqual(Instant(microseconds: made * 1_000).iso8601(.seconds), event.string("created_at"))
            expectEqual(Array(digits)[12], "7")
        }
        let fence = try harness.get("/api/v1/geofences", token: token).json[0]
        expectEqual(fence?.string("name"), "Gym")
        expectEqual(fence?["radius"], 150)
        expectEqual(fence?.string("event_type_entry_id"), types[0].string("id"))
        let run = types[0].string("id")
        let definitions = try harness.get("/api/v1/event-types/\(run)/properties", token: token).json.arrayValue ?? []
        expectEqual(definitions.map { $0.string("property_type") }, ["number", "select"])
        expectEqual(definitions[1]["options"], ["low", "ok", "high"])
    }

    @Test(arguments: 0..<7)
    func `14 coffee is had on weekdays, whatever day the world begins on`(offset: Int) throws {
        let harness = try Harness(start: Harness.noon + .days(Int64(offset)) + .hours(3))
        let token = try harness.mint("tracker@trendy.example")
        let events = try harness.get("/api/v1/events?limit=1000", token: token).json.arrayValue ?? []
        let days = events.filter { $0["event_type"]?.string("name") == "Coffee" }
            .compactMap { Instant(iso8601: $0.string("timestamp"))?.civilDate.weekday }
        expectEqual(days.count, 15)
        #expect(!days.contains(.saturday) && !days.contains(.sunday))
        let page = try harness.get("/api/v1/changes?limit=500", token: token).json
        expectEqual(page["changes"]?.arrayValue?.compactMap { $0["id"]?.intValue }, Array(1...64))
    }

    @Test func `14 worlds of one seed are equal byte for byte`() throws {
        let walks = try (0..<2).map { _ in
            let harness = try Harness()
            let signIn = try harness.signIn("tracker")
            let token = signIn.text(at: "access_token")
            var text = signIn.text
            for path in ["/api/v1/events", "/api/v1/insights", "/api/v1/changes", "/api/v1/analytics/trends"] {
                let reply = try harness.get(path, token: token)
                text += reply.text + (reply["X-Request-ID"] ?? "")
            }
            return text
        }
        expectEqual(walks[0], walks[1])
    }

    @Test(arguments: [
        ("accounts.json", #"[{"id":"X"}]"#), ("onboarding.json", #"[{"userId":"nobody"}]"#), ("events.json", "{"),
        (
            "geofences.json",
            #"[{"id":"a","userId":"b","name":"c","latitude":1,"longitude":1,"radius":50,"isActive":true,"#
                + #""notifyOnEntry":true,"notifyOnExit":true,"createdAt":"T0","updatedAt":"T0"}]"#
        ),
    ])
    func `14 a seed that does not fit is refused with the place of each fault`(file: String, text: String) throws {
        let files = try SeedFolder.files(of: "trendy", replacing: file, with: text)
        let error = #expect(throws: SeedError.self) { try TrendyAPI.readSeed(files) }
        expectEqual(error?.items.first?.place.hasSuffix(file), true)
    }
}
