import APIDocs
import Backend
import CivilTime
import Crypto
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Clauses where two rules meet.
struct CornerTests {
    /// A transaction of pro that ends so many seconds after the evening of the harness.
    private static func transaction(_ id: String, endingAfter seconds: Int64) -> JSON {
        let start = Harness.evening.milliseconds
        let payload: JSON = [
            "transactionId": .string(id), "originalTransactionId": .string(id), "bundleId": "ai.carbscan.app",
            "productId": "ai.carbscan.app.pro.monthly", "purchaseDate": .integer(start),
            "expiresDate": .integer(start + seconds * 1_000),
        ]
        let header = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))
        return .string("\(header).\(Base64URL.encode(payload.serialized())).AAAA")
    }

    @Test func `6 and 7.19 scans before a lapse do not count again after a sync without entitlements`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let bought = try harness.post(
            "/subscriptions/validate-receipt",
            token: token,
            json: ["signedTransaction": Self.transaction("1", endingAfter: 60)]
        )
        expectEqual(bought.at("subscription.tier"), "pro")
        for _ in 0..<3 { try expectEqual(harness.analyze(Harness.picture, token).status, 200) }
        try harness.advance(.seconds(60))
        try expectEqual(harness.status(token).at("scans.remaining"), 3)
        try expectEqual(harness.analyze(Harness.picture, token).at("scanUsage.remainingScans"), 2)
        let synced = try harness.post("/subscriptions/sync", token: token, json: ["signedTransactions": []])
        expectEqual(synced.at("subscription").text, #"{"tier":"free","status":"canceled","renewalDate":null}"#)
        // Those of the free tier still do.
        expectEqual(synced.at("scans.remaining"), 2)
        try expectEqual(harness.status(token).at("scans.remaining"), 2)
    }

    @Test func `6 and 7.17 a subscription that was past due and has ended is a free account like any other`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        _ = try harness.receipt("pro.monthly", token)
        try harness.activate("subscription-past-due")
        try expectEqual(harness.status(token).at("subscription.status"), "past_due")
        try harness.advance(.days(29))
        let ended = try harness.status(try harness.mint(Harness.free)).at("subscription")
        expectEqual(ended.text, #"{"tier":"free","status":"active","renewalDate":null}"#)
    }

    @Test func `7.18 and 7.19 the same receipt has the same answer after a sync without it has ended the tier`() throws
    {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let bought = try harness.receipt("pro.monthly", token)
        let synced = try harness.post("/subscriptions/sync", token: token, json: ["signedTransactions": []])
        expectEqual(synced.at("subscription.tier"), "free")
        let again = try harness.receipt("pro.monthly", token)
        expectEqual(again.data, bought.data)
        expectEqual(again.at("subscription.tier"), "pro")
        try expectEqual(harness.status(token).at("scans.remaining"), 300)
        // With the tier in place it has no effect.
        _ = try harness.analyze(Harness.picture, token)
        try expectEqual(harness.receipt("pro.monthly", token).data, bought.data)
        try expectEqual(harness.status(token).at("scans.remaining"), 299)
    }

    @Test func `control 11 the journal tells whose refresh and whose logout it was, also with tokens that are over`()
        throws
    {
        let harness = try Harness()
        func user() throws -> String? { try harness.hosted().world.journal.entries.last?.user?.email }
        for state in [TokenOrder.State.valid, .expired] {
            let token = try harness.mint(Harness.pro, .refresh, state)
            try expectEqual(harness.refresh(token).status, state == .valid ? 200 : 401)
            try expectEqual(user(), Harness.pro)
            // With the access token of somebody else, which is never looked at here.
            let body: JSON = ["refreshToken": .string(token)]
            let other = try harness.mint(Harness.free)
            try expectEqual(harness.post("/auth/revoke", token: other, json: body).at("revoked"), true)
            try expectEqual(user(), Harness.pro)
        }
        try expectEqual(harness.post("/auth/revoke", json: ["refreshToken": "nonsense"]).at("revoked"), true)
        try expectNil(user())
    }

    @Test func `7.20 a redirect_uri with user information leads to another host and is refused`() throws {
        let harness = try Harness()
        let query = "state=s&code_challenge=c&code_challenge_method=S256&response_type=code&login_hint=\(Harness.pro)"
        for (target, isGood) in [
            ("http://localhost:x@evil.example", false), ("http://127.0.0.1:80@evil.example/cb", false),
            ("http://localhost:3000/@me", true), ("http://localhost?who=a@b.c", true),
        ] {
            let reply = try harness.get(
                "/auth/mobile/authorize?\(query)&redirect_uri=\(target.percentEncodedComponent)"
            )
            expectEqual(reply.status, isGood ? 302 : 400, "\(target)")
            expectEqual(reply[.location] != nil, isGood, "\(target)")
        }
    }

    @Test func `7.20 the links of the page work behind an empty login_hint`() throws {
        let harness = try Harness()
        let query =
            "login_hint=&state=s&code_challenge=c&code_challenge_method=S256&response_type=code"
            + "&redirect_uri=carbscan://auth-callback"
        let page = try harness.get("/auth/mobile/authorize?\(query)")
        expectEqual(page.status, 200)
        #expect(page.text.contains("&amp;login_hint=pro%40carbscan.test"))
        let chosen = try harness.get("/auth/mobile/authorize?\(query)&login_hint=pro%40carbscan.test")
        expectEqual(chosen[.location]?.hasPrefix("carbscan://auth-callback?code="), true)
    }

    @Test func `8 the analysis names the dish, the grams and the range, also when there is no food`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        for text in ["carbscan-food=none", "carbscan-food=30"] {
            let photo = Base64.encode(Harness.jpeg(text))
            let analysis = try harness.analyze(photo, token).at("analysis")
            let sentence = analysis.string("analysis")
            #expect(sentence.contains(analysis.string("compositeItemName")))
            for name in ["carbEstimate", "confidenceLow", "confidenceHigh"] {
                #expect(sentence.contains("\(analysis[name]?.intValue ?? -1)"), "\(text) \(name)")
            }
        }
    }

    @Test func `12 sync-backlog: 150 also for a device that says it synced this very instant`() throws {
        let harness = try Harness()
        try harness.activate("sync-backlog")
        for mail in [Harness.new, Harness.essentials] {
            let answer = try harness.sync(try harness.mint(mail), since: "2025-01-31T20:00:00.000Z")
            expectEqual(answer.at("modifiedMeals").count, 150, "\(mail)")
        }
    }

    @Test func `12 midnight-meals: midnight is UTC's in every time zone`() throws {
        let harness = try Harness()
        try harness.set(["timeZone": "America/New_York"])
        try harness.activate("midnight-meals")
        let token = try harness.mint(Harness.new)
        let times = try harness.get("/meals", token: token).at("meals").arrayValue?.map { $0.string("createdAt") }
        expectEqual(times, ["2025-01-31T00:00:01.000Z", "2025-01-30T23:59:59.000Z"])
        // Both were eaten on the evening before, over there.
        try expectEqual(harness.get("/insights", token: token).at("summary.today.mealCount"), 0)
    }

    @Test func `2 7 bodies that may be left out are not required by the document`() throws {
        let document = OpenAPIDescription(try Harness().emulator.apis[0], servers: ["http://127.0.0.1:4682"]).document
        func isRequired(_ path: String) -> Bool? {
            document["paths"]?["/api/mobile/v1\(path)"]?["post"]?["requestBody"]?["required"]?.boolValue
        }
        for path in ["/auth/revoke", "/auth/replit", "/meals/sync"] { #expect(isRequired(path) != true, "\(path)") }
        for path in ["/auth/apple", "/chat", "/devices/unregister"] { expectEqual(isRequired(path), true, "\(path)") }
    }
}
