import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Section 10: switches, and the decisions of section 11 behind them.
struct Section10SwitchTests {
    @Test func `10 the switches and their first values`() throws {
        let harness = try Harness()
        let hosted = try harness.hosted()
        let settings = harness.emulator.apis[0].readSettings(hosted.world, 0)
        let wanted: [(String, JSON)] = [
            ("apple.mode", "lenient"), ("apple.configured", true), ("apple.clientId", "ai.carbscan.app"),
            ("tokens.profile", "documented"), ("magicLink.verify", "off"), ("quota.status", 403),
            ("quota.profile", "document"), ("quota.dailyCap", "off"), ("quota.unlimited", "number"),
            ("history.window", "off"), ("trends.words", "document"), ("devices.mode", "placeholder"),
            ("planned.enabled", true), ("receipts.mode", "lenient"), ("notFound.shape", "envelope"),
            ("meta.omit", false), ("features.aiChat", true), ("features.mealScanning", true),
            ("features.insights", true),
            ("features.offlineMode", true), ("timeZone", "UTC"), ("analyze.delayMs", 0), ("rateLimits", "on"),
        ]
        for (path, value) in wanted { expectEqual(settings.at(path), value, "\(path)") }
        expectEqual(settings["browser"]?["autoLogin"], JSON.null)
    }

    @Test(arguments: [429, 402, 400, 200] as [Int64])
    func `D6 the status of both quota errors`(status: Int64) throws {
        let harness = try Harness()
        try harness.activate("no-scans-remaining")
        try harness.activate("chat-limit-reached")
        try harness.set(["quota": ["status": .string("\(status)")]])
        try harness.set(["quota": ["status": .integer(status)]])
        let token = try harness.mint(Harness.free)
        #expect(
            try harness.analyze(Harness.picture, token).error.hasPrefix(
                "\(status) NO_SCANS_REMAINING {\"remainingScans\":0,"
            )
        )
        try expectEqual(
            harness.ask("x", token).error,
            #"\#(status) CHAT_LIMIT_REACHED {"remainingChats":0,"dailyLimit":3,"subscriptionTier":"free"}"#
        )
    }

    @Test func `D9 the guide's profile: 5, 20 and unlimited questions`() throws {
        let harness = try Harness()
        try harness.set(["quota": ["profile": "guide"]])
        for (mail, limit) in [(Harness.new, 5), (Harness.web, 20)] {
            let token = try harness.mint(mail)
            try expectEqual(harness.status(token).at("limits.chatPerDay"), .integer(Int64(limit)))
            for left in (0..<limit).reversed() {
                try expectEqual(harness.ask("x", token).at("usage.remainingChats"), .integer(Int64(left)))
            }
            try expectEqual(harness.ask("x", token).json.at("error.details.dailyLimit"), .integer(Int64(limit)))
        }
        try expectEqual(harness.status(try harness.mint(Harness.pro)).at("chat.dailyLimit"), 9_999)
    }

    @Test func `D7 the daily cap stops essentials at 10 and pro at 30, until midnight`() throws {
        let harness = try Harness()
        try harness.set(["quota": ["dailyCap": "on"]])
        for (mail, cap) in [(Harness.essentials, 10), (Harness.pro, 30)] {
            let token = try harness.mint(mail)
            for _ in 1...cap { try expectEqual(harness.analyze(Harness.picture, token).status, 200) }
            let reply = try harness.analyze(Harness.picture, token)
            expectEqual(reply.status, 403)
            expectEqual(reply.json.at("error.details.scanResetDate"), "2025-02-01T00:00:00.000Z")
        }
        let mid = try Harness(start: Harness.evening - .days(10))
        try mid.set(["quota": ["dailyCap": "on"]])
        let token = try mid.mint(Harness.web)
        for _ in 1...10 { _ = try mid.analyze(Harness.picture, token) }
        try expectEqual(
            mid.analyze(Harness.picture, token).json.at("error.details.scanResetDate"),
            "2025-01-22T00:00:00.000Z"
        )
        try mid.advance(.hours(4))
        try expectEqual(mid.analyze(Harness.picture, token).status, 200)
    }

    @Test(arguments: [("number", "9999"), ("minusOne", "-1"), ("null", "null")])
    func `D12 how unlimited is sent`(form: String, text: String) throws {
        let harness = try Harness()
        try harness.set(["quota": ["unlimited": .string(form)]])
        let token = try harness.mint(Harness.pro)
        try expectEqual(
            harness.ask("x", token).at("usage").text,
            #"{"remainingChats":\#(text),"totalUsedToday":1,"subscriptionTier":"pro"}"#
        )
        let status = try harness.status(token)
        expectEqual(status.at("chat").text, #"{"remaining":\#(text),"usedToday":1,"dailyLimit":\#(text)}"#)
        expectEqual(
            status.at("limits").text,
            #"{"scansPerDay":30,"scansPerMonth":300,"chatPerDay":\#(text),"scanResetPeriod":"monthly"}"#
        )
        try harness.set(["quota": ["unlimited": .null]])
        try expectEqual(harness.status(token).at("chat").text, #"{"remaining":null,"usedToday":1,"dailyLimit":null}"#)
    }

    @Test func `D16 the history's window is 7, 30 or all days`() throws {
        let harness = try Harness()
        try harness.set(["history": ["window": "tier"]])
        for (mail, count) in [(Harness.free, 14), (Harness.essentials, 90), (Harness.pro, 150)] {
            let token = try harness.mint(mail)
            try expectEqual(harness.get("/meals", token: token).at("pagination.total"), .integer(Int64(count)))
            try expectEqual(harness.sync(token).at("modifiedMeals").count, count)
            let insights = try harness.get("/insights", token: token)
            expectEqual(insights.at("summary.monthly.mealCount"), .integer(Int64(min(90, count))))
            if mail == Harness.free { expectEqual(insights.at("trends.percentageChange"), 0) }
        }
        let token = try harness.mint(Harness.free)
        let old = Harness.localMeal("old", at: "2024-01-01T00:00:00Z")
        try expectEqual(harness.sync(token, [old]).at("syncedLocalMeals").count, 1)
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 14)
        // A conflict comes in any case.
        let changed = Harness.localMeal("old", carbs: 1, at: "2024-01-01T00:00:00Z")
        try expectEqual(harness.sync(token, since: "2999-01-01T00:00:00Z", [changed]).at("modifiedMeals").count, 1)
    }

    @Test func `D13 the client's words`() throws {
        let harness = try Harness()
        try harness.set(["trends": ["words": "client"]])
        for (mail, word) in [(Harness.essentials, "down"), (Harness.pro, "up"), (Harness.new, "stable")] {
            try expectEqual(
                harness.get("/insights", token: try harness.mint(mail)).at("trends.direction"),
                .string(word)
            )
        }
    }

    @Test func `D10 and D29 the modes of devices`() throws {
        let harness = try Harness()
        harness.checksAnswers = false
        let body: JSON = ["expoPushToken": "t", "platform": "ios", "userId": "someone"]
        try harness.set(["devices": ["mode": "persistent"]])
        let first = try harness.post("/devices/register", json: body).at("deviceId").stringValue ?? ""
        #expect(first.hasPrefix("device-") && first.count == 23)
        try expectEqual(harness.post("/devices/register", json: body).at("deviceId"), .string(first))
        let other: JSON = ["expoPushToken": "u", "platform": "ios"]
        #expect(try harness.post("/devices/register", json: other).at("deviceId") != .string(first))
        try harness.set(["devices": ["mode": "companion"]])
        let missing = try harness.post("/devices/register", json: body)
        #expect(
            missing.status == 401 && missing.json.keys == ["error"] && missing.json.string("error").isEmpty == false
        )
        let token = try harness.mint(Harness.free)
        let foreign = try harness.post("/devices/register", token: token, json: body)
        #expect(foreign.status == 403 && foreign.json.keys == ["error"] && !foreign.json.string("error").isEmpty)
        try expectEqual(harness.post("/devices/register", token: token, json: other).status, 200)
        try expectEqual(harness.post("/devices/unregister", json: other).status, 401)
    }

    @Test func `D28 and D1 a bare 404, and answers without meta`() throws {
        let harness = try Harness()
        harness.checksAnswers = false
        try harness.set(["notFound": ["shape": "bare"]])
        let bare = try harness.get("/nothing")
        expectEqual(bare.status, 404)
        expectEqual(bare.json.keys, ["error"])
        try expectEqual(harness.send(.delete, Harness.base + "/health").error, "405 METHOD_NOT_ALLOWED")
        try harness.set(["notFound": ["shape": "envelope"], "meta": ["omit": true]])
        try expectEqual(harness.get("/health").keys, ["success", "data"])
        try expectEqual(harness.get("/nothing").keys, ["success", "error"])
    }
}
