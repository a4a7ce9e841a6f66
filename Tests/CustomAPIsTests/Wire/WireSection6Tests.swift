import Backend
import Conditions
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Slashes and redirects (wire contract, section 6).
@Suite struct WireSection6Tests {
    private static func harness(_ more: String, stubs: String = "[]") throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": """
            {"resources":[{"path":"/v1/items","table":"items","list":{"paging":{"style":"page","limit":1}}},
                          {"path":"/v1/slashed/","table":"items","list":{"paging":{"style":"page","limit":1}}}]\(more)}
            """,
            "tables/items.json": #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, "stubs/a.json": stubs,
            "openapi.yaml": """
            openapi: 3.1.0
            info: {title: T, version: 1.0.0}
            paths:
              /plain: {get: {responses: {"200": {description: ok}}}}
              /ends/: {get: {responses: {"200": {description: ok}}}}
            """,
        ])
    }

    /// A path of a match with the paths that it takes, and those that it does not.
    @Test(arguments: [
        (#""/a""#, ["/a"], ["/a/", "/a/b", "/"]), (#""/a/""#, ["/a/"], ["/a", "/a/b/"]),
        (#""/a/{id}""#, ["/a/1"], ["/a/1/", "/a"]), (#""/a/{id}/""#, ["/a/1/"], ["/a/1"]),
        (#""/a/*""#, ["/a/1"], ["/a/1/"]), (#""/a/*/""#, ["/a/1/"], ["/a/1"]),
        (#""/a/**""#, ["/a", "/a/", "/a/b", "/a/b/c/"], ["/b"]), (#""**""#, ["/", "/a", "/a/"], []),
        (#""/**/c""#, ["/c", "/a/b/c"], ["/c/"]), (#""/**/c/""#, ["/c/", "/a/c/"], ["/c"]),
        (#""/""#, ["/"], ["/a"]), (#""/%61""#, ["/a", "/%61"], ["/a/"]),
        (#"{"regex":"/a"}"#, ["/a"], ["/a/"]), (#"{"regex":"/a/?"}"#, ["/a", "/a/"], ["/a/b"]),
        (#"{"regex":"/a/"}"#, ["/a/"], ["/a"]),
    ])
    func `6 a path of a match is held against the path as sent`(path: String, taken: [String], left: [String]) throws {
        let harness = try Self.harness("", stubs: "[{\"match\":{\"path\":\(path)},\"response\":{\"text\":\"stub\"}}]")
        for target in taken { try expectEqual(harness.get(target).text, "stub", "\(path) \(target)") }
        for target in left { try #expect(harness.get(target).text != "stub", "\(path) \(target)") }
    }

    @Test(arguments: [
        ("/v1/items", 503, 200), ("/v1/items/", 200, 503), ("/v1/items/**", 503, 503), ("/v1/*", 503, 200),
        ("/v1/*/", 200, 503),
    ])
    func `6 a fault looks at the path in the same way`(path: String, plain: Int, slashed: Int) throws {
        let harness = try Self.harness("")
        try harness.addFault(["match": ["path": .string(path)], "effect": ["status": 503]])
        try expectEqual(harness.get("/v1/items").status, plain)
        try expectEqual(harness.get("/v1/items/").status, slashed)
    }

    @Test func `6 a stub can lead to the form with the slash, as frameworks do`() throws {
        let harness = try Self.harness(
            "",
            stubs: """
                [{"match":{"path":"/django"},"response":{"status":301,"headers":{"Location":"/django/"}}},
                 {"match":{"path":"/django/"},"response":{"text":"there"}}]
                """
        )
        try expectEqual(harness.get("/django")["Location"], "/django/")
        try expectEqual(harness.get("/django/").text, "there")
    }

    @Test func `6 the text of an unmatched request says that only the slash differs`() throws {
        let stubs = #"[{"match":{"method":"GET","path":"/only"},"response":{"text":"x"}}]"#
        let answer = try Self.harness("", stubs: stubs).get("/only/")
        expectEqual(answer.status, 404)
        #expect(answer.text.contains("differs by the slash at its end"), "\(answer.text)")
    }

    @Test func `6 either takes both forms, and an operation has a violation`() throws {
        let harness = try Self.harness("")
        for target in ["/v1/items", "/v1/items/", "/v1/items/1", "/v1/items/1/", "/v1/slashed", "/v1/slashed/1/"] {
            try expectEqual(harness.get(target).status, 200, target)
        }
        for (target, violation) in [
            ("/plain", nil), ("/ends/", nil), ("/plain/", "the document has this path without a slash at its end"),
            ("/ends", "the document has this path with a slash at its end"),
        ] {
            try expectEqual(harness.get(target).status, 200, target)
            let journal = try harness.hosted().world.journal
            let entry = try #require(journal[journal.lastSeq])
            expectEqual(entry.violations?.first?["reason"]?.stringValue, violation, target)
        }
        // It is no reason for a refusal.
        try harness.set(["validation": "enforce"])
        try expectEqual(harness.get("/plain/").status, 200)
    }

    @Test func `6 strict takes the declared form alone, and the text names the slash`() throws {
        let harness = try Self.harness(#","slashes":"strict""#)
        for target in ["/v1/items", "/v1/items/1", "/v1/slashed/", "/v1/slashed/1/", "/plain", "/ends/"] {
            try expectEqual(harness.get(target).status, 200, target)
        }
        for (target, words) in [
            ("/v1/items/", "the path ends in a slash"), ("/v1/items/1/", "the path ends in a slash"),
            ("/plain/", "the path ends in a slash"), ("/v1/slashed", "the path lacks the slash at its end"),
            ("/v1/slashed/1", "the path lacks the slash at its end"), ("/ends", "the path lacks the slash at its end"),
        ] {
            let answer = try harness.get(target)
            expectEqual(answer.status, 404, target)
            #expect(answer.text.contains(words), "\(target): \(answer.text)")
        }
        try expectEqual(harness.delete("/v1/items").status, 405)
        try expectEqual(harness.delete("/v1/items/").status, 404)
        try expectEqual(harness.options("/v1/slashed/").status, 204)
        // The addresses in answers can be asked for.
        let made = try harness.post("/v1/slashed/", ["name": "c"])
        expectEqual(made["Location"], "http://127.0.0.1:4700/v1/slashed/3/")
        let list = try harness.get("/v1/slashed/?page=1")
        expectEqual(list["Link"]?.contains("/v1/slashed/?"), true)
    }

    @Test func `6 redirect leads to the declared form, before any token is asked for`() throws {
        let harness = try CustomAPIHarness(
            SignInFixture.files(more: #""slashes":"redirect","uploads":[{"path":"/up/"}]"#)
        )
        for (method, target, status, place) in [
            ("GET", "/v1/notes/?a=1&b=%20", 301, "/v1/notes?a=1&b=%20"), ("HEAD", "/v1/notes/1/", 301, "/v1/notes/1"),
            ("POST", "/v1/notes/", 307, "/v1/notes"), ("DELETE", "/v1/notes/1/", 307, "/v1/notes/1"),
            ("POST", "/v1/login/", 307, "/v1/login"), ("POST", "/up", 307, "/up/"),
            ("GET", "/v1/notes/%E2%9C%93/?", 301, "/v1/notes/%E2%9C%93?"),
        ] {
            let answer = try harness.send(HTTPMethod(rawValue: method), target)
            expectEqual(answer.status, status, target)
            expectEqual(answer["Location"], "http://127.0.0.1:4700" + place, target)
        }
        try expectEqual(harness.get("/v1/notes").status, 401)
        try expectEqual(harness.send(.put, "/v1/notes/").status, 405)
        try expectEqual(harness.get("/nothing/").status, 404)
        // With mount and world.
        try harness.makeWorld("w")
        harness.entryPoint = .hub
        try expectEqual(
            harness.get("/@w/shop/v1/notes/")["Location"],
            "http://127.0.0.1:4700/@w/shop/v1/notes"
        )
    }

    @Test func `6 a stub of an expression is named where the slash is all that differs`() throws {
        let stubs = #"[{"match":{"path":{"regex":"/re/[a-z]+"}},"response":{"text":"stub"}}]"#
        let answer = try Self.harness("", stubs: stubs).get("/re/abc/")
        expectEqual(answer.status, 404)
        for words in ["/re/[a-z]+", "which differs by the slash at its end"] {
            #expect(answer.text.contains(words), "\(answer.text)")
        }
    }

    @Test func `6 another value of slashes is refused`() {
        expectEqual(
            CustomAPIHarness.findings(#"{"slashes":"loose"}"#).first?.contains("either, strict, redirect"),
            true
        )
    }

    @Test func `6 respond fills in placeholders with template, and else sends them as they are`() throws {
        let harness = try Self.harness("")
        func fault(_ respond: String) throws {
            try harness.addFault(
                try JSONReader.read(
                    text:
                        "{\"match\":{\"path\":\"/x/{id}\"},\"when\":{\"times\":1},\"effect\":{\"respond\":\(respond)}}"
                )
            )
        }
        let members =
            #""headers":[["X-Id","{{path.id}}"]],"body":{"id":"{{path.id}}","q":"{{query.a}}","m":"{{request.method}}"}"#
        try fault("{\"status\":201,\(members),\"template\":true}")
        let filled = try harness.get("/x/7?a=b")
        expectEqual(filled.status, 201)
        expectEqual(filled["X-Id"], "7")
        expectEqual(filled.text, #"{"id":"7","q":"b","m":"GET"}"#)
        try fault("{\"status\":201,\(members)}")
        try expectEqual(harness.get("/x/7").json["id"], "{{path.id}}")
        try fault(#"{"status":200,"text":"at {{request.path}}","template":true}"#)
        try expectEqual(harness.get("/x/8").text, "at /x/8")
        try fault(#"{"status":307,"headers":[["Location","{{request.path}}/"]],"template":true}"#)
        try expectEqual(harness.get("/x/8")["Location"], "/x/8/")
        for wrong in [
            #"{"status":200,"text":"{{nothing.here}}","template":true}"#,
            #"{"status":200,"file":"a","template":true}"#, #"{"status":200,"template":1}"#,
        ] {
            #expect(throws: (any Error).self, "\(wrong)") { try fault(wrong) }
        }
    }
}
