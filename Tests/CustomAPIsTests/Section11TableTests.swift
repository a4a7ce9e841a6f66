import Backend
import CivilTime
import CustomAPIs
import Engine
import Foundation
import JSON
import TestSupport
import Testing
import Worlds

/// Tables (own-API contract, section 11).
@Suite struct Section11TableTests {
    static func harness(_ table: String, _ rows: String? = nil) throws -> CustomAPIHarness {
        var files = [
            "api.json": "{\"tables\":{\"items\":\(table)},\"resources\":[{\"path\":\"/i\",\"table\":\"items\"}]}"
        ]
        files["tables/items.json"] = rows
        return try CustomAPIHarness(files)
    }

    static func findings(_ table: String, _ rows: String) -> [String] {
        CustomAPIHarness.findings("{\"tables\":{\"items\":\(table)}}", ["tables/items.json": rows])
    }

    @Test func `11 keys of new rows are made as the table says`() throws {
        try expectEqual(Self.harness("{}", #"[{"id":7}]"#).post("/i", [:]).json["id"], 8)
        try expectEqual(Self.harness(#"{"newKey":"integer"}"#).post("/i", [:]).json["id"], 1)
        let uuid = try #require(try Self.harness("{}").post("/i", [:]).json["id"]?.stringValue)
        expectEqual(uuid.utf8.count, 36)
        expectEqual(Array(uuid)[14], "4")
        let text = try #require(try Self.harness("{}", #"[{"id":"a"}]"#).post("/i", [:]).json["id"]?.stringValue)
        expectEqual(text.utf8.count, 36)
        let prefixed = try #require(
            try Self.harness(#"{"newKey":{"prefix":"ord_"}}"#).post("/i", [:]).json["id"]?.stringValue
        )
        #expect(prefixed.hasPrefix("ord_") && prefixed.utf8.count == 20)
        let client = try Self.harness(#"{"newKey":"client","key":"code"}"#)
        let refused = try client.post("/i", ["a": 1])
        expectEqual(refused.status, 422)
        expectEqual(refused.json["error"]?["details"]?[0]?.text, #"{"path":"$.code","reason":"is required"}"#)
        try expectEqual(client.post("/i", ["a": 1, "code": "x"]).text, #"{"a":1,"code":"x"}"#)
        try expectEqual(client.get("/i/x").status, 200)
    }

    @Test func `11 a refused row uses up no key, and the same requests make the same keys`() throws {
        let first = try Self.harness(#"{"newKey":{"prefix":"k"},"unique":["a"]}"#)
        let second = try Self.harness(#"{"newKey":{"prefix":"k"},"unique":["a"]}"#)
        let one = try first.post("/i", ["a": 1]).text
        try expectEqual(first.post("/i", ["a": 1]).status, 409)
        let two = try first.post("/i", ["a": 2]).text
        try expectEqual(second.post("/i", ["a": 1]).text, one)
        try expectEqual(second.post("/i", ["a": 2]).text, two)
        #expect(one != two)
    }

    @Test func `22 a table takes 100,000 rows of a document and of calls, and no more`() throws {
        let rows = (1...100_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
        let harness = try Self.harness("{}", "[\(rows)]")
        let hosted = try harness.hosted()
        let full = hosted.world.edit(table: "items", 0, id: "100001", ["id": 100_001])
        expectEqual(full.map(\.reason), ["the table is full: it has at most 100000 rows"])
        #expect(hosted.world.edit(table: "items", 0, id: "7", ["id": 7, "a": 1]).isEmpty)
        #expect(hosted.world.edit(table: "items", 0, id: "8", nil).isEmpty)
        #expect(hosted.world.edit(table: "items", 0, id: "100001", ["id": 100_001]).isEmpty)
        let document = try harness.document()
        try harness.load(document)
        let last = try #require(document.range(of: #"{"id":100001}"#))
        let larger = document.replacingCharacters(in: last, with: #"{"id":100001},{"id":100002}"#)
        #expect(throws: (any Error).self) { try harness.load(larger) }
        try expectEqual(harness.get("/i/100001").status, 200)
        try expectEqual(harness.get("/i/100002").status, 404)
    }

    @Test func `11 anchored times of seed rows are told from the start of the world`() throws {
        let rows = """
            [{"id":1,"a":"T0","b":"T0-PT1H","c":"D0","d":"D0-P1D","e":"D0+PT90M","f":"T0+P1M","g":["T0",{"h":"D0"}],
              "i":"T0x","j":"T0+1H","k":"=T0"}]
            """
        let harness = try Self.harness("{}", rows)
        try expectEqual(
            harness.get("/i/1").text,
            """
            {"id":1,"a":"2025-01-01T12:00:00Z","b":"2025-01-01T11:00:00Z","c":"2025-01-01","d":"2024-12-31",\
            "e":"2025-01-01T01:30:00Z","f":"2025-02-01T12:00:00Z","g":["2025-01-01T12:00:00Z",{"h":"2025-01-01"}],\
            "i":"T0x","j":"T0+1H","k":"=T0"}
            """
        )
        // The clock moves on, the start does not.
        try harness.advance(.days(2))
        try expectEqual(harness.get("/i/1").json["a"], "2025-01-01T12:00:00Z")
        try expectEqual(harness.get("/i?a=2025-01-01T12:00:00Z").json.arrayValue?.count, 1)
        try expectEqual(harness.get("/i?b_lt=2025-01-01T11:30:00Z").json.arrayValue?.count, 1)
        try expectEqual(
            Self.harness(#"{"time":"unixms"}"#, #"[{"id":1,"a":"T0"}]"#).get("/i/1").json["a"],
            1_735_732_800_000
        )
        try expectEqual(
            Self.harness(#"{"time":"millis"}"#, #"[{"id":1,"a":"T0"}]"#).get("/i/1").json["a"],
            "2025-01-01T12:00:00.000Z"
        )
    }

    @Test func `11 a text of a client is itself`() throws {
        let harness = try Self.harness("{}", #"[{"id":1,"a":"T0"}]"#)
        let sent: JSON = ["id": 2, "a": "T0", "b": "=T0-P1D", "c": ["D0"], "d": "==D0"]
        try expectEqual(harness.post("/i", sent).text, sent.text)
        try expectEqual(harness.get("/i/2").text, sent.text)
        try expectEqual(harness.patch("/i/2", ["e": 1]).json["a"], "T0")
        // A row of the seed that is changed keeps its times.
        try expectEqual(harness.patch("/i/1", ["b": 1]).text, #"{"id":1,"a":"2025-01-01T12:00:00Z","b":1}"#)
        try expectEqual(harness.get("/i?a=T0").json.arrayValue?.count, 1)
    }

    @Test func `11 seed rows have keys and unique members, each mistake with its line`() {
        let rows =
            """
            [
            {"id":1,"sku":"a"},
            {"sku":"b"},
            {"id":[]},
            {"id":"1"},
            7,
            {"id":5,"sku":"a"}]
            """
        let place = "apis/shop/tables/items.json"
        expectEqual(
            Self.findings(#"{"unique":["sku"]}"#, rows),
            [
                "\(place):3: $[1].id: the key id is missing",
                "\(place):4: $[2].id: must be a string of 1 to 1,000 bytes or a whole number",
                "\(place):5: $[3].id: the key 1 is taken by an earlier row",
                "\(place):6: $[4]: must be an object, found number",
                "\(place):7: $[5].sku: an earlier row has the same sku",
            ]
        )
        expectEqual(Self.findings("{}", "{}"), ["\(place):1: $: must be an array of rows, found object"])
        expectEqual(Self.findings("{}", "[").first?.hasPrefix("\(place):1: $: Invalid JSON"), true)
    }

    @Test func `11 members of a declaration are checked`() {
        let found = CustomAPIHarness.findings(
            """
            {"tables":{"a b":{},"_keys":{},"x":{"newKey":"int","unique":["a",[],7],"time":"iso","keyy":"a",
             "writeOnly":["id"],"createdAt":"id","updatedAt":""}}}
            """
        )
        #expect(found.contains { $0.contains("$.tables['a b']: the name of a table has 1 to 64") })
        #expect(found.contains { $0.contains("$.tables._keys: the name of a table") })
        #expect(found.contains { $0.contains("$.tables.x.newKey: must be integer, uuid, client") })
        #expect(found.contains { $0.contains("$.tables.x.unique[1]: must be a list") })
        #expect(found.contains { $0.contains("$.tables.x.unique[2]: must be a list") })
        #expect(found.contains { $0.contains("$.tables.x.time: must be one of seconds, millis, unix, unixms") })
        #expect(found.contains { $0.contains("$.tables.x.keyy: unknown member") && $0.hasSuffix("did you mean key?") })
        #expect(found.contains { $0.contains("$.tables.x.writeOnly: the key id is in every response") })
        #expect(found.contains { $0.contains("$.tables.x.createdAt: the key id is not a time") })
        #expect(found.contains { $0.contains("$.tables.x.updatedAt: must not be empty") })
    }

    @Test func `2 what is not supported in the schema of a table is a note with its place`() {
        let reading = CustomAPIHarness.read([
            "api.json": """
            {"tables":{"a":{"schema":{"type":"objekt",
            "required":"n",
            "properties":{"x":{"pattern":"(?=x)"},
            "y":{"format":"zorg"},
            "z":{"$dynamicRef":"#x"}}}},
            "b":{"schema":{"type":"object","required":["n"],
            "properties":{"x":{"pattern":"x"},"y":{"format":"uuid"},"z":{"$ref":"#/$defs/s"}},"$defs":{"s":{}}}}}}
            """
        ])
        #expect(reading.definition != nil)
        expectEqual(reading.errors, [])
        let place = "apis/shop/api.json"
        expectEqual(
            reading.notes.map(\.text),
            [
                "\(place):1: $.tables.a.schema.type: expected the name of a type, found \"objekt\": not checked; did you mean object?",
                "\(place):2: $.tables.a.schema.required: expected an array of strings, found \"n\": not checked",
                "\(place):3: $.tables.a.schema.properties.x.pattern: "
                    + "the pattern is not supported as a regular expression: not checked",
                "\(place):5: $.tables.a.schema.properties.z['$dynamicRef']: is not supported",
                "\(place):4: $.tables.a.schema.properties.y.format: the format \"zorg\" is not checked",
            ]
        )
    }

    @Test func `2 a hundred notes are told of a file, and leave room for its mistakes`() {
        func read(_ count: Int, _ more: String = "{}") -> CustomAPIReading {
            let members = (0..<count).map { #""m\#($0)":{"type":"x"}"# }.joined(separator: ",")
            return CustomAPIHarness.read([
                "api.json": #"{"tables":{"a":{"schema":{"properties":{\#(members)}}},"b":\#(more)}}"#
            ])
        }
        expectEqual(read(100).notes.count, 100)
        expectEqual(read(101).notes.count, 100)
        #expect(read(101).definition != nil)
        let wrong = read(101, #"{"schema":7}"#)
        expectEqual(wrong.notes.count, 100)
        expectEqual(wrong.errors.map(\.path), ["$.tables.b.schema"])
        expectNil(wrong.definition)
    }

    @Test func `11 numbers and the order of members stay as they are written`() throws {
        let rows = #"[{"b":1.50,"id":1,"a":1e3,"z":12345678901234567890,"A":-0}]"#
        try expectEqual(Self.harness("{}", rows).get("/i").text, rows)
    }

    @Test func `22 a table has at most 100,000 rows`() throws {
        func rows(_ count: Int) -> String {
            "[" + (1...count).map { "{\"id\":\($0)}" }.joined(separator: ",\n") + "]"
        }
        let harness = try Self.harness("{}", rows(99_999))
        try expectEqual(harness.post("/i", [:]).json["id"], 100_000)
        let full = try harness.post("/i", [:])
        expectEqual(full.status, 507)
        expectEqual(full.json["error"]?["code"], "table_full")
        try harness.delete("/i/5")
        try expectEqual(harness.post("/i", [:]).json["id"], 100_001)
        expectEqual(Self.findings("{}", rows(100_000)), [])
        expectEqual(
            Self.findings("{}", rows(100_001)),
            ["apis/shop/tables/items.json:100001: $[100000]: a table has at most 100000 rows"]
        )
    }
}
