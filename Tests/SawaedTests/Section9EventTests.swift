import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Sawaed

/// Section 9: events.
struct Section9EventTests {
    private let harness: Harness
    private let token: String
    private static let base = "\(Harness.v1)/events"

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.omar)
        try harness.set(["rateLimits": "off"])
    }

    private func list(_ query: String) throws -> Played { try harness.get("\(Self.base)?\(query)", token: token) }

    private func ids(_ query: String) throws -> [String] {
        try list(query).json["items"]?.arrayValue?.map { $0.string("id") } ?? []
    }

    // MARK: 9.1

    @Test func `9.1 twenty of twenty-four, latest start first, and one cursor`() throws {
        let first = try list("")
        expectEqual(first.keys, ["items", "nextCursor"])
        let items = first.json["items"]?.arrayValue ?? []
        expectEqual(items.count, 20)
        expectEqual(
            items.prefix(3).map { $0.string("id") },
            ["event_series_10", "event_notopen_duqm", "event_series_09"]
        )
        let second = try list("cursor=\(first.text(at: "nextCursor"))")
        expectEqual(second.keys, ["items"])
        expectEqual(second.json["items"]?.arrayValue?.count, 4)
        expectEqual(second.json["items"]?[3]?.string("id"), "event_past_muttrah")
    }

    @Test func `9.1 an item has every key in order, localised`() throws {
        let item = try #require(
            try harness.get("\(Self.base)?q=coding&locale=en", token: token).json["items"]?[0]
        )
        expectEqual(
            item.keys,
            [
                "id", "title", "description", "startsAt", "endsAt", "city", "region", "posterUrl",
                "isRegistrationRequired", "registrationPolicy", "_id", "titleEn", "titleAr", "descriptionEn",
                "descriptionAr", "startingDate", "endingDate", "isPublished",
            ]
        )
        expectEqual(item.string("title"), "Coding Weekend")
        expectEqual(item.string("titleAr"), "عطلة البرمجة")
        expectEqual(item.string("region"), "Muscat")
        expectEqual(item.string("city"), "Seeb")
        expectEqual(item.string("posterUrl"), "http://127.0.0.1:4681/api/storage/poster_default")
        // D0 is 2025-01-01; ten days and five hours later.
        expectEqual(item["startsAt"], .integer(1_736_571_600_000))
        expectEqual(item["startingDate"], item["startsAt"])
        let poster = try harness.get("/api/storage/poster_default")
        #expect(poster[.contentType] == "image/png" && poster.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let arabic = try #require(try list("q=coding").json["items"]?[0])
        expectEqual(arabic.string("title"), "عطلة البرمجة")
        expectEqual(arabic.string("city"), "السيب")
    }

    @Test(arguments: [
        ("q=WORKSHOP", 11), ("q=%D9%88%D8%B1%D8%B4%D8%A9", 11), ("q=%20%20", 20), ("q=zzz", 0),
        ("regionId=region_muscat&pageSize=50", 5), ("regionId=region_dhofar&cityId=city_salalah", 3),
        ("regionId=short", 20), ("regionId=region_unknown", 20), ("cityId=city_none_such", 20),
        ("registrationPolicy=approval", 3), ("registrationPolicy=inviteOnly", 1),
        ("isRegistrationRequired=", 1), ("isRegistrationRequired=true&pageSize=50", 23),
        ("isRegistrationRequired=false&pageSize=50", 23), ("isRegistrationRequired=0&pageSize=50", 23),
        ("allowWaitlist=1", 2), ("allowWaitlist=", 20), ("capacityMin=40", 1), ("capacityMin=0&pageSize=50", 24),
        ("capacityMin=1&pageSize=50", 17), ("publishedOnly=false&pageSize=50", 24), ("pageSize=0", 1),
        ("pageSize=-3", 1), ("pageSize=1000", 24), ("pageSize=2.9", 2), ("pageSize=", 1), ("pageSize=Infinity", 24),
        ("page=2", 4), ("page=3", 0), ("page=0", 20), ("page=-1", 20), ("page=2.5", 4), ("page=1e300", 0),
        ("from=1736571600000&pageSize=50", 18), ("from=1736571600001&pageSize=50", 17),
        ("to=1736571600000&pageSize=50", 7), ("to=1736571599999&pageSize=50", 6), ("from=-Infinity&to=0x0", 0),
    ])
    func `9.1 filters and pages`(query: String, count: Int) throws {
        try expectEqual(ids(query).count, count, "\(query)")
    }

    @Test func `9.1 q finds a word whose last letter carries a mark of its own, in the list`() throws {
        // «معاً» ends in a letter with a mark; what a person types ends in the letter.
        #expect(try ids("q=%D9%85%D8%B9%D8%A7").contains("event_open_hackathon"))
        #expect(try ids("q=%D9%85%D8%B9%D8%A7%D9%8B").contains("event_open_hackathon"))
        #expect(try ids("q=%D9%8B").contains("event_open_hackathon"))
    }

    @Test(arguments: [
        "registrationPolicy=closed", "registrationPolicy=", "from=x", "to=2025-01-01", "capacityMin=a", "page=one",
        "pageSize=NaN", "cursor=garbage", "cursor=%21", "cursor=MXx4fHk",
    ])
    func `9.1 a parameter that does not fit is 400`(query: String) throws {
        try expectEqual(list(query).error, "400 validation_error")
    }

    @Test func `9.1 a cursor goes before a page, a full last page has none`() throws {
        let first = try list("pageSize=12")
        let second = try list("pageSize=12&page=9&cursor=\(first.text(at: "nextCursor"))")
        expectEqual(second.keys, ["items"])
        expectEqual(second.json["items"]?.arrayValue?.count, 12)
        let paged = try list("pageSize=10&page=2")
        expectEqual(paged.keys, ["items", "nextCursor"])
        try expectEqual(ids("pageSize=10&cursor=\(paged.text(at: "nextCursor"))").count, 4)
    }

    @Test(arguments: (0..<12).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `9.1 no item is lost or shown twice while events change`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let all = try Set(ids("pageSize=50"))
        var touched: Set<String> = []
        var seen: [String] = []
        var cursor = ""
        for _ in 0..<100 {
            let page = try list("pageSize=\(1 + chance.below(6))&cursor=\(cursor)")
            seen += page.json["items"]?.arrayValue?.map { $0.string("id") } ?? []
            cursor = page.text(at: "nextCursor")
            if cursor.isEmpty { break }
            try harness.state { state, _ in
                let rows = state.events.rows
                var row = rows[chance.below(rows.count)]
                switch chance.below(4) {
                case 0:
                    row.id = "event_added_\(state.count("added"))"
                    row.startsAt = .at(Harness.noon + .hours(Int64(chance.below(1_000))))
                case 1: row.isPublished.toggle()
                case 2: row.startsAt = .at(Harness.noon + .hours(Int64(chance.below(1_000))))
                default: row.capacity = chance.below(50)
                }
                // What only changed otherwise has to be shown all the same.
                if row.startsAt != rows.first(where: { $0.id == row.id })?.startsAt || !row.isPublished {
                    touched.insert(row.id)
                }
                state.events.insert(row)
            }
        }
        #expect(cursor.isEmpty)
        let untouched = seen.filter { !touched.contains($0) }
        expectEqual(Set(untouched).count, untouched.count, "seed \(seed)")
        #expect(all.subtracting(touched).isSubset(of: untouched), "seed \(seed)")
    }

    // MARK: 9.2

    @Test func `9.2 one event has more keys, and no registration`() throws {
        let event = try harness.get("\(Self.base)/event_open_hackathon", token: token)
        expectEqual(
            event.keys.suffix(8),
            [
                "registrationsOpenDate", "registrationsCloseDate", "allowWaitlist", "capacity",
                "externalRegistrationUrl", "maxRegistrationsPerUser", "termsUrl", "contact",
            ]
        )
        expectEqual(event.json["capacity"], 40)
        expectEqual(event.json["maxRegistrationsPerUser"], 2)
        expectEqual(event.json["termsUrl"], .null)
        expectEqual(event.text(at: "contact"), "events@sawaed.test")
        let fair = try harness.get("\(Self.base)/event_external_ibra", token: token)
        expectEqual(fair.text(at: "externalRegistrationUrl"), "https://register.sawaed.test/fair")
        expectEqual(fair.json["isRegistrationRequired"], false)
        expectEqual(fair.json["capacity"], .null)
    }

    @Test func `9.2 an id has a form, an unknown or hidden event is 404`() throws {
        for id in ["abc", "seven77", "event.full", "%D9%85%D8%B3%D9%88%D8%AF%D8%A9", "event%20full%20x"] {
            try expectEqual(harness.get("\(Self.base)/\(id)", token: token).error, "400 invalid_id", "\(id)")
        }
        try expectEqual(harness.get("\(Self.base)/eight888", token: token).error, "404 not_found")
        try expectEqual(harness.get("\(Self.base)/event_draft_hidden", token: token).error, "404 not_found")
        try expectEqual(harness.get("\(Self.base)/event%5Ffull%5Fsohar", token: token).status, 200)
    }

    // MARK: 9.3

    @Test(arguments: [
        ("event_open_unlimited", "accepted"), ("event_lastseat_barka", "accepted"),
        ("event_waitlist_nizwa", "waitlisted"), ("event_approval_salalah", "pending"),
        ("event_approvalfull_ibri", "waitlisted"), ("event_external_ibra", "accepted"),
        ("event_full_sohar", "409 event_full"), ("event_invite_muscat", "409 invite_only"),
        ("event_notopen_duqm", "409 registration_not_open"), ("event_closed_khasab", "409 registration_closed"),
        ("event_past_muttrah", "409 event_past"), ("event_draft_hidden", "409 event_not_available"),
        ("event_unknown", "409 event_not_available"), ("abc", "400 invalid_id"),
    ])
    func `9.3 the events of the seed answer as they are meant to`(event: String, result: String) throws {
        let reply = try harness.register(event, token)
        guard reply.status == 200 else { expectEqual(reply.error, result); return }
        expectEqual(reply.text, #"{"id":"registration_0001","status":"\#(result)"}"#)
    }

    @Test func `9.3 layla has a seat, and a rejection`() throws {
        let layla = try harness.mint(Harness.layla)
        try expectEqual(harness.register("event_registered_rustaq", layla).error, "409 already_registered")
        try expectEqual(harness.register("event_rejected_buraimi", layla).error, "409 rejected_cannot_reapply")
        // Cancelling makes applying possible again (D36).
        try expectEqual(harness.cancel("event_rejected_buraimi", layla).text, #"{"ok":true}"#)
        let again = try harness.register("event_rejected_buraimi", layla)
        expectEqual(again.text, #"{"id":"registration_layla_rej","status":"pending"}"#)
    }

    @Test(arguments: [
        (#"{"quantity":2}"#, true), (#"{"quantity":"2"}"#, true), (#"{"quantity":" 0x2 "}"#, true),
        (#"{"quantity":true}"#, true), (#"{"quantity":[1]}"#, true), (#"{"quantity":1.0}"#, true), ("", true),
        (#"{"quantity":0}"#, false), (#"{"quantity":1.5}"#, false), (#"{"quantity":null}"#, false),
        (#"{"quantity":"x"}"#, false), (#"{"quantity":""}"#, false), (#"{"quantity":{}}"#, false),
        (#"{"quantity":[1,2]}"#, false), (#"{"quantity":-1}"#, false), (#"{"quantity":1e400}"#, false),
        (#"{"notes":null}"#, false), (#"{"notes":1}"#, false),
    ])
    func `9.3 the quantity is coerced, notes are text`(body: String, fits: Bool) throws {
        let reply = try harness.post("\(Self.base)/event_open_unlimited/register", token: token, text: body)
        if fits { expectEqual(reply.status, 200) } else { expectEqual(reply.error, "400 validation_error") }
    }

    @Test func `9.3 notes have at most 500 UTF-16 units`() throws {
        func notes(_ count: Int) -> JSON { ["notes": .string(String(repeating: "😀", count: count / 2))] }
        try expectEqual(harness.register("event_open_unlimited", token, notes(502)).error, "400 validation_error")
        try expectEqual(harness.register("event_open_unlimited", token, notes(500)).status, 200)
    }

    @Test func `9.3 a user has a limit, a capacity counts quantities`() throws {
        try expectEqual(
            harness.register("event_open_hackathon", token, ["quantity": 3]).error,
            "409 max_per_user_exceeded"
        )
        try expectEqual(harness.register("event_open_hackathon", token, ["quantity": 2]).status, 200)
        let other = try harness.mint(Harness.fresh)
        try expectEqual(harness.register("event_lastseat_barka", other, ["quantity": 2]).error, "409 event_full")
        // A refusal takes no id.
        let seat = try harness.register("event_lastseat_barka", other)
        expectEqual(seat.text, #"{"id":"registration_0002","status":"accepted"}"#)
        try expectEqual(harness.register("event_lastseat_barka", token).error, "409 event_full")
        // A freed seat is free at once.
        _ = try harness.cancel("event_lastseat_barka", other)
        try expectEqual(harness.register("event_lastseat_barka", token).status, 200)
        try expectEqual(
            harness.register("event_open_unlimited", token, ["quantity": 9_007_199_254_740_991]).status,
            200
        )
    }

    @Test func `9.3 the windows are inclusive at their ends`() throws {
        let opens = Instant(seconds: 1_735_689_600) + .days(5)
        for (event, moment, before, at) in [
            ("event_notopen_duqm", opens - .microseconds(1), "409 registration_not_open", "200"),
            ("event_open_unlimited", opens + .days(2) + .hours(8), "200", "409 event_past"),
            ("event_open_hackathon", opens + .days(4), "200", "409 registration_closed"),
        ] {
            for (time, wanted) in [(moment, before), (moment + .microseconds(1), at)] {
                try harness.setClock(time)
                let token = try harness.mint(Harness.omar)
                let reply = try harness.register(event, token)
                expectEqual(reply.status == 200 ? "200" : reply.error, wanted, "\(event)")
                if reply.status == 200 { _ = try harness.cancel(event, token) }
            }
        }
    }

    @Test func `9.3 the checks run in their order`() throws {
        let layla = try harness.mint(Harness.layla)
        func result() throws -> String { try harness.register("event_registered_rustaq", layla, ["quantity": 9]).error }
        func change(_ change: @escaping (inout Event) -> Void) throws {
            _ = try harness.state { state, _ in state.events.update("event_registered_rustaq", change) }
        }
        let now = Harness.noon
        try change { event in
            event.isPublished = false
            event.registrationsOpenDate = .at(now + .hours(1))
            event.registrationsCloseDate = .at(now - .hours(1))
            event.endsAt = .at(now - .hours(1))
            event.registrationPolicy = .inviteOnly
            event.maxRegistrationsPerUser = 1
            event.capacity = 0
        }
        try expectEqual(result(), "409 event_not_available")
        try change { $0.isPublished = true }
        try expectEqual(result(), "409 registration_not_open")
        try change { $0.registrationsOpenDate = nil }
        try expectEqual(result(), "409 registration_closed")
        try change { $0.registrationsCloseDate = nil }
        try expectEqual(result(), "409 event_past")
        try change { $0.endsAt = .at(now) }
        try expectEqual(result(), "409 invite_only")
        try change { $0.registrationPolicy = .open }
        try expectEqual(result(), "409 already_registered")
        _ = try harness.state { state, _ in
            state.registrations.update("registration_layla_acc") { $0.status = .rejected }
        }
        try expectEqual(result(), "409 rejected_cannot_reapply")
        _ = try harness.state { state, _ in
            state.registrations.update("registration_layla_acc") { $0.status = .cancelled }
        }
        try expectEqual(result(), "409 max_per_user_exceeded")
        try change { $0.maxRegistrationsPerUser = nil }
        try expectEqual(result(), "409 event_full")
    }

    // MARK: 9.4

    @Test func `9.4 cancelling works on any registration, twice too, and not without one`() throws {
        try expectEqual(harness.cancel("event_open_unlimited", token).error, "409 not_registered")
        try expectEqual(harness.cancel("event_unknown", token).error, "409 not_registered")
        _ = try harness.register("event_open_unlimited", token)
        try harness.advance(.seconds(2))
        let path = "\(Self.base)/event_open_unlimited/cancel"
        try expectEqual(harness.post(path, token: token, text: "{broken").text, #"{"ok":true}"#)
        try harness.advance(.seconds(2))
        try expectEqual(harness.cancel("event_open_unlimited", token).status, 200)
        let activity = try #require(try harness.profile(token)["activities"]?[0])
        expectEqual(activity.string("status"), "cancelled")
        expectEqual(activity["decidedAt"], .integer(Harness.noon.milliseconds + 2_000))
        let again = try harness.register("event_open_unlimited", token, ["quantity": 4, "notes": "n"])
        expectEqual(again.text(at: "id"), "registration_0001")
        let renewed = try #require(try harness.profile(token)["activities"]?[0])
        expectEqual(renewed["quantity"], 4)
        expectEqual(renewed.string("notes"), "n")
        expectEqual(renewed["decidedAt"], .null)
        expectEqual(renewed["timestamp"], .integer(Harness.noon.milliseconds + 4_000))
    }
}
