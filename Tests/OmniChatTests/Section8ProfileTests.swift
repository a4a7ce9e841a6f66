import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Sections 8.1 and 8.2: the profile.
struct Section8ProfileTests {
    private static let path = "/api/v1/user/profile"
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.power)
    }

    @Test func `8.1 a full profile is these bytes`() throws {
        let text = [
            #"{"id":"user_power_account_01","email":"power@omnichat.test","name":"Power Account","#,
            #""imageUrl":"https://images.omnichat.test/power.png","tier":"paid","createdAt":"2023-11-28T12:00:00Z","#,
            #""subscription":{"id":"sub_power_00000000001","planId":"power","planName":"Power","status":"active","#,
            #""currentPeriodEnd":"2025-07-30T12:00:00Z","billingInterval":"annual","features":["100,000 battery units","#,
            #""10,000 units a day","Priority support"]},"battery":{"totalBalance":42000,"dailyAllowance":10000,"#,
            #""lastDailyReset":"2025-01-01"}}"#,
        ].joined()
        try expectEqual(harness.get(Self.path, token: token).text, text)
    }

    @Test func `8.1 a new user has null for subscription and battery`() throws {
        let reply = try harness.get(Self.path, token: try harness.mint(Harness.empty))
        expectEqual(reply.keys, ["id", "email", "name", "imageUrl", "tier", "createdAt", "subscription", "battery"])
        expectEqual(reply.json["subscription"], .null)
        expectEqual(reply.json["battery"], .null)
    }

    @Test func `8.1 a plan that is gone and no interval are null`() throws {
        try harness.state { state, _ in
            _ = state.plans.remove("power")
            state.users.update("user_power_account_01") {
                $0.subscription?.billingInterval = nil
                $0.name = nil
            }
        }
        let reply = try harness.get(Self.path, token: token)
        let subscription = try #require(reply.json["subscription"])
        expectEqual(reply.json["name"], .null)
        expectEqual(
            subscription.keys,
            [
                "id", "planId", "planName", "status", "currentPeriodEnd", "billingInterval", "features",
            ]
        )
        expectEqual(subscription["planName"], .null)
        expectEqual(subscription["billingInterval"], .null)
        expectEqual(subscription["features"], [])
    }

    @Test func `8.1 a lapsed account is past due with an empty battery`() throws {
        let reply = try harness.get(Self.path, token: try harness.mint(Harness.lapsed))
        expectEqual(reply.text(at: "subscription.status"), "past_due")
        expectEqual(reply.json["battery"], ["totalBalance": 0, "dailyAllowance": 0, "lastDailyReset": "2024-12-27"])
    }

    @Test(arguments: [
        (#"{"name":"N"}"#, ["id", "updatedAt", "name"]), (#"{"imageUrl":"u"}"#, ["id", "updatedAt", "imageUrl"]),
        (#"{"imageUrl":"u","name":"N"}"#, ["id", "updatedAt", "name", "imageUrl"]),
        (#"{"name":"","imageUrl":"u"}"#, ["id", "updatedAt", "imageUrl"]),
        (#"{"name":"N","imageUrl":null,"email":"x@example.com","tier":"free"}"#, ["id", "updatedAt", "name"]),
    ])
    func `8.2 a change answers what was sent and shows in the profile`(body: String, keys: [String]) throws {
        try harness.advance(.seconds(3))
        let reply = try harness.send(.patch, Self.path, token: token, body: Array(body.utf8))
        expectEqual(reply.keys, keys)
        expectEqual(reply.text(at: "id"), "user_power_account_01")
        expectEqual(reply.text(at: "updatedAt"), "2025-01-01T12:00:03Z")
        let profile = try harness.get(Self.path, token: token)
        expectEqual(profile.text(at: "name"), keys.contains("name") ? "N" : "Power Account")
        expectEqual(
            profile.text(at: "imageUrl"),
            keys.contains("imageUrl") ? "u" : "https://images.omnichat.test/power.png"
        )
        expectEqual(profile.text(at: "email"), "power@omnichat.test")
        expectEqual(profile.text(at: "tier"), "paid")
    }

    @Test(arguments: [
        #"{}"#, #"{"name":""}"#, #"{"name":null,"imageUrl":null}"#, #"{"name":"","imageUrl":""}"#, #"{"email":"x"}"#,
    ])
    func `8.2 nothing usable is 400`(body: String) throws {
        let reply = try harness.send(.patch, Self.path, token: token, body: Array(body.utf8))
        expectEqual(reply.error, "400 No fields to update")
    }
}
