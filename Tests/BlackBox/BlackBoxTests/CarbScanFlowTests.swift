import Foundation
import JSON
import TestSupport
import Testing

/// The journey of a CarbScan app from sign-in to sign-out, over real requests (CarbScan contract, sections 5 and 7).
@Suite(.serialized) struct CarbScanFlowTests {
    private static let base = "/api/mobile/v1"

    private func client(_ served: Served) throws -> AppClient {
        let client = try AppClient(served, "carbscan", AppClient.carbscan)
        client.wait = { try served.advance("PT\($0)S") }
        return client
    }

    private static func meal(_ id: String, _ name: String) -> JSON {
        [
            "localId": .string(id), "name": .string(name), "carbEstimate": 22, "confidenceLevel": 0.9,
            "createdAt": "2025-01-01T08:00:00.000Z",
        ]
    }

    private func names(_ client: AppClient) throws -> [String] {
        let rows = try client.call("GET", Self.base + "/meals?limit=100").json.value(at: "data.meals")
        return rows?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    }

    @Test func `5 7.13 Apple sign-in, an upload whose answer is lost, an expiry, a refresh, and the end after 90 days`()
        throws
    {
        let served = try Served()
        let app = try client(served)
        let order: JSON = [
            "identityToken": "mock_apple:journey@carbscan.test", "authorizationCode": "code",
            "user": ["firstName": "Ada", "lastName": "Sample"],
        ]
        let signedIn = try app.call("POST", Self.base + "/auth/apple", order)
        expectEqual(signedIn.status, 200, "\(signedIn.text)")
        app.take(signedIn)
        let user = try #require(signedIn.json.text(at: "data.user.id"))
        // The write happens, its answer never comes, and the same upload goes again: one meal, with one id.
        try served.fault("carbscan", Self.base + "/meals/sync", phase: "after", #"{"connection":"reset"}"#)
        let upload: JSON = ["lastSyncTimestamp": .null, "localMeals": [Self.meal("a-1", "Porridge")]]
        let synced = try app.call("POST", Self.base + "/meals/sync", upload)
        expectEqual(synced.status, 200, "\(synced.text)")
        expectEqual(app.repeats, 1, "\(synced.text)")
        expectEqual(synced.json.value(at: "data.syncedLocalMeals")?.arrayValue?.count, 1)
        try expectEqual(names(app), ["Porridge"])
        // An access token lives for 30 days: good in its last second, over a second later.
        try served.advance("PT2591999S")
        #expect(try app.call("GET", Self.base + "/auth/me").status == 200 && app.refreshes == 0)
        try served.advance("PT1S")
        let me = try app.call("GET", Self.base + "/auth/me")
        expectEqual(me.status, 200, "\(me.text)")
        expectEqual(app.refreshes, 1, "\(me.text)")
        expectEqual(me.json.text(at: "data.id"), user)
        // The refresh itself is put off once, for as long as it says.
        try served.advance("P31D")
        try served.fault("carbscan", AppClient.carbscan.refreshPath, #"{"status":503,"retryAfter":7}"#)
        try expectEqual(names(app), ["Porridge"])
        expectEqual(app.refreshes, 2)
        expectEqual(app.repeats, 2)
        // The refresh token ends with its 90 days, and the app is back at its sign-in.
        try served.advance("P31D")
        let last = try app.call("GET", Self.base + "/auth/me")
        expectEqual(last.status, 401)
        expectEqual(last.json.text(at: "error.code"), "UNAUTHORIZED")
        #expect(app.isSignedOut && app.refreshes == 3)
        // Whoever signs in again finds everything.
        let again = try client(served)
        again.take(try again.call("POST", Self.base + "/auth/apple", order))
        try expectEqual(names(again), ["Porridge"])
    }

    @Test func `7.20 5.1 browser sign-in, fifteen minutes of rotation, one refresh for two expiries, and a used token`()
        throws
    {
        let served = try Served()
        let switched = try served.control("PUT", "/settings", #"{"carbscan":{"tokens":{"profile":"rotation"}}}"#)
        expectEqual(switched.status, 200, "\(switched.text)")
        let app = try client(served)
        // The pair of RFC 7636, appendix B.
        let page = try app.call(
            "GET",
            Self.base + "/auth/mobile/authorize?mobile=true&state=st%2F1&response_type=code&code_challenge_method=S256"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&login_hint=pro%40carbscan.test"
                + "&redirect_uri=carbscan%3A%2F%2Fauth-callback"
        )
        expectEqual(page.status, 302)
        let target = try #require(page["Location"].flatMap { URLComponents(string: $0) })
        let items = Dictionary(uniqueKeysWithValues: (target.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        expectEqual(target.scheme, "carbscan")
        expectEqual(items["state"], "st/1")
        let signedIn = try app.call(
            "POST",
            Self.base + "/auth/mobile/token",
            [
                "code": .string(items["code"] ?? ""), "grant_type": "authorization_code",
                "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            ]
        )
        expectEqual(signedIn.status, 200, "\(signedIn.text)")
        app.take(signedIn)
        let first = try #require(app.refresh)
        try expectEqual(app.call("GET", Self.base + "/insights").status, 200)
        // Two parts of the app meet the end of the token; the second finds the new one.
        try served.advance("PT15M")
        let old = try #require(try app.send("GET", Self.base + "/subscriptions/status"))
        expectEqual(old.status, 401)
        try expectEqual(app.call("GET", Self.base + "/meals").status, 200)
        try expectEqual(app.call("GET", Self.base + "/subscriptions/status").status, 200)
        #expect(app.refreshes == 1 && app.refresh != first)
        // Another copy of the app still has the first refresh token; its use ends the session for both.
        let stale = try client(served)
        let reused = try stale.call(
            "POST",
            AppClient.carbscan.refreshPath,
            ["refreshToken": .string(first)]
        )
        expectEqual(reused.status, 401)
        let dead = try app.call("GET", Self.base + "/auth/me")
        #expect(dead.status == 401 && app.isSignedOut)
    }
}
