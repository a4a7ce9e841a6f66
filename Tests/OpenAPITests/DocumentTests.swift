import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// The reading of documents (own-API contract, section 16).
@Suite struct DocumentTests {
    private func errors(_ files: [String: String]) -> [String] { Fixture.read(files).errors.map(\.description) }

    private func head(_ version: String) -> String { "openapi: \(version)\ninfo: {title: T, version: '1'}\n" }

    @Test(arguments: [
        (
            "swagger: '2.0'\n",
            "openapi.yaml:1: $.swagger: OpenAPI 2.0 is not supported; 3.0 and 3.1 are: convert it with a tool "
                + "such as swagger2openapi"
        ),
        ("a: 1\nopenapi: 3.2.0\n", "openapi.yaml:2: $.openapi: OpenAPI 3.2.0 is not supported; 3.0 and 3.1 are"),
        ("openapi: 3.1\n", "openapi.yaml:1: $.openapi: expected a string such as \"3.1.0\", found 3.1"),
        ("openapi: 3.x.0\n", "openapi.yaml:1: $.openapi: OpenAPI 3.x.0 is not supported; 3.0 and 3.1 are"),
        ("info: {}\n", "openapi.yaml:1: $.openapi: missing: this is not an OpenAPI document"),
        ("- 1\n", "openapi.yaml:1: $: expected an OpenAPI document, found array"),
        ("a: 1\na: 2\n", "openapi.yaml:2: $: the mapping already has the key \"a\", column 1"),
        ("openapi: 3.0.3\ninfo: {}\n", "openapi.yaml:1: $.paths: missing"),
        ("openapi: 3.0.3\npaths: []\n", "openapi.yaml:2: $.paths: expected an object, found array"),
    ])
    func `16 another version or something else is an error that says so`(text: String, expected: String) {
        expectEqual(errors(["openapi.yaml": text]), [expected])
    }

    @Test(arguments: ["3.0.0", "3.0.3", "3.0.4", "3.1.0", "3.1.1"])
    func `16 versions 3·0 and 3·1 are read`(version: String) throws {
        let document = try Fixture.document(head(version) + "paths: {}\n")
        expectEqual(document.version, version)
        expectEqual(document.info.title, "T")
        #expect(document.operations.isEmpty)
    }

    @Test func `16 JSON and YAML give the same operations, in order`() throws {
        let json =
            #"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/b":{"post":{},"get":{"operationId":"b","summary":"S","tags":["x"]}},"/a":{"delete":{}}}}"#
        let reading = Fixture.read(["openapi.json": json], entry: "openapi.json")
        let operations = try #require(reading.document).operations
        expectEqual(
            operations.map { "\($0.index) \($0.method.rawValue) \($0.path)" },
            [
                "0 POST /b", "1 GET /b", "2 DELETE /a",
            ]
        )
        #expect(operations[1].operationID == "b" && operations[1].summary == "S" && operations[1].tags == ["x"])
        let yaml = head("3.1.0") + "paths:\n  /b: {post: {}, get: {operationId: b}}\n  /a: {delete: {}}\n"
        try expectEqual(Fixture.document(yaml).operations.map(\.path), ["/b", "/b", "/a"])
    }

    @Test func `16 references lead within the document and to files of the folder`() throws {
        let files = [
            "openapi.yaml": head("3.1.0") + """
                paths:
                  /pets/{id}:
                    $ref: paths/pet.yaml
                  /a~b/{x}:
                    get:
                      parameters: [{$ref: '#/components/parameters/X%20y'}]
                      responses: {'200': {$ref: 'common.json#/responses/ok~1fine'}}
                components:
                  parameters:
                    X y: {name: x, in: path, required: true, schema: {type: integer}}
                """,
            "paths/pet.yaml": """
            get:
              operationId: pet
              responses:
                200: {description: ok, content: {application/json: {schema: {$ref: schemas/pet.yaml}}}}
            """,
            "paths/schemas/pet.yaml": "type: object\nproperties: {next: {$ref: '#'}, name: {type: string}}\n",
            "common.json":
                #"{"responses":{"ok/fine":{"description":"ok","content":{"application/json":{"schema":{"type":"integer"}}}}}}"#,
        ]
        let reading = Fixture.read(files)
        expectEqual(reading.errors.map(\.description), [])
        let operations = try #require(reading.document).operations
        expectEqual(operations.map(\.operationID), ["pet", nil])
        let pet = try #require(operations[0].responses[0].content[0].schema)
        expectEqual(
            pet.validate(try Fixture.json(#"{"next":{"next":{"name":5}}}"#)).map(\.description),
            [
                "$.next.next.name: expected a string, found number"
            ]
        )
        expectEqual(operations[1].parameters[0].name, "x")
        expectEqual(
            operations[1].problems(path: ["a"]),
            ["{x}: expected a number, found string"].map {
                $0.replacing("a number", with: "an integer")
            }
        )
        expectEqual(operations[1].responses[0].content[0].schema?.fits(5), true)
    }

    @Test(arguments: [
        ("'#/components/schemas/None'", "the reference \"#/components/schemas/None\" can't be resolved"),
        ("none.yaml", "the reference leads to none.yaml, which does not exist"),
        ("'other.yaml#/None'", "the reference \"other.yaml#/None\" can't be resolved in other.yaml"),
        ("../up.yaml", "a reference with \"..\" is not followed"),
        ("a/../../up.yaml", "a reference with \"..\" is not followed"),
        ("'%2e%2e/up.yaml'", "a reference with \"..\" is not followed"),
        ("/etc/passwd", "a reference to an absolute path is not followed"),
        ("http://example.com/a.yaml", "a reference to a place outside the API's folder is not followed"),
        ("file:///etc/passwd", "a reference to a place outside the API's folder is not followed"),
        ("'a\\b.yaml'", "a reference to an absolute path is not followed"),
        ("5", "expected a string, found number"),
        ("'#/components/schemas/A'", "the reference is circular"),
        ("'#/components/schemas/B'", "the reference is circular"),
        ("broken.yaml", "the reference leads to broken.yaml, which can't be read: there is a device in the way"),
    ])
    func `16 a reference that leads out, nowhere or to itself is an error with its place`(text: String, reason: String)
    {
        let files = [
            "openapi.yaml": head("3.1.0") + """
                paths: {/a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}
                components:
                  schemas:
                    A:
                      $ref: \(text)
                    B: {$ref: '#/components/schemas/A'}
                """,
            "other.yaml": "type: string\n",
        ]
        let reading = OpenAPIReader.read("openapi.yaml", options: .init(folder: "apis/shop")) { name in
            if name == "broken.yaml" { return .refused("there is a device in the way") }
            #expect(!name.contains("..") && !name.hasPrefix("/"))
            return files[name].map { .content(Array($0.utf8)) } ?? .missing
        }
        let line = "apis/shop/openapi.yaml:7: $.components.schemas.A['$ref']: \(reason)"
        #expect(reading.errors.map(\.description).contains(line), "\(reading.errors)")
        expectNil(reading.document)
    }

    @Test func `16 in 3·0 siblings of a reference don't count, in 3·1 they do`() throws {
        let body = """
            paths:
              /a:
                post:
                  requestBody:
                    content: {application/json: {schema: {$ref: '#/components/schemas/S', maxLength: 2}}}
            components: {schemas: {S: {type: string}}}
            """
        let old = Fixture.read(["openapi.yaml": head("3.0.3") + body])
        expectEqual(
            old.notes.map(\.description),
            [
                "openapi.yaml:7: $.paths['/a'].post.requestBody.content['application/json'].schema: "
                    + "ignored beside $ref in OpenAPI 3.0: maxLength"
            ]
        )
        let new = Fixture.read(["openapi.yaml": head("3.1.0") + body])
        expectEqual(new.notes, [])
        let schemas = [old, new].map { $0.document?.operations.first?.body?.content.first?.schema }
        expectEqual(schemas.map { $0?.fits("long") }, [true, false])
        expectEqual(schemas.map { $0?.fits(5) }, [false, false])
    }

    @Test func `16 parameters of the path item are merged, those of the operation win`() throws {
        let operation = try Fixture.operation(
            "/a/{id}",
            """
            parameters:
            - {name: id, in: path, required: true, schema: {type: integer}}
            - {name: q, in: query, schema: {type: integer}}
            get:
              parameters:
              - {name: q, in: query, required: true, schema: {type: string}}
              - {name: q, in: header, schema: {type: string}}
            """
        )
        expectEqual(
            operation.parameters.map { "\($0.location.rawValue) \($0.name) \($0.isRequired)" },
            [
                "path id true", "query q true", "header q false",
            ]
        )
    }

    @Test(arguments: [
        ("[{url: 'https://api.example.com/v1/'}, {url: /v2}]", "/v1/a"), ("[{url: /}]", "/a"), ("[]", "/a"),
        ("[{url: 'https://api.example.com'}]", "/a"),
        ("[{url: '{base}/x', variables: {base: {default: /b}}}]", "/b/x/a"),
        (
            "[{url: 'https://{host}:{port}/{v}', variables: {host: {default: h}, port: {default: 1}, v: {default: v3}}}]",
            "/v3/a"
        ),
        ("[{url: v4/}]", "/v4/a"), ("[{url: //api.example.com/v5}]", "/v5/a"), ("[{url: //api.example.com}]", "/a"),
        ("[{url: '//{host}:8080/v6/', variables: {host: {default: h}}}]", "/v6/a"),
        ("[{url: 'https://api.example.com?x=/y'}]", "/a"), ("[{url: '/v7?x=http://h/y'}]", "/v7/a"),
    ])
    func `16 operations lie below the path of the first server`(servers: String, expected: String) throws {
        let text = head("3.1.0") + "servers: \(servers)\npaths: {/a: {get: {}}}\n"
        try expectEqual(Fixture.document(text).operations.first?.template.text, expected)
        let options = OpenAPIReader.Options(basePath: "/own/")
        try expectEqual(Fixture.document(text, options: options).operations.first?.template.text, "/own/a")
    }

    @Test func `16 a server's variable without default is an error`() {
        let text = head("3.1.0") + "servers: [{url: '/{v}'}]\npaths: {/a: {get: {}}}\n"
        expectEqual(
            errors(["openapi.yaml": text]),
            [
                "openapi.yaml:3: $.servers[0].url: a variable of the path has no default"
            ]
        )
    }

    @Test func `15 an operation is open if its security is absent, empty or has an empty alternative`() throws {
        let text =
            head("3.1.0") + """
                security: [{key: []}]
                paths:
                  /a: {get: {}, put: {security: []}, post: {security: [{key: []}, {}]}, delete: {security: [{key: []}]}}
                """
        try expectEqual(Fixture.document(text).operations.map(\.security), [.needed, .open, .open, .needed])
        let plain = head("3.1.0") + "paths: {/a: {get: {}, put: {security: [{k: []}]}}}\n"
        try expectEqual(Fixture.document(plain).operations.map(\.security), [.open, .needed])
    }

    @Test func `3 two operations of one method and shape are an error that names both`() {
        let text = head("3.1.0") + "paths:\n  /a/{x}: {get: {}, put: {}}\n  /a/{y}: {get: {}}\n  /a/: {}\n"
        expectEqual(
            errors(["openapi.yaml": text]),
            [
                "openapi.yaml:5: $.paths['/a/{y}'].get: matches the same requests as /a/{x} in line 4"
            ]
        )
    }

    @Test func `16 what is not supported is noted with its place`() throws {
        let text =
            head("3.1.0") + """
                webhooks: {w: {post: {}}}
                paths:
                  /a/{m}:
                    get:
                      parameters:
                      - {name: m, in: path, required: true, style: matrix, schema: {type: string}}
                      - {name: q, in: query, allowReserved: true, schema: {type: string, pattern: '(?=a)'}}
                      callbacks: {c: {'{$request.body#/url}': {post: {}}}}
                      responses:
                        '200':
                          links: {l: {operationId: x}}
                          content:
                            application/xml: {schema: {type: object}}
                            application/json:
                              schema: {type: string, format: idn-email, $dynamicRef: '#x'}
                              examples: {far: {externalValue: 'http://x'}}
                            image/png: {}
                  /b?x=1: {get: {}}
                components:
                  securitySchemes: {key: {type: http, scheme: bearer}}
                  schemas: {S: {type: strng, minLength: -1, format: idn-email}}
                """
        let reading = Fixture.read(["openapi.yaml": text])
        expectEqual(reading.errors, [])
        let response = "$.paths['/a/{m}'].get.responses['200']"
        expectEqual(
            reading.notes.map { $0.description.replacing("openapi.yaml:", with: "") },
            [
                "3: $.webhooks: webhooks are not sent",
                "8: $.paths['/a/{m}'].get.parameters[0].style: the style \"matrix\" is not supported: the parameter is not checked",
                "9: $.paths['/a/{m}'].get.parameters[1].allowReserved: is ignored: reserved characters are accepted as they are",
                "9: $.paths['/a/{m}'].get.parameters[1].schema.pattern: the pattern is not supported as a regular expression: not checked",
                "10: $.paths['/a/{m}'].get.callbacks: callbacks are not sent",
                "13: \(response).links: links are not followed",
                "15: \(response).content['application/xml']: without a text example its content is empty",
                "17: \(response).content['application/json'].schema['$dynamicRef']: is not supported",
                "17: \(response).content['application/json'].schema.format: the format \"idn-email\" is not checked, nor at 1 other place",
                "18: \(response).content['application/json'].examples.far.externalValue: is not read",
                "19: \(response).content['image/png']: without a text example its content is empty",
                "20: $.paths['/b?x=1']: a path has neither a query nor a fragment: its operations are left out",
                "22: $.components.securitySchemes.key: without auth in api.json any credential of this form is accepted",
                "23: $.components.schemas.S.type: expected the name of a type, found \"strng\": not checked; did you mean string?",
                "23: $.components.schemas.S.minLength: expected a whole number from 0, found -1: not checked",
            ]
        )
        let signing = Fixture.read(["openapi.yaml": text], options: OpenAPIReader.Options(signsIn: true))
        expectEqual(signing.notes.count, reading.notes.count - 1)
    }

    @Test func `16 examples that break their schema and schemas without a sample are noted`() throws {
        let document = try Fixture.document(
            head("3.0.3") + """
                paths:
                  /a:
                    post:
                      requestBody:
                        content: {application/json: {schema: {$ref: '#/components/schemas/S'}, example: {n: x}}}
                      responses:
                        '200': {content: {application/json: {schema: {type: integer, minimum: 3, maximum: 2}}}}
                        '201': {content: {application/json: {schema: {type: string}, examples: {a: {value: 5}, b: {value: t}}}}}
                components:
                  schemas:
                    S: {type: object, properties: {n: {type: integer, example: many}}, example: {n: 1}}
                """
        )
        expectEqual(
            document.examine().map(\.description),
            [
                "openapi.yaml:7: $.paths['/a'].post.requestBody.content['application/json'].example: "
                    + "the example violates its schema at $.n: expected an integer, found string",
                "openapi.yaml:9: $.paths['/a'].post.responses['200'].content['application/json'].schema: "
                    + "no sample fits this schema",
                "openapi.yaml:10: $.paths['/a'].post.responses['201'].content['application/json'].examples.a: "
                    + "the example violates its schema: expected a string, found number",
                "openapi.yaml:13: $.components.schemas.S.properties.n.example: "
                    + "the example violates its schema: expected an integer, found string",
            ]
        )
    }

    @Test func `2 all problems of all files are told at once, a hundred for each`() {
        let many = (0..<150).map { "      - {$ref: '#/none\($0)'}" }.joined(separator: "\n")
        let body = "requestBody: {content: {application/json: {schema: {$ref: other.yaml}}}}"
        let text = head("3.1.0") + "paths:\n  /a:\n    get:\n      \(body)\n      parameters:\n\(many)\n"
        let other = "anyOf:\n" + (0..<120).map { "- {$ref: '#/none\($0)'}" }.joined(separator: "\n")
        let found = errors(["openapi.yaml": text, "other.yaml": other])
        expectEqual(found.filter { $0.hasPrefix("openapi.yaml:") }.count, 100)
        expectEqual(found.filter { $0.hasPrefix("other.yaml:") }.count, 100)
        expectEqual(
            found.first,
            "openapi.yaml:8: $.paths['/a'].get.parameters[0]['$ref']: the reference \"#/none0\" can't be resolved"
        )
    }

    @Test func `11 a schema from outside leads into itself or into the document`() throws {
        let text = head("3.0.3") + "paths: {}\ncomponents: {schemas: {P: {type: string, nullable: true}}}\n"
        let document = try Fixture.document(text)
        let json = try Fixture.json(
            ##"{"$defs":{"n":{"type":["integer","null"]}},"properties":{"a":{"$ref":"#/components/schemas/P"},"b":{"$ref":"#/$defs/n"}}}"##
        )
        let schema = document.schema(json)
        expectEqual(document.survey(json).errors, [])
        expectEqual(schema.validate(try Fixture.json(#"{"a":null,"b":null}"#)), [])
        expectEqual(
            schema.validate(try Fixture.json(#"{"a":1,"b":"x"}"#)).map(\.description),
            [
                "$.a: expected a string, found number", "$.b: expected an integer or null, found string",
            ]
        )
        let lost = try Fixture.json(##"{"items":{"$ref":"#/components/schemas/Q"},"not":{"$ref":"far.json"}}"##)
        expectEqual(
            document.survey(lost).errors.map(\.description),
            [
                "$.items['$ref']: the reference \"#/components/schemas/Q\" can't be resolved",
                "$.not['$ref']: the reference leads to the file far.json, where none can be",
            ]
        )
        expectEqual(Schema.survey(json).errors.map(\.formattedPath), ["$.properties.a['$ref']"])
    }
}
