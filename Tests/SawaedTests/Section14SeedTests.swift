import Backend
import CivilTime
import EngineTesting
import JSON
import TestSupport
import Testing
import Worlds

@testable import Sawaed

/// Section 14: the seed world.
struct Section14SeedTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    @Test func `14.1 the users are these`() throws {
        try harness.state { state, _ in
            expectEqual(
                state.users.rows.map(\.id),
                [
                    "user_layla", "user_omar", "user_new", "user_admin", "user_blocked", "user_unverified",
                    "user_seat01", "user_seat02", "user_seat03",
                ]
            )
            #expect(state.users.rows.allSatisfy { $0.email == "\($0.id.dropFirst(5))@sawaed.test" })
            expectEqual(state.users.rows.filter { $0.role == .admin }.map(\.id), ["user_admin"])
            expectEqual(state.users.rows.filter { $0.isBlocked == true }.map(\.id), ["user_blocked"])
            expectEqual(state.passwords.rows.map(\.isVerified), [true, false])
            expectEqual(state.onboardings["user_blocked"]?.completed, true)
        }
    }

    @Test func `14.2 to 14.4 places and topics`() throws {
        try harness.state { state, _ in
            #expect(state.regions.count == 11 && state.cities.count == 29)
            expectEqual(state.regions.rows[5].name, LocalisedText(en: "Al Batinah North", ar: "شمال الباطنة"))
            expectEqual(state.cities["city_bidiyah"]?.name.ar, "بدية")
            expectEqual(
                state.skills.rows.map(\.category),
                [
                    "technical", "technical", "technical", "technical", "soft", "soft", "creative", "creative",
                ]
            )
            expectEqual(
                state.interests.rows.map(\.category),
                [
                    "technology", "community", "sports", "culture", "business", "community",
                ]
            )
        }
    }

    @Test func `14.5 twenty-four events are published, and their seats are taken as said`() throws {
        try harness.state { state, _ in
            #expect(state.events.count == 25 && state.events.rows.count(where: \.isPublished) == 24)
            for (event, seats) in [
                ("event_open_hackathon", 3), ("event_full_sohar", 2), ("event_waitlist_nizwa", 2),
                ("event_lastseat_barka", 2), ("event_approvalfull_ibri", 1), ("event_registered_rustaq", 1),
                ("event_open_unlimited", 0),
            ] as [(String, Int64)] {
                expectEqual(state.acceptedSeats(of: event), seats, "\(event)")
            }
            #expect(state.events.rows.allSatisfy { $0.contact == "events@sawaed.test" })
            expectEqual(state.events["event_series_07"]?.title.ar, "ورشة الشباب 7")
            expectEqual(state.events["event_series_07"]?.cityId, "city_salalah")
        }
    }

    @Test func `14.7 layla's three paths`() throws {
        try harness.state { state, _ in
            let rows = state.learningPaths.rows
            expectEqual(rows.map(\.id), ["path_layla_digital", "path_layla_critical", "path_layla_problem"])
            expectEqual(rows.map(\.status), [.active, .completed, .archived])
            expectEqual(rows.map(\.assessmentLevel), [3, 2, 1])
            expectEqual(rows.map(\.completedModuleIds.count), [1, 4, 0])
            #expect(rows.allSatisfy { $0.userId == "user_layla" && $0.modules.count == 4 })
        }
    }

    @Test func `14 times follow the day of the world, created rows thirty days before it`() throws {
        let later = try Harness(start: Instant(seconds: 1_767_225_599))
        let token = try later.mint(Harness.layla)
        let event = try later.get("\(Harness.v1)/events/event_open_unlimited", token: token)
        expectEqual(event.json["startsAt"], .integer((1_767_139_200 + 7 * 86_400 + 4 * 3_600) * 1_000))
        let education = try #require(try later.profile(token)["education"]?[0])
        expectEqual(education["createdAt"], .integer((1_767_139_200 - 30 * 86_400) * 1_000))
        try later.state { state, _ in
            let epoch = Epoch(start: Instant(seconds: 1_767_225_599))
            let times = state.users.rows.map { $0.createdAt.resolved(in: epoch).milliseconds }
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 == $0 + 1 })
        }
    }

    @Test func `14 every id has the form of section 2.9`() throws {
        try harness.state { state, _ in
            let ids =
                state.users.rows.map(\.id) + state.regions.rows.map(\.id) + state.events.rows.map(\.id)
                + state.registrations.rows.map(\.id) + state.files.rows.map(\.id) + state.aiSkills.rows.map(\.id)
                + state.learningPaths.rows.map(\.id) + state.cities.rows.map(\.id)
            #expect(ids.allSatisfy(SawaedAPI.isID))
        }
    }

    @Test(arguments: [
        ("users.json", #"[{"id":"a"}]"#, "email"), ("events.json", "{", "line"), ("regions.json", "[1]", "object"),
        ("cities.json", #"[{"id":"c","regionId":"none","name":{"en":"","ar":""}}]"#, "region"),
        ("files.json", #"[{"id":"f","contentType":"t","base64":"?"}]"#, "base64"),
        ("skills.json", #"[{"id":"s","name":{"en":"","ar":""},"category":"c","extra":1}]"#, "extra"),
    ])
    func `14 a seed that does not fit is refused with its place`(file: String, text: String, word: String) throws {
        let files = try SeedFolder.files(of: "sawaed", replacing: file, with: text)
        let error = #expect(throws: SeedError.self) { _ = try AnyAPI(SawaedAPI.definition, seed: files) }
        let texts = try #require(error?.items.map(\.text))
        #expect(texts.contains { $0.hasPrefix("seeds/sawaed/\(file):") }, "\(texts)")
        #expect(texts.contains { $0.lowercased().contains(word) } || word == "line", "\(texts)")
    }
}
