import Backend
import JSON
import Recording
import Scaffolding
import TestSupport
import Testing

/// The files of a new API (own-API contract, section 19).
@Suite struct Section19Tests {
    private static func source(_ name: String, _ text: String) -> ScaffoldOrder.Source {
        ScaffoldOrder.Source(place: "in/\(name)", name: name, bytes: Array(text.utf8))
    }

    private static func text(_ scaffold: Scaffold, _ path: String) throws -> String {
        String(decoding: try #require(scaffold.files.first { $0.path == path }).bytes, as: UTF8.self)
    }

    @Test func `19 without a source there are a stub, a table with its resource, and a scenario`() throws {
        let scaffold = try Scaffold(ScaffoldOrder(), version: "1")
        expectEqual(
            scaffold.files.map(\.path),
            ["api.json", "scenarios/no-items.json", "stubs/hello.json", "tables/items.json"]
        )
        try expectEqual(
            JSONReader.read(text: Self.text(scaffold, "api.json")),
            ["resources": [["path": "/items", "table": "items"]]]
        )
        let stub = try JSONReader.read(text: Self.text(scaffold, "stubs/hello.json"))
        expectEqual(stub["match"], ["method": "GET", "path": "/hello"])
        expectEqual(scaffold.omissions, [])
    }

    @Test func `19 a table has three rows and a resource at its name`() throws {
        var order = ScaffoldOrder()
        order.tables = ["pets", "owners"]
        let scaffold = try Scaffold(order, version: "1")
        expectEqual(scaffold.files.map(\.path), ["api.json", "tables/owners.json", "tables/pets.json"])
        let api = try JSONReader.read(text: Self.text(scaffold, "api.json"))
        expectEqual(api["resources"], [["path": "/pets", "table": "pets"], ["path": "/owners", "table": "owners"]])
        let rows = try JSONReader.read(text: Self.text(scaffold, "tables/pets.json")).arrayValue ?? []
        expectEqual(rows.map { $0["id"]?.intValue }, [1, 2, 3])
    }

    @Test func `11 the names of tables have 1 to 64 characters`() {
        expectNil(TableFiles.refusal(of: String(repeating: "a", count: 64)))
        #expect(TableFiles.refusal(of: String(repeating: "a", count: 65)) != nil)
        #expect(TableFiles.refusal(of: "") != nil && TableFiles.refusal(of: "a/b") != nil)
        #expect(TableFiles.refusal(of: "_codes") != nil && TableFiles.refusal(of: "A_b-9") == nil)
    }

    // MARK: Archives

    private static func archive(_ request: String, _ response: String) -> String {
        let entry = """
            {"startedDateTime":"2025-01-01T12:00:00.000Z","time":1,
            "request":{"method":"POST","url":"https://api.example.com/a","httpVersion":"HTTP/1.1","cookies":[],
            "headers":[],"queryString":[],"headersSize":-1,"bodySize":-1,
            "postData":{"mimeType":"application/json","text":\(JSON.string(request).text)}},
            "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],
            "content":{"size":2,"mimeType":"application/json","text":\(JSON.string(response).text)},
            "redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}
            """
        return "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\",\"version\":\"1\"},\"entries\":[\n\(entry)]}}"
    }

    @Test func `23 archives lose their secrets, those that a later archive gives away too`() throws {
        var order = ScaffoldOrder()
        let secret = "correct-horse-8271-battery"
        order.archives = [
            Self.source("one.har", Self.archive(#"{"note":"\#(secret)"}"#, "{}")),
            Self.source("sub/one.unredacted.har", Self.archive(#"{"password":"\#(secret)"}"#, "{}")),
        ]
        let scaffold = try Scaffold(order, version: "1")
        expectEqual(scaffold.files.map(\.path), ["api.json", "recordings/one-2.har", "recordings/one.har"])
        for path in ["recordings/one.har", "recordings/one-2.har"] {
            let text = try Self.text(scaffold, path)
            #expect(!text.contains(secret))
            var reader = HARStreamReader()
            try expectEqual(reader.feed(Array(text.utf8)[...]).count, 1)
        }
        order.redacts = false
        let plain = try Scaffold(order, version: "1")
        #expect(try Self.text(plain, "recordings/one.unredacted.har").contains(secret))
    }

    @Test func `19 a recording has no name that the reader of a folder passes over`() throws {
        var order = ScaffoldOrder()
        order.archives = ["log.har", ".log.har", "sub/..har", ".unredacted.har", "...a.b.har"].map {
            Self.source($0, Self.archive("{}", "{}"))
        }
        try expectEqual(
            Scaffold(order, version: "1").files.map(\.path),
            [
                "api.json", "recordings/a.b.har", "recordings/log-2.har", "recordings/log.har",
                "recordings/recording-2.har", "recordings/recording.har",
            ]
        )
    }

    @Test func `19 entries without a response are listed, a broken archive is refused`() throws {
        var order = ScaffoldOrder()
        let dead = Self.archive("{}", "{}").replacing("\"status\":200", with: "\"status\":0")
        order.archives = [Self.source("a.har", dead)]
        let scaffold = try Scaffold(order, version: "1")
        expectEqual(
            scaffold.omissions.map(\.text),
            ["in/a.har:2: $.log.entries[0].response: has no response, so it can't answer a request"]
        )
        order.archives = [Self.source("a.har", "{"), Self.source("b.har", "[]")]
        #expect {
            _ = try Scaffold(order, version: "1")
        } throws: { error in
            (error as? SeedError)?.items.map(\.place) == ["in/a.har", "in/b.har"]
        }
    }

    // MARK: Documents

    @Test func `19 a document gets its name, other files keep theirs`() throws {
        var order = ScaffoldOrder()
        order.document = [
            Self.source("petstore.yml", "openapi: 3.1.0"), Self.source("schemas/pet.yaml", "a"),
            Self.source("petstore.yml", "openapi: 3.1.0"),
        ]
        let scaffold = try Scaffold(order, version: "1")
        expectEqual(scaffold.files.map(\.path), ["api.json", "openapi.yml", "petstore.yml", "schemas/pet.yaml"])
        for (name, text, copy) in [
            ("a.json", "{}", "openapi.json"), ("a", " {}", "openapi.json"), ("a", "a: 1", "openapi.yaml"),
        ] {
            order.document = [Self.source(name, text)]
            try expectEqual(Scaffold(order, version: "1").files.map(\.path), ["api.json", copy])
        }
        order.document = [Self.source("a.json", "{}"), Self.source("api.json", "{}")]
        #expect(throws: SeedError.self) { try Scaffold(order, version: "1") }
    }
}
