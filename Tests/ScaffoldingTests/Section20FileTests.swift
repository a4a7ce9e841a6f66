import Backend
import Conditions
import Engine
import JSON
import Journal
import Scaffolding
import TestSupport
import Testing
import Worlds

/// The files of WireMock's mappings, their order and their scenarios (own-API contract, section 20).
@Suite struct Section20FileTests {
    private static func named(_ name: String, priority: Int? = nil) -> String {
        let priority = priority.map { "\"priority\":\($0)," } ?? ""
        return mapping(more: "\"name\":\"\(name)\",\(priority)")
    }

    @Test func `20 a file is one mapping, a list, or an object with a list`() throws {
        let imported = try Imported([
            ("a.json", Self.named("one")),
            ("b.json", "[\(Self.named("two")),\(Self.named("three"))]"),
            ("c.json", "{\"mappings\":[\(Self.named("four"))],\"meta\":{\"total\":1}}"),
        ])
        try expectEqual(imported.stubs.map { $0["name"]?.stringValue }, ["four", "three", "two", "one"])
    }

    @Test func `20 a smaller priority comes first, 5 where absent, and of equal ones the mapping that is read last`()
        throws
    {
        let imported = try Imported([
            ("a.json", "[\(Self.named("a6", priority: 6)),\(Self.named("a"))]"),
            ("b.json", "[\(Self.named("b1", priority: 1)),\(Self.named("b5", priority: 5))]"),
            ("c.json", "[\(Self.named("c")),\(Self.named("c1", priority: 1))]"),
        ])
        try expectEqual(imported.stubs.map { $0["name"]?.stringValue }, ["c1", "b1", "c", "b5", "a", "a6"])
    }

    @Test func `20 scenarios become states that begin with Started`() throws {
        let imported = try Imported([
            (
                "a.json",
                mapping(
                    more: #""scenarioName":"To do list","requiredScenarioState":"Started","newScenarioState":"Cancel","#
                )
            ),
            ("b.json", mapping(more: #""scenarioName":"To do list","requiredScenarioState":"Cancel","#)),
            ("c.json", mapping(more: #""scenarioName":"To-do list","newScenarioState":"on","#)),
        ])
        try expectEqual(
            JSONReader.read(text: imported.text(of: "api.json")),
            ["states": ["To-do-list": ["Started", "Cancel"], "To-do-list-2": ["Started", "on"]]]
        )
        let stubs = try Array(imported.stubs.reversed())
        #expect(stubs[0]["requires"] == ["To-do-list": "Started"] && stubs[0]["sets"] == ["To-do-list": "Cancel"])
        #expect(stubs[1]["requires"] == ["To-do-list": "Cancel"] && stubs[1]["sets"] == nil)
        #expect(stubs[2]["requires"] == nil && stubs[2]["sets"] == ["To-do-list-2": "on"])
        expectEqual(imported.omissions, [])
    }

    @Test(arguments: ["name", "scenarioName", "requiredScenarioState", "newScenarioState"])
    func `20 a name that is no string is listed`(_ member: String) throws {
        let scenario = member == "scenarioName" ? "" : #""scenarioName":"s","#
        let imported = try Imported(mapping(more: "\"\(member)\":[5],\(scenario)"))
        expectEqual(imported.omissions, ["wm/mappings/a.json:1: $.\(member): expected a string, found array"])
        try expectEqual(imported.stubs[0]["enabled"], false)
        let absent = try Imported(mapping(more: "\"\(member)\":null,\(scenario)"))
        expectEqual(absent.omissions, [])
        try expectNil(absent.stubs[0]["enabled"])
    }

    @Test func `22 an API has at most 100 states, and a state 100 values`() throws {
        func scenarios(_ count: Int) -> String {
            let list = (0..<count).map { mapping(more: #""scenarioName":"s\#($0)","newScenarioState":"x","#) }
            return "[\(list.joined(separator: ","))]"
        }
        let most = try Imported(scenarios(100))
        expectEqual(most.omissions, [])
        expectEqual(most.mistakes, [])
        let over = try Imported(scenarios(101))
        expectEqual(
            over.omissions,
            [
                "wm/mappings/a.json:1: $[100].scenarioName: is one scenario too many: an API has at most 100 states"
            ]
        )
        #expect(try over.stubs[1]["enabled"] == nil && over.stubs[0]["enabled"] == false)
        expectEqual(over.mistakes, [])
        func values(_ count: Int) -> String {
            // `Started` is the first one.
            let list = (1..<count).map { mapping(more: #""scenarioName":"s","newScenarioState":"\#($0)","#) }
            return "[\(list.joined(separator: ","))]"
        }
        let mostValues = try Imported(values(100))
        expectEqual(mostValues.omissions, [])
        expectEqual(mostValues.mistakes, [])
        let overValues = try Imported(values(101))
        expectEqual(
            overValues.omissions,
            [
                "wm/mappings/a.json:1: $[99].newScenarioState: is one state too many: a scenario has at most 100"
            ]
        )
        #expect(try overValues.stubs[1]["enabled"] == nil && overValues.stubs[0]["enabled"] == false)
        expectEqual(overValues.mistakes, [])
    }

    @Test func `20 places are told by line and path`() throws {
        let imported = try Imported(
            "{\n \"mappings\": [\n  {\"request\":{}},\n  {\"request\":{\n   \"host\":{\"equalTo\":\"a\"}}}\n ]\n}"
        )
        expectEqual(imported.omissions, ["wm/mappings/a.json:5: $.mappings[1].request.host: has no counterpart"])
        try expectEqual(imported.stubs.map { $0["enabled"]?.boolValue }, [false, nil])
    }

    @Test func `20 members of WireMock's own are passed over, others are listed`() throws {
        let quiet = try Imported(mapping(more: #""id":"1","uuid":"1","persistent":true,"insertionIndex":3,"#))
        expectEqual(quiet.omissions, [])
        let metadata = try Imported(mapping(more: #""metadata":{"a":1},"#))
        expectEqual(metadata.omissions, ["wm/mappings/a.json:1: $.metadata: is not kept; no response depends on it"])
        try expectNil(metadata.stubs[0]["enabled"])
        let action = try Imported(mapping(more: #""postServeActions":[{"name":"webhook"}],"serveEventListeners":[],"#))
        expectEqual(action.omissions, ["wm/mappings/a.json:1: $.postServeActions: has no counterpart"])
        try expectEqual(action.stubs[0]["enabled"], false)
    }

    @Test func `20 what is no mapping is left out with a line, and the others are imported`() throws {
        let imported = try Imported([
            ("a.json", "{"), ("b.json", "[1,\n\(Self.named("b"))]"), ("c.json", Self.named("c") + "\n{}"),
            ("d.json", #"{"mappings":5}"#),
        ])
        expectEqual(
            imported.omissions,
            [
                "wm/mappings/a.json:1: $: is not JSON: expected a member name in quotes or '}', but the text "
                    + "ends here; left out",
                "wm/mappings/b.json:1: $[0]: expected a mapping, found number; left out",
                "wm/mappings/c.json:2: $: only the first value of a file is read; what follows it is left out",
                "wm/mappings/d.json:1: $.mappings: expected a list of mappings, found number; left out",
            ]
        )
        try expectEqual(imported.stubs.map { $0["name"]?.stringValue }, ["c", "b"])
        expectEqual(imported.mistakes, [])
    }

    @Test func `20 comments and single quotes are read as WireMock reads them`() throws {
        let text = #"""
            // one mapping
            { /* of
                 two lines */ 'name': 'it\'s "1"', "request": {"url": "/a//b/*c*/"}, // 'x"
              "response": {"body": "\"'//'\" /* no */ \'"},
              "request": {"host": {"equalTo": "x"}}
            }
            """#
        let imported = try Imported(text)
        expectEqual(imported.omissions, ["wm/mappings/a.json:5: $.request.host: has no counterpart"])
        let stub = try imported.stubs[0]
        #expect(stub["name"] == #"it's "1""# && stub["response"]?["text"] == #""'//'" /* no */ '"#)
        for broken in ["{/* }", "{'a': 1", "{/ }", "{'a' 'b'}"] {
            let refused = try Imported([("a.json", broken), ("b.json", Self.named("b"))])
            expectEqual(refused.omissions.count, 1)
            try expectEqual(refused.stubs.count, 1)
        }
        let pattern = #"{"bodyPatterns":[{"equalToJson":"{'a': 1 /* one */}","ignoreExtraElements":true}]}"#
        try expectEqual(Imported(mapping(request: pattern)).stubs[0]["match"], ["body": ["a": 1]])
    }

    @Test func `20 no more stubs are made than fit a world, and those of the least priority are left out`() throws {
        func list(_ count: Int) -> String {
            "[" + Self.named("last") + [String](repeating: ",{}", count: count - 1).joined() + "]"
        }
        let most = try Imported(list(10_000))
        try expectEqual(most.stubs.count, 10_000)
        expectEqual(most.omissions, [])
        let over = try Imported(list(10_001))
        try expectEqual(over.stubs.count, 10_000)
        expectEqual(
            over.omissions,
            [
                "wm/mappings/a.json:1: $[0]: is one stub too many: an API has at most 10000; left out"
            ]
        )
    }

    @Test func `22 no more bodies are copied than a folder has files`() throws {
        func imported(_ count: Int) throws -> Imported {
            let names = (0..<count).map { "\($0).txt" }
            return try Imported(
                "[" + names.map { mapping(response: "{\"bodyFileName\":\"\($0)\"}") }.joined(separator: ",") + "]",
                bodies: names.map { ($0, "x") }
            )
        }
        let most = try imported(998)
        expectEqual(most.scaffold.files.count, 1_000)
        expectEqual(most.omissions, [])
        let over = try imported(999)
        expectEqual(over.scaffold.files.count, 1_000)
        expectEqual(
            over.omissions,
            [
                "wm/mappings/a.json:1: $[998].response.bodyFileName: names a file for which the folder of an API has no room"
            ]
        )
    }

    @Test func `20 many stubs are spread over files that keep the order`() throws {
        let text = String(repeating: "x", count: 100_000)
        let many = (0..<25).map { mapping(response: #"{"body":"\#(text)"}"#, more: "\"name\":\"\($0)\",") }
        let imported = try Imported("[\(many.joined(separator: ","))]")
        let stubs = imported.scaffold.files.map(\.path).filter { $0.hasPrefix("stubs/") }
        expectEqual(stubs, ["stubs/wiremock-1.json", "stubs/wiremock-2.json", "stubs/wiremock-3.json"])
        try expectEqual(imported.stubs.map { $0["name"]?.stringValue }, (0..<25).reversed().map { "\($0)" })
    }
}
