import JSON
import TestSupport
import Testing

@Suite struct JSONDecodingTests {
    struct Rule: Codable, Equatable {
        struct When: Codable, Equatable {
            var path: String
            var times: Int?
        }

        enum Kind: String, Codable, CaseIterable {
            case delay, reset, status
        }

        var when: When
        var kind: Kind
        var steps: [When]
        var labels: [String: Int]?
        var extra: JSON?
    }

    private func read(_ text: String) throws -> JSON { try JSONReader.read(text: text) }

    private func failure<Value: Decodable>(_ type: Value.Type, _ text: String, strict: Bool = false) throws -> [String]
    {
        let json = try read(text)
        let options = JSONDecoding.Options(rejectUnknownMembers: strict)
        let error = #expect(throws: JSONDecodingError.self) {
            try JSONDecoding.decode(type, from: json, options: options)
        }
        return error?.issues.map(\.description) ?? []
    }

    @Test func `nested types decode`() throws {
        let json = try read(
            #"{"when":{"path":"/a","times":2},"kind":"reset","steps":[{"path":"x"}],"labels":{"b":1},"extra":{"z":[1.0]}}"#
        )
        let rule = try JSONDecoding.decode(Rule.self, from: json)
        expectEqual(rule.when, Rule.When(path: "/a", times: 2))
        expectEqual(rule.kind, .reset)
        expectEqual(rule.steps, [Rule.When(path: "x", times: nil)])
        expectEqual(rule.labels, ["b": 1])
        expectEqual(rule.extra?.text, #"{"z":[1.0]}"#)
        try expectEqual(JSONDecoding.decode(JSON.self, from: json), json)
        try expectEqual(JSONDecoding.decode(JSONObject.self, from: json), json.objectValue)
        #expect(throws: JSONDecodingError.self) { try JSONDecoding.decode(JSONObject.self, from: [1]) }
    }

    @Test(
        arguments: [
            (#"{"when":{"path":1},"kind":"reset","steps":[]}"#, "$.when.path: expected a string, found number"),
            (#"{"when":{},"kind":"reset","steps":[]}"#, "$.when.path: missing"),
            (#"{"when":[],"kind":"reset","steps":[]}"#, "$.when: expected an object, found array"),
            (
                #"{"when":{"path":"a","times":"2"},"kind":"reset","steps":[]}"#,
                "$.when.times: expected an integer, found string"
            ),
            (#"{"when":{"path":null},"kind":"reset","steps":[]}"#, "$.when.path: expected a string, found null"),
            (#"{"when":{"path":"a"},"kind":"reset","steps":{}}"#, "$.steps: expected an array, found object"),
            (
                #"{"when":{"path":"a"},"kind":"reset","steps":[{"path":""},{"path":true}]}"#,
                "$.steps[1].path: expected a string, found boolean"
            ),
            (
                #"{"when":{"path":"a"},"kind":"rest","steps":[]}"#,
                #"$.kind: expected one of "delay", "reset", "status", found "rest"; did you mean "reset"?"#
            ),
            (#"{"when":{"path":"a"},"kind":4,"steps":[]}"#, "$.kind: expected a string, found number"),
            (
                #"{"when":{"path":"a"},"kind":"reset","steps":[],"labels":{"a b":[]}}"#,
                "$.labels['a b']: expected an integer, found array"
            ),
            ("7", "$: expected an object, found number"),
        ] as [(String, String)]
    )
    func `a mismatch says where and what`(text: String, issue: String) throws {
        try expectEqual(failure(Rule.self, text), [issue])
    }

    @Test func `null for an optional member is no value`() throws {
        let rule = try JSONDecoding.decode(
            Rule.self,
            from: read(#"{"when":{"path":"a","times":null},"kind":"delay","steps":[],"labels":null}"#)
        )
        expectNil(rule.when.times)
        expectNil(rule.labels)
        try expectEqual(JSONDecoding.decode([Int?].self, from: [1, .null, 2]), [1, nil, 2])
        try expectNil(JSONDecoding.decode(Int?.self, from: .null))
    }

    @Test func `unknown members are named in every object, with the name that was meant`() throws {
        let text = """
            {"when":{"path":"a","tims":1},"kind":"delay","steps":[{"path":"b"},{"path":"c","zzzzzz":0}],"labls":{},
             "labels":{"free":1},"extra":{"free":{"er":1}}}
            """
        try expectEqual(
            failure(Rule.self, text, strict: true),
            [
                #"$.labls: unknown member; did you mean "labels"?"#,
                #"$.when.tims: unknown member; did you mean "times"?"#,
                "$.steps[1].zzzzzz: unknown member; known are path, times",
            ]
        )
        #expect(throws: Never.self) { try JSONDecoding.decode(Rule.self, from: read(text)) }
        try expectEqual(
            failure(Empty.self, #"{"a":1,"a":2}"#, strict: true),
            [
                "$.a: unknown member; the object takes no members"
            ]
        )
    }

    struct Empty: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Keys.self) }
        enum Keys: CodingKey {}
    }

    enum Action: Codable, Equatable {
        case wait(seconds: Double)
        case fail(Int)
    }

    @Test func `an enumeration with payload decodes, and a member beside its case is unknown`() throws {
        try expectEqual(JSONDecoding.decode(Action.self, from: read(#"{"wait":{"seconds":0.5}}"#)), .wait(seconds: 0.5))
        try expectEqual(
            failure(Action.self, #"{"wait":{"seconds":0.5},"wiat":{}}"#, strict: true),
            [
                #"$.wiat: unknown member; did you mean "wait"?"#
            ]
        )
        try expectEqual(failure(Action.self, #"{}"#).count, 1)
    }

    @Test(
        arguments: [
            ("127", 127), ("-128", -128), ("1.0", 1), ("1e2", 100),
        ] as [(String, Int8)]
    )
    func `an integer type takes whole numbers up to its limits`(text: String, value: Int8) throws {
        try expectEqual(JSONDecoding.decode(Int8.self, from: read(text)), value)
    }

    @Test(arguments: ["128", "-129", "1.5", "1e3", "99999999999999999999"])
    func `an integer type refuses what it cannot hold`(text: String) throws {
        let found = try read(text).text
        try expectEqual(failure(Int8.self, text), ["$: expected an integer from -128 to 127, found \(found)"])
    }

    @Test func `the widest numbers decode and wider ones do not`() throws {
        try expectEqual(JSONDecoding.decode(UInt64.self, from: read("18446744073709551615")), .max)
        try expectEqual(failure(UInt64.self, "18446744073709551616").count, 1)
        try expectEqual(failure(UInt.self, "-1").count, 1)
        try expectEqual(JSONDecoding.decode(Int64.self, from: read("-9223372036854775808")), .min)
        try expectEqual(JSONDecoding.decode(Double.self, from: read("1e308")), 1e308)
        try expectEqual(failure(Double.self, "1e309"), ["$: the number 1e309 is out of range"])
        try expectEqual(failure(Float.self, "1e39"), ["$: the number 1e39 is out of range"])
        try expectEqual(failure(Double.self, "\"1\""), ["$: expected a number, found string"])
        try expectEqual(failure(Bool.self, "0"), ["$: expected a boolean, found number"])
    }

    struct Refusing: Decodable {
        struct Reason: Error, CustomStringConvertible { var description: String { "must not be" } }
        init(from decoder: any Decoder) throws { throw Reason() }
    }

    @Test func `an error of a type's own keeps its path`() throws {
        try expectEqual(failure([String: [Refusing]].self, #"{"a":[0]}"#), ["$.a[0]: must not be"])
    }

    class Base: Codable {
        var id: Int
        init(id: Int) { self.id = id }
    }

    final class Derived: Base {
        var name: String
        enum Keys: String, CodingKey { case name }

        init(id: Int, name: String) {
            self.name = name
            super.init(id: id)
        }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `a class decodes its parent from super`() throws {
        let json = try JSONEncoding.encode(Derived(id: 7, name: "x"))
        expectEqual(json.text, #"{"name":"x","super":{"id":7}}"#)
        let derived = try JSONDecoding.decode(Derived.self, from: json, options: .init(rejectUnknownMembers: true))
        expectEqual(derived.id, 7)
        expectEqual(derived.name, "x")
        try expectEqual(failure(Derived.self, #"{"name":"x","super":{}}"#), ["$.super.id: missing"])
    }

    struct Grid: Codable, Equatable {
        var rows: [[Int]]
        var corner: Int

        enum Keys: CodingKey { case rows, meta }
        enum Meta: CodingKey { case corner }

        init(rows: [[Int]], corner: Int) { (self.rows, self.corner) = (rows, corner) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            var list = try container.nestedUnkeyedContainer(forKey: .rows)
            rows = []
            while !list.isAtEnd {
                var row = try list.nestedUnkeyedContainer()
                rows.append([])
                while !row.isAtEnd { rows[rows.count - 1].append(try row.decode(Int.self)) }
            }
            corner = try container.nestedContainer(keyedBy: Meta.self, forKey: .meta).decode(Int.self, forKey: .corner)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var list = container.nestedUnkeyedContainer(forKey: .rows)
            for row in rows {
                var inner = list.nestedUnkeyedContainer()
                for cell in row { try inner.encode(cell) }
            }
            var meta = container.nestedContainer(keyedBy: Meta.self, forKey: .meta)
            try meta.encode(corner, forKey: .corner)
        }
    }

    @Test func `nested containers decode, fail with their path and know their members`() throws {
        let grid = Grid(rows: [[1, 2], [], [3]], corner: 4)
        let json = try JSONEncoding.encode(grid)
        expectEqual(json.text, #"{"rows":[[1,2],[],[3]],"meta":{"corner":4}}"#)
        try expectEqual(JSONDecoding.decode(Grid.self, from: json, options: .init(rejectUnknownMembers: true)), grid)
        try expectEqual(
            failure(Grid.self, #"{"rows":[[1],["x"]],"meta":{}}"#),
            [
                "$.rows[1][0]: expected an integer, found string"
            ]
        )
        try expectEqual(
            failure(Grid.self, #"{"rows":[],"meta":{"corner":1,"crner":2}}"#, strict: true),
            [
                #"$.meta.crner: unknown member; did you mean "corner"?"#
            ]
        )
    }

    @Test func `an object of many members decodes without a search for each`() throws {
        var object = JSONObject()
        for index in 0..<50_000 { object.append("name\(index)", .integer(Int64(index))) }
        try ProcessorTime.measure {
            let numbers = try JSONDecoding.decode(
                [String: Int].self,
                from: .object(object),
                options: .init(rejectUnknownMembers: true)
            )
            expectEqual(numbers.count, 50_000)
        }
        .assertBelow(.seconds(20))
    }

    @Test func `no more than a hundred unknown members are listed`() throws {
        var object = JSONObject()
        for index in 0..<1_000 { object.append("name\(index)", 0) }
        let error = #expect(throws: JSONDecodingError.self) {
            try JSONDecoding.decode(Empty.self, from: .object(object), options: .init(rejectUnknownMembers: true))
        }
        expectEqual(error?.issues.count, 100)
        expectEqual(error?.formattedPath, "$.name0")
    }
}

extension Duration {
    fileprivate func assertBelow(_ limit: Duration) { #expect(self < limit) }
}
