import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Section 1: the table of endpoints.
struct Section1RouteTests {
    private static let documented = """
        POST /api/mobile/auth/request-otp
        POST /api/mobile/auth/verify-otp
        POST /api/mobile/auth/refresh
        POST /api/mobile/auth/signout
        GET /api/mobile/v1/onboarding/status
        GET /api/mobile/v1/onboarding/draft
        POST /api/mobile/v1/onboarding/step
        POST /api/mobile/v1/onboarding/save-draft-details
        POST /api/mobile/v1/onboarding/save-draft-taxonomies
        POST /api/mobile/v1/onboarding/complete
        GET /api/mobile/v1/locations/regions
        GET /api/mobile/v1/locations/cities
        GET /api/mobile/v1/profile/me
        POST /api/mobile/v1/profile/basics
        POST /api/mobile/v1/profile/phone
        POST /api/mobile/v1/profile/gender
        GET /api/mobile/v1/profile/picture/upload-url
        POST /api/mobile/v1/profile/picture/complete
        POST /api/mobile/v1/profile/education
        PATCH /api/mobile/v1/profile/education/{id}
        DELETE /api/mobile/v1/profile/education/{id}
        POST /api/mobile/v1/profile/experience
        PATCH /api/mobile/v1/profile/experience/{id}
        DELETE /api/mobile/v1/profile/experience/{id}
        POST /api/mobile/v1/profile/projects
        PATCH /api/mobile/v1/profile/projects/{id}
        DELETE /api/mobile/v1/profile/projects/{id}
        POST /api/mobile/v1/profile/awards
        PATCH /api/mobile/v1/profile/awards/{id}
        DELETE /api/mobile/v1/profile/awards/{id}
        GET /api/mobile/v1/ai/config
        POST /api/mobile/v1/ai/config
        GET /api/mobile/v1/ai/skills
        GET /api/mobile/v1/ai/path/active
        GET /api/mobile/v1/ai/path
        POST /api/mobile/v1/ai/path/complete-module
        POST /api/mobile/v1/ai/path/incomplete-module
        POST /api/mobile/v1/ai/path/unenroll
        POST /api/chat/send
        GET /api/chat/status
        GET /api/mobile/v1/events
        GET /api/mobile/v1/events/{id}
        POST /api/mobile/v1/events/{id}/register
        POST /api/mobile/v1/events/{id}/cancel
        GET /api/mobile/openapi.json
        GET /api/mobile/docs
        """
    private static let beyond = """
        POST /api/mobile/auth/signup
        POST /api/mobile/auth/signin
        """
    private static let planned = """
        POST /api/mobile/v1/auth/request-otp
        POST /api/mobile/v1/auth/verify-otp
        POST /api/mobile/v1/auth/refresh
        POST /api/mobile/v1/auth/signout
        POST /api/mobile/v1/chat/send
        GET /api/mobile/v1/chat/status
        POST /api/mobile/v1/profile/picture
        GET /api/mobile/v1/chat/history
        GET /api/mobile/v1/taxonomies/skills
        GET /api/mobile/v1/taxonomies/interests
        POST /api/mobile/auth/apple
        """
    private static let assumed = """
        POST /api/storage/upload
        GET /api/storage/{storageId}
        """

    @Test func `1 the table has 61 rows: 46 D, 2 B, 11 P and 2 A`() throws {
        let routes = try Harness().emulator.apis[0].routes
        func lines(_ provenance: Provenance) -> [String] {
            routes.filter { $0.provenance == provenance }.map { "\($0.method.rawValue) \($0.template)" }.sorted()
        }
        func wanted(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }
        expectEqual(lines(.documented), wanted(Self.documented))
        expectEqual(lines(.beyondTheDocument), wanted(Self.beyond))
        expectEqual(lines(.planned), wanted(Self.planned))
        expectEqual(lines(.assumed), wanted(Self.assumed))
        expectEqual(routes.count, 61)
    }

    @Test func `1 the bearer column holds: every bearer route is 401 without one, the others are not`() throws {
        let harness = try Harness()
        for route in harness.emulator.apis[0].routes {
            let path = route.template.replacing("{id}", with: "event_full_sohar").replacing("{storageId}", with: "x")
            let reply = try harness.send(route.method, path)
            if route.authentication == .bearer {
                expectEqual(reply.error, "401 unauthorized", "\(route.method.rawValue) \(path)")
            } else {
                #expect(reply.status != 401 || path.hasSuffix("/signin") || path.hasSuffix("/apple"), "\(path)")
            }
        }
    }

    @Test(arguments: [
        "/", "/api", "/api/auth", "/api/mobile", "/api/mobile/v1", "/api/mobile/v1/profile/experiences",
        "/api/mobile/v1/events/", "/api/mobile/v2/events", "/API/mobile/docs", "/api/storage",
    ])
    func `1 nothing else is served`(path: String) throws {
        let harness = try Harness()
        try expectEqual(harness.get(path).error, "404 not_found")
        try expectEqual(harness.post(path).error, "404 not_found")
    }

    @Test func `1 the aliases of rows 49 and 50 behave as their originals`() throws {
        let harness = try Harness()
        _ = try harness.post("/api/mobile/v1/auth/request-otp", json: ["email": .string(Harness.layla)])
        let verified = try harness.post(
            "/api/mobile/v1/auth/verify-otp",
            json: ["email": .string(Harness.layla), "code": "123456"]
        )
        expectEqual(verified.keys, ["token", "refreshToken"])
        let refreshed = try harness.post(
            "/api/mobile/v1/auth/refresh",
            json: ["refreshToken": .string(verified.text(at: "refreshToken"))]
        )
        let token = refreshed.text(at: "token")
        let sent = try harness.post(
            "/api/mobile/v1/chat/send",
            token: token,
            json: ["skillId": "aiskill_data", "message": "hi"]
        )
        expectEqual(sent.text(at: "conversationId"), "conversation_0001")
        let status = try harness.get("/api/mobile/v1/chat/status?sessionId=\(sent.text(at: "sessionId"))")
        expectEqual(status.text(at: "status"), "queued")
        try expectEqual(harness.post("/api/mobile/v1/auth/signout", token: token).text, #"{"ok":true}"#)
        let refused = try harness.refresh(refreshed.text(at: "refreshToken"))
        expectEqual(refused.error, "400 invalid_refresh")
        let foreign = try harness.post("/api/mobile/v1/auth/signout", headers: [(.origin, "http://evil.test")])
        expectEqual(foreign.error, "403 invalid_origin")
    }
}
