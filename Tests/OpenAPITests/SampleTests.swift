import CivilTime
import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// Samples (own-API contract, section 17).
@Suite struct SampleTests {
    private func sample(_ schema: String, seed: UInt64 = 1) throws -> JSON {
        try Schema(try Fixture.json(schema)).sampled(seed)
    }

    @Test(arguments: [
        (#"{"const":5,"default":1}"#, "5"), (#"{"default":1,"example":2,"enum":[1,2]}"#, "1"),
        (#"{"example":2,"examples":[3]}"#, "2"),
        (#"{"examples":[3,4]}"#, "3"), (#"{"enum":["a"]}"#, #""a""#),
        (#"{"default":"no","type":"integer","example":7}"#, "7"),
        (#"{"type":"string","minLength":3,"example":"ab","examples":["abc"]}"#, #""abc""#),
        (#"{"type":["null","integer"],"const":null}"#, "null"),
        (#"{"enum":[null,"x"]}"#, #""x""#), (#"{"type":"null"}"#, "null"),
        (#"{"type":"integer","minimum":5,"maximum":5}"#, "5"),
        (#"{"type":"number","multipleOf":0.25,"minimum":0.3,"maximum":0.6}"#, "0.5"),
        (#"{"type":"array","items":{"const":1}}"#, "[1,1]"),
        (#"{"type":"array","items":{"const":1},"maxItems":1}"#, "[1]"),
        (#"{"type":"array","items":{"const":1},"minItems":3}"#, "[1,1,1]"),
        (#"{"type":"array","items":{"const":1},"uniqueItems":true}"#, "[1]"),
        (#"{"type":"array","items":false}"#, "[]"),
        (#"{"prefixItems":[{"const":1},{"const":2},{"const":3}],"items":false}"#, "[1,2,3]"),
        (#"{"type":"array","items":{"enum":[1,2,1]},"uniqueItems":true,"contains":{"const":1},"maxItems":1}"#, "[1]"),
        (#"{"type":"array","items":{"enum":[1,2]},"contains":{"const":2},"minContains":2}"#, "[2,2]"),
        (
            #"{"allOf":[{"properties":{"a":{"const":1}}},{"properties":{"b":{"const":2}},"required":["b"]}]}"#,
            #"{"a":1,"b":2}"#
        ),
        (#"{"oneOf":[{"type":"string","minLength":5,"maxLength":4},{"const":2}]}"#, "2"),
        (#"{"anyOf":[false,{"const":3}]}"#, "3"),
        (#"{"oneOf":[{"enum":[1,2]},{"enum":[1,3]}]}"#, "2"),
        (#"{"properties":{"a":{"const":1},"pin":{"const":2,"writeOnly":true}},"required":["pin"]}"#, #"{"a":1}"#),
        (#"{"properties":{"a":{"const":1},"b":false},"type":"object"}"#, #"{"a":1}"#),
        (
            #"{"properties":{"a":{"const":1},"b":{"const":2},"c":{"const":3}},"required":["c"],"maxProperties":2}"#,
            #"{"a":1,"c":3}"#
        ),
        (#"{"type":"object","additionalProperties":{"const":1}}"#, #"{"key":1}"#),
        (#"{"type":"object","additionalProperties":{"const":1},"minProperties":2}"#, #"{"key1":1,"key2":1}"#),
        (
            #"{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"properties":{"a":{"const":1},"b":{"const":2}}}"#,
            #"{"a":1,"b":2}"#
        ),
        (#"{"not":{"required":["a"]},"properties":{"a":{"const":1}},"type":"object"}"#, "{}"),
        (#"{"example":{"a":1,"pin":2},"properties":{"pin":{"writeOnly":true}}}"#, #"{"a":1}"#),
        (
            #"{"dependentRequired":{"a":["z"]},"required":["a"],"properties":{"a":{"const":1},"z":{"const":2}}}"#,
            #"{"a":1,"z":2}"#
        ),
    ])
    func `17 a sample comes from what the schema shows, else from its types`(schema: String, expected: String) throws {
        try expectEqual(sample(schema).text, expected)
    }

    @Test(arguments: [
        "date-time", "date", "time", "duration", "uuid", "email", "uri", "hostname", "ipv4", "ipv6", "byte", "binary",
        "password", "int32", "int64", "float", "double",
    ])
    func `17 every format has samples that fit`(format: String) throws {
        let isNumber = ["int32", "int64", "float", "double"].contains(format)
        let type = isNumber ? (format.hasPrefix("int") ? "integer" : "number") : "string"
        let schema = Schema(["type": .string(type), "format": .string(format)])
        for seed in 0..<50 { #expect(schema.fits(try schema.sampled(UInt64(seed)))) }
    }

    @Test func `17 times lie within thirty days before T0`() throws {
        for seed in 0..<200 {
            let text = try #require(
                try sample(#"{"type":"string","format":"date-time"}"#, seed: UInt64(seed)).stringValue
            )
            let instant = try #require(Instant(iso8601: text))
            #expect(instant <= Fixture.start && Fixture.start.seconds - instant.seconds <= 30 * 86_400)
        }
    }

    @Test(arguments: [
        "^[a-z]{3}-\\d{4}$", "^(foo|bar)+$", "\\bword\\b", "^\\+?[1-9]\\d{1,14}$", "[^a-z]", "^$", "a.c",
        "^(a|b(c|d)*)$", "^\\p{Lu}",
        "^[A-Z]{2}[0-9]{9}[A-Z]?$", "^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$", "^[\\u00e9-\\u00ff]$", "x{0}y", "^.{20,40}$",
        "\\s\\S",
    ])
    func `17 patterns have samples that fit`(pattern: String) throws {
        let schema = Schema(["type": "string", "pattern": .string(pattern)])
        for seed in 0..<20 { #expect(schema.fits(try schema.sampled(UInt64(seed)))) }
    }

    @Test func `17 lengths hold together with patterns and formats`() throws {
        for schema in [
            #"{"type":"string","pattern":"^[a-z]+$","minLength":40,"maxLength":40}"#,
            #"{"type":"string","pattern":"[0-9]","minLength":30}"#,
            #"{"type":"string","format":"email","minLength":60}"#, #"{"type":"string","format":"uri","maxLength":10}"#,
            #"{"type":"string","format":"hostname","maxLength":3}"#, #"{"type":"string","maxLength":1}"#,
            #"{"type":"string","minLength":500}"#,
            #"{"type":"string","maxLength":0}"#, #"{"type":"string","format":"byte","minLength":9,"maxLength":13}"#,
        ] {
            let value = Schema(try Fixture.json(schema))
            #expect(value.fits(try value.sampled(3)), "\(schema)")
        }
    }

    @Test(arguments: [
        (#"{"type":"integer","format":"int64","minimum":9223372036854775807}"#, "9223372036854775807"),
        (#"{"type":"integer","format":"int64","maximum":-9223372036854775808}"#, "-9223372036854775808"),
        (#"{"type":"integer","exclusiveMinimum":9223372036854775806,"format":"int64"}"#, "9223372036854775807"),
        (#"{"type":"integer","minimum":2147483647,"format":"int32"}"#, "2147483647"),
        (#"{"type":"integer","minimum":0,"exclusiveMinimum":1000000,"maximum":1000001}"#, "1000001"),
        (#"{"type":"integer","minimum":1000001,"exclusiveMinimum":0,"maximum":1000001}"#, "1000001"),
        (#"{"type":"integer","maximum":0,"exclusiveMaximum":-1000000,"minimum":-1000001}"#, "-1000001"),
        (#"{"type":"integer","maximum":-1000001,"exclusiveMaximum":0,"minimum":-1000001}"#, "-1000001"),
        (#"{"type":"integer","minimum":1234567890123456789,"maximum":1234567890123456789}"#, "1234567890123456789"),
        (#"{"type":"integer","minimum":1e30,"maximum":1e30}"#, "1e30"),
        (#"{"type":"number","minimum":1e300,"maximum":1e300}"#, "1e+300"),
        (#"{"type":"number","multipleOf":1e-5,"minimum":0.00001,"maximum":0.00001}"#, "0.00001"),
        (#"{"type":"string","format":"email","minLength":5,"maxLength":5}"#, #""a@b.c""#),
        (#"{"type":"string","format":"email","maxLength":3}"#, #""a@b""#),
        (#"{"type":"string","format":"ipv4","maxLength":7}"#, #""1.1.1.1""#),
        (#"{"type":"string","format":"ipv6","maxLength":2}"#, #""::""#),
    ])
    func `17 numbers and texts at the ends of what fits`(schema: String, expected: String) throws {
        try expectEqual(sample(schema).text, expected)
    }

    @Test(arguments: [
        #"{"type":"integer","format":"int64","maximum":9223372036854775807,"minimum":-9223372036854775808}"#,
        #"{"type":"integer","minimum":1e30}"#, #"{"type":"integer","maximum":-1e30}"#,
        #"{"type":"integer","minimum":0,"exclusiveMinimum":1000000}"#,
        #"{"type":"number","maximum":0,"exclusiveMaximum":-1e6}"#,
        #"{"type":"integer","minimum":1e37,"multipleOf":3}"#, #"{"type":"number","minimum":1.7e38,"multipleOf":1}"#,
        #"{"type":"integer","minimum":-1.7e38,"maximum":1.7e38}"#, #"{"type":"number","minimum":1e308}"#,
        #"{"type":"string","format":"email","minLength":70}"#, #"{"type":"string","format":"email","minLength":250}"#,
        #"{"type":"string","format":"hostname","minLength":253}"#, #"{"type":"string","format":"ipv4","minLength":15}"#,
        #"{"type":"string","format":"hostname","minLength":121,"maxLength":121}"#,
        #"{"type":"string","format":"ipv6","minLength":39}"#, #"{"type":"string","format":"duration","maxLength":3}"#,
        #"{"type":"string","format":"duration","minLength":12}"#,
        #"{"type":"string","format":"date-time","minLength":22}"#,
        #"{"type":"string","format":"date-time","minLength":30}"#, #"{"type":"string","format":"time","minLength":14}"#,
        #"{"type":"string","format":"email","pattern":"@corp\\.test$"}"#,
        #"{"type":"string","format":"date","pattern":"^2024-"}"#,
        #"{"type":"string","format":"uri","pattern":"^ftp://"}"#,
        #"{"type":"string","pattern":"^(a{90}){90}$"}"#, #"{"type":"string","pattern":"^[a-z]+$","minLength":2000}"#,
        #"{"type":"string","pattern":"x","minLength":1000}"#,
    ])
    func `17 formats, patterns and bounds far from the usual have samples`(schema: String) throws {
        let schema = Schema(try Fixture.json(schema))
        for seed in 0..<5 { #expect(schema.fits(try schema.sampled(UInt64(seed)))) }
    }

    @Test(arguments: [
        #"{"type":"integer","minimum":0,"exclusiveMinimum":1000001,"maximum":1000001}"#,
        #"{"type":"integer","maximum":0,"exclusiveMaximum":-1000001,"minimum":-1000001}"#,
    ])
    func `17 of two bounds of one side the narrower counts`(schema: String) throws {
        let schema = Schema(try Fixture.json(schema))
        #expect(throws: NoSample.self) { try schema.sampled(1) }
    }

    @Test func `17 what is combined over and over is looked at once`() throws {
        var schemas: JSONObject = ["L0": ["type": "object", "properties": ["a": ["type": "string"]]]]
        for level in 1..<40 {
            let inner: JSON = ["$ref": .string("#/components/schemas/S/$defs/L\(level - 1)")]
            let keyword = level.isMultiple(of: 2) ? "allOf" : "anyOf"
            schemas.append("L\(level)", [keyword: [inner, inner], "properties": ["p\(level)": ["const": 1]]])
        }
        let schema = Schema(["$ref": "#/components/schemas/S/$defs/L39", "$defs": .object(schemas)])
        var value = JSON.null
        let time = try ProcessorTime.measure { value = try schema.sampled(1) }
        expectEqual(value["p39"], 1)
        expectEqual(value["p1"], 1)
        // Without that there would be 2^39 comparisons.
        #expect(time < .seconds(20))
    }

    @Test func `17 the same request has the same sample, another one another`() throws {
        let operation = try Fixture.operation(
            "/a/{x}",
            "get: {responses: {'200': {content: {application/json: {schema: {type: array, minItems: 6, items: {type: string, format: uuid}}}}}}}"
        )
        let first = operation.reply("/a/1", values: ["1"])
        _ = operation.reply("/a/2", values: ["2"])
        expectEqual(operation.reply("/a/1", values: ["1"]), first)
        #expect(operation.reply("/a/2", values: ["2"]) != first)
        #expect(operation.reply("/a/1", values: ["1"], query: "x=1") != first)
        #expect(operation.reply("/a/1", values: ["1"], seed: 2) != first)
        // The bytes are those of every process.
        #expect(first.hasPrefix(#"200 application/json [""#))
        let again = try Fixture.operation(
            "/a/{x}",
            "get: {responses: {'200': {content: {application/json: {schema: {type: array, minItems: 6, items: {type: string, format: uuid}}}}}}}"
        )
        expectEqual(again.reply("/a/1", values: ["1"]), first)
    }

    @Test func `17 members called as parameters of the path take their values if they fit`() throws {
        let schema =
            "{type: object, properties: {petId: {type: integer}, id: {const: 5}, owner: {type: string}, name: {type: string, default: x}}}"
        let operation = try Fixture.operation(
            "/owners/{owner}/pets/{petId}",
            "get: {responses: {'200': {content: {application/json: {schema: \(schema)}}}}}"
        )
        let reply = operation.reply("/owners/ann/pets/7", values: ["ann", "7"])
        expectEqual(reply, #"200 application/json {"petId":7,"id":5,"owner":"ann","name":"x"}"#)
        let other = operation.reply("/owners/ann/pets/x", values: ["ann", "x"])
        #expect(!other.contains(#""petId":"x""#))
        let plain = try Fixture.operation(
            "/pets/{pet}.json",
            "get: {responses: {'200': {content: {application/json: {schema: {properties: {id: {type: string, example: shown}}}}}}}}"
        )
        expectEqual(plain.reply("/pets/9.json", values: ["9"]), #"200 application/json {"id":"9"}"#)
    }

    @Test func `17 discriminators name the branch`() throws {
        let operation = try Fixture.document(
            """
            openapi: 3.0.3
            paths: {/a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}}}
            components:
              schemas:
                Pet:
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                  discriminator: {propertyName: kind, mapping: {hund: '#/components/schemas/Dog'}}
                Cat: {type: object, properties: {kind: {type: string}}, required: [kind, none], additionalProperties: false}
                Dog: {type: object, properties: {kind: {type: string}, age: {type: integer, enum: [3]}}, required: [kind]}
            """
        ).operations[0]
        expectEqual(operation.reply(), #"200 application/json {"kind":"hund","age":3}"#)
    }

    @Test func `17 required members are there though an optional one uses up all tries`() throws {
        let never = Array(repeating: #"{"type":"string","minLength":5,"pattern":"^x$"}"#, count: 3_100)
        let schema =
            #"{"type":"object","properties":{"a":{"anyOf":[\#(never.joined(separator: ","))]},"z":{"const":1}},"required":["z"]}"#
        let made = try sample(schema).text
        expectEqual(made, #"{"z":1}"#)
    }

    @Test func `17 depth and size bound what is optional, and cycles end`() throws {
        let tree =
            ##"{"type":"object","properties":{"v":{"const":1},"kids":{"type":"array","items":{"$ref":"#"}}},"required":["v"]}"##
        let value = try sample(tree)
        #expect(value.deepest <= 10)
        #expect(Schema(try Fixture.json(tree)).fits(value))
        var wide = JSONObject()
        for index in 0..<60 { wide.append("m\(index)", ["$ref": "#"]) }
        let huge = try Schema(["type": "object", "properties": .object(wide)]).sampled(1)
        #expect(huge.size <= 4_100, "\(huge.size)")
        #expect(huge.size >= 1_900, "\(huge.size)")
        let endless = Schema(try Fixture.json(##"{"type":"object","properties":{"n":{"$ref":"#"}},"required":["n"]}"##))
        #expect(throws: NoSample.self) { try endless.sampled(1) }
        let ending = Schema(
            try Fixture.json(
                ##"{"type":"object","properties":{"n":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["n"]}"##
            )
        )
        #expect(ending.fits(try ending.sampled(1)))
    }

    @Test func `17 a sample of any schema fits`() throws {
        var generator = SeededGenerator.announced()
        var made = 0
        for round in 0..<1_500 {
            var writer = SchemaWriter(generator: generator)
            let json = writer.schema(depth: 3)
            generator = writer.generator
            let schema = Schema(json)
            guard let sample = try? schema.sampled(UInt64(round)) else { continue }
            made += 1
            var issues = schema.validate(sample, direction: .response)
            // A sample may fit several alternatives of a `oneOf`, also where that decides what else applies to it: then it fits
            // where alternatives may overlap.
            if !issues.isEmpty, json.text.contains(#""oneOf""#) {
                let overlapping = Schema(try Fixture.json(json.text.replacing("oneOf", with: "anyOf")))
                issues = overlapping.validate(sample, direction: .response)
            }
            #expect(issues.isEmpty, "\(json.text) gives \(sample.text): \(issues)")
        }
        // Most random schemas can be fulfilled.
        #expect(made > 1_000, "\(made)")
    }
}

/// No sample fits a schema.
struct NoSample: Error {}

extension Schema {
    /// A sample through an operation whose one response has the schema.
    func sampled(_ seed: UInt64) throws -> JSON {
        let document: JSON = [
            "openapi": "3.1.0",
            "paths": [
                "/": ["get": ["responses": ["200": ["content": ["application/json": ["schema": Self.rooted(json)]]]]]]
            ],
            "components": ["schemas": ["S": Self.rooted(json)]],
        ]
        let reading = OpenAPIReader.read("openapi.json") { _ in .content(document.serialized()) }
        expectEqual(reading.errors.map(\.description), [])
        let operation = try #require(reading.document?.operations.first)
        guard case .answer(let answer) = operation.outcome(prefer: "dynamic=true", seed: seed) else { throw NoSample() }
        return try JSONReader.read(answer.content)
    }

    /// The schema with references to its root leading to the component that it becomes.
    private static func rooted(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(rooted))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let isRoot = member.name == "$ref" && member.value == "#"
                        return JSONObject.Member(
                            name: member.name,
                            value: isRoot ? "#/components/schemas/S" : rooted(member.value)
                        )
                    }
                )
            )
        default: json
        }
    }
}

extension JSON {
    var deepest: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.deepest).max() ?? 0)
        case .object(let object): 1 + (object.members.map(\.value.deepest).max() ?? 0)
        default: 0
        }
    }

    var size: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.size }
        default: 1
        }
    }
}
