import APIDocs
import Backend
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// The OpenAPI document of CarbScan: every error of section 3 on the routes that have it, in the API's own form.
struct DocumentTests {
    private let harness: Harness
    private let routes: [RouteSummary]

    init() throws {
        harness = try Harness()
        routes = harness.emulator.apis[0].routes
    }

    /// The errors of sections 7.1 to 7.23, without those that every path can have.
    private static let errors: [String: [String]] = [
        "GET /api/mobile/v1/health": [],
        "GET /api/mobile/v1/config": ["500 CONFIG_ERROR"],
        "POST /api/mobile/v1/auth/apple": [
            "400 VALIDATION_ERROR", "401 INVALID_TOKEN", "500 CONFIGURATION_ERROR", "500 AUTH_ERROR",
        ],
        "POST /api/mobile/v1/auth/magic-link/request": ["400 VALIDATION_ERROR", "500 AUTH_ERROR"],
        "POST /api/mobile/v1/auth/magic-link/verify": [
            "400 VALIDATION_ERROR", "401 INVALID_TOKEN", "500 AUTH_ERROR", "501 NOT_IMPLEMENTED",
        ],
        "POST /api/mobile/v1/auth/refresh": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "500 AUTH_ERROR"],
        "POST /api/mobile/v1/auth/revoke": ["400 VALIDATION_ERROR", "500 AUTH_ERROR"],
        "GET /api/mobile/v1/auth/me": ["401 UNAUTHORIZED", "500 AUTH_ERROR"],
        "POST /api/mobile/v1/devices/register": ["400 VALIDATION_ERROR", "500 REGISTRATION_ERROR"],
        "POST /api/mobile/v1/devices/unregister": ["400 VALIDATION_ERROR", "500 REGISTRATION_ERROR"],
        "POST /api/mobile/v1/analyze": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "403 NO_SCANS_REMAINING"],
        "GET /api/mobile/v1/meals": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED"],
        "POST /api/mobile/v1/meals/sync": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED"],
        "POST /api/mobile/v1/chat": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "403 CHAT_LIMIT_REACHED"],
        "GET /api/mobile/v1/chat/history": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED"],
        "GET /api/mobile/v1/insights": ["401 UNAUTHORIZED"],
        "GET /api/mobile/v1/subscriptions/status": ["401 UNAUTHORIZED"],
        "POST /api/mobile/v1/subscriptions/validate-receipt": [
            "400 VALIDATION_ERROR", "400 INVALID_RECEIPT", "401 UNAUTHORIZED", "409 RECEIPT_IN_USE",
            "501 NOT_IMPLEMENTED",
        ],
        "POST /api/mobile/v1/subscriptions/sync": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "501 NOT_IMPLEMENTED"],
        "GET /api/mobile/v1/auth/mobile/authorize": ["400 VALIDATION_ERROR"],
        "POST /api/mobile/v1/auth/mobile/token": ["400 VALIDATION_ERROR", "400 INVALID_GRANT", "500 AUTH_ERROR"],
        "POST /api/mobile/v1/auth/replit": ["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "500 AUTH_ERROR"],
        "GET /auth/keys": [],
    ]
    private static let everywhere = [
        "413 PAYLOAD_TOO_LARGE", "429 RATE_LIMITED", "500 SERVER_ERROR", "503 SERVICE_UNAVAILABLE",
    ]

    @Test func `3 7 every error of a route is declared, with an example in the envelope`() {
        expectEqual(routes.count, Self.errors.count)
        for route in routes {
            let name = "\(route.method.rawValue) \(route.template)"
            let examples = route.answers.filter { $0.status.code >= 400 }.compactMap { answer -> String? in
                guard case .json(_, let schema, "application/json") = answer.content, let example = answer.example
                else { return nil }
                #expect(JSONSchemaValidator.validate(example, against: schema).isEmpty, "\(name)")
                expectEqual(example.objectValue?.members.map(\.name), ["success", "error", "meta"], "\(name)")
                expectEqual(example["error"]?["message"]?.stringValue?.isEmpty, false, "\(name)")
                return "\(answer.status.code) \(example["error"]?["code"]?.stringValue ?? "")"
            }
            for error in (Self.errors[name] ?? ["a row of the table"]) + Self.everywhere {
                #expect(examples.contains(error), "\(name): \(error)")
            }
        }
    }

    @Test func `7 the limits of fields and parameters are in the document`() throws {
        let document = OpenAPIDescription(harness.emulator.apis[0], servers: ["http://127.0.0.1:4682"]).document
        func property(_ schema: String, _ name: String) -> JSON? {
            document["components"]?["schemas"]?[schema]?["properties"]?[name]
        }
        expectEqual(property("CodeExchange", "code_verifier")?["minLength"], 43)
        expectEqual(property("CodeExchange", "code_verifier")?["maxLength"], 128)
        let meals = document["paths"]?["/api/mobile/v1/meals"]?["get"]?["parameters"]?.arrayValue ?? []
        expectEqual(meals.map { $0["schema"]?["minimum"] }, [1, 0])
        let session = document["paths"]?["/api/mobile/v1/auth/replit"]?["post"]?["parameters"]?[0]
        expectEqual(session?["in"], "cookie")
        expectEqual(session?["name"], "connect.sid")
    }

    @Test func `7 the example of every body fits its schema and is no bad request`() throws {
        for route in routes {
            guard case .json(_, let schema, _, let example, _) = route.body else { continue }
            let body = try #require(example, "\(route.template) has no example")
            #expect(JSONSchemaValidator.validate(body, against: schema).isEmpty, "\(route.template)")
            let token = try harness.mint(Harness.pro)
            let reply = try harness.send(
                route.method,
                route.template,
                token: token,
                body: body.serialized(),
                headers: [Harness.json]
            )
            // A token or a code of an example is nobody's; its form is right.
            #expect(!reply.text.contains("VALIDATION_ERROR"), "\(route.template): \(reply.text)")
        }
    }
}
