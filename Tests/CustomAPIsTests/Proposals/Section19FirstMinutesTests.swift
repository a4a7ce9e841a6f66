import Backend
import HTTPMessage
import JSON
import Scaffolding
import TestSupport
import Testing

/// Sign-in inside wrappers, idempotency keys and second pages that `new` makes of a document (own-API contract,
/// section 19).
@Suite struct Section19FirstMinutesTests {
    private static let text: JSON = ["type": "string"]
    private static let product: JSON = [
        "type": "object", "required": ["id", "name"],
        "properties": [
            "id": ["type": "integer"], "name": text, "at": ["type": "string", "format": "date-time"],
        ],
    ]

    private static func object(_ members: JSON) -> JSON { ["type": "object", "properties": members] }

    private static func content(_ schema: JSON, _ type: String = "application/json") -> JSON {
        ["content": .object([type: ["schema": schema]])]
    }

    private static func answers(_ status: String, _ schema: JSON) -> JSON {
        var answer = content(schema).objectValue ?? [:]
        answer["description"] = "ok"
        return .object([status: .object(answer)])
    }

    /// A document with a sign-in and products.
    private static func document(
        signIn answer: JSON = object(["accessToken": text]),
        body: JSON = object(["email": text, "password": text]),
        list: [JSON] = [],
        create: [JSON] = []
    ) -> JSON {
        let secured: JSON = [["bearer": []]]
        return [
            "openapi": "3.0.3", "info": ["title": "Shop", "version": "1"],
            "paths": [
                "/auth/login": ["post": ["requestBody": content(body), "responses": answers("200", answer)]],
                "/products": [
                    "get": [
                        "security": secured, "parameters": .array(list),
                        "responses": answers("200", ["type": "array", "items": product]),
                    ],
                    "post": [
                        "security": secured, "parameters": .array(create),
                        "requestBody": content(object(["name": text])), "responses": answers("201", product),
                    ],
                ],
            ],
            "components": ["securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]]],
        ]
    }

    private static func made(_ document: JSON) throws -> (api: JSON, files: [String: String], report: ProposalReport) {
        var order = ScaffoldOrder()
        order.document = [ScaffoldOrder.Source(place: "d.json", name: "d.json", bytes: Array(document.text.utf8))]
        let scaffold = try Scaffold(order, version: "1")
        var files: [String: String] = [:]
        for file in scaffold.files { files[file.path] = String(decoding: file.bytes, as: UTF8.self) }
        let report = try #require(scaffold.proposal)
        return (try JSONReader.read(text: files["api.json"] ?? ""), files, report)
    }

    /// Schemas of responses to a sign-in, with the `response` that is made of each.
    private static let wrapped: [(schema: JSON, response: JSON)] = [
        (
            object(["data": object(["accessToken": text, "refreshToken": text])]),
            ["data": ["accessToken": "{{access}}", "refreshToken": "{{refresh}}"]]
        ),
        (
            object(["result": object(["session": object(["token": text, "expiresIn": ["type": "integer"]])])]),
            ["result": ["session": ["token": "{{access}}", "expiresIn": "{{expiresIn}}"]]]
        ),
        // Without types.
        (
            ["properties": ["data": ["properties": ["access_token": text]]]],
            ["data": ["access_token": "{{access}}"]]
        ),
        // The names of the outer members say whose token it is.
        (
            object([
                "tokens": object([
                    "access": object(["token": text, "expires": ["type": "string", "format": "date-time"]]),
                    "refresh": object(["token": text, "expires": ["type": "string", "format": "date-time"]]),
                ])
            ]),
            [
                "tokens": [
                    "access": ["token": "{{access}}", "expires": "{{now+PT15M}}"],
                    "refresh": ["token": "{{refresh}}", "expires": "{{now+P30D}}"],
                ]
            ]
        ),
    ]

    @Test func `19 a sign-in answers with its token in up to two objects, as the document declares them`() throws {
        for (schema, response) in Self.wrapped {
            let (api, files, report) = try Self.made(Self.document(signIn: schema))
            expectEqual(api["auth"]?["response"], response)
            expectEqual(api["auth"]?["enabled"], nil)
            let harness = try CustomAPIHarness(files)
            let user = try #require(report.user)
            let answer = try harness.post(
                "/auth/login",
                ["email": .string(user.identifier), "password": .string(user.password)]
            )
            expectEqual(answer.status, 200)
            let token = try #require(Self.token(in: answer.json))
            try expectEqual(harness.get("/products", ["Authorization": "Bearer \(token)"]).status, 200)
        }
    }

    /// The first text at the ends of the first members.
    private static func token(in json: JSON) -> String? {
        json.stringValue ?? json.objectValue?.members.first.flatMap { token(in: $0.value) }
    }

    @Test func `19 a sign-in that takes its members inside another is named, and made of nothing`() throws {
        let body = Self.object(["user": Self.object(["email": Self.text, "password": Self.text])])
        let (api, _, report) = try Self.made(Self.document(body: body))
        let why =
            "POST /auth/login takes the name and the password inside user, and auth takes them at the top of the body"
        expectEqual(api["auth"]?["why"]?.stringValue, why)
        expectEqual(report.disabled, ["$.auth: " + why])
    }

    @Test func `19 a header for idempotency keys is one of the API, and repeats are answered`() throws {
        func key(_ name: String) -> JSON { ["name": .string(name), "in": "header", "schema": Self.text] }
        let expected: [(name: String, written: JSON?)] = [
            ("Idempotency-Key", true), ("idempotency-key", true),
            ("X-Idempotency-Key", ["header": "X-Idempotency-Key"]), ("X-Request-Id", nil),
        ]
        for (name, written) in expected {
            let (api, files, report) = try Self.made(Self.document(create: [key(name)]))
            expectEqual(api["idempotency"], written)
            expectEqual(report.made.contains("idempotency: \(name) of POST /products"), written != nil)
            guard written != nil else { continue }
            let harness = try CustomAPIHarness(files)
            let user = try #require(report.user)
            let signedIn = try harness.post(
                "/auth/login",
                ["email": .string(user.identifier), "password": .string(user.password)]
            )
            let bearer = "Bearer \(signedIn.json["accessToken"]?.stringValue ?? "")"
            let fields: KeyValuePairs = ["Authorization": bearer, name: "k"]
            let first = try harness.post("/products", ["name": "a"], fields)
            let second = try harness.post("/products", ["name": "a"], fields)
            expectEqual([first.status, second.status], [201, 201])
            expectEqual(first.json["id"], second.json["id"])
        }
        // A key of a list, and one of the sign-in, say nothing.
        try expectNil(Self.made(Self.document(list: [key("Idempotency-Key")])).api["idempotency"])
    }

    /// The parameter of pages, with the number of the first.
    private static let firsts: [(parameter: JSON, from: Int64?)] = [
        (["type": "integer", "minimum": 0], 0), (["type": "integer", "default": 0], 0),
        (["type": "integer", "minimum": 1], nil), (["type": "integer"], nil),
    ]

    @Test func `16 rows and sign-in have the media type of JSON that the document declares`() throws {
        let own = "application/vnd.shop.v1+json"
        let text = Self.document().text.replacing("\"application/json\"", with: "\"\(own)\"")
        let (api, files, report) = try Self.made(JSONReader.read(text: text))
        expectEqual(report.disabled, [])
        expectEqual(api["auth"]?["enabled"], nil)
        expectEqual(report.signIn?.type, own)
        let harness = try CustomAPIHarness(files)
        let user = try #require(report.user)
        let body: JSON = ["email": .string(user.identifier), "password": .string(user.password)]
        let signedIn = try harness.send("POST", "/auth/login", text: body.text, own)
        expectEqual([signedIn.status, signedIn["Content-Type"] == own ? 1 : 0], [200, 1])
        let bearer = "Bearer \(signedIn.json["accessToken"]?.stringValue ?? "")"
        for accept in [own, "*/*", "application/json"] {
            let list = try harness.get("/products", ["Authorization": bearer, "Accept": accept])
            expectEqual(list["Content-Type"], own)
        }
        // Beside application/json it is sent to those who ask for it; a parameter changes nothing.
        let both = Self.document().text.replacing(
            "\"200\":{\"content\":{\"application/json\":{\"schema\":{\"type\":\"array\"",
            with:
                "\"200\":{\"content\":{\"\(own)\":{},\"application/json; charset=utf-8\":{\"schema\":{\"type\":\"array\""
        )
        let open = try CustomAPIHarness(Self.made(JSONReader.read(text: both)).files)
        let token = try open.post("/auth/login", body).json["accessToken"]?.stringValue ?? ""
        for (accept, type) in [(own, own), ("application/json", "application/json")] {
            let list = try open.get("/products", ["Authorization": "Bearer \(token)", "Accept": accept])
            expectEqual(list["Content-Type"], type)
        }
    }

    @Test func `19 pages are counted from 0 where the document says so`() throws {
        for (schema, from) in Self.firsts {
            let list: [JSON] = [
                ["name": "page", "in": "query", "schema": schema],
                ["name": "size", "in": "query", "schema": ["type": "integer", "default": 4]],
            ]
            var document = Self.document(list: list)
            document = try JSONReader.read(text: document.text.replacing("\"security\":[{\"bearer\":[]}],", with: ""))
            let (api, files, report) = try Self.made(document)
            expectEqual(report.disabled, [])
            expectEqual(api["resources"]?[0]?["list"]?["paging"]?["from"]?.intValue, from)
            let harness = try CustomAPIHarness(files)
            let start = from ?? 1
            let first = try harness.get("/products?page=\(start)").json
            try expectEqual(harness.get("/products").json, first)
            expectEqual(first.arrayValue?.compactMap { $0["id"]?.intValue }, [1, 2, 3, 4])
            let last = try harness.get("/products?page=\(start + 2)").json
            expectEqual(last.arrayValue?.compactMap { $0["id"]?.intValue }, [9])
            try expectEqual(harness.get("/products?page=\(start - 1)").status, 400)
        }
    }

    @Test func `19 a list with pages has rows for a second one, one a line`() throws {
        for (size, rows) in [(nil, 3), (2, 3), (3, 8), (20, 25), (40, 45), (41, 45), (100, 45)] as [(Int64?, Int)] {
            var limit: JSONObject = ["type": "integer"]
            if let size { limit.append("default", .integer(size)) }
            let list: [JSON] = [
                ["name": "page", "in": "query", "schema": ["type": "integer"]],
                ["name": "limit", "in": "query", "schema": .object(limit)],
            ]
            let document = Self.document(list: list)
            let (api, files, _) = try Self.made(document)
            let text = try #require(files["tables/products.json"])
            let table = try JSONReader.read(text: text)
            expectEqual(table.arrayValue?.count, rows)
            expectEqual(text.split(separator: "\n").count, rows + 2)
            #expect(text.hasPrefix("[\n  {\"id\": 1, \"name\": \""), "\(text.prefix(60))")
            expectEqual(api["resources"]?[0]?["list"]?["paging"]?["limit"]?.intValue, size)
            try expectEqual(Self.made(document).files["tables/products.json"], text)
            let ids = Set((table.arrayValue ?? []).compactMap { $0["id"]?.intValue })
            expectEqual(ids.count, rows)
            #expect((table.arrayValue ?? []).allSatisfy { $0["at"]?.stringValue?.hasPrefix("T0-P") ?? false })
        }
    }
}
