import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// The answerer of a request, and which stub nearly did (own-API contract, section 4).
@Suite struct AnsweredByTests {
    private static let api = """
        {"tables":{"bikes":{"newKey":"integer"},"users":{}},
         "resources":[{"path":"/v2/bikes","table":"bikes","methods":["list","create","get","replace","patch","delete"]}],
         "auth":{"users":"users","login":"/v2/sessions","open":["/v2/**"]}}
        """
    private static let stubs = """
        [{"match":{"method":"GET","path":"/v2/pets","query":{"page":"2"}},"response":{"text":"second"}},
         {"name":"Named","match":{"method":"GET","path":"/v2/pets/{id}","headers":{"X-Kind":"stub"}},"response":{"text":"own"}},
         {"match":{"method":"PUT","path":"/v2/pets/mine"},"response":{"status":204}},
         {"match":{"path":"/v2/bikes","headers":{"X-Other":"1"}},"response":{"text":"other"}},
         {"match":{"headers":{"X-Any":"1"}},"response":{"text":"any"}}]
        """

    private func harness() throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": Self.api, "openapi.yaml": Section16OperationTests.document, "stubs/a.json": Self.stubs,
            "tables/bikes.json": #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#,
            "tables/users.json": #"[{"id":"u","email":"a@b.c","password":"pass"}]"#,
        ])
    }

    private func entry(_ harness: CustomAPIHarness) throws -> JournalEntry {
        let journal = try harness.hosted().world.journal
        return try #require(journal[journal.lastSeq])
    }

    @Test func `4 an entry says which stub, row, sample, example or route answered`() throws {
        let harness = try harness()
        let cases: [(HTTPMessage.HTTPMethod, String, JSON?, KeyValuePairs<String, String>, String?)] = [
            (.get, "/v2/pets", nil, [:], #"example "none" 200 of GET /v2/pets"#),
            (.get, "/v2/pets?__example=one", nil, [:], #"example "one" 200 of GET /v2/pets"#),
            (.get, "/v2/pets?__dynamic=true", nil, [:], "sample 200 of GET /v2/pets"),
            (.get, "/v2/pets?__code=404", nil, [:], "example 404 of GET /v2/pets"),
            (.post, "/v2/pets", ["name": "Rex", "kind": "dog"], [:], "response 201 of POST /v2/pets"),
            (.get, "/v2/pets/7", nil, [:], "sample 200 of GET /v2/pets/{id}"),
            (.get, "/v2/none", nil, [:], "operation GET /v2/none"),
            (.get, "/v2/pets?page=2", nil, [:], "stub stb_1 (file:stubs/a.json)"),
            (.get, "/v2/pets/7", nil, ["X-Kind": "stub"], #"stub stb_2 "Named" (file:stubs/a.json)"#),
            (.get, "/v2/nowhere", nil, ["X-Any": "1"], "stub stb_5 (file:stubs/a.json)"),
            (.get, "/v2/bikes", nil, [:], "2 rows of bikes"), (.get, "/v2/bikes?name=b", nil, [:], "1 row of bikes"),
            (.get, "/v2/bikes?name=c", nil, [:], "0 rows of bikes"), (.get, "/v2/bikes/2", nil, [:], "row 2 of bikes"),
            (.get, "/v2/bikes/9", nil, [:], "resource /v2/bikes/{id}"),
            (.post, "/v2/bikes", ["name": "c"], [:], "row 3 of bikes"),
            (.patch, "/v2/bikes/3", ["name": "d"], [:], "row 3 of bikes"),
            (.put, "/v2/bikes/3", ["name": "e"], [:], "row 3 of bikes"),
            (.delete, "/v2/bikes/3", nil, [:], "row 3 of bikes"),
            (.post, "/v2/sessions", ["email": "a@b.c", "password": "pass"], [:], "sign-in POST /v2/sessions"),
            (.post, "/v2/sessions", ["email": "a@b.c", "password": "no"], [:], "sign-in POST /v2/sessions"),
            (.get, "/v2/nowhere", nil, [:], nil), (.delete, "/v2/pets", nil, [:], nil),
            (.get, "/v2/bikes", nil, ["Prefer": "code=503"], nil),
            (.get, "/v2/pets/1", nil, ["Prefer": "fault=reset"], nil),
        ]
        for (method, target, body, headers, expected) in cases {
            let content = body?.serialized() ?? []
            let type: KeyValuePairs<String, String> = body == nil ? [:] : ["Content-Type": "application/json"]
            _ = try? harness.send(method, target, body: content, headers: headers, type)
            let found = try entry(harness)
            expectEqual(found.answeredBy, expected, "\(method.rawValue) \(target)")
            expectEqual(JournalLine(found).answeredBy, expected, target)
        }
    }

    @Test func `4 where stubs are there for a path and another source answers, the nearest is named with the reason`()
        throws
    {
        let harness = try harness()
        func nearest(_ target: String, _ headers: KeyValuePairs<String, String> = [:]) throws -> String? {
            _ = try harness.get(target, headers)
            return try entry(harness).nearestStub
        }
        try expectEqual(
            nearest("/v2/pets?page=3"),
            #"stub stb_1 (file:stubs/a.json): query.page: expected "2", found "3""#
        )
        try expectEqual(
            nearest("/v2/pets/7"),
            #"stub stb_2 "Named" (file:stubs/a.json): headers.X-Kind: expected "stub", found none"#
        )
        // Of two the nearer; another method is a difference.
        try expectEqual(
            nearest("/v2/pets/mine", ["X-Kind": "x"])?.hasPrefix("stub stb_2"),
            true
        )
        try expectEqual(nearest("/v2/bikes")?.hasPrefix("stub stb_4"), true)
        // A path without stubs, a stub that answers, and nobody at all.
        for target in ["/v2/bikes/1", "/v2/pets?page=2", "/v2/nowhere", "/v2/none"] {
            try expectNil(nearest(target), target)
        }
        _ = try harness.post("/v2/pets", ["name": "Rex", "kind": "dog"])
        try expectEqual(
            entry(harness).nearestStub?.contains("method: expected GET, found POST"),
            true
        )
    }

    @Test func `4 a stub that is used up or off says so`() throws {
        let harness = try CustomAPIHarness([
            "api.json": "{}", "openapi.yaml": Section16OperationTests.document,
            "stubs/a.json": #"[{"match":{"path":"/v2/pets"},"when":{"times":1},"response":{"text":"once"}}]"#,
        ])
        try expectEqual(harness.get("/v2/pets").text, "once")
        try expectNil(entry(harness).nearestStub)
        try expectEqual(harness.get("/v2/pets").text, "[]")
        try expectEqual(entry(harness).nearestStub?.contains("it was used up"), true)
    }

    @Test func `16 violations are counted in the line`() throws {
        let harness = try harness()
        _ = try harness.get("/v2/pets?limit=500")
        try expectEqual(JournalLine(entry(harness)).violations, 1)
        _ = try harness.get("/v2/pets")
        try expectEqual(JournalLine(entry(harness)).violations, 0)
    }

    @Test func `11 what answered survives the document of a world`() throws {
        let harness = try harness()
        _ = try harness.get("/v2/pets?page=3&limit=500")
        let before = try entry(harness)
        try harness.load(try harness.document())
        let after = try entry(harness)
        expectEqual(after.answeredBy, before.answeredBy)
        expectEqual(after.nearestStub, before.nearestStub)
        #expect(after.nearestStub != nil)
        expectEqual(JournalLine(after).violations, 1)
    }
}
