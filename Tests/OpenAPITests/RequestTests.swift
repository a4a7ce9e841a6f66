import HTTPMessage
import OpenAPI
import TestSupport
import Testing

/// Requests against parameters and bodies (own-API contract, section 16).
@Suite struct RequestTests {
    @Test(arguments: [
        ("schema: {type: integer, maximum: 10}", "limit=5", []),
        ("schema: {type: integer, maximum: 10}", "limit=11", ["?limit: must be at most 10"]),
        ("schema: {type: integer}", "limit=a", ["?limit: expected an integer, found string"]),
        ("schema: {type: integer}", "", []),
        ("required: true, schema: {type: integer}", "", ["?limit: missing"]),
        ("schema: {type: boolean}", "limit=true", []),
        ("schema: {type: boolean}", "limit=1", ["?limit: expected a boolean, found string"]),
        ("schema: {format: date-time}", "limit=2025-01-01T12:00:00%2B02:00", []),
        (
            "schema: {format: date-time}", "limit=2025-01-01T12:00:00+02:00",
            ["?limit: is not a valid date-time; in a query a + is written %2B"]
        ),
        ("schema: {type: string}", "limit=12", []), ("schema: {type: [string, integer], maximum: 3}", "limit=5", []),
        ("schema: {type: string, minLength: 1}", "limit=", ["?limit: must have at least 1 character"]),
        ("allowEmptyValue: true, schema: {type: integer}", "limit=", []),
        ("schema: {type: array, items: {type: integer}}", "limit=1&limit=2", []),
        (
            "schema: {type: array, items: {type: integer}}", "limit=1&limit=x",
            ["?limit[1]: expected an integer, found string"]
        ),
        ("schema: {type: array, items: {type: integer}}", "limit=1", []),
        (
            "explode: false, schema: {type: array, items: {type: integer}}", "limit=1,2,x",
            ["?limit[2]: expected an integer, found string"]
        ),
        ("explode: false, schema: {type: array, items: {type: string, maxLength: 3}}", "limit=a%2Cb,c", []),
        ("style: spaceDelimited, explode: false, schema: {type: array, items: {type: integer}}", "limit=1%202+3", []),
        (
            "style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}, maxItems: 2}",
            "limit=1|2%7C3", ["?limit: must have at most 2 elements"]
        ),
        (
            "style: deepObject, schema: {type: object, properties: {a: {type: integer}}, required: [b]}",
            "limit[a]=1&limit%5Bb%5D=x", []
        ),
        (
            "style: deepObject, schema: {type: object, properties: {a: {type: integer}}, required: [b]}", "limit[a]=z",
            ["?limit.b: missing", "?limit.a: expected an integer, found string"]
        ),
        (
            "schema: {type: object, properties: {r: {type: integer}, g: {type: integer}}}", "r=1&g=x&other=5",
            ["?limit.g: expected an integer, found string"]
        ),
        (
            "explode: false, schema: {type: object, properties: {r: {type: integer}}}", "limit=r,x",
            ["?limit.r: expected an integer, found string"]
        ),
        ("content: {application/json: {schema: {type: object, required: [a]}}}", "limit=%7B%7D", ["?limit.a: missing"]),
        (
            "content: {application/json: {schema: {type: object}}}", "limit=%7B",
            ["?limit: is not JSON: expected a member name in quotes or '}', but the text ends here"]
        ),
        ("schema: {type: integer}", "limit=2&limit=x", ["?limit: is ignored but for its first value"]),
        (
            "schema: {type: integer}", "limit=x&limit=2",
            ["?limit: is ignored but for its first value", "?limit: expected an integer, found string"]
        ),
        (
            "explode: false, schema: {type: array, items: {type: integer}}", "limit=1&limit=2",
            ["?limit: is sent 2 times, and its elements belong in one value"]
        ),
        (
            "explode: false, schema: {type: object, properties: {r: {type: integer}}}", "limit=r,1&limit=r,x",
            ["?limit: is ignored but for its first value"]
        ),
        ("schema: {type: object, properties: {r: {type: integer}}}", "r=1&r=x", []),
        ("schema: {type: integer, nullable: true}", "limit=007", ["?limit: expected an integer, found string"]),
    ])
    func `16 query parameters are read in their style`(parameter: String, query: String, expected: [String]) throws {
        let operation = try Fixture.operation("/a", "get:\n  parameters: [{name: limit, in: query, \(parameter)}]")
        expectEqual(operation.problems(query: query), expected)
    }

    @Test func `16 parameters of path, header and cookie have their own paths`() throws {
        let operation = try Fixture.operation(
            "/pets/{petId}/{tags}",
            """
            get:
              parameters:
              - {name: petId, in: path, required: true, schema: {type: integer}}
              - {name: tags, in: path, required: true, schema: {type: array, items: {type: integer}}}
              - {name: X-Tenant, in: header, required: true, schema: {type: string, pattern: '^t-'}}
              - {name: X-List, in: header, schema: {type: array, items: {type: integer}}}
              - {name: X-Map, in: header, explode: true, schema: {type: object, properties: {a: {type: integer}}}}
              - {name: session, in: cookie, required: true, schema: {type: string}}
              - {name: Accept, in: header, required: true, schema: {type: string}}
            """
        )
        expectEqual(
            operation.problems(path: ["x", "1,y"]),
            [
                "{petId}: expected an integer, found string", "{tags}[1]: expected an integer, found string",
                "X-Tenant: missing", "Cookie: session: missing",
            ]
        )
        let fields: [(FieldName, String)] = [
            ("x-tenant", "a"), ("X-List", "1, 2"), ("X-List", "z"), ("X-Map", "a=q"), ("Cookie", "a=b; session=1"),
        ]
        expectEqual(
            operation.problems(path: ["7", "1,2"], fields),
            [
                "X-Tenant: must match ^t-", "X-List[2]: expected an integer, found string",
                "X-Map.a: expected an integer, found string",
            ]
        )
    }

    private func body(_ content: String, required: Bool = false) throws -> OpenAPIOperation {
        try Fixture.operation("/a", "post:\n  requestBody:\n    required: \(required)\n    content: \(content)")
    }

    @Test func `16 JSON bodies are held against their schema`() throws {
        let operation = try body(
            "{application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}"
        )
        let json: [(FieldName, String)] = [("Content-Type", "application/json; charset=utf-8")]
        expectEqual(operation.result(json, body: #"{"name":"x"}"#).verdict, .fits)
        expectEqual(operation.problems(json, body: #"{"name":5}"#), ["$.name: expected a string, found number"])
        expectEqual(operation.result(json, body: #"{"name":5}"#).verdict, .violates)
        let broken = operation.result(json, body: "{")
        expectEqual(broken.verdict, .unreadable)
        expectEqual(broken.violations.map(\.path), ["$"])
        expectEqual(operation.result().verdict, .fits)
        try expectEqual(
            body("{application/json: {}}", required: true).problems(),
            ["$: missing: the request has no body"]
        )
    }

    @Test func `16 a foreign media type is told apart`() throws {
        let operation = try body(
            "{application/json: {}, 'image/*': {}, application/vnd.a+json: {schema: {type: object}}}"
        )
        let result = operation.result([("Content-Type", "text/plain")], body: "x")
        expectEqual(result.verdict, .foreignMediaType)
        expectEqual(
            result.violations.map(\.reason),
            [
                "text/plain is not accepted; the operation accepts application/json, image/*, application/vnd.a+json"
            ]
        )
        expectEqual(operation.result([], body: "x").verdict, .foreignMediaType)
        expectEqual(operation.result([("Content-Type", "image/png")], body: "x").verdict, .fits)
        expectEqual(operation.result([("Content-Type", "application/vnd.a+json")], body: "[]").verdict, .violates)
    }

    @Test func `16 forms are read by the types of their members`() throws {
        let schema =
            "{schema: {type: object, required: [n], properties: {n: {type: integer}, on: {type: boolean}, "
            + "tags: {type: array, items: {type: integer}}, box: {type: object, properties: {w: {type: integer}}}}}, "
            + "encoding: {box: {style: deepObject}, ids: {explode: false}}}"
        let operation = try body("{application/x-www-form-urlencoded: \(schema)}")
        let form: [(FieldName, String)] = [("Content-Type", "application/x-www-form-urlencoded")]
        expectEqual(operation.problems(form, body: "n=1&on=true&tags=1&tags=2&box[w]=3&free=x"), [])
        expectEqual(
            operation.problems(form, body: "n=a+b&tags=1&tags=%78&box%5Bw%5D=z"),
            [
                "$.box.w: expected an integer, found string", "$.n: expected an integer, found string",
                "$.tags[1]: expected an integer, found string",
            ]
        )
        expectEqual(operation.problems(form, body: "on=true"), ["$.n: missing"])
    }

    @Test func `16 multipart fields are read, files and JSON parts too`() throws {
        let schema =
            "{schema: {type: object, required: [file], properties: {n: {type: integer}, file: {type: string, format: binary}, "
            + "meta: {type: object, required: [a]}, tags: {type: array, items: {type: integer}}}}}"
        let operation = try body("{multipart/form-data: \(schema)}")
        let fields: [(FieldName, String)] = [("Content-Type", "multipart/form-data; boundary=b")]
        func part(_ name: String, _ value: String, _ more: String = "", type: String? = nil) -> String {
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n"
                + (type.map { "Content-Type: \($0)\r\n" } ?? "") + "\r\n\(value)\r\n"
        }
        let good =
            part("n", "5") + part("file", "\u{1}\u{2}", "; filename=\"a.bin\"", type: "application/octet-stream")
            + part("meta", #"{"a":1}"#, type: "application/json") + part("tags", "1") + part("tags", "2") + "--b--\r\n"
        expectEqual(operation.problems(fields, body: good), [])
        let bad = part("n", "x") + part("meta", "{}") + part("tags", "y") + "--b--\r\n"
        expectEqual(
            operation.problems(fields, body: bad),
            [
                "$.file: missing", "$.n: expected an integer, found string", "$.meta.a: missing",
                "$.tags[0]: expected an integer, found string",
            ]
        )
        expectEqual(operation.result(fields, body: "--b\r\nx").verdict, .unreadable)
    }

    @Test func `16 texts are held against the schema, other content is taken`() throws {
        let operation = try body(
            "{text/plain: {schema: {type: string, maxLength: 3}}, application/xml: {schema: {type: object}}}"
        )
        expectEqual(
            operation.problems([("Content-Type", "text/plain")], body: "four"),
            ["$: must have at most 3 characters"]
        )
        expectEqual(operation.problems([("Content-Type", "application/xml")], body: "<a/>"), [])
    }

    @Test func `16 responses that break the operation are told with their places`() throws {
        let operation = try Fixture.operation(
            "/a",
            """
            get:
              responses:
                '200':
                  headers: {X-Rate: {required: true, schema: {type: integer}}, X-List: {schema: {type: array, items: {type: integer}}}}
                  content: {application/json: {schema: {type: object, properties: {n: {type: integer}, secret: {type: string, writeOnly: true}}, required: [n, secret]}}}
                4XX: {description: bad}
            """
        )
        func problems(_ status: Int, _ fields: [(FieldName, String)], _ content: String) -> [String] {
            var all = Fields()
            for field in fields { all.append(field.0, field.1) }
            return operation.violations(ofResponse: status, fields: all, content: Array(content.utf8))
                .map { "\($0.path): \($0.reason)" }
        }
        let json: (FieldName, String) = ("Content-Type", "application/json")
        expectEqual(problems(200, [json, ("X-Rate", "5"), ("X-List", "1, 2")], #"{"n":1}"#), [])
        expectEqual(
            problems(200, [json, ("X-Rate", "x"), ("X-List", "1, z")], #"{"n":"1"}"#),
            [
                "response.headers.X-Rate: expected an integer, found string",
                "response.headers.X-List[1]: expected an integer, found string",
                "response.body.n: expected an integer, found string",
            ]
        )
        expectEqual(
            problems(200, [("Content-Type", "text/html")], "x"),
            [
                "response.headers.X-Rate: missing", "response.headers.Content-Type: text/html is not declared",
            ]
        )
        expectEqual(problems(200, [json, ("X-Rate", "1")], "{"), ["response.body: is not JSON"])
        expectEqual(problems(404, [json], "{}"), [])
        expectEqual(problems(500, [], ""), ["response.status: 500 is not declared"])
    }
}
