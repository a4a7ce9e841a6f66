import JSON
import OpenAPI
import TestSupport
import Testing

/// The notes about a document (own-API contract, section 16).
@Suite struct NoteTests {
    /// The notes about a document that is sound, without the name of its file.
    private func notes(_ version: String, _ text: String) throws -> [String] {
        let reading = Fixture.read(["openapi.yaml": "openapi: \(version)\ninfo: {title: T, version: '1'}\n\(text)"])
        expectEqual(reading.errors, [])
        let document = try #require(reading.document)
        return (reading.notes + document.examine()).map {
            String($0.description.dropFirst("openapi.yaml:".utf8.count))
        }
    }

    /// The notes about a response of `GET /a`, whose place is left out.
    private func notes(response: String) throws -> [String] {
        let found = try notes("3.1.0", "paths: {/a: {get: {responses: {'200': {\(response)}}}}}\n")
        let place = "3: $.paths['/a'].get.responses['200']."
        #expect(found.allSatisfy { $0.hasPrefix(place) }, "\(found)")
        return found.map { String($0.dropFirst(place.utf8.count)) }
    }

    @Test func `16 what stands beside a reference in 3·1 can leave no sample`() throws {
        func paths(_ siblings: String) -> String {
            """
            paths:
              /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}}
              /b: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/S', \(siblings)}}}}}}}
            components: {schemas: {S: {type: string}}}

            """
        }
        let place = "$.paths['/b'].get.responses['200'].content['application/json'].schema"
        try expectEqual(
            notes("3.1.0", paths("minLength: 10, maxLength: 5")),
            ["5: \(place): no sample fits this schema"]
        )
        try expectEqual(notes("3.1.0", paths("minLength: 5, maxLength: 5")), [])
        try expectEqual(
            notes("3.0.3", paths("minLength: 10, maxLength: 5")),
            [
                "5: \(place): ignored beside $ref in OpenAPI 3.0: minLength, maxLength"
            ]
        )
    }

    @Test func `16 a schema without a sample is noted once, whatever is said beside references to it`() throws {
        let text = """
            paths:
              /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}}
              /b: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/S', description: d}}}}}}}
            components: {schemas: {S: {type: string, minLength: 2, maxLength: 1}}}

            """
        try expectEqual(
            notes("3.1.0", text),
            [
                "4: $.paths['/a'].get.responses['200'].content['application/json'].schema: no sample fits this schema"
            ]
        )
    }

    @Test(arguments: ["text/plain", "text/csv", "'text/*'"])
    func `16 text without a sample is noted`(type: String) throws {
        let name = type.replacingQuotes
        try expectEqual(
            notes(response: "content: {\(type): {schema: {type: string, minLength: 5, maxLength: 4}}}"),
            [
                "content['\(name)'].schema: no sample fits this schema"
            ]
        )
        try expectEqual(notes(response: "content: {\(type): {schema: {type: string, minLength: 5, maxLength: 5}}}"), [])
    }

    @Test func `16 examples of text that break their schema are noted`() throws {
        func notes(_ content: String) throws -> [String] {
            try self.notes(response: "content: {text/plain: {\(content)}}")
        }
        let place = "content['text/plain']"
        try expectEqual(notes("schema: {type: string, maxLength: 3}, example: zzz"), [])
        try expectEqual(
            notes("schema: {type: string, maxLength: 2}, example: zzz"),
            [
                "\(place).example: the example violates its schema: must have at most 2 characters"
            ]
        )
        try expectEqual(
            notes("schema: {type: string, maxLength: 1}, examples: {a: {value: z}, b: {value: zz}}"),
            [
                "\(place).examples.b: the example violates its schema: must have at most 1 character"
            ]
        )
        // A text of a number is what is sent for one.
        try expectEqual(notes("schema: {type: integer}, example: '5'"), [])
        try expectEqual(
            notes("schema: {type: integer}, example: five"),
            [
                "\(place).example: the example violates its schema: expected an integer, found string"
            ]
        )
    }

    @Test func `16 examples of response headers that break their schema are noted`() throws {
        let reason = "the example violates its schema: expected an integer, found string"
        try expectEqual(
            notes(response: "headers: {X-A: {schema: {type: integer}, example: zz}, X-B: {example: zz}}"),
            [
                "headers['X-A'].example: \(reason)"
            ]
        )
        try expectEqual(notes(response: "headers: {X-A: {schema: {type: integer, maximum: 5}, example: 5}}"), [])
        try expectEqual(
            notes(response: "headers: {X-A: {schema: {type: integer, maximum: 5}, example: 6}}"),
            [
                "headers['X-A'].example: the example violates its schema: must be at most 5"
            ]
        )
        try expectEqual(
            notes(response: "headers: {X-A: {schema: {type: integer}, examples: {a: {value: 1}, b: {value: zz}}}}"),
            ["headers['X-A'].examples.b: \(reason)"]
        )
        try expectEqual(
            notes(response: "headers: {X-A: {content: {application/json: {schema: {type: integer}, example: zz}}}}"),
            ["headers['X-A'].content['application/json'].example: \(reason)"]
        )
    }

    @Test func `16 examples of parameters that break their schema are noted once, where they stand`() throws {
        let text = """
            paths:
              /a/{p}:
                parameters:
                - {name: p, in: path, required: true, schema: {type: integer}, example: zz}
                get:
                  parameters:
                  - {name: q, in: query, schema: {type: integer}, examples: {a: {value: 1}, b: {$ref: '#/components/examples/E'}}}
                  - {name: r, in: query, content: {application/json: {schema: {type: integer}, example: zz}}}
                  - {name: s, in: query, content: {text/plain: {schema: {type: integer}, example: zz}}}
                  - {$ref: '#/components/parameters/T'}
                put: {parameters: [{$ref: '#/components/parameters/T'}]}
            components:
              examples: {E: {value: zz}}
              parameters:
                T: {name: t, in: header, schema: {type: array, items: {type: integer}}, example: [1, zz]}
                U: {name: u, in: query, schema: {$ref: '#/components/schemas/S'}, example: {made: 1, id: 2}}
              schemas: {S: {type: object, required: [id, made], properties: {made: {type: integer, readOnly: true}}}}

            """
        let reason = "expected an integer, found string"
        try expectEqual(
            notes("3.1.0", text),
            [
                "6: $.paths['/a/{p}'].parameters[0].example: the example violates its schema: \(reason)",
                "9: $.paths['/a/{p}'].get.parameters[0].examples.b: the example violates its schema: \(reason)",
                "10: $.paths['/a/{p}'].get.parameters[1].content['application/json'].example: "
                    + "the example violates its schema: \(reason)",
                "17: $.components.parameters.T.example: the example violates its schema at $[1]: \(reason)",
            ]
        )
    }

    @Test func `16 what is left out is noted: paths, statuses, methods and servers`() throws {
        let text = """
            servers: [{url: /v1}]
            paths:
              x-paths: 1
              pets: {get: {}}
              /pets:
                summary: S
                description: D
                x-item: 1
                servers: [{url: /v2}]
                parameters: []
                GET: {}
                get:
                  servers: [{url: /v3}]
                  responses: {default: {}, 2XX: {}, '599': {}, '600': {}, '20O': {}, 2X0: {}, x-status: 1}
                put: {servers: []}
                query: {}
              /cats: {$ref: '#/components/pathItems/Cats'}
            components: {pathItems: {Cats: {servers: [], conect: {}}}}

            """
        try expectEqual(
            notes("3.1.0", text),
            [
                "6: $.paths.pets: a path begins with a slash: its operations are left out",
                "11: $.paths['/pets'].servers: are ignored: the first server of the document is used",
                "13: $.paths['/pets'].GET: is not a field of a path item: left out",
                "15: $.paths['/pets'].get.servers: are ignored: the first server of the document is used",
                "16: $.paths['/pets'].get.responses['600']: is not a status code: the response is left out",
                "16: $.paths['/pets'].get.responses['20O']: is not a status code: the response is left out",
                "16: $.paths['/pets'].get.responses['2X0']: is not a status code: the response is left out",
                "18: $.paths['/pets'].query: is not a field of a path item: left out",
                "20: $.components.pathItems.Cats.conect: is not a field of a path item: left out",
            ]
        )
    }

    @Test func `11 what is not supported in a schema from outside is noted, what it leads to is not`() throws {
        let text = "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {P: {type: strng, format: zorg}}}\n"
        let document = try Fixture.document(text)
        let json = try Fixture.json(
            ##"{"$ref":"#/components/schemas/P","type":"objekt","$defs":{"a":{"format":"zorg"},"b":{"pattern":"(?=x)"}}}"##
        )
        expectEqual(
            document.survey(json).notes.map(\.description),
            [
                "$.type: expected the name of a type, found \"objekt\": not checked; did you mean object?",
                "$['$defs'].b.pattern: the pattern is not supported as a regular expression: not checked",
                "$['$defs'].a.format: the format \"zorg\" is not checked",
            ]
        )
        expectEqual(Schema.survey(["type": "object", "required": ["n"], "format": "date"]).notes, [])
    }
}

extension String {
    fileprivate var replacingQuotes: String { filter { $0 != "'" } }
}
