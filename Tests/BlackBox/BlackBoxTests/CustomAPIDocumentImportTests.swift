import Foundation
import JSON
import TestSupport
import Testing

/// Own-API contract, sections 2, 16 and 19: `new --openapi` follows the references that the reader of the folder follows.
@Suite struct CustomAPIDocumentImportTests {
    private static let head = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
    private static let answer = "responses: {'200': {description: ok, content: {application/json: {example: {a: 1}}}}}"

    /// Parts of documents in which a member called `$ref` is data.
    private static let data = [
        "x-topics: [{content: {$ref: ./docs/a.md}}]\npaths: {/a: {get: {\(answer)}}}\n",
        "x-policy: {$ref: ../policies.yaml}\npaths: {/a: {get: {\(answer)}}}\n",
        "x-away: {$ref: 'https://example.com/a.yaml'}\npaths: {/a: {get: {\(answer)}}}\n",
        "paths: {/a: {get: {x-ms-examples: {one: {$ref: ./examples/one.json}}, \(answer)}}}\n",
        "paths: {/a: {get: {description: {$ref: ./d.md}, \(answer)}}}\n",
        "paths: {/a: {get: {\(answer)}}}\ncomponents: {schemas: {S: {type: object, example: {$ref: ./foo.json}}}}\n",
        "paths: {/a: {get: {\(answer)}}}\ncomponents: {schemas: {S: {type: object, default: {$ref: ./foo.json}}}}\n",
        "paths: {/a: {get: {\(answer)}}}\ncomponents: {schemas: {S: {enum: [{$ref: ./foo.json}]}}}\n",
        "paths: {/a: {get: {\(answer)}}}\ncomponents: {schemas: {S: {properties: {$ref: {type: string}}}}}\n",
        "paths: {/a: {get: {\(answer)}}}\ncomponents: {schemas: {S: {x-of: {$ref: ./x.yaml}}}}\n",
        "paths: {/a: {get: {\(answer)}}}\ncomponents: {examples: {E: {value: {link: {$ref: ./e.json}}}}}\n",
        "# $ref: ./comment.yaml\npaths: {/a: {get: {summary: 'see $ref: ./text.yaml', \(answer)}}}\n",
    ]

    @Test func `19 what only looks like a reference is data, for new as for validate and serve`() throws {
        for (index, text) in Self.data.enumerated() {
            let folder = try Folder(["in/doc.yaml": Self.head + text, "in/docs/a.md": "a"])
            let made = try Program.run(["new", "shop", "--openapi", "in/doc.yaml"], in: folder)
            expectEqual(made.status, 0, "\(text)\(made.errors)")
            let names = try FileManager.default.subpathsOfDirectory(
                atPath: folder.url.appendingPathComponent("apis/shop").path
            )
            expectEqual(names.sorted(), ["api.json", "openapi.yaml"], "\(text)")
            // The same file, put there by hand.
            try folder.write("apis/zoo/api.json", "{}")
            try folder.write("apis/zoo/openapi.yaml", Self.head + text)
            try expectEqual(Program.run(["validate", "apis/zoo"], in: folder).status, 0, "\(text)")
            guard index == 0 else { continue }
            let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
            try expectEqual(Wire(port: served.hub).ask("GET", "/shop/a").text, #"{"a":1}"#)
        }
    }

    @Test func `19 what the document needs is copied, and no more`() throws {
        let folder = try Folder([
            "in/doc.yaml": Self.head + """
                x-more: {$ref: unused.yaml}
                paths: {/a: {$ref: 'paths/a.yaml'}, /b: {get: {responses: {'200': {$ref: 'common.json#/ok~1b'}}}}}
                components: {schemas: {Base: {type: object, discriminator: {propertyName: t, mapping: {leaf: models/leaf.yaml}}, properties: {t: {type: string}}}}}
                """,
            "in/paths/a.yaml":
                "get: {responses: {'200': {description: x, content: {application/json: {schema: {$ref: deep/s.yaml}}}}}}\n",
            "in/paths/deep/s.yaml": "type: object\nproperties: {own: {$ref: '#'}}\nexample: {$ref: no.yaml}\n",
            "in/common.json":
                #"{"ok/b":{"description":"x","content":{"application\/json":{"schema":{"$ref":"paths\/deep\/s.yaml"}}}}}"#,
            "in/models/leaf.yaml": "type: object\n", "in/unused.yaml": "a: 1\n", "in/secret.txt": "s",
        ])
        let made = try Program.run(["new", "shop", "--openapi", "in/doc.yaml"], in: folder)
        expectEqual(made.status, 0, made.errors)
        expectEqual(
            made.output.split(separator: "\n").filter { $0.hasPrefix("apis/shop/") }.map {
                String($0.dropFirst("apis/shop/".count))
            },
            ["api.json", "common.json", "models/leaf.yaml", "openapi.yaml", "paths/a.yaml", "paths/deep/s.yaml"]
        )
        try expectEqual(Program.run(["validate", "apis/shop"], in: folder).status, 0)
    }

    @Test func `2 a problem of the document names the user's file, its line and the path`() throws {
        let bad: [(file: String, text: String, expected: String)] = [
            (
                "in/doc.yaml",
                head("3.0.3") + "paths:\n  /a:\n    $ref: gone.yaml\n",
                "in/doc.yaml:5: $.paths['/a']['$ref']: the reference leads to gone.yaml, which does not exist"
            ),
            (
                "in/doc.yaml", head("3.0.3") + "paths:\n  /a:\n    $ref: ../up.yaml\n",
                "in/doc.yaml:5: $.paths['/a']['$ref']: a reference with \"..\" is not followed"
            ),
            (
                "in/doc.yaml", head("3.0.3") + "paths:\n  /a:\n    $ref: part.yaml\n",
                "in/part.yaml:2: $.get.responses['200'].content['a/b'].schema['$ref']"
            ),
            ("in/old.json", #"{"swagger": "2.0"}"#, "in/old.json:1: $.swagger: OpenAPI 2.0 is not supported"),
            ("in/old.json", #"{"swagger": "2.0"}"#, "convert it with a tool"),
            (
                "in/c.json",
                #"{"info": {"_postman_id": "1", "schema": "https://schema.getpostman.com/x"}, "item": []}"#,
                "in/c.json:1: $.openapi: missing: this is a Postman collection; convert it"
            ),
            (
                "in/s.yaml", "type: object\n",
                "in/s.yaml:1: $.openapi: missing: this is not an OpenAPI document; if it is a part"
            ),
            ("in/h.json", #"{"log": {}}"#, "this is a recording: import it with --har"),
            ("doc.yml", "openapi: 3.1.0\npaths: [\n", "doc.yml:"),
        ]
        for (file, text, expected) in bad {
            let folder = try Folder([
                file: text,
                "in/part.yaml": "get:\n  responses: {'200': {content: {a/b: {schema: {$ref: '#/nope'}}}}}\n",
            ])
            let made = try Program.run(["new", "shop", "--openapi", file], in: folder)
            expectEqual(made.status, 2)
            #expect(made.errors.contains(expected), "\(made.errors)")
            #expect(!made.errors.contains("apis/shop"), "\(made.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("apis").path))
        }
        let address = try Program.run(["new", "shop", "--openapi", "https://example.com/a.yaml"])
        expectEqual(address.status, 2)
        #expect(address.errors.contains("is a URL, and nothing is downloaded"), "\(address.errors)")
    }

    private func head(_ version: String) -> String { "openapi: \(version)\ninfo: {title: T, version: '1'}\n" }
}
