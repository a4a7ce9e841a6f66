import Backend
import CivilTime
import Engine
import EngineTesting
import Foundation
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Section 12: each scenario on, its effect, and off.
struct Section12ScenarioTests {
    private static let names = [
        "last-scan", "no-scans-remaining", "month-used-up", "day-rollover", "month-rollover", "chat-limit-reached",
        "unlimited-as-null", "quota-as-429", "quota-as-200", "apple-not-configured", "apple-token-rejected",
        "apple-names-missing", "private-relay", "account-linked", "access-token-expired", "access-token-expires-soon",
        "refresh-token-expired", "token-secret-rotated", "endless-401", "revoke-hardened", "refresh-rotation",
        "magic-link-works", "magic-link-expired", "sync-conflict", "sync-lost-answer", "sync-backlog",
        "sync-clock-skew",
        "sync-one-bad-item", "empty-history", "single-meal", "no-previous-week", "midnight-meals", "history-1000",
        "history-window", "analysis-slow", "analysis-fails", "analysis-low-confidence", "analysis-no-food",
        "image-too-large", "upgrade-mid-period", "subscription-past-due", "subscription-lapses", "receipt-in-use",
        "features-off", "config-error", "device-registration-error", "companion-device-errors", "bare-404",
        "missing-meta",
        "unknown-fields", "trend-client-words", "html-gateway-error", "truncated-json", "empty-answer",
        "connection-reset", "pkce-mismatch", "login-cancelled", "web-session-missing",
        "captive-portal", "cookie-wall", "gzip-mislabelled", "keep-alive-closed",
    ]

    @Test func `12 the catalogue is complete, and each has a title and what to do`() throws {
        let scenarios = try Harness().emulator.apis[0].scenarios
        expectEqual(scenarios.map(\.name).sorted(), Self.names.map { "carbscan/\($0)" }.sorted())
        for scenario in scenarios { #expect(!scenario.title.isEmpty && !scenario.expect.isEmpty) }
    }

    @Test(arguments: Section12ScenarioTests.names)
    func `12 after off the settings are what they were`(name: String) throws {
        let harness = try Harness()
        func settings() throws -> JSON { harness.emulator.apis[0].readSettings(try harness.hosted().world, 0) }
        let before = try settings()
        try harness.activate(name)
        try harness.activate(name)
        #expect(try harness.deactivate(name) != nil)
        try expectEqual(settings(), before)
        try expectNil(harness.deactivate(name))
    }

    @Test func `12 quotas: last-scan, no-scans-remaining, month-used-up, chat-limit-reached, upgrade-mid-period`()
        throws
    {
        var harness = try Harness()
        try harness.activate("last-scan")
        var token = try harness.mint(Harness.free)
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 0)
        try expectEqual(harness.analyze(Harness.picture, token).status, 403)
        harness = try Harness()
        try harness.activate("no-scans-remaining")
        token = try harness.mint(Harness.new)
        try expectEqual(harness.analyze(Harness.picture, token).status, 403)
        try harness.advance(.hours(4))
        try expectEqual(harness.analyze(Harness.picture, token).status, 200)
        harness = try Harness()
        try harness.activate("month-used-up")
        token = try harness.mint(Harness.essentials)
        try expectEqual(
            harness.analyze(Harness.picture, token).json.at("error.details.scanResetDate"),
            "2025-02-01T00:00:00.000Z"
        )
        harness = try Harness()
        try harness.activate("chat-limit-reached")
        try expectEqual(harness.ask("x", try harness.mint(Harness.free)).status, 403)
        harness = try Harness()
        try harness.activate("upgrade-mid-period")
        token = try harness.mint(Harness.free)
        try expectEqual(harness.analyze(Harness.picture, token).status, 403)
        _ = try harness.receipt("pro.yearly", token)
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 299)
    }

    @Test func `12 rollovers: 30 s later everything is there again`() throws {
        for (name, start, end) in [
            ("day-rollover", Harness.noon, "2025-01-01T23:59:30.000Z"),
            ("month-rollover", Harness.noon, "2025-01-31T23:59:30.000Z"),
            ("month-rollover", Instant(seconds: 1_735_689_590), "2025-01-31T23:59:30.000Z"),
            ("day-rollover", Instant(seconds: 1_735_689_590), "2025-01-01T23:59:30.000Z"),
        ] {
            let harness = try Harness(start: start)
            #expect(try harness.activate(name))
            try expectEqual(harness.now.iso8601(.milliseconds), end, "\(name)")
            let token = try harness.mint(name == "day-rollover" ? Harness.free : Harness.essentials)
            try expectEqual(harness.analyze(Harness.picture, token).status, 403)
            try expectEqual(harness.ask("x", token).status, 403)
            try harness.advance(.seconds(30))
            try expectEqual(harness.analyze(Harness.picture, token).status, 200)
            try expectEqual(harness.ask("x", token).status, 200)
        }
    }

    @Test func `12 Apple: not configured, rejected, names missing, private relay, linked`() throws {
        var harness = try Harness()
        try harness.activate("apple-not-configured")
        try expectEqual(harness.apple("x").error, "500 CONFIGURATION_ERROR")
        try harness.deactivate("apple-not-configured")
        try harness.activate("apple-token-rejected")
        try expectEqual(harness.apple(try harness.mint(Harness.free, .appleIdentity)).error, "401 INVALID_TOKEN")
        harness = try Harness()
        try harness.activate("apple-names-missing")
        for token in [try harness.mint(Harness.free, .appleIdentity), "mock_apple:\(Harness.free)"] {
            let user = try harness.apple(token).at("user")
            expectEqual(
                user.text,
                #"{"id":"000101.00000000000000000000000000f4ee01.0101","email":null,"firstName":null,"lastName":null,"subscriptionTier":"free","profileImageUrl":null}"#
            )
        }
        try expectEqual(
            harness.apple("mock_apple:\(Harness.free)", user: ["email": .string(Harness.free)]).at("user.email"),
            .string(Harness.free)
        )
        harness = try Harness()
        try harness.activate("private-relay")
        for token in ["mock_apple:\(Harness.free)", "brand new"] {
            let mail = try harness.apple(token).at("user.email").stringValue ?? ""
            #expect(mail.hasSuffix("@privaterelay.appleid.com"), "\(token)")
        }
        try expectEqual(
            harness.apple("mock_apple:\(Harness.free)").at("user.id"),
            "000101.00000000000000000000000000f4ee01.0101"
        )
        #expect(try harness.apple("mock_apple:\(Harness.web)").at("user.email") != .string(Harness.web))
        harness = try Harness()
        try harness.activate("account-linked")
        try expectEqual(harness.apple("mock_apple:\(Harness.pro)").at("user.email"), .string(Harness.pro))
        let linked = try harness.apple("somebody's device")
        expectEqual(linked.at("user.id"), "web-1001")
        try expectEqual(
            harness.get("/meals", token: linked.at("accessToken").stringValue ?? "").at("pagination.total"),
            12
        )
        try expectEqual(
            harness.apple(try harness.mint(Harness.free, .appleIdentity)).at("user.email"),
            .string(Harness.free)
        )
    }

    @Test func `12 tokens: expired, expiring, both dead, rotated secret, endless 401`() throws {
        for name in [
            "access-token-expired", "refresh-token-expired", "token-secret-rotated", "access-token-expires-soon",
        ] {
            let harness = try Harness()
            let (access, refresh) = try harness.signIn(as: Harness.free)
            try harness.activate(name)
            if name == "access-token-expires-soon" {
                try expectEqual(harness.me(access).status, 200)
                try harness.advance(.seconds(60))
            }
            try expectEqual(harness.me(access).error, "401 UNAUTHORIZED", "\(name)")
            let isRefreshGood = name.hasPrefix("access")
            try expectEqual(harness.refresh(refresh).status, isRefreshGood ? 200 : 401, "\(name)")
            try harness.deactivate(name)
            try expectEqual(harness.me(try harness.signIn(as: Harness.free).access).status, 200, "\(name)")
        }
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        try harness.activate("endless-401")
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        let renewed = try harness.refresh(refresh)
        expectEqual(renewed.status, 200)
        try expectEqual(harness.me(renewed.at("accessToken").stringValue ?? "").error, "401 UNAUTHORIZED")
        try harness.deactivate("endless-401")
        try expectEqual(harness.me(access).status, 200)
    }

    @Test func `12 expired tokens: as a starting state, and without a step of the clock or of anything else`() throws {
        let harness = try Harness()
        let before = try harness.get("/insights", token: try harness.mint(Harness.essentials)).text
        try harness.activate("access-token-expired")
        try expectEqual(harness.now, Harness.evening)
        var (access, refresh) = try harness.signIn(as: Harness.essentials)
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        access = try harness.refresh(refresh).at("accessToken").stringValue ?? ""
        try expectEqual(harness.get("/insights", token: access).text, before)
        try expectEqual(harness.me(try harness.mint(Harness.free)).status, 200)
        try harness.deactivate("access-token-expired")
        try harness.activate("access-token-expires-soon")
        (access, refresh) = try harness.signIn(as: Harness.essentials)
        try harness.advance(.seconds(59))
        try expectEqual(harness.me(access).status, 200)
        try harness.advance(.seconds(1))
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(try harness.refresh(refresh).at("accessToken").stringValue ?? "").status, 200)
        try harness.deactivate("access-token-expires-soon")
        let issued = try harness.signIn(as: Harness.essentials)
        try harness.activate("refresh-token-expired")
        try expectEqual(harness.now, Harness.evening + .seconds(60))
        #expect(try harness.me(issued.access).status == 401 && harness.refresh(issued.refresh).status == 401)
        let again = try harness.signIn(as: Harness.essentials)
        #expect(try harness.me(again.access).status == 200 && harness.refresh(again.refresh).status == 200)
    }

    @Test func `12 quotas are left as the scenario says, also where they were used up before`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        for _ in 0..<3 {
            _ = try harness.analyze(Harness.picture, token)
            _ = try harness.ask("x", token)
        }
        try harness.activate("last-scan")
        try expectEqual(harness.status(token).at("scans.remaining"), 1)
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 0)
        try expectEqual(harness.analyze(Harness.picture, token).status, 403)
    }

    @Test func `12 sync-conflict loses nothing: the next sync brings the server's change of an upload`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        try harness.activate("sync-conflict")
        let upload = try harness.sync(token, [Harness.localMeal("a")])
        expectEqual(upload.at("modifiedMeals").count, 0)
        let next = try harness.sync(token, since: upload.at("serverTimestamp"))
        expectEqual(next.at("modifiedMeals.0.name"), "Soup (edited)")
        try expectEqual(harness.sync(token, since: next.at("serverTimestamp")).at("modifiedMeals").count, 0)
        let again = try harness.sync(token, since: next.at("serverTimestamp"), [Harness.localMeal("a")])
        expectEqual(again.at("modifiedMeals.0.name"), "Soup (edited)")
    }

    @Test func `12 links: works and expired`() throws {
        let harness = try Harness()
        func verify() throws -> String {
            _ = try harness.post("/auth/magic-link/request", json: ["email": .string(Harness.free)])
            let token = try harness.state { _, core in core.outbox.messages.last?.token ?? "" }
            let reply = try harness.post("/auth/magic-link/verify", json: ["token": .string(token)])
            return reply.status == 200 ? "200" : reply.error
        }
        try harness.activate("magic-link-works")
        try expectEqual(verify(), "200")
        try harness.deactivate("magic-link-works")
        try harness.activate("magic-link-expired")
        try expectEqual(verify(), "401 INVALID_TOKEN")
        try harness.deactivate("magic-link-expired")
        try expectEqual(verify(), "501 NOT_IMPLEMENTED")
    }

    @Test func `12 sync: conflict, lost answer, backlog, clock skew, one bad item`() throws {
        var harness = try Harness()
        var token = try harness.mint(Harness.new)
        let before = try harness.sync(token, [Harness.localMeal("earlier")]).at("serverTimestamp")
        try harness.activate("sync-conflict")
        try expectEqual(
            harness.sync(token, since: before, [Harness.localMeal("later")]).at("modifiedMeals.0.name"),
            "Soup (edited)"
        )
        for id in ["earlier", "later"] {
            let data = try harness.sync(token, since: "2999-01-01T00:00:00Z", [Harness.localMeal(id)]).data
            expectEqual(data.at("modifiedMeals.0.carbEstimate"), 32)
            expectEqual(data["modifiedMeals"]?.count, 1)
        }
        harness = try Harness()
        token = try harness.mint(Harness.new)
        try harness.activate("sync-lost-answer")
        let lost = try harness.sync(token, [Harness.localMeal("a")])
        #expect(lost.ending == .aborted && lost.bytes.isEmpty)
        let retry = try harness.sync(token, [Harness.localMeal("a")])
        expectEqual(retry.at("syncedLocalMeals.0.serverId"), 274)
        expectEqual(retry.at("modifiedMeals").count, 0)
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 1)
        harness = try Harness()
        token = try harness.mint(Harness.free)
        let mark = try harness.sync(token).at("serverTimestamp")
        try harness.activate("sync-backlog")
        let backlog = try harness.sync(token, since: mark)
        expectEqual(backlog.at("modifiedMeals").count, 150)
        try expectEqual(harness.sync(token, since: backlog.at("serverTimestamp")).at("modifiedMeals").count, 0)
        harness = try Harness()
        try harness.activate("sync-clock-skew")
        token = try harness.mint(Harness.free)
        try expectEqual(harness.sync(token).at("serverTimestamp"), "2025-01-31T22:00:00.000Z")
        harness = try Harness()
        token = try harness.mint(Harness.new)
        try harness.activate("sync-one-bad-item")
        let good = Harness.localMeal("good")
        let refused = try harness.sync(token, [Harness.localMeal("bad"), good])
        expectEqual(refused.error, #"400 VALIDATION_ERROR {"localMeals[0].name":"unsupported_value"}"#)
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 0)
        try expectEqual(harness.sync(token, [good]).at("syncedLocalMeals").count, 1)
        try expectEqual(harness.sync(token, [good, Harness.localMeal("bad")]).status, 400)
        try harness.deactivate("sync-one-bad-item")
        try expectEqual(harness.sync(token, [Harness.localMeal("bad")]).status, 200)
    }

    @Test func `12 histories: empty, single, no week before, midnight, 1000, window`() throws {
        var harness = try Harness()
        try harness.activate("empty-history")
        var insights = try harness.get("/insights", token: try harness.mint(Harness.pro))
        expectEqual(insights.at("highlights").text, #"{"highestCarbMeal":null,"lowestCarbMeal":null}"#)
        harness = try Harness()
        try harness.activate("single-meal")
        insights = try harness.get("/insights", token: try harness.mint(Harness.essentials))
        expectEqual(insights.at("highlights.highestCarbMeal"), insights.at("highlights.lowestCarbMeal"))
        expectEqual(insights.at("summary.monthly.mealCount"), 1)
        harness = try Harness()
        try harness.activate("no-previous-week")
        insights = try harness.get("/insights", token: try harness.mint(Harness.essentials))
        expectEqual(insights.at("trends.direction"), "stable")
        expectEqual(insights.at("summary.weekly.totalCarbs"), 750)
        harness = try Harness()
        try harness.activate("midnight-meals")
        let token = try harness.mint(Harness.new)
        let times = try harness.get("/meals", token: token).at("meals").arrayValue?.map { $0.string("createdAt") }
        expectEqual(times, ["2025-01-31T00:00:01.000Z", "2025-01-30T23:59:59.000Z"])
        try expectEqual(harness.get("/insights", token: token).at("summary.today.mealCount"), 1)
        harness = try Harness()
        try harness.activate("history-1000")
        for mail in [Harness.pro, Harness.new] {
            let token = try harness.mint(mail)
            let page = try harness.get("/meals?limit=100&offset=900", token: token)
            expectEqual(page.at("meals").count, 100)
            expectEqual(page.at("pagination").text, #"{"limit":100,"offset":900,"total":1000,"hasMore":false}"#)
        }
        insights = try harness.get("/insights", token: try harness.mint(Harness.essentials))
        expectEqual(insights.at("summary.monthly.totalCarbs"), 3_200)
        harness = try Harness()
        try harness.activate("history-window")
        try expectEqual(harness.get("/meals", token: try harness.mint(Harness.free)).at("pagination.total"), 14)
    }

    @Test func `12 analyses: slow, failing, unsure, without food, too large`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        try harness.activate("analysis-fails")
        try expectEqual(harness.analyze(Harness.picture, token).error, "500 SERVER_ERROR")
        try expectEqual(harness.status(token).at("scans.remaining"), 3)
        try harness.activate("analysis-slow")
        let slow = try harness.analyze(Harness.picture, token)
        expectEqual(slow.headAt, 20_000)
        expectEqual(slow.at("scanUsage.remainingScans"), 2)
        try harness.deactivate("analysis-slow")
        let pro = try harness.mint(Harness.pro)
        try harness.activate("analysis-low-confidence")
        let unsure = try harness.analyze(Harness.picture, pro).at("analysis")
        expectEqual(unsure["confidenceLevel"]?.doubleValue, 0.6)
        expectEqual(unsure["confidenceLow"], 11)
        expectEqual(unsure["confidenceHigh"], 19)
        try harness.deactivate("analysis-low-confidence")
        try harness.activate("analysis-no-food")
        let none = try harness.analyze(Harness.picture, pro).at("analysis")
        #expect(
            none.string("compositeItemName") == "No food detected" && none["carbEstimate"] == 0
                && none["confidenceHigh"] == 2
        )
        try harness.deactivate("analysis-no-food")
        try harness.activate("image-too-large")
        try expectEqual(harness.get("/config").at("limits.maxImageSize"), 100_000)
        let bytes = Harness.jpeg() + [UInt8](repeating: 0, count: 99_998)
        try expectEqual(
            harness.analyze(Data(bytes).base64EncodedString(), pro).error,
            #"400 VALIDATION_ERROR {"imageBase64":"too_large"}"#
        )
        try expectEqual(harness.analyze(Data(bytes.dropLast()).base64EncodedString(), pro).status, 200)
    }

    @Test func `12 subscriptions: past due, lapsing, receipt in use`() throws {
        var harness = try Harness()
        try harness.activate("subscription-past-due")
        var token = try harness.mint(Harness.essentials)
        try expectEqual(harness.status(token).at("subscription.status"), "past_due")
        try expectEqual(harness.status(token).at("scans.remaining"), 85)
        harness = try Harness()
        try harness.activate("subscription-lapses")
        token = try harness.mint(Harness.essentials)
        try expectEqual(
            harness.status(token).at("subscription").text,
            #"{"tier":"essentials","status":"canceled","renewalDate":"2025-01-31T20:01:00.000Z"}"#
        )
        try harness.advance(.seconds(60))
        try expectEqual(
            harness.status(token).at("subscription").text,
            #"{"tier":"free","status":"canceled","renewalDate":null}"#
        )
        try expectEqual(harness.status(token).at("scans.limit"), 3)
        harness = try Harness()
        try harness.activate("receipt-in-use")
        token = try harness.mint(Harness.free)
        try expectEqual(harness.receipt("pro.monthly", token).error, "409 RECEIPT_IN_USE")
        let list: JSON = ["signedTransactions": ["mock_receipt:ai.carbscan.app.pro.monthly"]]
        try expectEqual(
            harness.post("/subscriptions/sync", token: token, json: list).at("processed.0.reason"),
            "in_use"
        )
    }

    @Test func `12 answers: config, devices, unknown fields, damaged transport`() throws {
        let harness = try Harness()
        try harness.activate("config-error")
        try expectEqual(harness.get("/config").error, "500 CONFIG_ERROR")
        try harness.activate("device-registration-error")
        let device: JSON = ["deviceToken": "t", "platform": "ios"]
        try expectEqual(harness.post("/devices/register", json: device).error, "500 REGISTRATION_ERROR")
        try harness.deactivate("device-registration-error")
        try harness.activate("companion-device-errors")
        #expect(try harness.post("/devices/register", json: device).json["error"]?.stringValue != nil)
        try harness.activate("unknown-fields")
        let token = try harness.mint(Harness.free)
        let meals = try harness.get("/meals?limit=1", token: token).json
        for path in ["", "data", "data.meals.0", "data.pagination", "meta"] {
            #expect(meals.at(path)["addedLater"]?.stringValue != nil, "\(path)")
        }
        #expect(try harness.get("/nothing").json.at("error.addedLater").stringValue != nil)
        try harness.deactivate("unknown-fields")
        try harness.activate("html-gateway-error")
        let page = try harness.analyze(Harness.picture, token)
        #expect(page.status == 502 && page[.contentType] == "text/html; charset=utf-8" && page.text.hasPrefix("<html>"))
        try harness.deactivate("html-gateway-error")
        try expectEqual(harness.status(token).at("scans.remaining"), 3)
        try harness.activate("truncated-json")
        let cut = try harness.get("/health")
        #expect(cut.status == 200 && cut.json == .null && cut.text.hasPrefix(#"{"success":true"#))
        try harness.deactivate("truncated-json")
        try harness.activate("empty-answer")
        #expect(try harness.get("/health").bytes.isEmpty)
        try harness.deactivate("empty-answer")
        try harness.activate("connection-reset")
        try expectEqual(harness.get("/health").ending, .aborted)
        try harness.deactivate("connection-reset")
        try expectEqual(harness.get("/health").status, 200)
    }

    @Test func `12 browser: mismatch, cancelled, no web session`() throws {
        let harness = try Harness()
        let query =
            "state=s&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
            + "&response_type=code&redirect_uri=carbscan://auth-callback"
        try harness.activate("pkce-mismatch")
        let reply = try harness.get("/auth/mobile/authorize?\(query)&login_hint=free@carbscan.test")
        let code = QueryItems(reply[.location]?.split(separator: "?").last.map(String.init)).first("code") ?? ""
        let body: JSON = [
            "code": .string(code), "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "grant_type": "authorization_code",
        ]
        try expectEqual(harness.post("/auth/mobile/token", json: body).error, "400 INVALID_GRANT")
        try harness.activate("login-cancelled")
        for hint in ["", "&login_hint=free@carbscan.test"] {
            let location = try harness.get("/auth/mobile/authorize?\(query)\(hint)")[.location]
            expectEqual(location?.hasPrefix("carbscan://auth-callback?error=access_denied&"), true)
            expectEqual(location?.hasSuffix("&state=s"), true)
        }
        try harness.activate("web-session-missing")
        let web = try harness.post("/auth/replit", json: [:], headers: [("Cookie", "connect.sid=web@carbscan.test")])
        expectEqual(web.error, "401 UNAUTHORIZED")
    }
}
