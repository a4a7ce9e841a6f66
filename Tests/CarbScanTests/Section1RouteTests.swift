import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Section 1: the endpoint table.
struct Section1RouteTests {
    private static let table: [(method: String, path: String, auth: Authentication, provenance: Provenance)] = [
        ("GET", "/health", .none, .documented),
        ("GET", "/config", .none, .documented),
        ("POST", "/auth/apple", .none, .documented),
        ("POST", "/auth/magic-link/request", .none, .documented),
        ("POST", "/auth/magic-link/verify", .none, .documented),
        ("POST", "/auth/refresh", .none, .documented),
        ("POST", "/auth/revoke", .none, .documented),
        ("GET", "/auth/me", .bearer, .documented),
        ("POST", "/devices/register", .optional, .documented),
        ("POST", "/devices/unregister", .optional, .documented),
        ("POST", "/analyze", .bearer, .documented),
        ("GET", "/meals", .bearer, .documented),
        ("POST", "/meals/sync", .bearer, .documented),
        ("POST", "/chat", .bearer, .documented),
        ("GET", "/chat/history", .bearer, .documented),
        ("GET", "/insights", .bearer, .documented),
        ("GET", "/subscriptions/status", .bearer, .documented),
        ("POST", "/subscriptions/validate-receipt", .bearer, .planned),
        ("POST", "/subscriptions/sync", .bearer, .planned),
        ("GET", "/auth/mobile/authorize", .none, .beyondTheDocument),
        ("POST", "/auth/mobile/token", .none, .beyondTheDocument),
        ("POST", "/auth/replit", .none, .beyondTheDocument),
        ("GET", "//auth/keys", .none, .assumed),
    ]

    @Test func `1 the table has these 23 rows and no others`() throws {
        let harness = try Harness()
        let declared = harness.emulator.apis[0].routes.map {
            "\($0.method.rawValue) \($0.template) \($0.authentication) \($0.provenance)"
        }
        let wanted = Self.table.map { row in
            let path = row.path.hasPrefix("//") ? String(row.path.dropFirst()) : Harness.base + row.path
            return "\(row.method) \(path) \(row.auth) \(row.provenance)"
        }
        expectEqual(declared.sorted(), wanted.sorted())
        expectEqual(harness.emulator.apis[0].identity.portOffset, 2)
    }

    @Test func `1 protected rows answer 401 without a token, the others never look at one`() throws {
        for row in Self.table {
            let harness = try Harness()
            let path = row.path.hasPrefix("//") ? String(row.path.dropFirst()) : Harness.base + row.path
            let bare = try harness.send(HTTPMethod(rawValue: row.method), path)
            let bad = try harness.send(HTTPMethod(rawValue: row.method), path, token: "bad.token.here")
            if row.auth == .bearer {
                expectEqual(bare.error, "401 UNAUTHORIZED", "\(row)")
                expectEqual(bad.error, "401 UNAUTHORIZED", "\(row)")
            } else {
                expectEqual(bare.status, bad.status, "\(row)")
                expectEqual(bare.bytes, bad.bytes, "\(row)")
                #expect(bare.status != 401 || row.path == "/auth/replit", "\(row)")
            }
        }
    }

    @Test(arguments: [
        "GET /", "GET /api", "GET /api/mobile", "GET /api/mobile/v1", "GET /api/mobile/v2/health", "GET /health",
        "GET /api/mobile/v1/Health", "POST /api/mobile/v1/auth", "DELETE /api/mobile/v1/meals/1",
        "GET /api/mobile/v1/meals/1", "GET /api/mobile/v1/auth/keys", "POST /api/mobile/v1/auth/google",
        "POST /api/notifications/send", "GET /openapi.json",
    ])
    func `15 what is not in the table is 404 in the envelope`(call: String) throws {
        let harness = try Harness()
        let parts = call.split(separator: " ").map(String.init)
        let reply = try harness.send(HTTPMethod(rawValue: parts[0]), parts[1], token: try harness.mint(Harness.free))
        expectEqual(reply.error, "404 NOT_FOUND")
    }
}
