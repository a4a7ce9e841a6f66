import JSON
import OpenAPI
import TestSupport
import Testing

/// Schemas whose numbers and combinations ask for more work and memory than there is (own-API contract, sections 17
/// and 22).
@Suite struct HostileSchemaTests {
    private static let numbers = ["20001", "4611686018427387904", "9223372036854775807"]

    /// Schemas that ask for `N` of something.
    private static let counts = [
        #"{"type":"object","minProperties":N}"#,
        #"{"type":"object","minProperties":N,"propertyNames":{"pattern":"^[a-z]{1,40}$"}}"#,
        #"{"type":"object","minProperties":N,"propertyNames":{"enum":["a"]}}"#,
        #"{"type":"object","minProperties":N,"patternProperties":{"^[ab]$":true},"additionalProperties":false}"#,
        #"{"type":"object","minProperties":N,"maxProperties":9223372036854775807}"#,
        #"{"allOf":[{"type":"object","minProperties":N},{"minProperties":3}],"additionalProperties":{"type":"string"}}"#,
        #"{"type":"object","dependentSchemas":{"a":{"minProperties":N}},"required":["a"]}"#,
        #"{"type":"array","minItems":N}"#, #"{"type":"array","minItems":N,"uniqueItems":true}"#,
        #"{"type":"array","minItems":N,"items":{"type":"array","minItems":N}}"#,
        #"{"type":"array","minItems":N,"items":{"type":"string","minLength":100000}}"#,
        #"{"type":"array","minItems":N,"uniqueItems":true,"items":{"type":"object","required":["a"],"properties":{"a":{"enum":[1,2,3]}}}}"#,
        #"{"type":"array","contains":{"const":1},"minContains":N}"#,
        #"{"type":"array","contains":{"const":1},"minContains":N,"maxContains":N,"maxItems":N}"#,
        #"{"allOf":[{"contains":{"const":1},"minContains":N},{"contains":{"const":2},"minContains":N}],"type":"array"}"#,
        #"{"type":"array","prefixItems":[true,true],"minItems":N,"contains":{"type":"string"},"minContains":N}"#,
        #"{"type":"string","minLength":N}"#, #"{"type":"string","minLength":N,"maxLength":N}"#,
        #"{"type":"string","minLength":N,"format":"byte"}"#, #"{"type":"string","minLength":N,"format":"email"}"#,
        #"{"type":"string","minLength":N,"format":"uri"}"#, #"{"type":"string","minLength":N,"format":"hostname"}"#,
        #"{"type":"string","minLength":N,"format":"date-time"}"#,
        #"{"type":"string","minLength":N,"format":"duration"}"#,
        #"{"type":"string","minLength":N,"format":"ipv6"}"#, #"{"type":"string","minLength":N,"pattern":"^[a-z]+$"}"#,
        #"{"type":"string","minLength":N,"contentEncoding":"base64url"}"#,
        #"{"type":"string","maxLength":N,"pattern":"^(a{1,90}b?){1,90}$"}"#,
        #"{"type":"string","pattern":"^(ab){N}$"}"#, #"{"type":"string","pattern":"^a{0,N}$"}"#,
        #"{"type":"integer","minimum":N,"multipleOf":7}"#, #"{"type":"integer","multipleOf":N}"#,
        #"{"type":"number","multipleOf":1e-300,"minimum":N}"#, #"{"type":"integer","maximum":-N,"minimum":-N}"#,
        #"{"type":"number","minimum":-N,"maximum":N,"exclusiveMaximum":N}"#,
        #"{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":N}},"minProperties":N}"#,
    ]

    @Test(arguments: counts) func `22 numbers of a schema size no more work and memory than there is`(template: String)
        throws
    {
        for number in Self.numbers {
            let schema = Schema(try Fixture.json(template.replacingAll("N", with: number)))
            var made: JSON?
            let time = ProcessorTime.measure { made = try? schema.sampled(1) }
            #expect(time < .seconds(10), "\(time)")
            guard let made else { continue }
            #expect(made.size <= 20_000, "\(made.size)")
            #expect(schema.fits(made, direction: .response))
        }
    }

    @Test func `22 a sample has at most 20,000 values`() throws {
        let schema = Schema(["type": "array", "minItems": 19_999, "items": ["const": 1]])
        try expectEqual(schema.sampled(1).arrayValue?.count, 19_999)
        let more = Schema(["type": "array", "minItems": 20_000, "items": ["const": 1]])
        #expect(throws: NoSample.self) { try more.sampled(1) }
        let members = Schema(["type": "object", "minProperties": 19_999, "additionalProperties": ["const": 1]])
        try expectEqual(members.sampled(1).objectValue?.count, 19_999)
        let text = Schema(["type": "string", "minLength": 100_000])
        try expectEqual(text.sampled(1).stringValue?.unicodeScalars.count ?? 0 >= 100_000, true)
        let longer = Schema(["type": "string", "minLength": 100_001])
        #expect(throws: NoSample.self) { try longer.sampled(1) }
    }

    @Test func `22 what asks for too much is a note`() throws {
        let document = try Fixture.document(
            "openapi: 3.1.0\npaths: {/a: {get: {responses: {'200': {content: {application/json: {schema: {type: object, minProperties: 4611686018427387904}}}}}}}}\n"
        )
        expectEqual(document.operations[0].reply(), "no sample")
        expectEqual(document.examine().map(\.reason), ["no sample fits this schema"])
    }

    @Test func `17 conjunctions of thousands of schemas take time that grows as they do`() throws {
        func time(_ count: Int, _ branch: (Int) -> JSON) throws -> (Duration, JSON?) {
            let schema = Schema(["allOf": .array((0..<count).map(branch)), "type": "object"])
            var made: JSON?
            let time = ProcessorTime.measure { made = try? schema.sampled(1) }
            return (time, made)
        }
        let kinds: [(Int) -> JSON] = [
            { ["type": "object", "properties": ["p\($0)": ["type": "string"]]] },
            { ["type": "object", "properties": ["p\($0)": ["const": 1]], "required": [.string("p\($0)")]] },
            { ["anyOf": [["title": .string("t\($0)")], false], "properties": ["p\($0)": ["const": 1]]] },
            { ["oneOf": [["title": .string("t\($0)")]]] },
            { ["properties": ["p\($0)": ["const": 1]], "additionalProperties": ["type": "integer"]] },
            { ["dependentRequired": ["p\($0)": [.string("p\($0 + 1)")]], "required": ["p0"]] },
            { ["patternProperties": ["^p\($0)$": ["const": 1]], "required": [.string("p\($0)")]] },
            { ["enum": [["p": 1], .integer(Int64($0))]] },
        ]
        for (place, kind) in kinds.enumerated() {
            // Each pattern is held against each name, which is work by the square.
            let (time, made) = try time(place == 6 ? 500 : 1_000, kind)
            #expect(time < .seconds(5), "\(place): \(time)")
            if place == 0 || place == 1 || place == 3 { #expect(made != nil, "\(place)") }
        }
    }

    @Test func `22 members and schemas behind many ways of allOf are looked at once`() throws {
        // Each level refers to the next ten times.
        var schemas: JSONObject = ["L0": ["type": "string", "writeOnly": true]]
        for level in 1..<30 {
            let inner: JSON = ["$ref": .string("#/components/schemas/S/$defs/L\(level - 1)")]
            schemas.append(
                "L\(level)",
                [level.isMultiple(of: 2) ? "allOf" : "anyOf": .array(Array(repeating: inner, count: 10))]
            )
        }
        let schema = Schema(
            [
                "type": "object", "properties": ["a": ["$ref": "#/components/schemas/S/$defs/L29"]], "required": ["b"],
                "$defs": .object(schemas),
            ]
        )
        let time = ProcessorTime.measure { _ = try? schema.sampled(1) }
        #expect(time < .seconds(10), "\(time)")
        let document = try Fixture.document(
            """
            openapi: 3.1.0
            paths:
              /a: {get: {parameters: [{name: q, in: query, schema: {$ref: '#/components/schemas/T'}}]}}
            components: {schemas: {T: {anyOf: [{$ref: '#/components/schemas/T'}, {$ref: '#/components/schemas/T'}, {$ref: '#/components/schemas/U'}]}, U: {oneOf: [{$ref: '#/components/schemas/T'}, {$ref: '#/components/schemas/U'}, {type: integer}]}}}
            """
        )
        let parameters = ProcessorTime.measure { _ = document.operations[0].problems(query: "q=1&q=2") }
        #expect(parameters < .seconds(10), "\(parameters)")
    }

    @Test(arguments: [
        ##"{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#"}},"required":["z"]},{"type":"object","properties":{"a":{"$ref":"#"}},"required":["y"]},{"type":"string"}]}"##,
        ##"{"oneOf":[{"type":"array","items":{"$ref":"#"},"minItems":9},{"type":"object","properties":{"a":{"$ref":"#"}},"required":["z"]},{"type":"object","properties":{"a":{"$ref":"#"}},"required":["y"]}]}"##,
        ##"{"if":{"properties":{"a":{"$ref":"#"}},"required":["z"]},"then":{"properties":{"a":{"$ref":"#"}}},"else":{"properties":{"a":{"$ref":"#"}},"type":"string"}}"##,
    ])
    func `16 alternatives that come back to themselves are checked in time linear in the value`(schema: String) throws {
        let schema = Schema(try Fixture.json(schema))
        var value: JSON = 1
        for _ in 0..<60 { value = ["a": value] }
        var found: [JSONIssue] = []
        let time = ProcessorTime.measure { found = schema.validate(value, direction: .request) }
        #expect(!found.isEmpty)
        #expect(!found.contains { $0.reason == "takes too much work to be checked" }, "\(found.map(\.description))")
        #expect(time < .seconds(2), "\(time)")
    }

    @Test func `16 long chains of references are followed`() throws {
        for version in ["3.0.3", "3.1.0"] {
            var text = """
                openapi: \(version)
                paths: {/a: {get: {responses: {'200': {$ref: '#/components/responses/R0'}}}}}
                components:
                  responses:

                """
            for index in 0..<300 { text += "    R\(index): {$ref: '#/components/responses/R\(index + 1)'}\n" }
            text +=
                "    R300: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}\n  schemas:\n"
            for index in 0..<5_000 { text += "    S\(index): {$ref: '#/components/schemas/S\(index + 1)'}\n" }
            text += "    S5000: {type: integer, enum: [7]}\n"
            var reading = Fixture.read([:])
            let time = ProcessorTime.measure { reading = Fixture.read(["openapi.yaml": text]) }
            expectEqual(reading.errors.map(\.description), [])
            #expect(time < .seconds(20), "\(time)")
            let operation = try #require(reading.document?.operations.first)
            expectEqual(operation.reply(), "200 application/json 7")
            expectEqual(try #require(reading.document).examine().map(\.description), [])
        }
    }

    @Test func `16 references into a circle are told where the circle is`() throws {
        let text = """
            openapi: 3.1.0
            paths: {}
            components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/C'}, C: {$ref: '#/components/schemas/B'}}}
            """
        expectEqual(
            Fixture.read(["openapi.yaml": text]).errors.map(\.description),
            [
                "openapi.yaml:3: $.components.schemas.B['$ref']: the reference is circular",
                "openapi.yaml:3: $.components.schemas.C['$ref']: the reference is circular",
            ]
        )
    }

    @Test func `22 bytes that aliases write out are counted`() throws {
        func errors(_ rest: String) -> [String] {
            Fixture.read(["openapi.yaml": "openapi: 3.1.0\npaths: {}\n\(rest)"]).errors.map(\.reason)
        }
        let large = String(repeating: "k", count: 1 << 20)
        let keys = (0..<20_000).map { "  - {*n : \($0)}\n" }.joined()
        let limit = ["more than 16777216 bytes of names and texts, aliases written out"]
        func begins(_ found: [String], _ expected: [String]) -> Bool {
            found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }
        }
        let time = ProcessorTime.measure {
            #expect(begins(errors("x-n: &n \(large)\nx-k:\n\(keys)"), limit))
            let texts = Array(repeating: "*n", count: 20).joined(separator: ", ")
            #expect(begins(errors("x-n: &n \(large)\nx-k: [\(texts)]\n"), limit))
            let merges = (0..<20).map { "  - {<<: *n, a: \($0)}\n" }.joined()
            #expect(begins(errors("x-n: &n\n  b: \(large)\nx-k:\n\(merges)"), limit))
        }
        #expect(time < .seconds(20), "\(time)")
        // 16 MiB in all are taken: 15 times beside the one that is written, and what else there is.
        let room = Array(repeating: "*n", count: 14).joined(separator: ", ")
        expectEqual(errors("x-n: &n \(large)\nx-k: [\(room)]\n"), [])
    }
}

extension String {
    fileprivate func replacingAll(_ part: Character, with text: String) -> String {
        reduce(into: "") { $0 += $1 == part ? text : String($1) }
    }
}
