import APIFolders
import Backend
import CustomAPIs
import JSON
import TestSupport
import Testing

/// The folder of a custom API and its limits (own-API contract, sections 2, 3, 4, 7 and 22).
@Suite struct Section2FolderTests {
    @Test func `2 a folder without api.json, or with another JSON in it, is refused`() {
        expectEqual(CustomAPIHarness.read([:]).findings.map(\.text), ["apis/shop/api.json:1: $: the file is missing"])
        expectEqual(CustomAPIHarness.findings("[]"), ["apis/shop/api.json:1: $: must be an object, found array"])
        expectEqual(
            CustomAPIHarness.findings("{\n\"a\"}").first?.hasPrefix("apis/shop/api.json:2: $: Invalid JSON"),
            true
        )
        expectEqual(
            CustomAPIHarness.findings("{\"title\":\"a\",\n\"title\":\"b\"}").first?.hasPrefix(
                "apis/shop/api.json:2: $: "
            ),
            true
        )
    }

    @Test func `2 files that nobody reads are notes, which stop nothing`() {
        let reading = CustomAPIHarness.read([
            "api.json": "{}", "other.json": "{", "stubs/a.yaml": "", "tables/x.txt": "", "notes.md": "",
            "docs/a.json": "",
        ])
        #expect(reading.definition != nil)
        expectEqual(
            reading.notes.map(\.text),
            [
                "apis/shop/stubs/a.yaml:1: $: is not read: files here end with .json",
                "apis/shop/tables/x.txt:1: $: is not read: files here end with .json",
                "apis/shop/other.json:1: $: is not read: an API has no such file",
            ]
        )
    }

    @Test func `2 what the shell may not open is an error`() {
        let file = CustomAPIFolder.File(
            name: "tables/a.json",
            place: "apis/shop/tables/a.json",
            content: .refused("is a link that leads out of the folder")
        )
        let api = CustomAPIFolder.File(name: "api.json", place: "apis/shop/api.json", bytes: Array("{}".utf8))
        let reading = CustomAPIReader.read(CustomAPIFolder(name: "shop", place: "apis/shop", files: [api, file]))
        expectNil(reading.definition)
        expectEqual(
            reading.errors.map(\.text),
            ["apis/shop/tables/a.json:1: $: is a link that leads out of the folder"]
        )
    }

    @Test func `2 all problems of all files are told at once, 100 for each file`() {
        let rows = "[" + (0..<150).map { _ in "7" }.joined(separator: ",\n") + "]"
        let reading = CustomAPIHarness.read([
            "api.json": #"{"x":1}"#, "tables/a.json": rows, "tables/b.json": rows, "scenarios/c.json": "{",
        ])
        expectEqual(reading.errors.count, 202)
        expectEqual(reading.errors.filter { $0.place.hasSuffix("a.json") }.count, 100)
    }

    @Test func `3 two routes of the same method and shape are told with both places`() {
        let found = CustomAPIHarness.findings(
            """
            {"tables":{"a":{}},
             "resources":[{"path":"/a/{x}/b","table":"a"},
                          {"path":"/a/{y}/b/","table":"a","methods":["list"]},
                          {"path":"/c","table":"a","methods":["create"]},
                          {"path":"/c","table":"a","methods":["list"]}]}
            """
        )
        expectEqual(found.count, 1)
        #expect(found[0].hasPrefix("apis/shop/api.json:3: "))
        #expect(found[0].contains("apis/shop/api.json:2") && found[0].contains("apis/shop/api.json:3"))
    }

    @Test func `3 members of a resource are checked`() {
        let found = CustomAPIHarness.findings(
            """
            {"tables":{"items":{"writeOnly":["secret"]}},
             "resources":[{"table":"items"},
              {"path":"a","table":"items"},
              {"path":"/a/{x}/{x}","table":"items"},
              {"path":"/b","table":"item"},
              {"path":"/c/{id}","table":"items","bind":{"idd":"a"},"parents":{"id":"nothing"}},
              {"path":"/d","table":"items","owner":"userId"},
              {"path":"/e","table":"items","methods":["lst"],"statuses":{"create":300},"singel":true},
              {"path":"/f","table":"items","single":true,"methods":["list"]},
              {"path":"/g","table":"items","item":{"a":"{{rows}}"},"list":{"envelope":"{{row}}","sort":"b",
               "filters":["secret"],"paging":{"style":"pages","limit":0},"names":{"q":"sort"}}}]}
            """
        )
        func has(_ line: Int, _ text: String) -> Bool {
            found.contains { $0.hasPrefix("apis/shop/api.json:\(line): $.resources\(text)") }
        }
        #expect(has(2, "[0]: path is missing"))
        #expect(has(3, "[1].path: must be a path"))
        #expect(has(4, "[2].path: must be a path"))
        #expect(has(5, "[3].table: there is no table \"item\"; did you mean items?"))
        #expect(has(6, "[4].bind.idd: the path has no parameter of this name; did you mean id?"))
        #expect(has(6, "[4].parents.id: there is no table"))
        #expect(has(7, "[5].owner: needs auth"))
        #expect(has(8, "[6].methods[0]: must be one of list, get"))
        #expect(has(8, "[6].statuses.create: "))
        #expect(has(8, "[6].singel: unknown member"))
        #expect(has(9, "[7].methods[0]: must be one of get, replace, patch"))
        #expect(has(10, "[8].item.a: "))
        #expect(has(10, "[8].list.envelope: "))
        #expect(has(10, "[8].list.sort: no row has a member \"b\""))
        #expect(has(11, "[8].list.filters[0]: secret is write-only"))
        #expect(has(11, "[8].list.paging.style: must be one of"))
        #expect(has(11, "[8].list.paging.limit: "))
        #expect(has(11, "[8].list.names.q: \"sort\" is the name of two parameters"))
    }

    @Test func `4 literal segments win over parameters, and HEAD goes where GET does`() throws {
        let harness = try CustomAPIHarness([
            "api.json":
                #"{"resources":[{"path":"/pets","table":"pets"},{"path":"/pets/mine","table":"mine","single":true}]}"#,
            "tables/pets.json": #"[{"id":"mine","a":1},{"id":"x","a":2}]"#,
            "tables/mine.json": #"[{"id":"me"}]"#,
        ])
        try expectEqual(harness.get("/pets/mine").json["id"], "me")
        try expectEqual(harness.get("/pets/x").json["a"], 2)
        try expectEqual(harness.head("/pets/x").status, 200)
        // The other methods of the parameter's route are there as well.
        try expectEqual(harness.delete("/pets/mine").status, 204)
    }

    @Test func `4 the default text of an unmatched request names the nearest route or stub`() throws {
        let harness = try CustomAPIHarness([
            "api.json": #"{"tables":{"a":{}},"resources":[{"path":"/v1/products","table":"a"}]}"#,
            "stubs/a.json": #"{"match":{"method":"GET","path":"/v2/things/{id}"},"response":{}}"#,
        ])
        let route = try harness.get("/v1/product/7")
        expectEqual(route.status, 404)
        expectEqual(route.json["error"]?["message"]?.stringValue?.contains("GET /v1/products/{id}"), true)
        let stub = try harness.post("/v2/things/7", [:])
        expectEqual(stub.json["error"]?["message"]?.stringValue?.contains("/v2/things/{id}"), true)
        // No other route is like /.
        for path in ["/", "/?a=1"] {
            try expectEqual(harness.get(path).json["error"]?["message"], "No route matches this request.")
        }
        let root = try CustomAPIHarness([
            "api.json": "{}", "stubs/a.json": #"{"match":{"method":"PUT","path":"/"},"response":{}}"#,
        ])
        try expectEqual(root.get("/").json["error"]?["message"]?.stringValue?.contains("PUT /"), true)
    }

    @Test func `2 a document with a mistake is the only one that is told`() {
        let document = "openapi: 3.0.3\ninfo: {title: x, version: 1\npaths: {}\n"
        let schema = ##"{"$ref":"#/components/schemas/P"}"##
        let found = CustomAPIHarness.findings(
            #"{"tables":{"a":{"schema":\#(schema)}},"resources":[{"path":"/a","table":"a"}]}"#,
            ["openapi.yaml": document]
        )
        expectEqual(found.count, 1, "\(found)")
        expectEqual(found.first?.hasPrefix("apis/shop/openapi.yaml:3: $: "), true, "\(found)")
        // Without a document, and with a sound one, the reference leads nowhere.
        expectEqual(CustomAPIHarness.findings(#"{"tables":{"a":{"schema":\#(schema)}}}"#).count, 1)
    }

    @Test func `7 stubs of files answer first, ask states and set them`() throws {
        let harness = try CustomAPIHarness([
            "api.json":
                #"{"states":{"cart":["empty","full"]},"tables":{"a":{}},"resources":[{"path":"/a","table":"a"}]}"#,
            "stubs/1.json": """
            [{"match":{"method":"GET","path":"/a"},"requires":{"cart":"full"},
                  "response":{"body":{"cart":"{{state.cart}}"}}},
             {"match":{"method":"PUT","path":"/fill"},"sets":{"cart":"full"},"response":{"status":204}},
             {"match":{"path":"/file"},"response":{"file":"a.txt"}}]
            """,
            "files/a.txt": "hello",
            "scenarios/s.json": """
            {"title":"T","expect":"E","stubs":[{"match":{"path":"/file"},"response":{"status":410}}]}
            """,
        ])
        try expectEqual(harness.get("/a").text, "[]")
        try expectEqual(harness.put("/fill", [:]).status, 204)
        try expectEqual(harness.get("/a").text, #"{"cart":"full"}"#)
        try expectEqual(harness.settings()["states"]?["cart"], "full")
        try expectEqual(harness.get("/file").text, "hello")
        try harness.activate("shop/s")
        try expectEqual(harness.get("/file").status, 410)
        try harness.deactivate("shop/s")
        try expectEqual(harness.get("/file").status, 200)
        try harness.reset()
        try expectEqual(harness.get("/a").text, "[]")
    }

    @Test func `7 mistakes in stubs are told with their lines`() {
        let found = CustomAPIHarness.findings(
            #"{"states":{"cart":["empty"]}}"#,
            [
                "stubs/1.json": """
                [{"match":{"path":"/a"},"requires":{"card":"x"},"response":{}},
                 {"match":{"path":"/a"},"sets":{"cart":"full"},"response":{}},
                 {"respons":{}}]
                """
            ]
        )
        #expect(found.contains { $0.hasPrefix("apis/shop/stubs/1.json:1: $[0].requires.card: ") })
        #expect(found.contains { $0.hasPrefix("apis/shop/stubs/1.json:2: $[1].sets.cart: ") })
        #expect(found.contains { $0.hasPrefix("apis/shop/stubs/1.json:3: $[2].respons: ") })
    }

    @Test func `11 the schema of a table holds for seed rows and for writes`() throws {
        let api = """
            {"tables":{"items":{"schema":{"type":"object","required":["name","made"],"properties":{
               "name":{"type":"string","minLength":1},"price":{"type":["number","null"],"minimum":0},
               "made":{"type":"string","format":"date-time","readOnly":true},"pin":{"type":"string","writeOnly":true}},
               "additionalProperties":true}}},
             "resources":[{"path":"/i","table":"items"}]}
            """
        let bad = CustomAPIHarness.findings(
            api,
            ["tables/items.json": "[{\"id\":1,\"name\":\"\"},\n{\"id\":2,\"name\":7}]"]
        )
        expectEqual(bad.count, 2)
        #expect(bad[0].hasPrefix("apis/shop/tables/items.json:1: $[0].name: "))
        #expect(bad[1].hasPrefix("apis/shop/tables/items.json:2: $[1].name: "))
        let harness = try CustomAPIHarness([
            "api.json": api, "tables/items.json": #"[{"id":1,"name":"Mug","price":1,"made":"T0-P1D","pin":"1234"}]"#,
        ])
        try expectEqual(harness.get("/i/1").text, #"{"id":1,"name":"Mug","price":1,"made":"2024-12-31T12:00:00Z"}"#)
        let refused = try harness.post("/i", ["name": "", "price": -1])
        expectEqual(refused.status, 422)
        expectEqual(
            refused.json["error"]?["details"]?.arrayValue?.compactMap { $0["path"]?.stringValue },
            [
                "$.name", "$.price",
            ]
        )
        try expectEqual(harness.get("/i").json.arrayValue?.count, 1)
        // Null removes a member, but is kept where the schema takes it.
        try expectEqual(harness.patch("/i/1", ["price": .null]).json["price"], .null)
        try expectEqual(harness.patch("/i/1", ["name": .null]).status, 422)
        try expectEqual(harness.patch("/i/1", ["made": "x"]).json["made"], "2024-12-31T12:00:00Z")
        try expectEqual(harness.post("/i", ["name": "New", "pin": "9"]).text, #"{"id":2,"name":"New"}"#)
        try expectEqual(harness.get("/i?price_gte=x").status, 400)
    }

    @Test func `22 a JSON file has at most 8 MiB, and 64 levels`() {
        func table(_ bytes: Int) -> String {
            let start = "[{\"id\":1,\"a\":\""
            return start + String(repeating: "x", count: bytes - start.utf8.count - 3) + "\"}]"
        }
        expectEqual(CustomAPIHarness.findings("{}", ["tables/a.json": table(CustomAPILimits.fileBytes)]), [])
        expectEqual(
            CustomAPIHarness.findings("{}", ["tables/a.json": table(CustomAPILimits.fileBytes + 1)]),
            ["apis/shop/tables/a.json:1: $: has 8388609 bytes; a JSON file has at most 8388608"]
        )
        func nested(_ depth: Int) -> String {
            "[{\"id\":1,\"a\":" + String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
                + "}]"
        }
        expectEqual(CustomAPIHarness.findings("{}", ["tables/a.json": nested(64)]), [])
        expectEqual(CustomAPIHarness.findings("{}", ["tables/a.json": nested(65)]).count, 1)
    }

    @Test func `22 an API has at most 1,000 files`() {
        func files(_ count: Int) -> [String: String] {
            var files = ["api.json": "{}"]
            for number in 1..<count { files["files/\(number)"] = "" }
            return files
        }
        #expect(CustomAPIHarness.read(files(1_000)).definition != nil)
        expectEqual(
            CustomAPIHarness.read(files(1_001)).errors.map(\.text),
            ["apis/shop:1: $: has 1001 files; an API has at most 1000"]
        )
    }
}
