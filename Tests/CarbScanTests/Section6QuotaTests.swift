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

/// Section 6: tiers and quotas.
struct Section6QuotaTests {
    @Test func `6 free has 3 scans a day, and the fourth is refused until midnight`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        for left in [2, 1, 0] {
            let usage = try harness.analyze(Harness.picture, token).at("scanUsage")
            expectEqual(
                usage.text,
                #"{"remainingScans":\#(left),"scanResetDate":"2025-02-01T00:00:00.000Z","subscriptionTier":"free"}"#
            )
        }
        let refused = try harness.analyze(Harness.picture, token)
        expectEqual(
            refused.error,
            #"403 NO_SCANS_REMAINING {"remainingScans":0,"scanResetDate":"2025-02-01T00:00:00.000Z","subscriptionTier":"free"}"#
        )
        try harness.setClock(Instant(microseconds: 1_738_367_999_999_999))
        try expectEqual(harness.analyze(Harness.picture, token).status, 403)
        try harness.advance(.microseconds(1))
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 2)
        // Back to the day before: its scans are still used.
        try harness.setClock(Harness.evening)
        try expectEqual(harness.analyze(Harness.picture, token).status, 403)
    }

    @Test(arguments: [(Harness.essentials, 90, 85), (Harness.pro, 300, 300)])
    func `6 paid tiers have their scans a month, and not one more`(mail: String, limit: Int64, left: Int64) throws {
        let harness = try Harness()
        let token = try harness.mint(mail)
        for used in 1...left {
            try expectEqual(
                harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"),
                .integer(left - used)
            )
        }
        let reply = try harness.analyze(Harness.picture, token)
        expectEqual(reply.json.at("error.details.scanResetDate"), "2025-02-01T00:00:00.000Z")
        expectEqual(reply.json.at("error.details.remainingScans"), 0)
        try harness.setClock(Instant(seconds: 1_738_368_000))
        let status = try harness.status(token)
        expectEqual(status.at("scans.remaining"), .integer(limit))
        expectEqual(status.at("scans.resetDate"), "2025-03-01T00:00:00.000Z")
    }

    @Test func `6 chat: 3 questions a day for free and essentials, no end for pro, which still counts`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        for used in 1...3 {
            let usage = try harness.ask("Hello", token).at("usage")
            expectEqual(
                usage.text,
                #"{"remainingChats":\#(3 - used),"totalUsedToday":\#(used),"subscriptionTier":"free"}"#
            )
        }
        try expectEqual(
            harness.ask("Hello", token).error,
            #"403 CHAT_LIMIT_REACHED {"remainingChats":0,"dailyLimit":3,"subscriptionTier":"free"}"#
        )
        try expectEqual(harness.get("/chat/history", token: token).at("count"), 3)
        let essentials = try harness.mint(Harness.essentials)
        for _ in 1...2 { try expectEqual(harness.ask("Hello", essentials).status, 200) }
        try expectEqual(harness.ask("Hello", essentials).status, 403)
        let pro = try harness.mint(Harness.pro)
        for used in 1...10 {
            let usage = try harness.ask("Hello", pro).at("usage")
            expectEqual(usage.text, #"{"remainingChats":9999,"totalUsedToday":\#(used),"subscriptionTier":"pro"}"#)
        }
        try expectEqual(harness.status(pro).at("chat").text, #"{"remaining":9999,"usedToday":10,"dailyLimit":9999}"#)
        try harness.setClock(Instant(seconds: 1_738_368_000))
        try expectEqual(harness.ask("Hello", token).at("usage.remainingChats"), 2)
    }

    @Test func `7.17 the status of free and pro`() throws {
        let harness = try Harness()
        let free = try harness.status(try harness.mint(Harness.free)).data
        expectEqual(
            free.text,
            #"{"subscription":{"tier":"free","status":"active","renewalDate":null},"scans":{"remaining":3,"resetDate":"2025-02-01T00:00:00.000Z","limit":3,"resetPeriod":"daily"},"chat":{"remaining":3,"usedToday":0,"dailyLimit":3},"limits":{"scansPerDay":3,"scansPerMonth":90,"chatPerDay":3,"scanResetPeriod":"daily"}}"#
        )
        let pro = try harness.status(try harness.mint(Harness.pro)).data
        expectEqual(
            pro.text,
            #"{"subscription":{"tier":"pro","status":"active","renewalDate":"2025-02-01T00:00:00.000Z"},"scans":{"remaining":300,"resetDate":"2025-02-01T00:00:00.000Z","limit":300,"resetPeriod":"monthly"},"chat":{"remaining":9999,"usedToday":0,"dailyLimit":9999},"limits":{"scansPerDay":30,"scansPerMonth":300,"chatPerDay":9999,"scanResetPeriod":"monthly"}}"#
        )
    }

    @Test func `6 fifty clients whose calls interleave never overdraw`() throws {
        let harness = try Harness()
        let tokens = try (0..<50).map { _ in try harness.mint(Harness.free) }
        var accepted = 0
        var asked = 0
        for round in 0..<4 {
            for (place, token) in tokens.enumerated() {
                if (place + round).isMultiple(of: 2) {
                    accepted += try harness.analyze(Harness.picture, token).status == 200 ? 1 : 0
                } else {
                    asked += try harness.ask("Hello \(place)", token).status == 200 ? 1 : 0
                }
            }
        }
        expectEqual(accepted, 3)
        expectEqual(asked, 3)
        try expectEqual(harness.get("/meals", token: tokens[0]).at("pagination.total"), 21)
        try expectEqual(harness.get("/chat/history", token: tokens[0]).at("count"), 3)
    }

    @Test func `6 a change of tier starts the scans afresh and keeps the questions`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        for _ in 1...3 { _ = try harness.analyze(Harness.picture, token) }
        for _ in 1...2 { _ = try harness.ask("Hello", token) }
        try expectEqual(harness.receipt("essentials.monthly", token).status, 200)
        let status = try harness.status(token)
        expectEqual(status.at("scans.remaining"), 90)
        expectEqual(status.at("chat.usedToday"), 2)
        expectEqual(status.at("subscription.renewalDate"), "2025-02-28T20:00:00.000Z")
        // It ends when the clock reaches its end, not before.
        _ = try harness.analyze(Harness.picture, token)
        try harness.setClock(Instant(microseconds: 1_740_772_799_999_999))
        try expectEqual(harness.status(token).at("subscription.tier"), "essentials")
        try harness.advance(.microseconds(1))
        let ended = try harness.status(token)
        expectEqual(ended.at("subscription.tier"), "free")
        expectEqual(ended.at("subscription.renewalDate"), .null)
        expectEqual(ended.at("scans.remaining"), 3)
        expectEqual(ended.at("scans.limit"), 3)
        try expectEqual(harness.me(token).at("subscriptionTier"), "free")
    }

    @Test func `6 after a fall to free on the same day, scans of the paid tier no longer count`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        try harness.activate("subscription-lapses")
        for _ in 1...5 { _ = try harness.analyze(Harness.picture, token) }
        try harness.advance(.seconds(60))
        try expectEqual(harness.status(token).at("scans.remaining"), 3)
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 2)
    }

    @Test(arguments: [
        ("Europe/Stockholm", "2025-01-31T23:00:00.000Z"), ("America/New_York", "2025-02-01T05:00:00.000Z"),
        ("Asia/Kolkata", "2025-02-01T18:30:00.000Z"), ("UTC", "2025-02-01T00:00:00.000Z"),
        ("Pacific/Kiritimati", "2025-02-01T10:00:00.000Z"), ("Asia/Kathmandu", "2025-02-01T18:15:00.000Z"),
    ])
    func `10 timeZone moves the ends of days`(zone: String, reset: String) throws {
        let harness = try Harness()
        try harness.set(["timeZone": .string(zone)])
        let token = try harness.mint(Harness.free)
        try expectEqual(harness.status(token).at("scans.resetDate"), .string(reset))
    }

    @Test func `10 an unknown time zone, switch or value is refused`() throws {
        let harness = try Harness()
        let bad: [JSON] = [
            ["timeZone": "Europe/Nowhere"], ["timeZone": .null], ["apple": ["mode": "loose"]], ["apples": [:]],
            ["quota": ["status": 404]], ["quota": ["unlimited": 5]], ["planned": ["enabled": "yes"]],
            ["analyze": ["delayMs": -1]],
        ]
        for settings in bad { #expect(throws: Harness.TestError.self) { try harness.set(settings) } }
    }
}
