import Backend
import CivilTime
import EngineTesting
import JSON
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Section 13: the seed world.
struct Section13SeedTests {
    @Test func `13 essentials reproduces the figures of the document`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.essentials)
        let insights = try harness.get("/insights", token: token).data
        expectEqual(
            insights.at("summary").text,
            #"{"today":{"totalCarbs":120,"mealCount":3},"weekly":{"totalCarbs":750,"dailyAverage":107,"mealCount":21},"monthly":{"totalCarbs":3200,"dailyAverage":107,"mealCount":90}}"#
        )
        expectEqual(
            insights.at("trends").text,
            #"{"direction":"decreasing","percentageChange":-8,"comparison":"vs previous week"}"#
        )
        expectEqual(
            insights.at("highlights.highestCarbMeal").text,
            #"{"name":"Pasta with bread","carbs":85,"date":"2025-01-29T18:51:00.000Z"}"#
        )
        expectEqual(insights.at("highlights.lowestCarbMeal.name"), "Grilled chicken salad")
        expectEqual(insights.at("highlights.lowestCarbMeal.carbs"), 12)
        let status = try harness.status(token).data
        expectEqual(
            status.text,
            #"{"subscription":{"tier":"essentials","status":"active","renewalDate":"2025-02-01T00:00:00.000Z"},"scans":{"remaining":85,"resetDate":"2025-02-01T00:00:00.000Z","limit":90,"resetPeriod":"monthly"},"chat":{"remaining":2,"usedToday":1,"dailyLimit":3},"limits":{"scansPerDay":10,"scansPerMonth":90,"chatPerDay":3,"scanResetPeriod":"monthly"}}"#
        )
    }

    @Test func `13 pro has a week of 815 g, 17 per cent more than before, and 150 meals`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        let insights = try harness.get("/insights", token: token).data
        expectEqual(insights.at("summary.weekly.totalCarbs"), 815)
        expectEqual(
            insights.at("trends").text,
            #"{"direction":"increasing","percentageChange":17,"comparison":"vs previous week"}"#
        )
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 150)
        try expectEqual(harness.me(token).at("profileImageUrl"), "https://example.com/image.jpg")
        try expectEqual(harness.get("/chat/history", token: token).data.text, #"{"messages":[],"count":0}"#)
    }

    @Test(arguments: [
        (Harness.free, "000101.00000000000000000000000000f4ee01.0101", "free", "Free", 18),
        (Harness.essentials, "000102.000000000000000000000000e55e0002.0102", "essentials", "Essentials", 90),
        (Harness.pro, "000103.00000000000000000000000000b00003.0103", "pro", "Pro", 150),
        (Harness.relay, "000105.00000000000000000000000000000005.0105", "free", "Relay", 3),
        (Harness.web, "web-1001", "essentials", "Web", 12),
    ])
    func `13 each persona has its id, tier, names and meals`(
        mail: String,
        id: String,
        tier: String,
        first: String,
        meals: Int64
    ) throws {
        let harness = try Harness()
        let token = try harness.mint(mail)
        let me = try harness.me(token).data
        expectEqual(
            me.keys,
            [
                "id", "email", "firstName", "lastName", "subscriptionTier", "profileImageUrl", "emailRemindersEnabled",
            ]
        )
        expectEqual(me.string("id"), id)
        expectEqual(me.string("email"), mail)
        expectEqual(me.string("subscriptionTier"), tier)
        expectEqual(me.string("firstName"), first)
        expectEqual(me.string("lastName"), "Persona")
        expectEqual(me.at("emailRemindersEnabled"), true)
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), .integer(meals))
    }

    @Test func `13 the new persona has null names and nothing else`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let me = try harness.me(token).data
        expectEqual(me.at("firstName"), .null)
        expectEqual(me.at("lastName"), .null)
        expectEqual(me.objectValue?["firstName"], JSON.null)
        try expectEqual(
            harness.get("/meals", token: token).data.text,
            #"{"meals":[],"pagination":{"limit":20,"offset":0,"total":0,"hasMore":false}}"#
        )
    }

    @Test func `13 each pro day shows the row seven days further, and one dinner before day 29`() throws {
        let harness = try Harness()
        let pro = try harness.mint(Harness.pro)
        let essentials = try harness.mint(Harness.essentials)
        let all = try harness.get("/meals?limit=100", token: pro).at("meals").arrayValue ?? []
        let other = try harness.get("/meals?limit=100", token: essentials).at("meals").arrayValue ?? []
        // Day 0 of pro is the row of day 7; the time is the day's own.
        expectEqual(all[0].string("name"), other[7 * 3].string("name"))
        expectEqual(all[0].string("createdAt"), other[0].string("createdAt"))
        let rest = try harness.get("/meals?limit=100&offset=90", token: pro).at("meals").arrayValue ?? []
        expectEqual(rest.count, 60)
        for (place, meal) in rest.enumerated() {
            let day = place + 30
            expectEqual(meal.string("name"), Dish.all[29 + (day * 7) % 16].name)
            expectEqual(meal.string("confidenceLevel"), (60 + (7 * (3 * day + 2)) % 36).asHundredths)
        }
    }

    @Test func `13 meals of the first day that lie after the clock are left out, and new ones count on`() throws {
        for (hour, kept) in [(0, 0), (7, 0), (12, 1), (18, 2), (20, 3)] {
            let harness = try Harness(start: Instant(seconds: 1_738_281_600 + Int64(hour) * 3_600))
            let token = try harness.mint(Harness.essentials)
            let today = try harness.get("/insights", token: token).data
            expectEqual(today.at("summary.today.mealCount"), .integer(Int64(kept)))
            let last = try harness.get("/meals?limit=1", token: token).at("meals.0.id").intValue ?? 0
            let next = try harness.analyze(Harness.picture, token).at("mealId").intValue ?? 0
            #expect(next > last)
            expectEqual(next, (try harness.analyze(Harness.picture, token).at("mealId").intValue ?? 0) - 1)
        }
    }

    @Test func `13 breakfast at its exact minute is there, a microsecond before it is not`() throws {
        let breakfast = Instant(seconds: 1_738_281_600 + 27_000)
        for (start, count) in [(breakfast, 1), (Instant(microseconds: breakfast.microseconds - 1), 0)] {
            let harness = try Harness(start: start)
            let reply = try harness.get("/insights", token: try harness.mint(Harness.essentials))
            expectEqual(reply.at("summary.today.mealCount"), .integer(Int64(count)))
        }
    }

    @Test func `13 meals are numbered by time, then essentials before pro before free`() throws {
        let harness = try Harness()
        var rows: [(id: Int64, time: String, rank: Int)] = []
        for (rank, mail) in [Harness.essentials, Harness.pro, Harness.free, Harness.relay, Harness.web].enumerated() {
            let token = try harness.mint(mail)
            for offset in [0, 100] {
                let page = try harness.get("/meals?limit=100&offset=\(offset)", token: token).at("meals")
                rows += (page.arrayValue ?? []).map { ($0["id"]?.intValue ?? 0, $0.string("createdAt"), rank) }
            }
        }
        expectEqual(rows.count, 273)
        let byNumber = rows.sorted { $0.id < $1.id }
        expectEqual(byNumber.map(\.id), Array(1...273))
        for (one, next) in zip(byNumber, byNumber.dropFirst()) {
            #expect((one.time, one.rank) < (next.time, next.rank))
        }
    }

    @Test func `13 the chat seed has ten questions, and one of today is moved to midnight when it would lie ahead`()
        throws
    {
        let harness = try Harness()
        let history = try harness.get("/chat/history", token: try harness.mint(Harness.essentials)).data
        expectEqual(history.at("count"), 10)
        expectEqual(history.at("messages.0.message"), "How many carbs are in orange?")
        expectEqual(history.at("messages.0.createdAt"), "2025-01-31T09:00:00.000Z")
        expectEqual(history.at("messages.9.createdAt"), "2025-01-22T09:00:00.000Z")
        let early = try Harness(start: Instant(seconds: 1_738_281_600 + 3_600))
        let token = try early.mint(Harness.essentials)
        try expectEqual(early.get("/chat/history", token: token).at("messages.0.createdAt"), "2025-01-31T00:00:00.000Z")
        try expectEqual(early.status(token).at("chat.usedToday"), 1)
    }

    @Test(arguments: ["users.json", "meals.json", "quota-uses.json", "receipt-keys.json"])
    func `13 a seed with unknown members or broken references is refused with its place`(name: String) throws {
        let text = name == "users.json" ? #"[{"id":"a","tier":"gold"}]"# : #"[{"id":1,"userId":"nobody","nonsense":1}]"#
        #expect(throws: SeedError.self) {
            try AnyAPI(CarbScanAPI.definition, seed: SeedFolder.files(of: "carbscan", replacing: name, with: text))
        }
    }
}
