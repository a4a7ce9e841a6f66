import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 8.3: usage.
struct Section8UsageTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.power)
    }

    private func usage(_ query: String = "", _ token: String? = nil) throws -> Played {
        try harness.get("/api/v1/user/usage\(query)", token: token ?? self.token)
    }

    private func days(_ reply: Played) -> [String] {
        (reply.json["dailyUsage"]?.arrayValue ?? []).map { $0.string("date") }
    }

    @Test func `8.3 an account without usage is these bytes`() throws {
        let text = [
            #"{"period":{"start":"2024-12-02T12:00:00Z","end":"2025-01-01T12:00:00Z"},"summary":{"totalBatteryUsed":0,"#,
            #""totalMessages":0,"totalConversations":0,"totalUserMessages":0,"averageDailyUsage":0},"dailyUsage":[],"#,
            #""modelBreakdown":[],"recentTransactions":[]}"#,
        ].joined()
        try expectEqual(usage("", try harness.mint(Harness.empty)).text, text)
    }

    @Test(arguments: [
        ("", "2024-12-02T12:00:00Z", 31), ("?period=30d", "2024-12-02T12:00:00Z", 31),
        ("?period=7d", "2024-12-25T12:00:00Z", 8),
        ("?period=90d", "2024-10-03T12:00:00Z", 45), ("?period=all", "2020-01-01T00:00:00Z", 45),
        ("?period=1d", "2024-12-02T12:00:00Z", 31), ("?period=", "2024-12-02T12:00:00Z", 31),
        ("?period=7D", "2024-12-02T12:00:00Z", 31), ("?startDate=2024-12-31", "2024-12-02T12:00:00Z", 31),
        ("?endDate=x&period=7d", "2024-12-25T12:00:00Z", 8), ("?startDate=&endDate=", "2024-12-02T12:00:00Z", 31),
    ])
    func `8.3 a period counts back from now, its first day as a whole`(query: String, start: String, count: Int) throws
    {
        let reply = try usage(query)
        expectEqual(reply.text(at: "period.start"), start)
        expectEqual(reply.text(at: "period.end"), "2025-01-01T12:00:00Z")
        expectEqual(days(reply).count, count)
        expectEqual(days(reply), days(reply).sorted(by: >))
        expectEqual(days(reply).first, "2025-01-01")
    }

    @Test(
        arguments: [
            ("2024-12-30", "2024-12-31", "2024-12-30T00:00:00Z", "2024-12-31T00:00:00Z", ["2024-12-31", "2024-12-30"]),
            (
                "2024-12-31T23:59:59Z", "2025-01-01T00:00:00.000Z", "2024-12-31T23:59:59Z", "2025-01-01T00:00:00Z",
                ["2025-01-01", "2024-12-31"]
            ),
            (
                "2025-01-01T01:00:00%2B02:00", "2025-01-01", "2024-12-31T23:00:00Z", "2025-01-01T00:00:00Z",
                ["2025-01-01", "2024-12-31"]
            ),
            ("2025-01-01", "2024-12-30", "2025-01-01T00:00:00Z", "2024-12-30T00:00:00Z", []),
            ("0000-01-01", "9999-12-31", "0000-01-01T00:00:00Z", "9999-12-31T00:00:00Z", nil),
        ] as [(String, String, String, String, [String]?)]
    )
    func `8.3 explicit dates are used when both are there`(
        start: String,
        end: String,
        first: String,
        last: String,
        rows: [String]?
    ) throws {
        let reply = try usage("?period=7d&startDate=\(start)&endDate=\(end)")
        expectEqual(reply.text(at: "period.start"), first)
        expectEqual(reply.text(at: "period.end"), last)
        #expect(rows == nil ? days(reply).count == 45 : days(reply) == rows)
    }

    @Test(arguments: [
        "2024-02-30", "yesterday", "2024-13-01", "1735732800", "2024-1-1", "2025-01-01T25:00:00Z", "2025-01-01%20",
    ])
    func `8.3 dates that can't be read are 400`(date: String) throws {
        try expectEqual(usage("?startDate=\(date)&endDate=2025-01-01").error, "400 Invalid date range")
        try expectEqual(usage("?startDate=2025-01-01&endDate=\(date)").error, "400 Invalid date range")
    }

    @Test func `8.3 the sums are those of the rows, and the shares add up`() throws {
        let reply = try usage("?period=90d")
        let rows = try #require(reply.json["dailyUsage"]?.arrayValue)
        let battery = rows.compactMap { $0["batteryUsed"]?.intValue }.reduce(0, +)
        let messages = rows.compactMap { $0["messages"]?.intValue }.reduce(0, +)
        expectEqual(
            reply.json["summary"]?.keys,
            [
                "totalBatteryUsed", "totalMessages", "totalConversations", "totalUserMessages", "averageDailyUsage",
            ]
        )
        expectEqual(reply.json["summary"]?["totalBatteryUsed"], .integer(battery))
        expectEqual(reply.json["summary"]?["totalMessages"], .integer(messages))
        expectEqual(reply.json["summary"]?["averageDailyUsage"]?.doubleValue, Double(battery) / 45)
        var order: [String] = []
        var counts: [Int64] = []
        for row in rows {
            expectEqual(row.keys, ["date", "batteryUsed", "messages", "models"])
            for member in row["models"]?.objectValue?.members ?? [] {
                let place = order.firstIndex(of: member.name) ?? order.count
                if place == order.count {
                    order.append(member.name)
                    counts.append(0)
                }
                counts[place] += member.value.intValue ?? 0
            }
        }
        let shares = try #require(reply.json["modelBreakdown"]?.arrayValue)
        expectEqual(shares.map { $0.string("model") }, order)
        expectEqual(shares.map { $0["messageCount"]?.intValue }, counts)
        for (share, count) in zip(shares, counts) {
            expectEqual(share.keys, ["model", "messageCount", "percentage"])
            expectEqual(share["percentage"]?.doubleValue, Double(count) / Double(messages) * 100)
        }
        expectEqual(counts.reduce(0, +), messages)
    }

    @Test func `8.3 percentages are unrounded and 0 without messages`() throws {
        try harness.state { state, _ in
            let models = [UsageDay.ModelCount(model: "a", count: 1), UsageDay.ModelCount(model: "b", count: 2)]
            for (id, messages) in [("empty@", 0), ("other@", 3)] {
                let user = id == "empty@" ? "user_empty_account_01" : "user_other_account_01"
                state.usage.insert(
                    UsageDay(
                        id: id,
                        userId: user,
                        day: .sinceD0(.zero),
                        batteryUsed: 1,
                        messages: messages,
                        models: models
                    )
                )
            }
        }
        let none = try usage("", try harness.mint(Harness.empty))
        #expect(none.text.contains(#""modelBreakdown":[{"model":"a","messageCount":1,"percentage":0},"#))
        let thirds = try usage("", try harness.mint(Harness.other))
        #expect(thirds.text.contains(#"{"model":"a","messageCount":1,"percentage":33.33333333333333}"#))
        #expect(thirds.text.contains(#"{"model":"b","messageCount":2,"percentage":66.66666666666666}"#))
    }

    @Test func `8.3 D19 conversations and messages of role user are counted within the period, bounds included`() throws
    {
        let test = try harness.mint(Harness.test)
        func counts(_ query: String) throws -> [JSON?] {
            let reply = try usage(query, test)
            return [reply.json["summary"]?["totalConversations"], reply.json["summary"]?["totalUserMessages"]]
        }
        try expectEqual(counts("?period=7d"), [3, 5])
        try expectEqual(counts("?period=30d"), [4, 7])
        try expectEqual(counts("?startDate=2024-12-31T10:00:00Z&endDate=2024-12-31T10:30:00Z"), [1, 1])
        try expectEqual(counts("?startDate=2024-12-31T10:00:01Z&endDate=2024-12-31T10:29:59Z"), [0, 0])
    }

    @Test func `8.3 at most ten transactions, newest first, in these bytes`() throws {
        let reply = try usage("?period=7d")
        let rows = try #require(reply.json["recentTransactions"]?.arrayValue)
        expectEqual(
            rows.map { $0.string("id").suffix(2) },
            ["14", "13", "12", "11", "10", "09", "08", "07", "06", "05"]
        )
        expectEqual(
            rows[0].text,
            [
                #"{"id":"tx_power_000000000014","type":"usage","amount":-2200,"balanceAfter":42000,"#,
                #""description":"Messages","createdAt":"2024-12-31T12:00:00Z"}"#,
            ].joined()
        )
        expectEqual(rows[2]["description"], .null)
        expectEqual(rows[4].string("type"), "subscription_upgrade")
    }

    // MARK: Booking

    @Test func `8.3 D20 a reply is booked on the day of the request with its model, its cost and a transaction`() throws
    {
        let test = try harness.mint(Harness.test)
        try harness.setClock(Harness.noon + .days(1))
        let token = try harness.mint(Harness.test)
        let content = "What does it cost?"
        let first = try harness.ask(content, in: "conv_archived_0000001", token).text(at: "content")
        let cost = Reply.cost(model: "gpt-4o", input: content, output: first)
        expectEqual(cost, (((content.utf16.count + 3) / 4 + (first.utf16.count + 3) / 4) * 2_032 + 99_999) / 100_000)
        _ = try harness.ask("Hi", in: "conv_welcome_00000001", token)
        let reply = try usage("?period=7d", token)
        let row = try #require(reply.json["dailyUsage"]?[0])
        expectEqual(
            row.text,
            #"{"date":"2025-01-02","batteryUsed":\#(cost + 1),"messages":2,"models":{"gpt-4o":1,"gpt-4o-mini":1}}"#
        )
        let bookings = try #require(reply.json["recentTransactions"]?.arrayValue)
        expectEqual(bookings.map { $0["amount"] }, [-1, .integer(Int64(-cost))])
        expectEqual(bookings[1]["balanceAfter"], .integer(Int64(1_000 - cost)))
        expectEqual(bookings[0]["balanceAfter"], .integer(Int64(999 - cost)))
        #expect(bookings.allSatisfy { $0.string("type") == "usage" })
        let profile = try harness.get("/api/v1/user/profile", token: token)
        expectEqual(profile.json["battery"]?["totalBalance"], .integer(Int64(999 - cost)))
        #expect(test != token)
    }

    @Test func `8.3 a second reply of a day joins the seeded row of that day`() throws {
        let id = "conv_power_0000000001"
        _ = try harness.ask("Hi", in: id, token)
        let row = try #require(try usage().json["dailyUsage"]?[0])
        expectEqual(row["messages"], 4)
        expectEqual(row["models"], ["gpt-4o-mini": 3, "gpt-4o": 1])
        expectEqual(days(try usage()).count, 31)
    }

    @Test func `8.3 the balance does not fall below zero and nothing is refused`() throws {
        let lapsed = try harness.mint(Harness.lapsed)
        let id = try harness.create(lapsed)
        let reply = try harness.ask("Hi", in: id, lapsed)
        expectEqual(reply.status, 200)
        let booking = try #require(try usage("", lapsed).json["recentTransactions"]?[0])
        expectEqual(booking["balanceAfter"], 0)
        expectEqual(booking["amount"], -1)
    }

    @Test func `8.3 without a battery there is usage but no transaction`() throws {
        let other = try harness.mint(Harness.other)
        _ = try harness.ask("Hi", in: "conv_other_account_01", other)
        let reply = try usage("", other)
        expectEqual(reply.json["summary"]?["totalMessages"], 1)
        expectEqual(reply.json["recentTransactions"], [])
    }

    @Test func `8.3 the day is that of the request, not that of the end`() throws {
        try harness.setClock(Harness.noon + .hours(12) - .seconds(1))
        let test = try harness.mint(Harness.test)
        _ = try harness.stream("Hi", to: "conv_welcome_00000001", test) { chunk in
            if chunk.at == 60 { try harness.advance(.seconds(5)) }
        }
        expectEqual(days(try usage("", test)).first, "2025-01-01")
    }

    @Test func `8.3 a failed reply costs nothing`() throws {
        let edge = try harness.mint(Harness.edge)
        _ = try harness.stream("Hi", to: "conv_edge_nomodel_001", edge)
        try expectEqual(usage("", edge).json["dailyUsage"], [])
    }
}
