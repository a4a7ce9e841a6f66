import Foundation
import JSON
import TestSupport
import Testing

/// `understudy new` (own-API contract, sections 19, 20 and 23).
@Suite(.serialized) struct NewTests {
    private func files(_ folder: Folder) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.hasPrefix("in") }.sorted()
    }

    private static let document = """
        openapi: 3.0.3
        info: {title: Pets, version: "7"}
        paths:
          /pets:
            get:
              responses:
                "200":
                  description: Pets
                  content:
                    application/json:
                      schema: {$ref: 'schemas/pet.yaml'}
        """

    private static let mapping = #"""
        {"mappings": [
          {"request": {"method": "GET", "urlPath": "/hello"}, "response": {"jsonBody": {"hi": true}}},
          {"request": {"host": {"equalTo": "x"}}, "response": {"status": 200}}
        ]}
        """#

    private static let archive = #"""
        {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
        {"startedDateTime": "2025-01-01T12:00:00.000Z", "time": 1, "request": {"method": "GET",
         "url": "https://api.example.com/me", "httpVersion": "HTTP/1.1", "cookies": [], "queryString": [],
         "headers": [{"name": "Authorization", "value": "Bearer Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"}],
         "headersSize": -1, "bodySize": -1},
         "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
         "content": {"size": 2, "mimeType": "application/json", "text": "{}"}, "redirectURL": "",
         "headersSize": -1, "bodySize": -1}, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
        """#

    private static let sources: [(flags: [String], files: [String])] = [
        ([], ["scenarios/no-items.json", "stubs/hello.json", "tables/items.json"]),
        (["--table", "pets", "owners"], ["tables/owners.json", "tables/pets.json"]),
        (["--wiremock", "in/wm"], ["stubs/wiremock.json"]), (["--har", "in/a.har"], ["recordings/a.har"]),
        (["--openapi", "in/doc.yaml"], ["openapi.yaml", "schemas/pet.yaml"]),
        (["--json-server", "in/db.json"], ["tables/me.json", "tables/posts.json"]),
    ]

    private func inputs() throws -> Folder {
        try Folder([
            "in/doc.yaml": Self.document, "in/schemas/pet.yaml": "type: object", "in/a.har": Self.archive,
            "in/wm/mappings/a.json": Self.mapping, "in/db.json": #"{"posts": [{"id": 1}], "me": {"name": "Ada"}}"#,
        ])
    }

    @Test func `19 hosts are chosen of archives only`() throws {
        let folder = try inputs()
        let refused = try Program.run(
            ["new", "shop", "--openapi", "in/doc.yaml", "--host", "*.example.com"],
            in: folder
        )
        expectEqual(refused.status, 2)
        #expect(refused.errors.contains("--host: requires --har"), "\(refused.errors)")
        expectEqual(files(folder), [])
    }

    @Test(arguments: NewTests.sources.indices)
    func `19 what is written is listed, passes validate and serves at once`(_ place: Int) throws {
        let source = Self.sources[place]
        let folder = try inputs()
        let made = try Program.run(["new", "shop"] + source.flags, in: folder)
        expectEqual(made.status, 0, "\(made.errors)")
        let lines = made.output.split(separator: "\n").map(String.init)
        expectEqual(
            Array(lines.prefix(source.files.count + 1)),
            (["api.json"] + source.files).map { "apis/shop/\($0)" }
        )
        // A document is followed by a first call.
        let serving = source.flags.first == "--openapi" ? lines.dropLast() : lines[...]
        expectEqual(serving.last, "understudy serve --api shop")
        let checked = try Program.run(["validate", "apis/shop", "--strict"], in: folder)
        expectEqual(checked.status, 0, "\(checked.output)\(checked.errors)")
        #expect(try Served(["--api", "shop"], in: folder).ready["apis"]?["shop"] != nil)
    }

    @Test func `19 several recordings are taken after one flag`() throws {
        let folder = try inputs()
        try folder.write("in/b.har", Self.archive)
        let made = try Program.run(["new", "shop", "--har", "in/a.har", "in/b.har"], in: folder)
        expectEqual(made.status, 0, "\(made.errors)")
        #expect(files(folder).contains("apis/shop/recordings/a.har"))
        #expect(files(folder).contains("apis/shop/recordings/b.har"))
    }

    @Test func `19 another folder is named in the line that serves it`() throws {
        let folder = try Folder()
        let made = try Program.run(["new", "shop", "--apis", "mine/", "--table", "a"], in: folder)
        #expect(made.output.hasSuffix("\nunderstudy serve --apis mine --api shop\n"))
        #expect(files(folder).contains("mine/shop/api.json"))
        try folder.write("understudy.json", #"{"apis":"mine"}"#)
        #expect(try Program.run(["new", "zoo", "--table", "a"], in: folder).output.hasPrefix("mine/zoo/api.json\n"))
    }

    @Test func `20 what is not carried over is listed with its place`() throws {
        let made = try Program.run(["new", "shop", "--wiremock", "in/wm"], in: inputs())
        #expect(made.output.contains("  in/wm/mappings/a.json:3: $.mappings[1].request.host: has no counterpart\n"))
        #expect(made.output.contains("\ndisabled with \"enabled\":false: 1 of 2 stubs\n"), "\(made.output)")
    }

    @Test func `19 what the document's reader leaves out is noted with the word that was meant`() throws {
        let folder = try Folder([
            "doc.yaml": """
            openapi: 3.0.3
            info: {title: Pets, version: "7"}
            paths:
              /pets:
                get:
                  parameters:
                    - {name: a, in: qurey, schema: {type: string}}
                    - {name: b, in: query, schema: {type: strng}}
                  responses: {"200": {description: Pets}}
            """
        ])
        let made = try Program.run(["new", "pets", "--openapi", "doc.yaml"], in: folder)
        expectEqual(made.status, 0, "\(made.errors)")
        let lines = made.errors.split(separator: "\n").map(String.init)
        expectEqual(lines.count, 2, "\(made.errors)")
        #expect(lines.first?.hasPrefix("note: apis/pets/openapi.yaml:7: ") ?? false, "\(lines)")
        #expect(lines.first?.hasSuffix("; did you mean query?") ?? false, "\(lines)")
        #expect(lines.last?.hasSuffix("; did you mean string?") ?? false, "\(lines)")
    }

    @Test func `19 a folder that exists is left alone`() throws {
        let folder = try Folder(["apis/shop/mine.txt": "x"])
        let result = try Program.run(["new", "shop"], in: folder)
        expectEqual(result.status, 2)
        #expect(
            result.errors.contains("apis/shop exists, and nothing is overwritten; delete it, or choose another name\n")
        )
        expectEqual(files(folder), ["apis", "apis/shop", "apis/shop/mine.txt"])
        let link = folder.url.appendingPathComponent("apis/zoo").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../elsewhere")
        try expectEqual(Program.run(["new", "zoo"], in: folder).status, 2)
        #expect(!files(folder).contains("elsewhere"))
    }

    @Test(arguments: [
        ["new"], ["new", "Shop"], ["new", "trendy"], ["new", "all"], ["new", "a/b"], ["new", "shop", "more"],
        ["new", "shop", "--table", "a b"], ["new", "shop", "--table", ""], ["new", "shop", "--table", ","],
        ["new", "shop", "--har", "none.har"], ["new", "shop", "--wiremock", "none"],
        ["new", "shop", "--openapi", "none.yaml"], ["new", "shop", "--har", "in/wm/mappings/a.json"],
        ["new", "shop", "--openapi", "in/dangling.yaml"], ["new", "shop", "--openapi", "in/leaving.yaml"],
        ["new", "shop", "--apis", "no/such"], ["new", "shop", "--json-server", "none.json"],
        ["new", "shop", "--json-server", "in/wm"], ["new", "shop", "--complete"],
        ["new", "shop", "--complete", "--openapi", "in/doc.yaml"], ["new", "shop", "--complete", "--table", "a"],
    ])
    func `19 a mistake is 2, and nothing is written`(_ arguments: [String]) throws {
        let folder = try inputs()
        try folder.write("in/dangling.yaml", "a:\n  $ref: gone.yaml")
        try folder.write("in/leaving.yaml", "a:\n  $ref: ../outside.yaml")
        let result = try Program.run(arguments, in: folder)
        expectEqual(result.status, 2)
        #expect(result.output == "" && !result.errors.isEmpty)
        expectEqual(files(folder), [])
    }

    private static let library = """
        openapi: 3.0.3
        info: {title: Library, version: "1"}
        servers: [{url: /v1}]
        security: [{bearer: []}]
        paths:
          /login:
            post:
              security: []
              requestBody:
                content:
                  application/json:
                    schema: {type: object, required: [email, password], properties: {email: {type: string}, password: {type: string}}}
              responses:
                "200":
                  description: In
                  content:
                    application/json: {schema: {type: object, required: [token], properties: {token: {type: string}}}}
          /books:
            get:
              parameters: [{name: page, in: query, schema: {type: integer, minimum: 1}}]
              responses:
                "200":
                  description: Books
                  content:
                    application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Book'}}}
        components:
          securitySchemes: {bearer: {type: http, scheme: bearer}}
          schemas:
            Book: {type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string}}}
        """

    @Test func `19 a document's sign-in and rows are served, and the output leads there`() throws {
        let folder = try Folder(["library.yaml": Self.library])
        let made = try Program.run(["new", "library", "--openapi", "library.yaml"], in: folder)
        expectEqual(made.status, 0, "\(made.errors)")
        for line in [
            "  sign-in: login POST /v1/login", "  books: GET /v1/books; pages by page",
            "user: ada@example.com, password: correct-horse-1A", "base path: /v1", "  GET  /v1/books (resource)",
            "  POST /v1/login (sign-in)",
        ] {
            #expect(made.output.contains(line + "\n"), "\(line) is not in \(made.output)")
        }
        let body = #"{"email":"ada@example.com","password":"correct-horse-1A"}"#
        #expect(
            made.output.hasSuffix(
                "understudy serve --api library\ncurl -s http://127.0.0.1:4680/library/v1/login "
                    + "-H 'Content-Type: application/json' -d '\(body)'\n"
            ),
            "\(made.output)"
        )
        let checked = try Program.run(["validate", "apis/library", "--strict"], in: folder)
        expectEqual(checked.status, 0, "\(checked.output)\(checked.errors)")
    }

    @Test func `19 a folder with a document is completed, and a second run changes nothing`() throws {
        for api in [nil, #"{"title": "Mine", "port": 4801}"#] {
            let folder = try Folder(["apis/library/openapi.yaml": Self.library, "apis/library/notes.txt": "x"])
            if let api { try folder.write("apis/library/api.json", api) }
            let first = try Program.run(["new", "library", "--complete"], in: folder)
            expectEqual(first.status, 0, "\(first.errors)")
            #expect(
                first.output.hasPrefix("apis/library/api.json\napis/library/tables/books.json\n"),
                "\(first.output)"
            )
            func contents() throws -> [String] {
                try files(folder).filter { $0.contains(".") }.map {
                    $0 + (try String(contentsOf: folder.url.appendingPathComponent($0), encoding: .utf8))
                }
            }
            let before = try contents()
            #expect(before.contains { $0.hasPrefix("apis/library/api.json") && ($0.contains("4801") || api == nil) })
            let second = try Program.run(["new", "library", "--complete"], in: folder)
            expectEqual(second.status, 0, "\(second.errors)")
            #expect(second.output.hasPrefix("apis/library has all that its document describes; nothing is changed\n"))
            try expectEqual(contents(), before)
        }
        let bare = try Folder(["apis/library/api.json": "{}"])
        let refused = try Program.run(["new", "library", "--complete"], in: bare)
        expectEqual(refused.status, 2)
        #expect(refused.errors.contains("apis/library: has no openapi.yaml"), "\(refused.errors)")
    }

    @Test func `19 a file that is no document of OpenAPI 3 is named, with the way on`() throws {
        let folder = try Folder([
            "old.yaml": "swagger: '2.0'\ninfo: {title: a, version: '1'}\npaths: {}\n",
            "my cards.json": #"{"info": {"_postman_id": "x", "name": "Cards"}, "item": []}"#,
            "part.yaml": "get: {responses: {}}\n",
        ])
        for (file, text) in [
            ("old.yaml", "old.yaml:1: $.swagger: OpenAPI 2.0 is not supported"),
            ("old.yaml", "npx swagger2openapi -o openapi.json old.yaml"),
            ("my cards.json", "my cards.json:1: $.openapi: missing: this is a Postman collection"),
            ("my cards.json", "p2o 'my cards.json' -f openapi.yaml"),
            ("part.yaml", "part.yaml:1: $.openapi: missing"), ("part.yaml", "name the file that refers to it"),
            ("https://example.com/v1/api.yaml", "curl -O 'https://example.com/v1/api.yaml', and pass api.yaml"),
            ("https://example.com/docs?x=1", "curl -o openapi.yaml 'https://example.com/docs?x=1'"),
            ("none.yaml", "none.yaml: there is no such file"),
        ] {
            let result = try Program.run(["new", "shop", "--openapi", file], in: folder)
            expectEqual(result.status, 2)
            #expect(result.errors.contains(text) && !result.errors.contains("apis/shop"), "\(result.errors)")
        }
    }

    @Test func `23 archives are redacted before they reach the disk, unless that is asked for`() throws {
        let secret = "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"
        let folder = try inputs()
        try expectEqual(Program.run(["new", "shop", "--har", "in/a.har"], in: folder).status, 0)
        let url = folder.url.appendingPathComponent("apis/shop/recordings/a.har")
        #expect(try !String(contentsOf: url, encoding: .utf8).contains(secret))
        let plain = try Program.run(["new", "zoo", "--har", "in/a.har", "--no-redact"], in: folder)
        #expect(plain.errors.contains("warning: --no-redact"))
        let kept = folder.url.appendingPathComponent("apis/zoo/recordings/a.unredacted.har")
        #expect(try String(contentsOf: kept, encoding: .utf8).contains(secret))
        let mode = try FileManager.default.attributesOfItem(atPath: kept.path)[.posixPermissions] as? Int
        expectEqual(mode, 0o600)
    }
}
