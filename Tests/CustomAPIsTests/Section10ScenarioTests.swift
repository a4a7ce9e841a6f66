import CivilTime
import CustomAPIs
import JSON
import TestSupport
import Testing
import Worlds

/// States and scenarios (own-API contract, section 10).
@Suite struct Section10ScenarioTests {
    static let api = """
        {"states":{"cart":["empty","full","paid"]},
         "tables":{"items":{"updatedAt":"at","unique":["sku"]}},
         "resources":[{"path":"/i","table":"items"}]}
        """
    static let rows = """
        [{"id":1,"sku":"a","on":true,"n":{"x":1,"y":2}},{"id":2,"sku":"b","on":false},{"id":3,"sku":"c","on":true}]
        """

    static func harness(_ scenario: String) throws -> CustomAPIHarness {
        try CustomAPIHarness(["api.json": api, "tables/items.json": rows, "scenarios/s.json": scenario])
    }

    static func findings(_ scenario: String) -> [String] {
        CustomAPIHarness.findings(api, ["tables/items.json": rows, "scenarios/s.json": scenario])
    }

    @Test func `10 a state begins with its first value, in every world by itself, and is a setting`() throws {
        let harness = try CustomAPIHarness(["api.json": Self.api, "tables/items.json": Self.rows])
        try expectEqual(harness.settings().text, #"{"validation":"report","states":{"cart":"empty"},"compress":"off"}"#)
        try harness.set(["states": ["cart": "paid"]])
        try expectEqual(harness.settings()["states"]?["cart"], "paid")
        #expect(throws: CustomAPIHarness.TestError.self) { try harness.set(["states": ["cart": "gone"]]) }
        #expect(throws: CustomAPIHarness.TestError.self) { try harness.set(["states": ["card": "empty"]]) }
        try harness.makeWorld("other")
        harness.world = "other"
        try expectEqual(harness.settings()["states"]?["cart"], "empty")
        try harness.makeWorld("copy", from: "main")
        harness.world = "copy"
        try expectEqual(harness.settings()["states"]?["cart"], "paid")
        try harness.reset()
        try expectEqual(harness.settings()["states"]?["cart"], "empty")
    }

    @Test func `10 a scenario changes settings and rows`() throws {
        let harness = try Self.harness(
            """
            {"title":"T","expect":"E","settings":{"validation":"off","states":{"cart":"full"}},
             "clock":{"advance":"PT1H"},
             "changes":[{"table":"items","where":{"on":true,"n":{"x":1}},"set":{"on":null,"n":{"y":9},"t":"T0-P1D"}},
                        {"table":"items","where":{"id":2},"delete":true},
                        {"table":"items","insert":{"sku":"new"}},
                        {"table":"items","insert":{"id":3,"sku":"c2"}},
                        {"table":"items","insert":{"id":9,"sku":"new"}}]}
            """
        )
        expectEqual(harness.api.scenarios.map(\.name), ["shop/s"])
        try harness.activate("shop/s")
        try expectEqual(
            harness.get("/i").text,
            """
            [{"id":1,"sku":"a","n":{"x":1,"y":9},"t":"2024-12-31T12:00:00Z","at":"2025-01-01T13:00:00Z"},\
            {"id":3,"sku":"c2","at":"2025-01-01T13:00:00Z"},\
            {"id":4,"sku":"new","at":"2025-01-01T13:00:00Z"}]
            """
        )
        try expectEqual(harness.settings().text, #"{"validation":"off","states":{"cart":"full"},"compress":"off"}"#)
        try expectEqual(harness.deactivate("shop/s"), ["items/1", "items/2", "items/4", "items/3"])
        try expectEqual(harness.settings().text, #"{"validation":"report","states":{"cart":"empty"},"compress":"off"}"#)
        try expectEqual(harness.get("/i").json.arrayValue?.count, 3)
    }

    @Test func `10 everything in a scenario is checked when it is read`() {
        let place = "apis/shop/scenarios/s.json"
        let found = Self.findings(
            """
            {"title":"T","titel":1,
             "settings":{"validatio":"off","states":{"cart":"x"}},
             "clock":{"advance":"1h"},
             "faults":[{"effect":{"kind":"nonsense"}}],
             "changes":[{"table":"item","delete":true},
              {"table":"items","set":{"id":7}},
              {"table":"items","set":{},"delete":true},
              {"table":"items","delete":false},
              {"insert":{}},
              {"table":"items","insert":{"id":[]}},
              {"tokens":"expire"},
              {"table":"items","delete":true,"wher":{}},
              7]}
            """
        )
        func has(_ line: Int, _ text: String) -> Bool { found.contains { $0.hasPrefix("\(place):\(line): \(text)") } }
        #expect(has(1, "$: expect is missing"))
        #expect(has(1, "$.titel: unknown member"))
        #expect(has(2, "$.settings.validatio: unknown setting"))
        #expect(has(2, "$.settings.states.cart: must be one of empty, full, paid"))
        #expect(has(3, "$.clock.advance: "))
        #expect(found.contains { $0.hasPrefix("\(place):4: $.faults[0]") })
        #expect(has(5, "$.changes[0].table: there is no table \"item\"; did you mean items?"))
        #expect(has(6, "$.changes[1].set.id: the key of a row can't be changed"))
        #expect(has(7, "$.changes[2]: must have exactly one of"))
        #expect(has(8, "$.changes[3].delete: must be true"))
        #expect(has(9, "$.changes[4]: table is missing"))
        #expect(has(10, "$.changes[5].insert.id: must be a string"))
        #expect(has(11, "$.changes[6].tokens: the API has no sign-in"))
        #expect(has(12, "$.changes[7].wher: unknown member"))
        #expect(has(13, "$.changes[8]: must be an object"))
    }

    @Test func `22 an API has at most 100 states with 100 values`() {
        func api(_ states: Int, _ values: Int) -> String {
            let list = (0..<values).map { "\"v\($0)\"" }.joined(separator: ",")
            return "{\"states\":{\n" + (0..<states).map { "\"s\($0)\":[\(list)]" }.joined(separator: ",\n") + "}}"
        }
        expectEqual(CustomAPIHarness.findings(api(100, 100)), [])
        expectEqual(
            CustomAPIHarness.findings(api(101, 1)),
            ["apis/shop/api.json:1: $.states: has 101 states; an API has at most 100"]
        )
        expectEqual(
            CustomAPIHarness.findings(api(1, 101)),
            ["apis/shop/api.json:2: $.states.s0: has 101 values; a state has at most 100"]
        )
    }
}
