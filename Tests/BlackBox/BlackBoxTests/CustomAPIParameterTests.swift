import JSON
import TestSupport
import Testing

/// Own-API contract, section 16: parameters whose schemas leave a choice, and names with brackets.
@Suite struct CustomAPIParameterTests {
    private static let unions: [(parameter: String, query: String, expected: String)] = [
        ("schema: {oneOf: [{type: string, enum: [all]}, {type: array, items: {type: integer}}]}", "p=5", "200"),
        ("schema: {oneOf: [{type: array, items: {type: integer}}, {type: string, enum: [all]}]}", "p=5", "200"),
        ("schema: {oneOf: [{type: string, enum: [all]}, {type: array, items: {type: integer}}]}", "p=all", "200"),
        ("schema: {oneOf: [{type: string, enum: [all]}, {type: array, items: {type: integer}}]}", "p=5&p=6", "200"),
        ("schema: {oneOf: [{type: string, enum: [all]}, {type: array, items: {type: integer}}]}", "p=x", "422 ?p"),
        ("explode: false, schema: {oneOf: [{const: me}, {type: array, items: {type: integer}}]}", "p=5,6", "200"),
        ("explode: false, schema: {oneOf: [{const: me}, {type: array, items: {type: integer}}]}", "p=me", "200"),
        (
            "schema: {oneOf: [{type: array, items: {type: integer}}, {type: array, items: {type: string, maxLength: 1}}]}",
            "p=5&p=a", "200"
        ),
        ("schema: {anyOf: [{$ref: '#/components/schemas/Ids'}, {type: boolean}]}", "p=7", "200"),
        ("schema: {oneOf: [{type: boolean}, {$ref: '#/components/schemas/Ids'}]}", "p=true", "200"),
        // Commas that are escaped are content, unless only their pieces fit.
        ("explode: false, schema: {type: array, items: {enum: [album, track]}}", "p=album%2Ctrack", "200"),
        ("explode: false, schema: {type: array, items: {enum: [album, track]}}", "p=album%2cother", "422 ?p[0]"),
        ("explode: false, schema: {type: array, items: {type: string}, maxItems: 1}", "p=a%2Cb", "200"),
        ("explode: false, schema: {type: array, items: {enum: ['a,b', c]}}", "p=a%2Cb,c", "200"),
    ]

    @Test func `16 a parameter is read by each branch of its schema`() throws {
        let operations = Self.unions.enumerated().map { index, row in
            "  /o\(index): {get: {parameters: [{name: p, in: query, \(row.parameter)}], responses: {'200': {description: x}}}}"
        }
        let server = try DocumentServer(
            "paths:\n\(operations.joined(separator: "\n"))\n"
                + "components: {schemas: {Ids: {type: array, items: {type: integer}}}}\n"
        )
        for (index, row) in Self.unions.enumerated() {
            try expectEqual(server.verdict("GET", "/o\(index)?\(row.query)"), row.expected, "\(row)")
        }
    }

    @Test func `16 headers, cookies, paths and fields are read by each branch too`() throws {
        let union = "{oneOf: [{type: string, enum: [all]}, {type: array, items: {type: integer}}]}"
        let server = try DocumentServer(
            """
            paths:
              /h: {get: {parameters: [{name: X-Ids, in: header, schema: \(union)}], responses: {'200': {description: x}}}}
              /c: {get: {parameters: [{name: ids, in: cookie, schema: \(union)}], responses: {'200': {description: x}}}}
              /p/{ids}: {get: {parameters: [{name: ids, in: path, required: true, schema: \(union)}], responses: {'200': {description: x}}}}
              /one: {get: {parameters: [{name: limit, in: query, schema: {type: integer}}], responses: {'200': {description: x}}}, post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {limit: {type: integer}}}}}}, responses: {'200': {description: x}}}}
              /f: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {ids: \(union)}}}, multipart/form-data: {schema: {properties: {ids: \(union)}}}}}, responses: {'200': {description: x}}}}
            """
        )
        for (value, status) in [("5", "200"), ("5,6", "200"), ("all", "200"), ("x", "422")] {
            try expectEqual("\(server.ask("GET", "/h", [], value: value).status)", status, value)
            try expectEqual("\(server.ask("GET", "/p/\(value)").status)", status, value)
        }
        try expectEqual(server.ask("GET", "/c", "", ["Cookie: ids=7"]).status, 200)
        try expectEqual(server.ask("GET", "/c", "", ["Cookie: ids=z"]).status, 422)
        let form = "application/x-www-form-urlencoded"
        try expectEqual(server.verdict("POST", "/f", "ids=5", type: form), "200")
        try expectEqual(server.verdict("POST", "/f", "ids=5&ids=x", type: form), "422 $.ids[1]")
        try expectEqual(server.verdict("GET", "/one?limit=2&limit=3"), "422 ?limit")
        try expectEqual(server.verdict("POST", "/one", "limit=2&limit=x", type: form), "422 $.limit")
        func part(_ values: String...) -> String {
            values.map { "--b\r\nContent-Disposition: form-data; name=\"ids\"\r\n\r\n\($0)\r\n" }.joined() + "--b--\r\n"
        }
        let type = "multipart/form-data; boundary=b"
        try expectEqual(server.verdict("POST", "/f", part("5"), type: type), "200")
        try expectEqual(server.verdict("POST", "/f", part("5", "6"), type: type), "200")
        try expectEqual(server.verdict("POST", "/f", part("x"), type: type), "422 $.ids")
    }

    private static let nested: [(schema: String, query: String, expected: String)] = [
        ("{additionalProperties: {type: array, items: {type: integer}}}", "f[a]=1&f[a]=2", "200"),
        ("{additionalProperties: {type: array, items: {type: integer}}}", "f[a]=1&f[a]=x", "422 ?f.a[1]"),
        ("{additionalProperties: {type: array, items: {type: integer}}}", "f[a][]=1&f[a][]=2", "200"),
        ("{additionalProperties: {type: array, items: {type: integer}}}", "f%5Ba%5D%5B1%5D=x&f[a][0]=2", "422 ?f.a[1]"),
        ("{properties: {tags: {type: array, items: {type: string}}}}", "f[tags]=a&f[tags]=b", "200"),
        (
            "{properties: {tags: {type: array, items: {type: string}, maxItems: 1}}}", "f[tags][]=a&f[tags][]=b",
            "422 ?f.tags"
        ),
        ("{properties: {at: {type: object, properties: {zip: {type: integer}}}}}", "f[at][zip]=9", "200"),
        ("{properties: {at: {type: object, properties: {zip: {type: integer}}}}}", "f[at][zip]=x", "422 ?f.at.zip"),
        (
            "{additionalProperties: false, properties: {at: {additionalProperties: false, properties: {zip: {type: integer}}}}}",
            "f[at][zip]=9", "200"
        ),
        (
            "{additionalProperties: false, properties: {at: {additionalProperties: false, properties: {zip: {type: integer}}}}}",
            "f[at][zap]=9", "422 ?f.at.zap"
        ),
        (
            "{properties: {rows: {type: array, items: {required: [n], properties: {n: {type: integer}}}}}}",
            "f[rows][0][n]=1&f[rows][1][n]=2", "200"
        ),
        (
            "{properties: {rows: {type: array, items: {required: [n, m], properties: {n: {type: integer}}}}}}",
            "f[rows][][n]=1&f[rows][][m]=a&f[rows][][n]=2", "422 ?f.rows[1].m"
        ),
        ("{properties: {v: {oneOf: [{const: any}, {type: array, items: {type: integer}}]}}}", "f[v]=4", "200"),
        ("{properties: {v: {type: integer}}}", "f[v][w]=4", "422 ?f.v"),
        ("{required: [v], properties: {v: {type: [string, 'null']}}}", "f[v]=", "200"),
        ("{required: [v]}", "f[w][x][y][z]=1", "422 ?f.v"),
    ]

    @Test func `16 a deepObject is read to any depth, and the path of what does not fit goes on as in a body`() throws {
        let operations = Self.nested.enumerated().map { index, row in
            let schema = row.schema.replacing("{", with: "{type: object, ", maxReplacements: 1)
            return "  /o\(index): {get: {parameters: [{name: f, in: query, style: deepObject, schema: \(schema)}], "
                + "responses: {'200': {description: x}}}}"
        }
        let server = try DocumentServer("paths:\n\(operations.joined(separator: "\n"))\n")
        for (index, row) in Self.nested.enumerated() {
            try expectEqual(server.verdict("GET", "/o\(index)?\(row.query)"), row.expected, "\(row)")
        }
    }

    @Test func `16 names in brackets are followed to their limit, and beyond it they are refused`() throws {
        let server = try DocumentServer(
            """
            paths:
              /a: {get: {parameters: [{name: f, in: query, style: deepObject, schema: {type: object}}], responses: {'200': {description: x}}}}
              /b: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {f: {type: object}}}, encoding: {f: {style: deepObject}}}}}, responses: {'200': {description: x}}}}
            """
        )
        let form = "application/x-www-form-urlencoded"
        for (depth, status) in [(1, "200"), (32, "200"), (33, "422"), (2_000, "422")] {
            let name = "f" + String(repeating: "[a]", count: depth)
            let isRefused = status == "422"
            try expectEqual(server.verdict("GET", "/a?f[b]=2&\(name)=1"), status + (isRefused ? " ?f" : ""))
            try expectEqual(server.verdict("POST", "/b", "\(name)=1", type: form), status + (isRefused ? " $.f" : ""))
        }
        let deep = "/a?f" + String(repeating: "[]", count: 33) + "=1"
        let reason = try server.ask("GET", deep).json["error"]?["details"]?[0]?["reason"]
        expectEqual(reason, "nests deeper than 32 names in brackets")
    }

    @Test func `16 the media type of a multipart field is held against its encoding`() throws {
        let server = try DocumentServer(
            """
            paths:
              /f:
                post:
                  requestBody:
                    content:
                      multipart/form-data:
                        schema: {properties: {pic: {type: string, format: binary}, doc: {type: string}}}
                        encoding: {pic: {contentType: 'image/png, image/jpeg'}, doc: {contentType: text/*}}
                  responses: {'200': {description: x}}
            """
        )
        func part(_ name: String, _ type: String?) -> String {
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"x\"\r\n"
                + (type.map { "Content-Type: \($0)\r\n" } ?? "") + "\r\nabc\r\n--b--\r\n"
        }
        let expected: [(name: String, type: String?, verdict: String)] = [
            ("pic", "image/png", "200"), ("pic", "IMAGE/JPEG", "200"), ("pic", "image/gif", "422 $.pic"),
            ("pic", nil, "200"), ("doc", "text/csv; charset=utf-8", "200"), ("doc", "image/png", "422 $.doc"),
        ]
        for row in expected {
            let found = try server.verdict(
                "POST",
                "/f",
                part(row.name, row.type),
                type: "multipart/form-data; boundary=b"
            )
            expectEqual(found, row.verdict, "\(row)")
        }
    }
}

extension DocumentServer {
    fileprivate func ask(_ method: String, _ target: String, _ fields: [String], value: String) throws -> WireAnswer {
        try ask(method, target, "", fields + ["X-Ids: \(value)"])
    }
}
