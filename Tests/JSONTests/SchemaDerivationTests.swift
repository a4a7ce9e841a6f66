import JSON
import TestSupport
import Testing

@Suite struct SchemaDerivationTests {
    struct Fault: Codable {
        enum Kind: String, Codable, CaseIterable { case delay, reset }

        struct When: Codable {
            var method: String?
            var times: Int

            enum CodingKeys: String, CodingKey {
                case method
                case times = "max_times"
            }
        }

        var when: When
        var kind: Kind
        var seconds: Double?
        var ports: [UInt16]
        var labels: [String: Bool]?
        var body: JSON?
        var later: [When]?
        var other: When?
        var code: UInt8
        var name: Name
    }

    struct Name: Codable, RawRepresentable { var rawValue: String }

    @Test func `properties come in declaration order, optional ones are not required`() throws {
        let schema = try JSONSchema.derived(from: Fault.self, additionalProperties: .closed)
        let when =
            #"{"type":"object","properties":{"method":{"type":"string"},"max_times":{"type":"integer"}},"#
            + #""required":["max_times"],"additionalProperties":false}"#
        expectEqual(
            schema.json().text,
            #"{"type":"object","properties":{"when":"# + when
                + #","kind":{"type":"string","enum":["delay","reset"]},"seconds":{"type":"number"},"#
                + #""ports":{"type":"array","items":{"type":"integer","minimum":0,"maximum":65535}},"#
                + #""labels":{"type":"object","additionalProperties":{"type":"boolean"}},"body":{},"#
                + #""later":{"type":"array","items":"# + when + #"},"other":"# + when
                + #","code":{"type":"integer","minimum":0,"maximum":255},"name":{"type":"string"}},"#
                + #""required":["when","kind","ports","code","name"],"additionalProperties":false}"#
        )
    }

    @Test func `what a type encodes fits the schema derived from it`() throws {
        let schema = try JSONSchema.derived(from: Fault.self, additionalProperties: .closed)
        let least = Fault(when: .init(times: 1), kind: .delay, ports: [], code: 0, name: Name(rawValue: "n"))
        let most = Fault(
            when: .init(method: "GET", times: 2),
            kind: .reset,
            seconds: 0.5,
            ports: [1, 2],
            labels: ["a": true],
            body: [1],
            later: [.init(times: 1)],
            other: .init(times: 3),
            code: 255,
            name: Name(rawValue: "m")
        )
        for fault in [least, most] {
            let json = try JSONEncoding.encode(fault)
            expectEqual(JSONSchemaValidator.validate(json, against: schema), [])
        }
        #expect(throws: Never.self) { try JSONDecoding.decode(Fault.self, from: schema.sample()) }
        let wrong: JSON = [
            "when": ["max_times": "1"], "kind": "x", "ports": [70_000], "code": -1, "name": 1, "sconds": 1,
        ]
        let issues = JSONSchemaValidator.validate(wrong, against: schema)
        expectEqual(
            issues.map(\.formattedPath),
            ["$.when.max_times", "$.kind", "$.ports[0]", "$.code", "$.name", "$.sconds"]
        )
    }

    final class Node: Codable {
        var value: Int
        var next: Node?
        var children: [Node]
        var byName: [String: Node]?
    }

    @Test func `a type that contains itself becomes a reference with a component`() throws {
        let derived = try JSONSchema.derivedWithComponents(from: [Node].self)
        expectEqual(derived.components.map(\.name), ["Node"])
        let node = try #require(derived.components.first?.schema)
        expectEqual(derived.schema, .array(node))
        expectEqual(
            node,
            .object(
                .init([
                    .init("value", .integer()), .init("next", .reference("Node"), isRequired: false),
                    .init("children", .array(.reference("Node"))),
                    .init(
                        "byName",
                        .object(.init(additionalProperties: .schema(.reference("Node")))),
                        isRequired: false
                    ),
                ])
            )
        )
        let value: JSON = [
            "value": 1, "children": [["value": 2, "children": [], "next": ["value": "x", "children": []]]],
        ]
        let issues = JSONSchemaValidator.validate(value, against: node) { $0 == "Node" ? node : nil }
        expectEqual(issues.map(\.description), ["$.children[0].next.value: expected an integer, found string"])
    }

    final class Endless: Decodable {
        var inner: Endless
    }

    enum Payload: Codable { case a(Int), b }

    struct Picky: Decodable {
        struct Refusal: Error {}
        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decode(String.self) == "right" else { throw Refusal() }
        }
    }

    struct Holder<Value: Decodable>: Decodable { var held: Value }

    struct Free: Decodable {
        init(from decoder: any Decoder) throws {
            for key in try decoder.container(keyedBy: Key.self).allKeys { _ = key.stringValue }
        }
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    struct Silent: Decodable { init(from decoder: any Decoder) {} }

    private func failure<Value: Decodable>(_ type: Value.Type) -> SchemaError? {
        #expect(throws: SchemaError.self) { try JSONSchema.derived(from: type) }
    }

    @Test func `a type that notes cannot show is refused with path, type and reason`() {
        let endless = failure(Endless.self)
        expectEqual(endless?.path, ["inner"])
        expectEqual(endless?.reason.contains("contains itself"), true)
        let payload = failure(Holder<Payload>.self)
        expectEqual(payload?.path, ["held"])
        expectEqual(payload?.type, "Payload")
        expectEqual(payload?.reason.contains("dynamically"), true)
        let picky = failure(Holder<[Picky]>.self)
        expectEqual(picky?.path, ["held", 0])
        expectEqual(picky?.type, "Picky")
        expectEqual(picky?.reason.contains("JSONSchemaDescribing"), true)
        expectEqual(failure(Free.self)?.reason.contains("dynamically"), true)
        expectEqual(
            failure(Silent.self)?.description,
            "$ (Silent): decodes nothing; conform it to JSONSchemaDescribing"
        )
    }

    struct Identifier: JSONSchemaDescribing {
        static let jsonSchema = JSONSchema.described(
            .string(pattern: "^id-[0-9]+$"),
            description: "An id.",
            example: "id-1"
        )
        var number: Int

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard text.hasPrefix("id-"), let number = Int(text.dropFirst(3)) else { throw Picky.Refusal() }
            self.number = number
        }
    }

    struct WrongSample: JSONSchemaDescribing {
        static let jsonSchema = JSONSchema.string()
        init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Int.self) }
    }

    @Test func `a type may say its own shape, which its sample has to fit`() throws {
        let schema = try JSONSchema.derived(from: Holder<Identifier>.self)
        expectEqual(schema, .object(.init([.init("held", Identifier.jsonSchema)])))
        expectEqual(failure(Holder<WrongSample>.self)?.reason.contains("sample"), true)
    }

    struct Custom: Decodable {
        enum Keys: CodingKey { case choice, pair, nested, maybe, optional }
        enum Inner: CodingKey { case deep }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            _ = try container.nestedContainer(keyedBy: Inner.self, forKey: .nested).decode(Int.self, forKey: .deep)
            var pair = try container.nestedUnkeyedContainer(forKey: .pair)
            _ = try pair.decode(String.self)
            _ = try pair.decode(Bool.self)
            if try !container.decodeNil(forKey: .choice) { _ = try container.decode(String.self, forKey: .choice) }
            if container.contains(.maybe) { _ = try container.decode(Bool.self, forKey: .maybe) }
            _ = try container.decode(Int?.self, forKey: .optional)
        }
    }

    @Test func `hand-written decoding is noted too`() throws {
        try expectEqual(
            JSONSchema.derived(from: Custom.self).json().text,
            #"{"type":"object","properties":{"#
                + #""nested":{"type":"object","properties":{"deep":{"type":"integer"}},"required":["deep"]},"#
                + #""pair":{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"boolean"}]}},"#
                + #""choice":{"type":["string","null"]},"maybe":{"type":"boolean"},"optional":{"type":["integer","null"]}},"#
                + #""required":["nested","pair","choice","optional"]}"#
        )
    }

    @Test func `leaves and wrappers have their schema`() throws {
        func expect<Value: Decodable>(_ type: Value.Type, _ schema: JSONSchema) throws {
            try expectEqual(JSONSchema.derived(from: type), schema)
        }
        try expect(String.self, .string())
        try expect(Bool.self, .boolean)
        try expect(Int.self, .integer())
        try expect(Int64.self, .integer())
        try expect(Int16.self, .integer(minimum: -32_768, maximum: 32_767))
        try expect(UInt64.self, .integer(minimum: 0))
        try expect(Float.self, .number)
        try expect([Int].self, .array(.integer()))
        try expect(Set<String>.self, .array(.string()))
        try expect(Int?.self, .nullable(.integer()))
        let flags = JSONSchema.array(.nullable(.boolean))
        try expect([String: [Bool?]].self, .object(.init(additionalProperties: .schema(flags))))
        try expect(JSON.self, .any)
        try expect(JSONObject.self, .object(.init()))
        try expect(Fault.Kind.self, .string(enumeration: ["delay", "reset"]))
        try expect(Name.self, .string())
    }
}
