import JSON
import TestSupport
import Testing

/// Own-API contract, section 16: the parameters of a media type are part of it, and a range is answered by a type of it.
@Suite struct CustomAPIMediaTypeTests {
    private static let document = """
        paths:
          /v:
            get:
              responses:
                '200':
                  description: x
                  content:
                    application/json; version=1: {example: {v: 1}}
                    application/json; version=2: {example: {v: 2}}
                    'application/json; Version="3"': {example: {v: 3}}
            post:
              requestBody:
                content:
                  application/json; version=1: {schema: {type: object, required: [one]}}
                  application/json; version=2: {schema: {type: object, required: [two]}}
              responses: {'200': {description: x}}
          /p:
            get:
              responses:
                '200':
                  description: x
                  content:
                    application/json; profile=full: {example: {p: full}}
                    application/json: {example: {p: plain}}
                    text/csv: {example: a}
            post:
              requestBody:
                content:
                  application/json; profile=full: {schema: {type: object, required: [full]}}
                  application/json: {schema: {type: object, required: [plain]}}
              responses: {'200': {description: x}}
          /a:
            get: {responses: {'200': {description: x, content: {application/json; x-api-version=1.0: {example: {a: 1}}}}}}
        """

    @Test func `16 Accept chooses among the variants of a media type`() throws {
        let server = try DocumentServer(Self.document)
        let expected: [(path: String, accept: String, text: String)] = [
            ("/v", "application/json; version=2", #"{"v":2}"#), ("/v", "application/json;version=3", #"{"v":3}"#),
            ("/v", #"Application/JSON; VERSION="2""#, #"{"v":2}"#), ("/v", "application/json", #"{"v":1}"#),
            ("/v", "*/*", #"{"v":1}"#),
            ("/v", "application/json;version=2;q=0.5, application/json;version=3", #"{"v":3}"#),
            ("/v", "application/json;version=2, application/json;version=1;q=0.9", #"{"v":2}"#),
            ("/v", "application/json; charset=utf-8", #"{"v":1}"#), ("/p", "application/json", #"{"p":"plain"}"#),
            ("/p", "application/json; profile=full", #"{"p":"full"}"#), ("/p", "*/*", #"{"p":"full"}"#),
            ("/p", "application/json; profile=other", #"{"p":"plain"}"#), ("/p", "text/csv, */*;q=0.1", "a"),
            ("/a", "application/json", #"{"a":1}"#), ("/a", "application/json; x-api-version=1.0", #"{"a":1}"#),
            ("/a", "application/json; charset=UTF-8", #"{"a":1}"#),
        ]
        for (path, accept, text) in expected {
            let answer = try server.ask("GET", path, "", ["Accept: \(accept)"])
            expectEqual(answer.text, text, "\(path) \(accept)")
            try expectEqual(server.violations(), [], "\(path) \(accept)")
        }
        try expectEqual(
            server.ask("GET", "/v", "", ["Accept: application/json; version=2"])["Content-Type"],
            "application/json; version=2"
        )
        try expectEqual(server.ask("GET", "/v", "", ["Accept: application/json; version=4"]).status, 406)
    }

    @Test func `16 Content-Type chooses the schema of its variant`() throws {
        let server = try DocumentServer(Self.document)
        let expected: [(path: String, type: String, body: String, verdict: String)] = [
            ("/v", "application/json; version=2", #"{"two":1}"#, "200"),
            ("/v", "application/json; version=2", #"{"one":1}"#, "422 $.two"),
            ("/v", #"application/json; VERSION="1""#, #"{"one":1}"#, "200"),
            ("/v", "application/json; version=4", #"{"one":1}"#, "415 Content-Type"),
            ("/v", "application/json; charset=utf-8", #"{"one":1}"#, "200"),
            ("/v", "application/json; charset=utf-8; version=2", #"{"two":1}"#, "200"),
            ("/p", "application/json", #"{"plain":1}"#, "200"),
            ("/p", "application/json", #"{"full":1}"#, "422 $.plain"),
            ("/p", "application/json; profile=full", #"{"full":1}"#, "200"),
            ("/p", "application/json; profile=other", #"{"plain":1}"#, "200"),
        ]
        for row in expected {
            try expectEqual(server.verdict("POST", row.path, row.body, type: row.type), row.verdict, "\(row)")
        }
    }

    @Test(arguments: [
        ("image/*", "image/png"), ("audio/*", "audio/mpeg"), ("video/*", "video/mp4"), ("font/*", "font/woff2"),
        ("text/*", "text/plain"), ("application/*", "application/json"), ("model/*", "model/octet-stream"),
    ])
    func `16 a declared range is answered with a type of it`(range: String, type: String) throws {
        let server = try DocumentServer(
            "paths: {/a: {get: {responses: {'200': {description: x, content: {'\(range)': {schema: {type: string}}}}}}}}\n"
        )
        try expectEqual(server.ask("GET", "/a")["Content-Type"], type)
        try expectEqual(server.violations(), [])
        let other = String(range.dropLast()) + "x-other"
        try expectEqual(server.ask("GET", "/a", "", ["Accept: \(other)"])["Content-Type"], other)
        try expectEqual(server.violations(), [])
    }

    @Test func `16 what is more than a text is JSON for a browser, too`() throws {
        let schemas = [
            "{type: object, properties: {a: {type: integer}}}", "{type: array, items: {type: string}}",
            "{type: integer}",
            "{$ref: '#/components/schemas/A'}", "{oneOf: [{type: string}, {$ref: '#/components/schemas/A'}]}", "{}",
        ]
        let ranges = ["*/*", "application/*"]
        let paths = schemas.enumerated().flatMap { index, schema in
            ranges.enumerated().map { place, range in
                "  /o\(index)\(place): {get: {responses: {'200': {description: x, content: {'\(range)': {schema: \(schema)}}}}}}"
            }
        }
        let server = try DocumentServer(
            """
            paths:
            \(paths.joined(separator: "\n"))
              /text: {get: {responses: {'200': {description: x, content: {'*/*': {schema: {type: string, enum: [x]}}}}}}}
            components: {schemas: {A: {properties: {a: {type: integer}}}}}
            """
        )
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
        for index in schemas.indices {
            for place in ranges.indices {
                for accept in [browser, "text/html, */*;q=0.1", "text/plain", "*/*"] {
                    let answer = try server.ask("GET", "/o\(index)\(place)", "", ["Accept: \(accept)"])
                    let isTaken = accept.contains("*/*") || place == 0
                    expectEqual(answer.status, isTaken ? 200 : 406, "\(schemas[index]) \(accept)")
                    if isTaken {
                        expectEqual(answer["Content-Type"], "application/json", "\(schemas[index]) \(accept)")
                    }
                }
            }
        }
        let other = try server.ask("GET", "/o00", "", ["Accept: application/vnd.a+json, */*;q=0.5"])
        expectEqual(other["Content-Type"], "application/vnd.a+json")
        let text = try server.ask("GET", "/text", "", ["Accept: \(browser)"])
        expectEqual("\(text["Content-Type"] ?? "") \(text.text)", "text/html x")
    }
}
