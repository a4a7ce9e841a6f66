import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Section 1: addresses and endpoint table.
struct Section1RouteTests {
    /// Rows 5 to 7 share one path: `grant_type` tells them apart.
    static let table: [(method: String, path: String, isOpen: Bool, provenance: Provenance)] = [
        ("GET", "/api/v1/users/onboarding", false, .documented),
        ("PATCH", "/api/v1/users/onboarding", false, .documented),
        ("DELETE", "/api/v1/users/onboarding", false, .documented),
        ("POST", "/auth/v1/signup", true, .beyondTheDocument),
        ("POST", "/auth/v1/token", true, .beyondTheDocument),
        ("GET", "/auth/v1/user", false, .beyondTheDocument),
        ("PUT", "/auth/v1/user", false, .beyondTheDocument),
        ("POST", "/auth/v1/logout", false, .beyondTheDocument),
        ("GET", "/auth/v1/.well-known/jwks.json", true, .beyondTheDocument),
        ("GET", "/health", true, .beyondTheDocument),
        ("POST", "/api/v1/auth/login", true, .beyondTheDocument),
        ("POST", "/api/v1/auth/signup", true, .beyondTheDocument),
        ("POST", "/api/v1/auth/logout", true, .beyondTheDocument),
        ("GET", "/api/v1/auth/me", false, .beyondTheDocument),
        ("GET", "/api/v1/me/sync", false, .beyondTheDocument),
        ("GET", "/api/v1/changes", false, .beyondTheDocument),
        ("GET", "/api/v1/changes/latest-cursor", false, .beyondTheDocument),
        ("GET", "/api/v1/events", false, .beyondTheDocument),
        ("GET", "/api/v1/events/export", false, .beyondTheDocument),
        ("POST", "/api/v1/events", false, .beyondTheDocument),
        ("POST", "/api/v1/events/batch", false, .beyondTheDocument),
        ("GET", "/api/v1/events/{id}", false, .beyondTheDocument),
        ("PUT", "/api/v1/events/{id}", false, .beyondTheDocument),
        ("DELETE", "/api/v1/events/{id}", false, .beyondTheDocument),
        ("GET", "/api/v1/event-types", false, .beyondTheDocument),
        ("POST", "/api/v1/event-types", false, .beyondTheDocument),
        ("GET", "/api/v1/event-types/{id}", false, .beyondTheDocument),
        ("PUT", "/api/v1/event-types/{id}", false, .beyondTheDocument),
        ("DELETE", "/api/v1/event-types/{id}", false, .beyondTheDocument),
        ("GET", "/api/v1/event-types/{id}/properties", false, .beyondTheDocument),
        ("POST", "/api/v1/event-types/{id}/properties", false, .beyondTheDocument),
        ("GET", "/api/v1/property-definitions/{id}", false, .beyondTheDocument),
        ("PUT", "/api/v1/property-definitions/{id}", false, .beyondTheDocument),
        ("DELETE", "/api/v1/property-definitions/{id}", false, .beyondTheDocument),
        ("GET", "/api/v1/geofences", false, .beyondTheDocument),
        ("POST", "/api/v1/geofences", false, .beyondTheDocument),
        ("GET", "/api/v1/geofences/{id}", false, .beyondTheDocument),
        ("PUT", "/api/v1/geofences/{id}", false, .beyondTheDocument),
        ("DELETE", "/api/v1/geofences/{id}", false, .beyondTheDocument),
        ("GET", "/api/v1/insights", false, .beyondTheDocument),
        ("GET", "/api/v1/insights/correlations", false, .beyondTheDocument),
        ("GET", "/api/v1/insights/streaks", false, .beyondTheDocument),
        ("GET", "/api/v1/insights/weekly-summary", false, .beyondTheDocument),
        ("POST", "/api/v1/insights/refresh", false, .beyondTheDocument),
        ("GET", "/api/v1/analytics/summary", false, .beyondTheDocument),
        ("GET", "/api/v1/analytics/trends", false, .beyondTheDocument),
        ("GET", "/api/v1/analytics/event-type/{id}", false, .beyondTheDocument),
        ("GET", "/rest/v1/profiles", false, .assumed),
        ("POST", "/rest/v1/profiles", false, .assumed),
        ("PATCH", "/rest/v1/profiles", false, .assumed),
    ]

    @Test func `1 the table has these rows and no others`() throws {
        let harness = try Harness()
        let declared = harness.emulator.apis[0].routes.map { "\($0.method.rawValue) \($0.template) \($0.provenance)" }
        let wanted = Self.table.map { "\($0.method) \($0.path) \($0.provenance)" }
        expectEqual(declared.sorted(), wanted.sorted())
        expectEqual(harness.emulator.apis[0].identity.portOffset, 5)
        expectEqual(harness.emulator.apis[0].identity.name, "trendy")
    }

    @Test
    func `1 the bearer routes refuse a call without a token, each in its server's form, before they look at a body`()
        throws
    {
        let harness = try Harness()
        for row in Self.table where !row.isOpen {
            let path = row.path.replacing("{id}", with: "019422d2-5a00-7000-8000-000000000001")
            let reply = try harness.send(
                HTTPMethod(rawValue: row.method),
                path,
                body: Array("{broken".utf8),
                headers: [Harness.modern]
            )
            switch row.path.dropFirst().prefix(4) {
            case "api/": expectEqual(reply.problem, "401 unauthorized", "\(row)")
            case "auth": expectEqual(reply.auth, "401 no_authorization", "\(row)")
            default:
                expectEqual(
                    reply.text,
                    #"{"code":"PGRST301","details":null,"hint":null,"message":"JWT expired"}"#,
                    "\(row)"
                )
                expectEqual(reply.status, 401, "\(row)")
            }
        }
    }

    @Test func `1 the open routes answer without a token, and whatever token is sent is not looked at`() throws {
        let harness = try Harness()
        for row in Self.table where row.isOpen {
            for token in [nil, "the-anon-key", "a.b.c"] {
                let reply = try harness.send(HTTPMethod(rawValue: row.method), row.path, token: token)
                #expect([200, 400].contains(reply.status), "\(row) \(reply.text)")
            }
        }
    }

    @Test(arguments: [
        "GET /", "GET /api", "GET /api/v1", "GET /users/onboarding", "GET /api/v1/users",
        "GET /api/v2/users/onboarding",
        "POST /api/v1/users/onboarding", "PUT /api/v1/users/onboarding", "HEAD /api/v1/users/onboarding",
        "PATCH /api/v1/events/x", "DELETE /api/v1/events", "GET /api/v1/auth/login", "POST /health", "HEAD /health",
        "GET /api/v1/Events", "GET /api/v1/events/x/y", "GET /api/v1/properties", "GET /Health",
    ])
    func `7.3 D9 what is no route is 404 as text, a route with another method too, with or without a token`(
        call: String
    ) throws {
        let harness = try Harness()
        let parts = call.split(separator: " ").map(String.init)
        for token in [nil, try harness.mint("new@trendy.example"), "nonsense"] {
            let reply = try harness.send(HTTPMethod(rawValue: parts[0]), parts[1], token: token)
            expectEqual(reply.status, 404)
            expectEqual(reply.text, "404 page not found")
            expectEqual(reply.fields.values(.contentType), ["text/plain"])
            expectEqual(reply["X-Frame-Options"], "DENY")
            expectEqual(reply["X-Request-ID"]?.isEmpty, false)
        }
    }

    @Test func `1 the hub serves the same paths below its mount`() throws {
        let harness = try Harness()
        harness.entryPoint = .hub
        let token = try harness.mint("new@trendy.example")
        try expectEqual(harness.get("/trendy/api/v1/users/onboarding", token: token).status, 200)
        try expectEqual(harness.get("/trendy/health").text, #"{"env":"development","status":"ok"}"#)
        try expectEqual(harness.get("/trendy/api/v1/nothing", token: token).text, "404 page not found")
    }

    @Test func `1 there are three ways to a token, and each opens the API`() throws {
        let harness = try Harness()
        let credentials: JSON = ["email": "new@trendy.example", "password": .string(Harness.password)]
        let tokens = [
            try harness.signIn("new").text(at: "access_token"),
            try harness.post("/api/v1/auth/login", json: credentials).text(at: "access_token"),
            try harness.mint("new@trendy.example"),
        ]
        for token in tokens { try expectEqual(harness.get(Harness.onboarding, token: token).status, 200) }
    }
}
