import JSON
import TestSupport
import Testing

/// Own-API contract, section 16: a bad part of a document costs itself and a note.
@Suite struct CustomAPIDocumentPartTests {
    private static let good =
        "  /good: {get: {responses: {'200': {description: x, content: {application/json: {example: 1}}}}}}\n"

    /// What validate says of a document, and its exit code.
    private func validated(_ document: String, version: String = "3.1.0") throws -> (status: Int32, lines: String) {
        let folder = try Folder([
            "apis/shop/api.json": "{}",
            "apis/shop/openapi.yaml": "openapi: \(version)\ninfo: {title: T, version: '1'}\n" + document,
        ])
        let result = try Program.run(["validate", "apis/shop"], in: folder)
        return (result.status, result.output + result.errors)
    }

    private static let parts: [(part: String, note: String)] = [
        ("components:\n", "$.components: expected an object, found null: left out"),
        ("components: {schemas: {A: }}\n", "$.components.schemas.A: expected an object, found null: left out"),
        ("components: {schemas: {A: 5}}\n", "$.components.schemas.A: expected an object, found number: left out"),
        ("components: {schemas: }\n", "$.components.schemas: expected an object, found null: left out"),
        (
            "components: {parameters: , schemas: {}}\n",
            "$.components.parameters: expected an object, found null: left out"
        ),
        (
            "components: {schemas: {A: {properties: , allOf: }}}\n",
            "$.components.schemas.A.properties: expected an object, found null: left out"
        ),
        (
            "components: {schemas: {A: {anyOf: }}}\n",
            "$.components.schemas.A.anyOf: expected an array, found null: left out"
        ),
        ("servers:\n", "$.servers: expected an array, found null: left out"),
        ("servers: {url: /v1}\n", "$.servers: expected an array, found object: left out"),
        ("servers: [{description: none}]\n", "$.servers[0]: has no url: left out"),
        ("security:\n", "$.security: expected an array, found null: left out"),
        (
            "paths:\n  /a: {get: {parameters: , responses: {'200': {description: x}}}}\n",
            "$.paths['/a'].get.parameters: expected an array, found null: left out"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': {description: x, content: }}}}\n",
            "$.paths['/a'].get.responses['200'].content: expected an object, found null: left out"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': {description: x, headers: , content: {}}}}}\n",
            "$.paths['/a'].get.responses['200'].headers: expected an object, found null: left out"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': {description: x, content: {text/plain: {examples: , schema: {type: string}}}}}}}\n",
            "examples: expected an object, found null: left out"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': {description: x, headers: {X-A: {required: true, schema: {type: array, minItems: 30000}}}}}}}\n",
            "$.paths['/a'].get.responses['200'].headers['X-A'].schema: no sample fits this schema: the header is not sent"
        ),
        (
            "paths:\n  /a: {get: {callbacks: {c: {$ref: ./cb.yaml}}, responses: {'200': {description: x}}}}\n",
            "$.paths['/a'].get.callbacks.c['$ref']: the reference leads to cb.yaml, which does not exist; no operation needs it"
        ),
        (
            "paths:\n  /a: {get: {callbacks: {c: {'{$url}': {post: {requestBody: {$ref: ./b.yaml}, responses: {}}}}}, responses: {'200': {description: x}}}}\n",
            "the reference leads to b.yaml, which does not exist; no operation needs it"
        ),
        (
            "paths:\n  /a: {get: {callbacks: {c: {$ref: '#/paths/~1a/get/callbacks/d'}, d: {'{$url}': {post: {responses: {'200': {$ref: ./r.yaml}}}}}}, responses: {'200': {description: x}}}}\n",
            "the reference leads to r.yaml, which does not exist; no operation needs it"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': {description: x, links: {l: {$ref: ./l.yaml}}}}}}\n",
            "$.paths['/a'].get.responses['200'].links.l['$ref']: the reference leads to l.yaml, which does not exist; no operation needs it"
        ),
        (
            "paths:\n  /a: {get: {requestBody: {content: {multipart/form-data: {schema: {type: object}, encoding: {a: {headers: {X: {$ref: ./h.yaml}}}}}}}, responses: {'200': {description: x}}}}\n",
            "encoding.a.headers.X['$ref']: the reference leads to h.yaml, which does not exist; no operation needs it"
        ),
        ("components: {schemas: [A]}\n", "$.components.schemas: expected an object, found array: left out"),
        (
            "components: {schemas: {A: {$ref: '#/nope'}}}\n",
            "$.components.schemas.A['$ref']: the reference \"#/nope\" can't be resolved; no operation needs it"
        ),
        (
            "components: {schemas: {A: {properties: {b: {$ref: none.yaml}}}}}\n",
            "$.components.schemas.A.properties.b['$ref']: the reference leads to none.yaml, which does not exist; no operation needs it"
        ),
        (
            "webhooks: {w: {post: {requestBody: {$ref: '#/nope'}}}}\n",
            "the reference \"#/nope\" can't be resolved; no operation needs it"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': }}}\n",
            "$.paths['/a'].get.responses['200']: expected an object, found null: left out"
        ),
        (
            "paths:\n  /a: {get: {responses: {'200': {description: x, content: {application/json: {schema: }}}}}}\n",
            "content['application/json'].schema: expected an object, found null: left out"
        ),
        (
            "paths:\n  /a: {get: {parameters: {}, responses: {'200': {description: x}}}}\n",
            "$.paths['/a'].get.parameters: expected an array, found object: left out"
        ),
        (
            "paths:\n  /a: {get: {parameters: [{in: query}], responses: {'200': {description: x}}}}\n",
            "$.paths['/a'].get.parameters[0].name: expected a string: left out"
        ),
        (
            "paths:\n  /a: {get: {operationId: one}}\n  /a/: {get: {operationId: two}}\n",
            "$.paths['/a/'].get: matches the same requests as /a: left out"
        ),
    ]

    @Test func `16 an empty, broken or unneeded part is a note, and everything else is served`() throws {
        for (part, note) in Self.parts {
            let document = part.hasPrefix("paths:\n") ? part + Self.good : "paths:\n" + Self.good + part
            let (status, lines) = try validated(document)
            expectEqual(status, 0, "\(part)\(lines)")
            #expect(lines.contains(note), "\(part)\(lines)")
            let server = try DocumentServer(document)
            try expectEqual(server.ask("GET", "/good").text, "1", "\(part)")
            if part.contains("/a:") { try expectEqual(server.ask("GET", "/a").status, 200, "\(part)") }
        }
    }

    @Test func `16 parts that OpenAPI lets be empty are no notes`() throws {
        let parts = [
            "components: {}\n", "components: {schemas: {}, parameters: {}}\n", "servers: []\n", "security: []\n",
            "tags: []\n", "components: {schemas: {A: {}, B: {properties: {}, required: []}}}\n",
            "paths:\n  /a: {}\n  /b: {get: {parameters: [], responses: {'200': {description: x, headers: {}, content: {}}}}}\n",
        ]
        for part in parts {
            let (status, lines) = try validated(
                part.hasPrefix("paths:\n") ? part + Self.good : "paths:\n" + Self.good + part
            )
            expectEqual(status, 0)
            #expect(!lines.contains("left out") && !lines.contains("expected"), "\(part)\(lines)")
        }
    }

    @Test(arguments: [
        "{$ref: '#/components/schemas/None'}", "{$ref: none.yaml}", "{$ref: '#/components/schemas/Lost'}",
        "{type: array, items: {$ref: '#/components/schemas/Deep'}}",
    ])
    func `16 a reference that an operation needs leads somewhere, or is an error`(schema: String) throws {
        let (status, lines) = try validated(
            """
            paths:
              /a: {get: {responses: {'200': {description: x, content: {application/json: {schema: \(schema)}}}}}}
            components:
              schemas:
                Lost: {allOf: [{$ref: '#/components/schemas/Gone'}]}
                Deep: {properties: {more: {$ref: '#/components/schemas/Lost'}}}
            """
        )
        expectEqual(status, 1, lines)
        #expect(lines.contains("which does not exist\n") || lines.contains("can't be resolved\n"), "\(lines)")
    }

    @Test(arguments: [
        "'#/components/schemas/A'", "../up.yaml", "/etc/passwd", "'http://example.com/a.yaml'", "'file:///etc/passwd'",
    ])
    func `23 a reference that leads out or to itself is an error wherever it stands`(target: String) throws {
        let (status, lines) = try validated("paths: {}\ncomponents: {schemas: {A: {$ref: \(target)}}}\n")
        expectEqual(status, 1, lines)
    }

    private static let ignored: [(version: String, schema: String, note: String)] = [
        (
            "3.1.0", "{type: string, nullable: true}",
            "schema.nullable: is ignored in OpenAPI 3.1, where null is a type"
        ),
        ("3.0.3", "{const: 5}", "schema.const: is a keyword of OpenAPI 3.1: ignored"),
        (
            "3.0.3", "{type: object, if: {required: [a]}, then: {required: [b]}}",
            "schema.if: is a keyword of OpenAPI 3.1: ignored"
        ),
        ("3.1.0", "{discriminator: {mapping: {}}}", "schema.discriminator: has no propertyName: ignored"),
        ("3.1.0", "{dependencies: {a: [b]}}", "schema.dependencies: is not supported"),
    ]

    @Test func `16 keywords of the other version are noted`() throws {
        for (version, schema, note) in Self.ignored {
            let content = "{application/json: {schema: \(schema), example: {}}}"
            let (status, lines) = try validated(
                "paths: {/a: {post: {requestBody: {content: \(content)}, responses: {'200': {description: x}}}}}\n",
                version: version
            )
            expectEqual(status, 0, "\(schema) \(lines)")
            #expect(lines.contains(note), "\(schema) \(lines)")
        }
        let (_, lines) = try validated(
            """
            paths: {/a: {post: {responses: {'200': {description: x}}, requestBody: {content: {multipart/form-data:
              {schema: {type: object}, encoding: {pic: {headers: {X-A: {schema: {type: string}}}}}}}}}}}
            """
        )
        #expect(lines.contains("encoding.pic.headers: the headers of a part are ignored"), "\(lines)")
    }

    @Test(arguments: [
        ("api.example.com/v1", "/v1/good", true), ("localhost:8080/v2/", "/v2/good", true),
        ("10.0.0.1/v3", "/v3/good", true), ("api.example.com", "/good", true), ("v1.0", "/v1.0/good", false),
        ("v4", "/v4/good", false), ("../v5", "/v5/good", false), ("./v6/../v7", "/v7/good", false),
        ("https://h/a/../v8", "/v8/good", false),
    ])
    func `16 a server without a scheme is a host with a note, or a path`(url: String, path: String, isNoted: Bool)
        throws
    {
        let document = "servers: [{url: '\(url)'}]\npaths:\n" + Self.good
        try expectEqual(DocumentServer(document).ask("GET", path).text, "1", url)
        let (status, lines) = try validated(document)
        expectEqual(status, 0)
        expectEqual(lines.contains("$.servers[0].url: has no scheme"), isNoted, lines)
    }
}
