import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// The document that clients see (own-API contract, section 16).
@Suite struct BundleTests {
    private func shown(_ files: [String: String], adding operations: [AddedOperation] = []) throws -> JSON {
        let reading = Fixture.read(files)
        expectEqual(reading.errors.map(\.description), [])
        return try #require(reading.document).shown(
            servers: ["http://127.0.0.1:4700", "http://127.0.0.1:4680/shop"],
            adding: operations
        )
    }

    private func added(_ method: HTTPMethod, _ path: String, _ operation: JSON = ["summary": "added"]) throws
        -> AddedOperation
    {
        AddedOperation(method, try PathTemplate(path), operation)
    }

    @Test func `16 references into files are drawn in and stay what they mean`() throws {
        let document = try shown([
            "openapi.yaml": """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            paths:
              /a: {$ref: 'paths/a.yaml'}
            components:
              schemas:
                Pet: {$ref: 'pet.yaml'}
                pet: {type: integer, example: {$ref: kept.yaml}}
                x/y~z: {type: boolean}
            """,
            "paths/a.yaml": """
            get:
              parameters: [{$ref: 'parts.json#/limit'}]
              responses:
                '200':
                  description: ok
                  content: {application/json: {schema: {$ref: schemas/list.yaml}}}
            """,
            "paths/parts.json": #"{"limit":{"name":"limit","in":"query","schema":{"type":"integer"}}}"#,
            "paths/schemas/list.yaml":
                "type: array\nitems: {$ref: '#/$defs/one'}\n$defs: {one: {type: string, properties: {up: {$ref: '#'}}}}\n",
            "pet.yaml": """
            oneOf: [{$ref: 'openapi.yaml#/components/schemas/x~1y~0z'}, {$ref: '#/$defs/a b'}]
            discriminator: {propertyName: p, mapping: {k: '#/$defs/a b', n: Name}}
            $defs: {a b: {type: object}}
            """,
        ])
        let components = document["components"]
        expectEqual(document["paths"]?["/a"]?.text, ##"{"$ref":"#/components/pathItems/a"}"##)
        expectEqual(
            components?["pathItems"]?["a"]?["get"]?["parameters"]?.text,
            ##"[{"$ref":"#/components/parameters/limit"}]"##
        )
        expectEqual(components?["parameters"]?["limit"]?["name"]?.text, #""limit""#)
        let schemas = components?["schemas"]
        expectEqual(
            schemas?["list"]?.text,
            ##"{"type":"array","items":{"$ref":"#/components/schemas/one"},"$defs":{"one":{"type":"string","properties":{"up":{"$ref":"#/components/schemas/list"}}}}}"##
        )
        // The name `pet` is taken.
        expectEqual(schemas?["Pet"]?.text, ##"{"$ref":"#/components/schemas/pet_2"}"##)
        expectEqual(
            schemas?["pet_2"]?["oneOf"]?.text,
            ##"[{"$ref":"#/components/schemas/x~1y~0z"},{"$ref":"#/components/schemas/a_b"}]"##
        )
        expectEqual(
            schemas?["pet_2"]?["discriminator"]?["mapping"]?.text,
            ##"{"k":"#/components/schemas/a_b","n":"Name"}"##
        )
        expectEqual(schemas?["pet"]?["example"]?.text, #"{"$ref":"kept.yaml"}"#)
        let again = OpenAPIReader.read("openapi.json") {
            $0 == "openapi.json" ? .content(document.serialized()) : .missing
        }
        expectEqual(again.errors.map(\.description), [])
        expectEqual(
            again.document?.operations.first?.problems(query: "limit=x"),
            [
                "?limit: expected an integer, found string"
            ]
        )
    }

    @Test func `16 in 3·0 a path item of another file is written out`() throws {
        let document = try shown([
            "openapi.yaml": "openapi: 3.0.3\ninfo: {}\npaths: {/a: {$ref: a.yaml}}\n", "a.yaml": "{get: {summary: s}}",
        ])
        expectEqual(document["paths"]?.text, #"{"/a":{"get":{"summary":"s"}}}"#)
        expectEqual(document["openapi"]?.text, #""3.0.3""#)
    }

    @Test func `16 the servers are ours, and routes of other sources are added`() throws {
        let files = [
            "openapi.yaml": """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            servers: [{url: 'https://api.example.com/v1'}]
            paths:
              /pets/{petId}: {servers: [{url: 'https://x'}], get: {summary: own, servers: []}}
            """
        ]
        let parameters: JSON = [["name": "id", "in": "path"], ["name": "q", "in": "query"]]
        let document = try shown(
            files,
            adding: [
                added(.get, "/v1/pets/{id}"), added(.delete, "/v1/pets/{id}", ["parameters": parameters]),
                added(.post, "/v1/pets"),
                added(.post, "/login"), added(.put, "/login"),
            ]
        )
        expectEqual(
            document["servers"]?.text,
            #"[{"url":"http://127.0.0.1:4700/v1"},{"url":"http://127.0.0.1:4680/shop/v1"}]"#
        )
        let renamed = #"{"parameters":[{"name":"petId","in":"path"},{"name":"q","in":"query"}]}"#
        expectEqual(document["paths"]?["/pets/{petId}"]?.text, #"{"get":{"summary":"own"},"delete":"# + renamed + "}")
        expectEqual(document["paths"]?["/pets"]?.text, #"{"post":{"summary":"added"}}"#)
        expectEqual(document["paths"]?["/login"]?["servers"]?[0]?.text, #"{"url":"http://127.0.0.1:4700"}"#)
        expectEqual(document["paths"]?["/login"]?.objectValue?.members.map(\.name), ["servers", "post", "put"])
    }

    @Test func `16 an API without a document has one of 3·1`() throws {
        let made = OpenAPIDocument.made(
            title: "shop",
            version: "1.0.0",
            summary: "",
            servers: ["http://h"],
            adding: [try added(.get, "/a/{x}"), try added(.post, "/a/{y}")]
        )
        expectEqual(
            made.text,
            #"{"openapi":"3.1.0","info":{"title":"shop","version":"1.0.0"},"servers":[{"url":"http://h"}],"paths":{"/a/{x}":{"get":{"summary":"added"},"post":{"summary":"added"}}}}"#
        )
    }
}
