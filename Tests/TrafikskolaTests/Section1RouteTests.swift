import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Section 1: the endpoint table.
struct Section1RouteTests {
    private static let documented = [
        "POST M/auth/refresh", "POST M/auth/quick-login", "GET M/config", "GET /api/app-config",
        "GET M/student/profile", "PUT M/student/profile", "POST M/student/avatar", "DELETE M/student/avatar",
        "GET M/i18n", "GET /logo.png", "GET /icon.png", "GET /splash.png", "GET /avatars/{file}",
    ]
    private static let beyond = [
        "POST M/auth/request-otp", "POST M/auth/verify-otp", "POST M/auth/login", "POST M/auth/logout",
        "POST M/device/register", "DELETE M/device/register", "GET M/notifications", "POST M/notifications",
        "GET M/bookings", "POST M/bookings", "DELETE M/bookings/{id}", "GET M/bookings/lesson-types",
        "GET M/bookings/available-slots", "GET M/bookings/available-sessions", "GET M/invoices",
        "POST M/invoices/{id}/payment/initiate", "GET M/invoices/{id}/payment/{paymentId}/status", "GET M/korklar",
        "GET M/lms/courses", "GET M/lms/courses/{id}/structure", "GET M/lms/lessons/{id}",
        "PUT M/lms/lessons/{id}/progress", "GET M/lms/quizzes/{id}", "POST M/lms/quizzes/{id}/submit",
        "GET M/lms/quizzes/practice/categories", "GET M/lms/quizzes/practice", "POST M/lms/quizzes/practice/submit",
        "POST M/sync", "GET M/student/feedback", "GET M/translations/{locale}", "GET M/sync/status",
        "GET /api/admin/app-dashboard/sessions", "DELETE /api/admin/app-dashboard/sessions",
        "GET /api/admin/app-dashboard/devices", "PATCH /api/admin/app-dashboard/devices",
        "POST /api/admin/app-dashboard/push",
    ]
    private static let assumed = [
        "GET M/devices", "DELETE M/devices/{deviceId}", "POST /api/student/generate-quick-login-qr",
    ]
    private static let open = [
        "POST M/auth/refresh", "POST M/auth/quick-login", "GET M/config", "GET /api/app-config", "GET M/i18n",
        "GET /logo.png", "GET /icon.png", "GET /splash.png", "GET /avatars/{file}", "POST M/auth/request-otp",
        "POST M/auth/verify-otp", "POST M/auth/login", "GET M/translations/{locale}",
    ]

    private static func spelled(_ row: String) -> String { row.replacing(" M/", with: " /api/mobile/") }

    @Test func `1 the table has these rows with their standing`() throws {
        let routes = try Harness().emulator.apis[0].routes
        for (provenance, rows) in [
            (Provenance.documented, Self.documented), (.beyondTheDocument, Self.beyond), (.assumed, Self.assumed),
        ] {
            let declared = routes.filter { $0.provenance == provenance }.map { "\($0.method.rawValue) \($0.template)" }
            expectEqual(declared.sorted(), rows.map(Self.spelled).sorted())
        }
        expectEqual(Self.documented.count, 13)
        expectEqual(Self.beyond.count, 30 + 6)
        expectEqual(Self.assumed.count, 3)
    }

    @Test func `1 every row but the open ones asks for a bearer token`() throws {
        let harness = try Harness()
        for route in harness.emulator.apis[0].routes {
            let name = "\(route.method.rawValue) \(route.template)"
            let path = route.template.replacing("{id}", with: "x").replacing("{paymentId}", with: "x")
                .replacing("{deviceId}", with: "x").replacing("{file}", with: "x").replacing("{locale}", with: "sv")
            let reply = try harness.send(route.method, path)
            let isOpen = Self.open.map(Self.spelled).contains(name)
            expectEqual(reply.status == 401, !isOpen, "\(name): \(reply.text)")
            expectEqual(route.authentication == .none, isOpen, "\(name)")
            if !isOpen {
                expectEqual(reply.error, "401 INVALID_TOKEN")
                expectEqual(reply["WWW-Authenticate"], "Bearer")
            }
        }
    }

    @Test(arguments: [
        "/api/admin/app-dashboard/stats", "/api/admin/app-dashboard/settings", "/api/admin/app-dashboard/localization",
        "/api/admin/app-dashboard/rate-limits", "/api/admin/app-dashboard/search",
        "/api/admin/app-dashboard/push/template", "/api/admin/app-dashboard/push/history",
        "/api/mobile/bookings/today/x", "/api/mobile/bookings/today", "/api/mobile/invoices/inv_1",
        "/api/mobile/lms/status",
        "/api/mobile/lms/materials", "/api/mobile/lms/quizzes", "/api/mobile/auth/refresh-token", "/api/config", "/",
        "/api", "/api/mobile", "/api/mobile/", "/api/mobile/config/", "/API/mobile/config", "/avatars", "/avatars/a/b",
    ])
    func `1 what is not emulated answers the plain 404 envelope`(path: String) throws {
        let harness = try Harness()
        try expectEqual(harness.get(path, token: try harness.logIn().access).error, "404 NOT_FOUND")
    }

    @Test func `1 changing a booking is only in the notes and answers the plain 404 too`() throws {
        let harness = try Harness()
        let token = try harness.logIn().access
        let reply = try harness.put("/api/mobile/bookings/bk_1", token: token, json: [:])
        expectEqual(reply.error, "404 NOT_FOUND")
        expectNil(reply[.allow])
        let other = try harness.send(.patch, "/api/mobile/bookings/bk_1", token: token)
        expectEqual(other.error, "405 METHOD_NOT_ALLOWED")
        let list = try harness.put("/api/mobile/bookings/lesson-types", token: token, json: [:])
        expectEqual(list.error, "405 METHOD_NOT_ALLOWED")
    }

    @Test func `1 the segment practice wins over an id`() throws {
        let harness = try Harness()
        let token = try harness.logIn().access
        try expectEqual(harness.get("/api/mobile/lms/quizzes/practice", token: token).text(at: "data.id"), "practice")
        try expectEqual(harness.get("/api/mobile/bookings/lesson-types", token: token).status, 200)
    }
}
