import APIDocs
import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import OmniChat
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 15: the documents against the routes, the examples and real answers.
@Suite struct DocumentTests {
    private static let methods: [HTTPMessage.HTTPMethod] = [.get, .post, .put, .patch, .delete]

    private func operations(_ document: JSON) -> [(method: String, path: String, operation: JSON)] {
        (document["paths"]?.objectValue?.members ?? []).flatMap { path in
            (path.value.objectValue?.members ?? []).map { ($0.name.uppercased(), path.name, $0.value) }
        }
    }

    @Test func `each document is found under its name, the control API's under two`() throws {
        let harness = try Harness()
        let control = try harness.call(.get, "/openapi.json")
        expectEqual(control.json.string("openapi"), "3.1.0")
        expectEqual(control.json["servers"]?.text, #"[{"url":"http://127.0.0.1:4680"}]"#)
        try expectEqual(harness.call(.get, "/openapi/control.json").text, control.text)
        let chat = try harness.call(.get, "/openapi/omnichat.json")
        expectEqual(chat.json["info"]?.string("title"), "OmniChat")
        expectEqual(
            chat.json["servers"]?.text,
            #"[{"url":"http://127.0.0.1:4683"},{"url":"http://127.0.0.1:4680/omnichat"}]"#
        )
        for name in ["nope.json", "omnichat", "omnichat.yaml", ".json"] {
            try expectEqual(harness.call(.get, "/openapi/\(name)").problem, "404 not-found")
        }
    }

    @Test func `the control document and the router have the same operations`() throws {
        let harness = try Harness()
        let documented = operations(try harness.call(.get, "/openapi.json").json)
        expectEqual(documented.count, Harness.table.value.operations.count)
        for (_, path, operation) in documented { #expect(operation["operationId"] != nil, "\(path)") }
        let routes = Harness.table.value.operations.map(\.route)
        let declared = routes.map { "\($0.method.rawValue) \(OpenAPIDescription.path($0.template))" }
        expectEqual(Set(documented.map { "\($0.method) \($0.path)" }), Set(declared))
        for template in Set(Harness.table.value.operations.map(\.route.template)) {
            let path = String(template.dropFirst("/__admin".count)).replacing("{api}", with: "omnichat")
                .replacing("{name}", with: "unicode").replacing("{name…}", with: "unicode")
                .replacing("{id}", with: "x").replacing("{who}", with: "x").replacing("{slug}", with: "x").replacing(
                    "{file}",
                    with: "x"
                )
            for method in Self.methods {
                let answer = try harness.call(method, path)
                let isRouted = answer.status != 405 && !answer.detail.hasPrefix("There is no control call")
                // The path of one template may be an instance of another: requests/count of requests/{id}.
                let isDeclared = Documented.route(method, "/__admin" + path, routes) != nil
                expectEqual(isRouted, isDeclared, "\(method.rawValue) \(template)")
            }
        }
    }

    @Test func `the document of OmniChat and its router have the same operations`() throws {
        let harness = try Harness()
        let documented = operations(try harness.call(.get, "/openapi/omnichat.json").json)
        expectEqual(documented.count, 19)
        let pairs = Set(documented.map { "\($0.method) \($0.path)" })
        for template in Set(harness.emulator.apis[0].routes.map(\.template)) {
            let path = template.replacing("{id}", with: "x").replacing("{key…}", with: "x/y")
            for method in Self.methods {
                let answer = try harness.chat(method, path)
                let entry = try harness.call(.get, "/requests?limit=1").items[0]
                let isDocumented = pairs.contains("\(method.rawValue) \(OpenAPIDescription.path(template))")
                expectEqual(
                    entry.string("route") == template,
                    isDocumented,
                    "\(method.rawValue) \(template) \(answer.status)"
                )
            }
            try harness.advance(61)
        }
    }

    @Test func `ids of operations are unique and every reference leads to a schema`() throws {
        let harness = try Harness()
        for name in ["control", "omnichat"] {
            let document = try harness.call(.get, "/openapi/\(name).json").json
            let ids = operations(document).map { $0.operation.string("operationId") }
            expectEqual(Set(ids).count, ids.count)
            let known = Set(document["components"]?["schemas"]?.keys ?? [])
            for reference in references(document) { #expect(known.contains(reference), "\(name): \(reference)") }
        }
    }

    private func references(_ json: JSON) -> [String] {
        switch json {
        case .object(let object):
            object.members.flatMap { member -> [String] in
                guard member.name == "$ref", let text = member.value.stringValue else {
                    return references(member.value)
                }
                return [text.replacing("#/components/schemas/", with: "")]
            }
        case .array(let items): items.flatMap(references)
        default: []
        }
    }

    @Test func `every path parameter is declared`() throws {
        let harness = try Harness()
        for name in ["control", "omnichat"] {
            for (method, path, operation) in operations(try harness.call(.get, "/openapi/\(name).json").json) {
                let declared = (operation["parameters"]?.arrayValue ?? []).filter { $0.string("in") == "path" }.map {
                    $0.string("name")
                }
                let named = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                    String($0.dropFirst().dropLast())
                }
                expectEqual(Set(declared), Set(named), "\(method) \(path)")
                expectEqual(declared.count, named.count)
            }
        }
    }

    @Test func `every example fits its schema`() throws {
        let routes = Harness.table.value.operations.map(\.route) + (try Harness()).emulator.apis[0].routes
        var count = 0
        for route in routes {
            let place = "\(route.method.rawValue) \(route.template)"
            if case .json(_, let schema, _, let example?, _) = route.body {
                count += 1
                let issues = JSONSchemaValidator.validate(example, against: schema)
                #expect(issues.isEmpty, "\(place): \(issues)")
            }
            for answer in route.answers {
                guard case .json(_, let schema, _) = answer.content, let example = answer.example else { continue }
                count += 1
                let issues = JSONSchemaValidator.validate(example, against: schema)
                #expect(issues.isEmpty, "\(place) \(answer.status.code): \(issues)")
            }
        }
        #expect(count > 30)
    }

    @Test func `the example of each control body is taken by its call`() throws {
        for operation in Harness.table.value.operations {
            guard case .json(_, _, _, let example?, _) = operation.route.body else { continue }
            // Only a running server sends requests again.
            guard !operation.route.template.hasSuffix("/replay") else { continue }
            let path = String(operation.route.template.dropFirst("/__admin".count)).replacing(
                "{who}",
                with: Harness.user
            )
            let harness = try Harness()
            if path.contains("{name}") { _ = try harness.call(.post, "/gates", #"{"name":"g1"}"#) }
            if path.contains("/stubs/{id}") { _ = try harness.call(.post, "/stubs?api=omnichat", #"{"response":{}}"#) }
            if path.contains("/faults/{id}") { _ = try harness.call(.post, "/faults", #"{"effect":{"status":500}}"#) }
            if path == "/compare" { for _ in 0..<2 { _ = try harness.chat(.get, "/nowhere") } }
            let id = path.contains("/faults/") ? "flt_1" : "stb_1"
            let answer = try harness.call(
                operation.route.method,
                path.replacing("{name}", with: "g1").replacing("{id}", with: id) + "?api=omnichat",
                example.text
            )
            #expect(answer.status < 300, "\(path): \(answer.text)")
        }
    }

    @Test func `a fault is shown without the nulls of its order, but for those of a drift`() throws {
        let harness = try Harness()
        let gap = try harness.call(
            .post,
            "/faults",
            #"{"when":{"times":2,"every":null},"effect":{"status":null,"stream":{"gapMs":0,"afterEvents":null}}}"#
        )
        expectEqual(gap.status, 201)
        expectEqual(gap.json["when"]?.text, #"{"times":2}"#)
        expectEqual(gap.json["effect"]?.text, #"{"stream":{"gapMs":0}}"#)
        let drift = try harness.call(.post, "/faults", #"{"effect":{"drift":{"set":"title","to":null}}}"#)
        expectEqual(drift.json["effect"]?.text, #"{"drift":{"set":"title","to":null}}"#)
    }

    @Test func `real answers of OmniChat fit what its document says of them`() throws {
        let harness = try Harness()
        let routes = harness.emulator.apis[0].routes
        var covered: Set<String> = []
        func ask(_ method: HTTPMessage.HTTPMethod, _ path: String, _ body: JSON? = nil, token: String? = nil) throws
            -> Played
        {
            let played = try harness.chat(method, path, body, token: token)
            let plain = String(path.prefix { $0 != "?" })
            guard let route = Documented.route(method, plain, routes) else {
                Issue.record("\(method.rawValue) \(path) is not documented")
                return played
            }
            let issues = Documented.issues(of: played, route)
            #expect(issues.isEmpty, "\(method.rawValue) \(path) \(played.status): \(issues)")
            covered.insert("\(method.rawValue) \(route.template)")
            return played
        }
        for user in [
            "test@icloud.com", "power@omnichat.test", "edge@omnichat.test", "empty@omnichat.test",
            "lapsed@omnichat.test",
        ] {
            let signIn = try ask(.post, "/api/v1/auth/apple", ["idToken": "walk", "user": ["email": .string(user)]])
            let token = signIn.json.string("accessToken")
            _ = try ask(.post, "/api/v1/auth/refresh", ["refreshToken": .string(signIn.json.string("refreshToken"))])
            let made = try ask(.post, "/api/v1/conversations", ["title": "Walk"], token: token).json.string("id")
            let list = try ask(.get, "/api/v1/conversations", token: token).json["conversations"]?.arrayValue ?? []
            for row in list.prefix(5) {
                _ = try ask(.get, "/api/v1/conversations/\(row.string("id"))", token: token)
                _ = try ask(.get, "/api/v1/conversations/\(row.string("id"))/messages?limit=500", token: token)
            }
            _ = try ask(.post, "/api/v1/conversations/\(made)/messages", ["content": "Hi"], token: token)
            _ = try ask(
                .post,
                "/api/v1/conversations/\(made)/messages",
                ["content": "Hi", "stream": false],
                token: token
            )
            _ = try ask(.patch, "/api/v1/conversations/\(made)", ["isArchived": true], token: token)
            _ = try ask(.get, "/api/v1/user/profile", token: token)
            _ = try ask(.get, "/api/v1/user/usage?period=all", token: token)
            _ = try ask(.patch, "/api/v1/user/profile", ["name": "Walker"], token: token)
            let query = "?fileName=a.txt&fileType=text/plain&conversationId=\(made)"
            _ = try ask(.get, "/api/v1/upload" + query, token: token)
            let body =
                "--b\r\nContent-Disposition: form-data; name=\"conversationId\"\r\n\r\n\(made)\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n"
            let upload = try harness.send(
                .post,
                "/omnichat/api/v1/upload",
                body: Array(body.utf8),
                headers: [(.authorization, "Bearer \(token)"), (.contentType, "multipart/form-data; boundary=b")]
            )
            let declared = try #require(Documented.route(.post, "/api/v1/upload", routes))
            #expect(Documented.issues(of: upload, declared).isEmpty)
            covered.insert("POST /api/v1/upload")
            let url = String(upload.json.string("url").dropFirst("/omnichat".count))
            _ = try ask(.get, url, token: token)
            _ = try ask(.delete, url, token: token)
            _ = try ask(.get, url, token: token)
            _ = try ask(.get, "/api/models", token: token)
            _ = try ask(.get, "/api/conversations", token: token)
            _ = try ask(.post, "/api/conversations", ["title": "Web", "model": "gpt-4o"], token: token)
            _ = try ask(.post, "/api/conversations", ["title": "Web"], token: token)
            _ = try ask(.delete, "/api/v1/conversations/\(made)", token: token)
            _ = try ask(.delete, "/api/v1/conversations/\(made)", token: token)
            try harness.advance(61)
        }
        expectEqual(covered, Set(routes.map { "\($0.method.rawValue) \($0.template)" }))
        // What every route answers without a body, without a token and past the limit.
        for route in routes {
            let path = route.template.replacing("{id}", with: "x").replacing("{key…}", with: "x/y")
            _ = try ask(route.method, path)
            if route.authentication == .bearer { _ = try ask(route.method, path, token: try harness.token()) }
        }
        _ = try harness.call(.put, "/scenarios/omnichat/rate-limited")
        for route in routes {
            _ = try ask(route.method, route.template.replacing("{id}", with: "x").replacing("{key…}", with: "x/y"))
        }
    }
}
