import Backend
import Engine
import EngineTesting
import Foundation
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Sawaed

/// Section 11: the document and the page; and real answers against the declared schemas.
struct Section11DocumentTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func document() throws -> JSON { try harness.get("/api/mobile/openapi.json").json }

    @Test func `11 the document is OpenAPI 3.0.3 with these names`() throws {
        let reply = try harness.get("/api/mobile/openapi.json")
        expectEqual(reply.status, 200)
        expectEqual(reply[.contentType], "application/json")
        let document = reply.json
        expectEqual(document.string("openapi"), "3.0.3")
        expectEqual(document["info"]?.string("title"), "Sawaed Mobile API")
        expectEqual(document["info"]?.string("version"), "1.0.0")
        expectEqual(document["servers"], [["url": "http://127.0.0.1:4681"]])
        expectEqual(document["security"], [["bearerAuth": []]])
        expectEqual(
            document["components"]?["securitySchemes"],
            ["bearerAuth": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]]
        )
        let schemas = document["components"]?["schemas"]?.keys ?? []
        for name in ["ErrorEnvelope", "ChatSendResponse", "ChatStatus", "LearningPath", "OnboardingStatus"] {
            #expect(schemas.contains(name))
        }
    }

    @Test func `11 the paths are rows 1 to 46, each with its security, request and answers`() throws {
        let document = try document()
        var operations: [String] = []
        for path in document["paths"]?.objectValue?.members ?? [] {
            for operation in path.value.objectValue?.members ?? [] {
                let name = "\(operation.name.uppercased()) \(path.name)"
                operations.append(name)
                let isOpen = path.name.hasPrefix("/api/mobile/auth/") || path.name == "/api/chat/status"
                let security = operation.value["security"]
                if isOpen { expectEqual(security, [], "\(name)") }
                if path.name.hasPrefix("/api/mobile/v1") { expectNil(security, "\(name)") }
                #expect(operation.value["responses"]?["200"] != nil, "\(name)")
                let takesBody = ["post", "patch"].contains(operation.name)
                let ignoresBody =
                    ["/signout", "/complete", "/cancel"].contains { path.name.hasSuffix($0) }
                    && !path.name.hasSuffix("picture/complete")
                expectEqual(operation.value["requestBody"] != nil, takesBody && !ignoresBody, "\(name)")
            }
        }
        let routes = harness.emulator.apis[0].routes
        let wanted = routes.filter {
            [.documented, .beyondTheDocument].contains($0.provenance) && !$0.template.hasPrefix("/api/mobile/openapi")
                && !$0.template.hasPrefix("/api/mobile/docs")
        }
        expectEqual(operations.count, 46)
        expectEqual(operations.sorted(), wanted.map { "\($0.method.rawValue) \($0.template)" }.sorted())
    }

    @Test func `11 nothing of OpenAPI 3.1 is left, and every reference leads to a schema`() throws {
        let document = try document()
        let schemas = Set(document["components"]?["schemas"]?.keys ?? [])
        func check(_ json: JSON, _ path: String) {
            switch json {
            case .object(let object):
                for member in object.members {
                    if member.name == "type" { expectNil(member.value.arrayValue, "\(path)") }
                    if member.name == "$ref", let text = member.value.stringValue {
                        #expect(schemas.contains(text.replacing("#/components/schemas/", with: "")), "\(text)")
                    }
                    if member.name == "type" { #expect(member.value != "null", "\(path)") }
                    if member.name != "example" { check(member.value, "\(path).\(member.name)") }
                }
            case .array(let elements): for element in elements { check(element, path) }
            default: break
            }
        }
        check(document["components"] ?? .null, "components")
        check(document["paths"] ?? .null, "paths")
        let status = document["components"]?["schemas"]?["OnboardingStatus"]?["properties"]?["currentStep"]
        expectEqual(status, ["type": "string", "nullable": true])
    }

    @Test func `11 every error a route can have is declared`() throws {
        let codes = [
            "validation_error", "invalid_json", "body_too_large", "invalid_id", "invalid_phone", "invalid_draft",
            "invalid_code", "invalid_refresh", "request_otp_failed", "verify_otp_failed", "refresh_failed",
            "signup_failed", "unauthorized", "invalid_credentials", "forbidden", "unverified", "invalid_origin",
            "not_found", "learning_path_not_found", "module_not_found", "already_registered", "event_full",
            "event_not_available", "registration_not_open", "registration_closed", "event_past", "invite_only",
            "rejected_cannot_reapply", "max_per_user_exceeded", "not_registered", "email_already_exists",
            "user_exists", "rate_limited",
        ]
        let text = try document().text
        for code in codes { #expect(text.contains("\"\(code)\""), "\(code)") }
    }

    @Test func `11 the page works offline and names the document`() throws {
        let page = try harness.get("/api/mobile/docs")
        expectNil(page[.cacheControl], "2.1: no response outside chat carries caching headers")
        expectEqual(page.status, 200)
        expectEqual(page[.contentType]?.hasPrefix("text/html"), true)
        #expect(page.text.contains("/api/mobile/openapi.json"))
        #expect(!page.text.contains("@import") && !page.text.contains("https://cdn"))
        // Style and script come from the same server.
        for attribute in [" src=\"", "<link rel=\"stylesheet\" href=\""] {
            for place in page.text.components(separatedBy: attribute).dropFirst() {
                #expect(place.hasPrefix("/__admin/console/"), "\(place.prefix(60))")
            }
        }
        for route in harness.emulator.apis[0].routes where route.provenance == .documented {
            let isAbout = route.template.hasSuffix("openapi.json") || route.template.hasSuffix("/docs")
            #expect(isAbout || page.text.contains("\(route.method.rawValue) \(route.template)<"), "\(route.template)")
        }
    }

    // MARK: Answers against schemas

    private static let bodies: [String: JSON] = [
        "/request-otp": ["email": "layla@sawaed.test"],
        "/verify-otp": ["email": "layla@sawaed.test", "code": "123456"],
        "/signup": ["email": "a@b.cd", "password": "12345678"],
        "/signin": ["email": "layla@sawaed.test", "password": "sawaed-layla-1"], "/apple": ["identityToken": "t"],
        "/step": ["step": "skills"], "/save-draft-taxonomies": ["skillIds": [], "interestIds": []],
        "/save-draft-details": [
            "firstNameAr": "ن", "lastNameAr": "ت", "firstNameEn": "N", "lastNameEn": "S", "gender": "female",
            "regionId": "region_muscat", "cityId": "city_seeb",
        ],
        "/phone": ["phone": "+968912345678"], "/gender": ["gender": "male"],
        "/picture/complete": ["storageId": "poster_default"],
        "/education": ["institution": "i", "degree": "d", "endYear": "Present"],
        "/experience": ["title": "t", "organization": "o", "endDate": 1.5], "/projects": ["title": "t"],
        "/awards": ["title": "t"], "/ai/config": ["preferredLanguage": "en"],
        "/complete-module": ["aiSkillId": "aiskill_digital", "moduleId": "m2"],
        "/incomplete-module": ["aiSkillId": "aiskill_digital", "moduleId": "m2"],
        "/unenroll": ["aiSkillId": "aiskill_digital"], "/chat/send": ["skillId": "aiskill_data", "message": "x"],
    ]

    private func check(_ reply: Played, _ route: RouteSummary) {
        let name = "\(route.method.rawValue) \(route.template)"
        let declared = route.answers.filter { $0.status.code == reply.status }
        #expect(!declared.isEmpty, "\(name) \(reply.status) is not declared: \(reply.text)")
        let schemas: [JSONSchema] = declared.compactMap {
            if case .json(_, let schema, _) = $0.content { schema } else { nil }
        }
        guard !schemas.isEmpty else { return }
        let fits = schemas.contains { JSONSchemaValidator.validate(reply.json, against: $0).isEmpty }
        #expect(fits, "\(name) \(reply.status): \(reply.text)")
    }

    @Test func `11 live answers of every route fit their schemas, good ones and bad ones`() throws {
        try harness.set(["rateLimits": "off"])
        let token = try harness.mint(Harness.layla)
        let session = try harness.chat("x", token: token)
        var statuses: [String: Set<Int>] = [:]
        for route in harness.emulator.apis[0].routes {
            let name = "\(route.method.rawValue) \(route.template)"
            let kind = route.template.split(separator: "/").dropLast().last.map(String.init) ?? ""
            let rows = [
                "education": "education_layla1", "experience": "experience_layla1", "projects": "project_layla1",
                "awards": "award_0001", "events": "event_open_unlimited",
            ]
            var path = route.template.replacing("{storageId}", with: "poster_default")
            path = path.replacing("{id}", with: rows[kind] ?? "event_open_unlimited")
            let suffix = Self.bodies.keys.filter { route.template.hasSuffix($0) }.max { $0.count < $1.count }
            var body = suffix.flatMap { Self.bodies[$0] } ?? [:]
            if route.template.hasSuffix("/refresh") {
                body = ["refreshToken": .string(try harness.mint(Harness.layla, .refresh))]
            }
            var query = ""
            if route.template.hasSuffix("/status") { query = "?sessionId=\(session.text(at: "sessionId"))" }
            if route.template.hasSuffix("/history") { query = "?conversationId=conversation_0001" }
            if route.template.hasSuffix("/ai/path") { query = "?aiSkillId=aiskill_digital" }
            if route.template.hasSuffix("/storage/upload") {
                let address = try harness.get("\(Harness.v1)/profile/picture/upload-url", token: token)
                query = "?" + (address.text(at: "uploadUrl").split(separator: "?").last.map(String.init) ?? "")
            }
            let isSigned = route.authentication != .none
            let hasBody = [.post, .patch].contains(route.method)
            for (method, target, sent) in [
                (route.method, path + query, hasBody ? body.serialized() : []),
                (route.method, path, hasBody ? Array("{".utf8) : []),
                (route.method, path + "?from=x&pageSize=x", hasBody ? Array(#"{"x":1}"#.utf8) : []),
            ] {
                let reply = try harness.send(method, target, token: isSigned ? token : nil, body: sent)
                check(reply, route)
                statuses[name, default: []].insert(reply.status)
                let bare = try harness.send(method, target, body: sent, headers: [(.origin, "http://evil.test")])
                if route.template != "/api/storage/upload" { check(bare, route) }
                let admin = try harness.mint(Harness.admin)
                if isSigned { check(try harness.send(method, target, token: admin, body: sent), route) }
            }
            let isWhole = statuses[name]?.contains(200) == true
            #expect(isWhole, "\(name) \(statuses[name] ?? [])")
        }
    }

    @Test func `11 the examples of chat status are those of 8_4's table`() throws {
        let route = try #require(harness.emulator.apis[0].routes.first { $0.template == "/api/chat/status" })
        for answer in route.answers where answer.status.code >= 400 {
            let example = try #require(answer.example)
            expectEqual(example.string("sessionId") == "", answer.status != .notFound)
        }
    }

    @Test func `11 the examples of requests are taken, those of answers fit`() throws {
        for route in harness.emulator.apis[0].routes {
            if case .json(_, let schema, _, let example?, _) = route.body {
                #expect(JSONSchemaValidator.validate(example, against: schema).isEmpty, "\(route.template)")
            }
            for answer in route.answers {
                guard let example = answer.example, case .json(_, let schema, _) = answer.content else { continue }
                #expect(JSONSchemaValidator.validate(example, against: schema).isEmpty, "\(route.template)")
            }
        }
    }
}
