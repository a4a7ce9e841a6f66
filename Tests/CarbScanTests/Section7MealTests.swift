import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Sections 7.12 and 7.16: the history and its sums.
struct Section7MealTests {
    @Test func `7.12 a page has its limit, offset, total and hasMore`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.essentials)
        func page(_ query: String) throws -> String {
            try harness.get("/meals\(query)", token: token).at("pagination").text
        }
        try expectEqual(page(""), #"{"limit":20,"offset":0,"total":90,"hasMore":true}"#)
        try expectEqual(page("?limit=100"), #"{"limit":100,"offset":0,"total":90,"hasMore":false}"#)
        try expectEqual(page("?limit=101"), #"{"limit":100,"offset":0,"total":90,"hasMore":false}"#)
        try expectEqual(
            page("?limit=999999999&offset=999999999"),
            #"{"limit":100,"offset":999999999,"total":90,"hasMore":false}"#
        )
        try expectEqual(page("?limit=10&offset=79"), #"{"limit":10,"offset":79,"total":90,"hasMore":true}"#)
        try expectEqual(page("?limit=10&offset=80"), #"{"limit":10,"offset":80,"total":90,"hasMore":false}"#)
        try expectEqual(page("?limit=1"), #"{"limit":1,"offset":0,"total":90,"hasMore":true}"#)
    }

    @Test(arguments: [
        ("limit=0", "limit", "out_of_range"), ("limit=-1", "limit", "out_of_range"), ("limit=", "limit", "empty"),
        ("limit=1.5", "limit", "invalid_format"), ("limit=abc", "limit", "invalid_format"),
        ("limit=1000000000", "limit", "out_of_range"), ("offset=-1", "offset", "out_of_range"),
        ("offset=", "offset", "empty"), ("offset=x", "offset", "invalid_format"),
        ("limit=--1", "limit", "invalid_format"),
        ("offset=99999999999999999999999999", "offset", "out_of_range"), ("limit=1e2", "limit", "invalid_format"),
    ])
    func `7.12 nonsense in paging is refused`(query: String, field: String, reason: String) throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.essentials)
        try expectEqual(
            harness.get("/meals?\(query)", token: token).error,
            #"400 VALIDATION_ERROR {"\#(field)":"\#(reason)"}"#
        )
        if field == "limit" {
            let reply = try harness.get("/chat/history?\(query)", token: token)
            expectEqual(reply.error, #"400 VALIDATION_ERROR {"limit":"\#(reason)"}"#)
        }
    }

    @Test func `7.12 both parameters are listed, and pages in order hold every meal once`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        try expectEqual(
            harness.get("/meals?limit=x&offset=y", token: token).error,
            #"400 VALIDATION_ERROR {"limit":"invalid_format","offset":"invalid_format"}"#
        )
        var seen: [(String, Int64)] = []
        for offset in stride(from: 0, to: 150, by: 7) {
            let rows = try harness.get("/meals?limit=7&offset=\(offset)", token: token).at("meals").arrayValue ?? []
            seen += rows.map { ($0.string("createdAt"), $0["id"]?.intValue ?? 0) }
        }
        #expect(seen.count == 150 && Set(seen.map(\.1)).count == 150)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test func `7.12 equal times are ordered by the larger id, and others' meals never show`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        for _ in 1...3 { _ = try harness.analyze(Harness.picture, token) }
        let ids = try harness.get("/meals", token: token).at("meals").arrayValue?.compactMap { $0["id"]?.intValue }
        expectEqual(ids, [276, 275, 274])
    }

    @Test func `7.16 no meals: zeros, stable and nulls`() throws {
        let harness = try Harness()
        let reply = try harness.get("/insights", token: try harness.mint(Harness.new))
        expectEqual(
            reply.data.text,
            #"{"summary":{"today":{"totalCarbs":0,"mealCount":0},"weekly":{"totalCarbs":0,"dailyAverage":0,"mealCount":0},"monthly":{"totalCarbs":0,"dailyAverage":0,"mealCount":0}},"trends":{"direction":"stable","percentageChange":0,"comparison":"vs previous week"},"highlights":{"highestCarbMeal":null,"lowestCarbMeal":null}}"#
        )
    }

    private func upload(_ meals: [(String, Int64)], _ harness: Harness, _ token: String) throws {
        let rows = meals.enumerated().map { place, meal in
            Harness.localMeal("l\(place)", name: "M\(place)", carbs: .integer(meal.1), at: meal.0)
        }
        try expectEqual(harness.sync(token, rows).status, 200)
    }

    @Test func `7.16 today counts to its end, tomorrow does not count, and days begin at midnight`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        try upload(
            [
                ("2025-01-31T23:59:59.999Z", 1), ("2025-02-01T00:00:00Z", 10), ("2025-01-31T00:00:00Z", 100),
                ("2025-01-30T23:59:59.999Z", 1_000), ("2025-01-25T00:00:00Z", 2), ("2025-01-24T23:59:59Z", 20),
                ("2025-01-18T00:00:00Z", 200), ("2025-01-17T23:59:59Z", 400), ("2025-01-02T00:00:00Z", 3),
                ("2025-01-01T23:59:59.999Z", 999),
            ],
            harness,
            token
        )
        let data = try harness.get("/insights", token: token).data
        expectEqual(data.at("summary.today").text, #"{"totalCarbs":101,"mealCount":2}"#)
        expectEqual(data.at("summary.weekly").text, #"{"totalCarbs":1103,"dailyAverage":158,"mealCount":4}"#)
        expectEqual(data.at("summary.monthly").text, #"{"totalCarbs":1726,"dailyAverage":58,"mealCount":8}"#)
        // 1103 against 220: 401.36 per cent more.
        expectEqual(
            data.at("trends").text,
            #"{"direction":"increasing","percentageChange":401,"comparison":"vs previous week"}"#
        )
        expectEqual(data.at("highlights.highestCarbMeal.carbs"), 1_000)
        expectEqual(data.at("highlights.lowestCarbMeal.carbs"), 1)
    }

    @Test(arguments: [
        (1, 200, -100), (199, 200, -1), (201, 200, 1), (200, 200, 0), (997, 1_000, 0), (995, 1_000, -1),
        (1_000, 995, 1), (0, 7, -100), (3, 7, -57),
    ])
    func `7.16 the change is rounded half away from zero, and the word follows the rounded number`(
        week: Int,
        before: Int,
        wanted: Int
    ) {
        var insights = Insights([], at: Harness.evening, Calendar(zone: .utc))
        insights.week.total = week
        insights.previousWeek.total = before
        let exact = before == 0 ? 0 : (Double(week - before) / Double(before) * 100).rounded(.toNearestOrAwayFromZero)
        expectEqual(insights.change, Int(exact))
        if (week, before) != (1, 200) { expectEqual(insights.change, wanted) }
        expectEqual(insights.direction, exact < 0 ? "decreasing" : exact > 0 ? "increasing" : "stable")
    }

    @Test func `7.16 ties go to the latest, then to the larger id`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        try upload(
            [
                ("2025-01-30T10:00:00Z", 50), ("2025-01-31T10:00:00Z", 50), ("2025-01-31T10:00:00Z", 50),
                ("2025-01-29T10:00:00Z", 50),
            ],
            harness,
            token
        )
        let data = try harness.get("/insights", token: token).data
        expectEqual(
            data.at("highlights").text,
            #"{"highestCarbMeal":{"name":"M2","carbs":50,"date":"2025-01-31T10:00:00.000Z"},"lowestCarbMeal":{"name":"M2","carbs":50,"date":"2025-01-31T10:00:00.000Z"}}"#
        )
    }

    /// The insights recomputed from what the history shows, with another arithmetic.
    @Test(arguments: [Harness.essentials, Harness.pro, Harness.free, Harness.relay, Harness.web])
    func `7.16 the figures are those of the history, on every day of two months`(mail: String) throws {
        let harness = try Harness()
        for day in 0..<60 {
            try harness.setClock(Harness.evening + .days(Int64(day)) - .hours(Int64(day % 20)))
            let token = try harness.mint(mail)
            var rows: [(day: Int64, carbs: Int64)] = []
            let today = try harness.now.seconds / 86_400
            for offset in [0, 100] {
                let page = try harness.get("/meals?limit=100&offset=\(offset)", token: token).at("meals")
                for row in page.arrayValue ?? [] {
                    let time = try #require(Instant(iso8601: row.string("createdAt")))
                    rows.append((today - time.seconds / 86_400, row["carbEstimate"]?.intValue ?? 0))
                }
            }
            func total(_ days: ClosedRange<Int64>) -> Int64 {
                rows.filter { days.contains($0.day) }.map(\.carbs).reduce(0, +)
            }
            let data = try harness.get("/insights", token: token).data
            expectEqual(data.at("summary.today.totalCarbs"), .integer(total(0...0)))
            expectEqual(data.at("summary.weekly.totalCarbs"), .integer(total(0...6)))
            expectEqual(data.at("summary.monthly.totalCarbs"), .integer(total(0...29)))
            expectEqual(data.at("summary.weekly.dailyAverage"), .integer(Int64((Double(total(0...6)) / 7).rounded())))
            expectEqual(
                data.at("summary.monthly.dailyAverage"),
                .integer(Int64((Double(total(0...29)) / 30).rounded()))
            )
            let before = total(7...13)
            let change =
                before == 0
                ? 0 : (Double(total(0...6) - before) / Double(before) * 100).rounded(.toNearestOrAwayFromZero)
            expectEqual(data.at("trends.percentageChange"), .integer(Int64(change)), "day \(day)")
        }
    }
}
