import APIDocs
import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import Imaging
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Live answers of all routes against their own declarations, and the document as a whole.
struct OpenAPITests {
    private let harness: Harness
    private let routes: [RouteSummary]

    init() throws {
        harness = try Harness()
        routes = harness.emulator.apis[0].routes
    }

    private func issues(_ reply: Played, _ method: HTTPMessage.HTTPMethod, _ template: String) -> [String] {
        guard let route = routes.first(where: { $0.method == method && $0.template == template }) else {
            return ["no route \(template)"]
        }
        let declared = route.answers.filter { $0.status.code == reply.status }
        guard !declared.isEmpty else { return ["\(reply.status) is not declared: \(reply.text)"] }
        guard reply[.contentType]?.hasPrefix("application/json") == true else { return [] }
        var found: [String] = []
        for answer in declared {
            guard case .json(_, let schema, _) = answer.content else { continue }
            let problems = JSONSchemaValidator.validate(reply.json, against: schema).map { "\($0)" }
            if problems.isEmpty { return [] }
            found += problems
        }
        return found
    }

    @Test func `1 live answers of every route fit their schemas`() throws {
        let anna = try harness.logIn(device: "phone")
        let erik = try harness.logIn(Harness.erik)
        let pay = try harness.post(
            "/api/mobile/invoices/inv_1/payment/initiate",
            token: anna.access,
            json: ["method": "qliro"]
        )
        let payment = pay.text(at: "data.paymentId")
        _ = try harness.post("/api/mobile/auth/request-otp", json: ["email": "anna@example.com"])
        let picture = try #require(Bitmap(width: 4, height: 4, pixels: [UInt8](repeating: 9, count: 64))).png()
        let upload = Part.body(of: [Part(type: "image/png", content: picture)])
        func value(_ route: RouteSummary) -> (path: String, body: [UInt8]) {
            var path = route.template
            for (name, id) in [
                ("{paymentId}", payment), ("{file}", "usr_123.jpg"), ("{locale}", "sv"), ("{deviceId}", "phone"),
            ] { path = path.replacing(name, with: id) }
            for (part, id) in [
                ("invoices", "inv_1"), ("bookings", "bk_2"), ("courses", "course_1"), ("lessons", "lesson_1"),
                ("quizzes", "quiz_1"),
            ] where path.contains("/\(part)/{id}") { path = path.replacing("{id}", with: id) }
            let queries = [
                "/api/mobile/config": "domain=localhost",
                "/api/mobile/bookings/available-slots": "type=lt_45&date=2025-01-02",
                "/api/mobile/bookings/available-sessions": "type=lt_theory", "/api/mobile/sync/status": "deviceId=d",
            ]
            if let query = queries[path] { path += "?\(query)" }
            guard case .json(_, _, _, let example, _) = route.body else { return (path, []) }
            return (path, example?.serialized() ?? [])
        }
        let ending = ["/api/mobile/auth/logout", "/api/mobile/devices/{deviceId}"]
        var seen = 0
        for route in routes.filter({ !ending.contains($0.template) }) + routes.filter({ ending.contains($0.template) })
        {
            let (path, body) = value(route)
            let isStaff = path.hasPrefix("/api/admin")
            let isUpload = path.hasSuffix("/avatar") && route.method == .post
            let reply =
                isUpload
                ? try harness.upload(upload, token: anna.access)
                : try harness.send(
                    route.method,
                    path,
                    token: route.authentication == .none ? nil : (isStaff ? erik : anna).access,
                    body: body
                )
            #expect(issues(reply, route.method, route.template).isEmpty, "\(route.method.rawValue) \(path)")
            if reply.status < 300 { seen += 1 }
            if route.authentication == .bearer {
                #expect(issues(try harness.send(route.method, path), route.method, route.template).isEmpty)
            }
        }
        // All but the refresh with an invented token, the end of an invented session, and what the first ending ended.
        #expect(seen >= routes.count - 5)
    }

    @Test func `1 every route declares its errors with an example that fits`() throws {
        for route in routes {
            for answer in route.answers {
                guard case .json(_, let schema, _) = answer.content, let example = answer.example else { continue }
                #expect(JSONSchemaValidator.validate(example, against: schema).isEmpty, "\(route.template)")
            }
            let statuses = Set(route.answers.map(\.status.code))
            if route.authentication == .bearer {
                #expect(statuses.isSuperset(of: [401, 429, 500, 503]), "\(route.template)")
            }
            guard case .json(_, let schema, _, let example, _) = route.body else { continue }
            #expect(statuses.isSuperset(of: [400, 413]), "\(route.template)")
            if let example {
                #expect(JSONSchemaValidator.validate(example, against: schema).isEmpty, "\(route.template)")
            }
        }
    }

    @Test func `1 the document is whole`() throws {
        let document = OpenAPIDescription(harness.emulator.apis[0], servers: [Harness.origin]).document
        expectEqual(document["openapi"], "3.1.0")
        let paths = document["paths"]?.objectValue?.members ?? []
        expectEqual(paths.reduce(0) { $0 + ($1.value.objectValue?.count ?? 0) }, routes.count)
    }
}
