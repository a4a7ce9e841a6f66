import JSON
import TestSupport
import Testing

/// Own-API contract, sections 2, 3 and 11: faults of seed rows, and what every file may have.
@Suite struct CustomAPIFileFormTests {
    @Test func `11 a row with a bad key, a taken one or a conflict is held against the schema too`() throws {
        let folder = try Folder([
            "apis/shop/api.json":
                #"{"tables":{"t":{"unique":["mail"],"schema":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}}"#,
            "apis/shop/tables/t.json": #"""
            [{"id":1,"mail":"a","n":1},
            {"mail":"b","n":"x"},
            {"id":true,"n":"x"},
            {"id":1,"n":"x"},
            {"id":2,"mail":"a"},
            {"id":1,"mail":"a","n":2}]
            """#,
        ])
        let checked = try Program.run(["validate", "apis/shop"], in: folder)
        expectEqual(checked.status, 1)
        let expected = [
            "t.json:2: $[1].id: the key id is missing", "t.json:2: $[1].n: expected an integer, found string",
            "t.json:3: $[2].id: ", "t.json:3: $[2].n: expected an integer, found string",
            "t.json:4: $[3].id: the key 1 is taken by an earlier row",
            "t.json:4: $[3].n: expected an integer, found string",
            "t.json:5: $[4].mail: an earlier row has the same mail",
            "t.json:5: $[4].n: missing", "t.json:6: $[5].id: the key 1 is taken by an earlier row",
            "t.json:6: $[5].mail: an earlier row has the same mail",
        ]
        for line in expected {
            #expect(checked.output.contains("apis/shop/tables/" + line), "\(line)\n\(checked.output)")
        }
        expectEqual(checked.output.split(separator: "\n").filter { $0.contains("t.json:") }.count, expected.count)
    }

    @Test func `11 unique members are compared with rows that have other faults, each group by itself`() throws {
        let cases: [(rows: String, lines: [String])] = [
            (
                #"[{"id":1,"s":"x"},{"s":"x"}]"#,
                ["$[1].id: the key id is missing", "$[1].s: an earlier row has the same s"]
            ),
            (
                #"[{"id":true,"s":"x"},{"id":2,"s":"x"}]"#,
                [
                    "$[0].id: must be a string of 1 to 1,000 bytes or a whole number",
                    "$[1].s: an earlier row has the same s",
                ]
            ),
            (
                #"[{"id":1,"s":"x","a":1,"b":2},{"id":2,"s":"x","a":1,"b":2},{"id":2,"s":null,"a":1}]"#,
                ["$[1].s: an earlier row has the same s", "$[1].a: an earlier row has the same a and b"]
            ),
        ]
        for (rows, lines) in cases {
            let folder = try Folder([
                "apis/shop/api.json": #"{"tables":{"t":{"unique":["s",["a","b"]]}}}"#, "apis/shop/tables/t.json": rows,
            ])
            let checked = try Program.run(["validate", "apis/shop"], in: folder)
            let told = (checked.output + checked.errors).split(separator: "\n").filter { $0.contains("t.json:") }
            expectEqual(told.map { String($0).replacing("apis/shop/tables/t.json:1: ", with: "") }, lines)
        }
    }

    @Test func `2 every file that is an object may name the schema of its form`() throws {
        let address = #""$schema":"https://example.com/form.json""#
        let folder = try Folder([
            "understudy.json": #"{\#(address),"apis":"apis"}"#,
            "apis/shop/api.json": #"{\#(address),"tables":{"t":{}}}"#,
            "apis/shop/stubs/a.json": #"{\#(address),"match":{"path":"/a"},"response":{"status":200}}"#,
            "apis/shop/scenarios/s.json": #"{\#(address),"title":"T","expect":"E","stubs":[]}"#,
            "seeds/omnichat/scenarios/s.json": #"{\#(address),"title":"T","expect":"E"}"#,
            "verify.json": #"{\#(address),"match":{"path":"/nothing"},"count":{"exactly":0}}"#,
            "fault.json": #"{\#(address),"effect":{"status":503},"match":{"path":"/x"}}"#,
        ])
        for path in ["apis/shop", "understudy.json", "seeds/omnichat/scenarios/s.json"] {
            let checked = try Program.run(["validate", path, "--strict"], in: folder)
            expectEqual(checked.status, 0, "\(path): \(checked.output)\(checked.errors)")
        }
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        try expectEqual(Wire(port: served.hub).ask("GET", "/shop/a").status, 200)
        let server = ["--url", "http://127.0.0.1:\(served.hub)"]
        for command in [["fault", "add", "fault.json"], ["verify", "verify.json"]] {
            let result = try Program.run(command + server, in: folder)
            expectEqual(result.status, 0, "\(command): \(result.output)\(result.errors)")
        }
        let document = try served.control("GET", "/state").text
        let named = "{\(address)," + document.drop { $0 != "{" }.dropFirst()
        let imported = try served.control("PUT", "/state", named)
        expectEqual(imported.status, 200, imported.text)
        // Further in it is a member like any other.
        try folder.write("apis/shop/api.json", #"{"tables":{"t":{\#(address)}}}"#)
        let checked = try Program.run(["validate", "apis/shop"], in: folder)
        expectEqual(checked.status, 1)
        #expect(checked.output.contains("$.tables.t['$schema']: unknown member"), "\(checked.output)")
    }
}
