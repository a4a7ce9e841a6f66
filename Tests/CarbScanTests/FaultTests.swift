import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Injected faults: their position among the checks (section 2), their codes (section 3), and single credentials.
struct FaultTests {
    @Test(arguments: [500, 429, 401])
    func `2 the order of checks has the route before an injected fault`(status: Int) throws {
        let harness = try Harness()
        try harness.add(fault: ["effect": ["status": .integer(Int64(status))]])
        try expectEqual(harness.get("/nothing").error, "404 NOT_FOUND")
        // What a request asks for itself is an injected fault too.
        try expectEqual(harness.get("/nothing", headers: [("Prefer", "code=500")]).error, "404 NOT_FOUND")
        try expectEqual(harness.get("/nothing?__code=x").error, "404 NOT_FOUND")
        try expectEqual(harness.get("/health", headers: [("Prefer", "code=503")]).status, 503)
        try expectEqual(harness.send(.delete, Harness.base + "/meals").error, "405 METHOD_NOT_ALLOWED")
        try expectEqual(harness.send(.options, Harness.base + "/meals").status, 204)
        try expectEqual(harness.get("/health").status, status)
        // And before the credential and the body.
        try expectEqual(harness.post("/chat", text: "{").status, status)
    }

    @Test(arguments: [
        (400, "VALIDATION_ERROR"), (401, "UNAUTHORIZED"), (403, "SERVER_ERROR"), (404, "NOT_FOUND"),
        (405, "METHOD_NOT_ALLOWED"), (409, "RECEIPT_IN_USE"), (413, "PAYLOAD_TOO_LARGE"), (429, "RATE_LIMITED"),
        (500, "SERVER_ERROR"), (501, "NOT_IMPLEMENTED"), (502, "SERVER_ERROR"), (503, "SERVICE_UNAVAILABLE"),
        (504, "SERVER_ERROR"),
    ])
    func `3 each injected status has its code, and a sentence`(status: Int, code: String) throws {
        let harness = try Harness()
        try harness.add(fault: ["effect": ["status": .integer(Int64(status)), "retryAfter": 7]])
        for path in ["/health", "/config", "/auth/me", "/meals"] {
            let reply = try harness.get(path)
            expectEqual(reply.error, "\(status) \(code)")
            expectEqual(reply["Retry-After"], "7")
            expectEqual(reply.json.at("error.message").stringValue?.contains(" "), true)
        }
    }

    @Test func `3 an injected code and its message take the place of the usual ones`() throws {
        for (path, code) in [
            ("/auth/me", "AUTH_ERROR"), ("/config", "CONFIG_ERROR"), ("/devices/register", "REGISTRATION_ERROR"),
        ] {
            let harness = try Harness()
            try harness.add(fault: ["effect": ["status": 500, "code": .string(code)]])
            let method: HTTPMessage.HTTPMethod = path.hasPrefix("/devices") ? .post : .get
            try expectEqual(harness.send(method, Harness.base + path).error, "500 \(code)")
        }
        let harness = try Harness()
        try harness.add(fault: ["effect": ["status": 500, "code": "CONFIGURATION_ERROR"]])
        let message = try harness.post("/auth/apple", json: [:]).json.at("error.message").stringValue ?? ""
        #expect(message.contains("Apple Sign In") && message.contains("not configured"))
        try harness.add(fault: ["effect": ["status": 500, "message": "Ours"]])
        try expectEqual(harness.get("/meals").json.at("error.code"), "CONFIGURATION_ERROR")
    }

    @Test func `3 an injected 403 is the quota error of its route, with the account's numbers`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.essentials)
        try harness.add(fault: ["effect": ["status": 403]])
        try expectEqual(
            harness.analyze(Harness.picture, token).error,
            #"403 NO_SCANS_REMAINING {"remainingScans":0,"scanResetDate":"2025-02-01T00:00:00.000Z","subscriptionTier":"essentials"}"#
        )
        try expectEqual(
            harness.ask("x", token).error,
            #"403 CHAT_LIMIT_REACHED {"remainingChats":0,"dailyLimit":3,"subscriptionTier":"essentials"}"#
        )
    }

    @Test(arguments: ["expire", "revoke"])
    func `control 8 tokens ends the credential that was sent and no other`(manner: String) throws {
        let harness = try Harness()
        let (access, refresh) = try harness.signIn(as: Harness.free)
        let other = try harness.signIn(as: Harness.free)
        try harness.add(fault: [
            "match": ["path": "/api/mobile/v1/auth/me"], "when": ["times": 1], "effect": ["tokens": .string(manner)],
        ])
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(access).error, "401 UNAUTHORIZED")
        try expectEqual(harness.me(other.access).status, 200)
        let renewed = try harness.refresh(refresh)
        try expectEqual(harness.me(renewed.at("accessToken").stringValue ?? "").status, 200)
        try harness.add(fault: [
            "match": ["path": "/api/mobile/v1/auth/refresh"], "when": ["times": 1],
            "effect": ["tokens": .string(manner)],
        ])
        for _ in 0..<2 { try expectEqual(harness.refresh(refresh).error, "401 UNAUTHORIZED") }
        try expectEqual(harness.refresh(other.refresh).status, 200)
        try harness.add(fault: [
            "match": ["path": "/api/mobile/v1/auth/apple"], "when": ["times": 1], "effect": ["tokens": .string(manner)],
        ])
        let identity = try harness.mint(Harness.free, .appleIdentity)
        for _ in 0..<2 { try expectEqual(harness.apple(identity).error, "401 INVALID_TOKEN") }
        try expectEqual(harness.apple("mock_apple:\(Harness.free)").status, 200)
    }

    @Test func `control 8 user is known behind every kind of credential`() throws {
        let harness = try Harness()
        try harness.add(fault: ["match": ["user": .string(Harness.free)], "effect": ["status": 503]])
        try expectEqual(harness.me(try harness.mint(Harness.free)).status, 503)
        try expectEqual(harness.refresh(try harness.mint(Harness.free, .refresh, .expired)).status, 503)
        try expectEqual(harness.apple(try harness.mint(Harness.free, .appleIdentity)).status, 503)
        try expectEqual(harness.apple("mock_apple:\(Harness.free)").status, 503)
        try expectEqual(harness.apple("mock_apple:\(Harness.pro)").status, 200)
        try expectEqual(harness.apple("somebody else").status, 200)
    }
}

extension Harness {
    /// Adds a fault as the control API takes it.
    func add(fault: JSON) throws {
        let list = JSON.array([fault]).serialized()
        for spec in try FaultFile.read(list, place: "test", apis: ["carbscan"], scope: "carbscan") {
            try hosted().world.faults.add(spec, .start)
        }
    }
}
