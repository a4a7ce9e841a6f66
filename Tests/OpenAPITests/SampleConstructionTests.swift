import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// Samples that are constructed where a search would give up (own-API contract, section 17).
@Suite struct SampleConstructionTests {
    private func sample(_ schema: String, seed: UInt64 = 1) throws -> JSON {
        let schema = Schema(try Fixture.json(schema))
        let sample = try schema.sampled(seed)
        expectEqual(schema.validate(sample, direction: .response).map(\.description), [])
        return sample
    }

    private static func constants(_ count: Int, _ keyword: String = "oneOf") -> String {
        let branches = (0..<count).map { #"{"const":"s\#($0)","title":"S\#($0)"}"# }
        return "\"\(keyword)\":[\(branches.joined(separator: ","))]"
    }

    @Test(arguments: [
        (#"{"type":"array","uniqueItems":true,"minItems":2,"items":{\#(constants(2))}}"#, 2),
        (#"{"type":"array","uniqueItems":true,"minItems":40,"items":{\#(constants(40))}}"#, 40),
        (#"{"type":"array","uniqueItems":true,"items":{\#(constants(3, "anyOf"))}}"#, 2),
        (#"{"type":"array","uniqueItems":true,"items":{"enum":["s38","s39"],"allOf":[{\#(constants(40))}]}}"#, 2),
        (
            #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"object","required":["k"],"properties":{"k":{"enum":["a","b","c"]}}}}"#,
            3
        ),
        (
            #"{"type":"array","uniqueItems":true,"minItems":9,"items":{"type":"object","required":["k","l"],"properties":{"k":{"enum":["a","b","c"]},"l":{"enum":[1,2,3]}}}}"#,
            9
        ),
        (
            #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"object","properties":{"k":{"type":"boolean"}},"additionalProperties":false}}"#,
            3
        ),
        (#"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":["boolean","null"]}}"#, 3),
        (#"{"type":"array","uniqueItems":true,"minItems":4,"items":{"anyOf":[{"type":"boolean"},{"enum":[1,2]}]}}"#, 4),
        (
            #"{"type":"array","uniqueItems":true,"minItems":4,"items":{"type":"array","minItems":2,"maxItems":2,"items":{"enum":[1,2]}}}"#,
            4
        ),
        (#"{"type":"array","uniqueItems":true,"minItems":30,"items":{"type":"integer","minimum":1,"maximum":30}}"#, 30),
        (#"{"type":"array","uniqueItems":true,"minItems":20,"items":{"type":"string","format":"date"}}"#, 20),
        (#"{"type":"array","uniqueItems":true,"minItems":20,"items":{"type":"number","minimum":0,"maximum":1}}"#, 20),
        (#"{"type":"array","minItems":3,"items":{"enum":[1,2]},"contains":{"const":2},"maxContains":1}"#, 3),
        (
            #"{"allOf":[{"contains":{"const":1}},{"contains":{"const":2},"minContains":2}],"type":"array","maxItems":3}"#,
            3
        ),
    ])
    func `17 arrays have as many different elements as they ask for`(schema: String, count: Int) throws {
        for seed in 1...3 { try expectEqual(sample(schema, seed: UInt64(seed)).arrayValue?.count, count) }
    }

    @Test(arguments: [
        #"{"type":"object","minProperties":5,"propertyNames":{"enum":["a","b","c","d","e"]}}"#,
        #"{"type":"object","minProperties":4,"patternProperties":{"^x[0-9]$":{"type":"integer"}},"additionalProperties":false}"#,
        #"{"type":"object","minProperties":300,"propertyNames":{"pattern":"^[a-z]{3,8}$"}}"#,
        #"{"type":"object","required":["a"],"dependentSchemas":{"a":{"required":["b"],"properties":{"b":{"const":1}}}}}"#,
        #"{"type":"object","required":["a","b"],"properties":{"a":{"type":"string","writeOnly":true}},"maxProperties":2}"#,
    ])
    func `17 objects have the members that they ask for`(schema: String) throws { _ = try sample(schema) }

    @Test func `17 lists of objects of many unions keep their elements and what is required`() throws {
        let scope = #"{"type":"string",\#(Self.constants(40))}"#
        let scopes =
            ##"{"type":"array","uniqueItems":true,"items":{"type":"string","enum":["s38","s39"],"allOf":[\##(scope)]}}"##
        let members = (0..<30).map {
            #""m\#($0)":{"type":"object","required":["scopes"],"properties":{"scopes":\#(scopes)}}"#
        }
        let names = (0..<30).map { #""m\#($0)""# }.joined(separator: ",")
        let element =
            #"{"type":"object","required":["id",\#(names)],"properties":{"id":{"type":"integer"},\#(members.joined(separator: ","))}}"#
        let list = try #require(try sample(#"{"type":"array","items":\#(element)}"#).arrayValue)
        expectEqual(list.count, 2)
        for element in list {
            expectEqual(element.objectValue?.count, 31)
            for place in 0..<30 { expectEqual(element["m\(place)"]?["scopes"]?.arrayValue?.count, 2) }
        }
    }

    @Test(arguments: [
        ##"{"required":["child"],"properties":{"child":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}"##,
        ##"{"type":"object","required":["l","r"],"properties":{"l":{"anyOf":[{"$ref":"#"},{"type":"null"}]},"r":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}"##,
        ##"{"type":"object","required":["a","b","c"],"properties":{"a":{"oneOf":[{"$ref":"#"},{"type":"integer"}]},"b":{"oneOf":[{"$ref":"#"},{"type":"integer"}]},"c":{"oneOf":[{"$ref":"#"},{"type":"integer"}]}}}"##,
        ##"{"type":"object","required":["kids"],"properties":{"kids":{"type":"array","items":{"$ref":"#"}}}}"##,
        ##"{"type":"object","required":["kids"],"properties":{"kids":{"oneOf":[{"type":"array","minItems":1,"items":{"$ref":"#"}},{"type":"object","required":["only"],"properties":{"only":{"$ref":"#"}}},{"const":0}]}}}"##,
        ##"{"allOf":[{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"string"}]}}},{"required":["next"]}]}"##,
    ])
    func `17 recursion through alternatives ends beyond depth 8`(schema: String) throws {
        let value = try sample(schema)
        #expect((2...10).contains(value.deepest), "\(value.deepest)")
        #expect(value.size <= 8_000, "\(value.size)")
    }

    @Test func `17 heirs that are alternatives of what they build on have samples`() throws {
        for discriminator in ["", ", discriminator: {propertyName: kind}"] {
            let operations = try Fixture.document(
                """
                openapi: 3.0.3
                paths:
                  /p: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}}
                  /d: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Dog'}}}}}}}
                components:
                  schemas:
                    Pet: {type: object, required: [kind], properties: {kind: {type: string}}, oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}]\(discriminator)}
                    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [bark], properties: {bark: {type: integer, enum: [1]}, kind: {enum: [Dog]}}}]}
                    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [purr], properties: {purr: {type: integer, enum: [2]}, kind: {enum: [Cat]}}}]}
                """
            ).operations
            for operation in operations {
                let reply = operation.reply()
                #expect(reply.contains(#""bark":1"#) && reply.contains(#""kind":"Dog""#), "\(reply)")
            }
        }
    }

    @Test func `17 beyond depth 8 null ends what may be null in 3·0`() throws {
        let operation = try Fixture.document(
            """
            openapi: 3.0.3
            paths: {/a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/N'}}}}}}}}
            components:
              schemas:
                N: {type: object, required: [child], properties: {child: {nullable: true, allOf: [{$ref: '#/components/schemas/N'}]}}}
            """
        ).operations[0]
        let reply = operation.reply()
        #expect(reply.hasPrefix(#"200 application/json {"child":{"#), "\(reply)")
        let value = try Fixture.json(String(reply.dropFirst("200 application/json ".utf8.count)))
        #expect((2...10).contains(value.deepest), "\(reply)")
    }

    @Test func `17 without a value that fits exactly one alternative, one that fits several is sent`() throws {
        let operation = try Fixture.operation(
            "/a",
            "get: {responses: {'200': {content: {application/json: {schema: {type: object, required: [s], properties: {s: {oneOf: [{type: string, const: x}, {type: string, const: x}]}}}}}}}}"
        )
        expectEqual(operation.reply(), #"200 application/json {"s":"x"}"#)
        let found = operation.violations(
            ofResponse: 200,
            fields: ["Content-Type": "application/json"],
            content: Array(#"{"s":"x"}"#.utf8)
        )
        expectEqual(
            found.map { "\($0.path): \($0.reason)" },
            ["response.body.s: matches 2 of the alternatives instead of one"]
        )
        let document = try Fixture.document(
            "openapi: 3.1.0\npaths: {/a: {get: {responses: {'200': {content: {application/json: {schema: {oneOf: [{type: object}, {properties: {a: {type: string}}}, {properties: {b: true}}]}}}}}}}}\n"
        )
        expectEqual(
            document.examine().map(\.reason),
            ["no sample was found that fits exactly one alternative of oneOf: one that fits several is sent"]
        )
    }

    @Test(arguments: [
        #"{"type":"integer"}"#, #"{"type":"integer","format":"int64"}"#, #"{"type":"integer","format":"int32"}"#,
        #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#,
        #"{"type":"integer","minimum":-2147483648,"maximum":2147483647}"#, #"{"type":"integer","minimum":0}"#,
        #"{"type":"integer","maximum":5}"#, #"{"type":"number"}"#, #"{"type":"number","maximum":5}"#,
        #"{"type":"integer","maximum":9223372036854775807}"#,
        #"{"type":"number","format":"double","minimum":-1.7e308}"#,
    ])
    func `17 numbers without bounds are small and not negative`(schema: String) throws {
        for seed in 0..<30 {
            let value = try #require(try sample(schema, seed: UInt64(seed)).doubleValue)
            #expect((0...1_000).contains(value), "\(value)")
        }
    }

    @Test func `17 numbers stay where JavaScript keeps them as far as their bounds allow`() throws {
        for seed in 0..<30 {
            let far = try sample(
                #"{"type":"integer","minimum":1600000000000,"maximum":9223372036854775807}"#,
                seed: UInt64(seed)
            )
            #expect((1_600_000_000_000...1_600_000_001_000).contains(far.intValue ?? 0), "\(far.text)")
            let low = try sample(#"{"type":"integer","minimum":-9223372036854775808,"maximum":-5}"#, seed: UInt64(seed))
            #expect((-9_007_199_254_740_991 ... -5).contains(low.intValue ?? 0), "\(low.text)")
        }
        try expectEqual(sample(#"{"type":"integer","minimum":9223372036854775807}"#).text, "9223372036854775807")
        let many = try sample(#"{"type":"array","uniqueItems":true,"minItems":300,"items":{"type":"integer"}}"#)
        expectEqual(many.arrayValue?.contains { ($0.intValue ?? -1) < 0 }, false, many.text)
    }

    @Test(arguments: [
        ("example: 1234", "1234"), ("example: 1.10", "1.10"), ("example: 01234", "01234"), ("example: 0x1F", "0x1F"),
        ("example: True", "True"), ("default: -0.50", "-0.50"), ("examples: [007]", "007"), ("example:\n  1e3", "1e3"),
    ])
    func `17 what is written as a number is taken as a text where one is wanted`(shown: String, text: String) throws {
        let lines = "type: string\n\(shown)".split(separator: "\n").map { "              \($0)" }
        let document = try Fixture.document(
            """
            openapi: 3.1.0
            paths:
              /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}}
            components:
              schemas:
                S:
            \(lines.joined(separator: "\n"))
            """
        )
        expectEqual(document.operations[0].reply(), "200 application/json \"\(text)\"")
    }

    @Test(arguments: [
        (
            #"{"allOf":[{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}},"example":{"id":101,"name":"Cat"}},{"properties":{"age":{"const":3}}}]}"#,
            #"{"id":101,"name":"Cat","age":3}"#
        ),
        (
            #"{"allOf":[{"properties":{"a":{"type":"integer"}},"example":{"a":1}},{"properties":{"b":{"type":"integer"}},"examples":[{"b":2}]}],"type":"object"}"#,
            #"{"a":1,"b":2}"#
        ),
        (
            #"{"allOf":[{"properties":{"a":{"type":"integer"},"x":{"const":1}},"example":{"a":5}}],"type":"object"}"#,
            #"{"a":5}"#
        ),
        (
            #"{"allOf":[{"properties":{"a":{"type":"integer"}},"example":{"a":"no"}},{"properties":{"b":{"const":2}}}],"type":"object","properties":{"a":{"const":7}}}"#,
            #"{"a":7,"b":2}"#
        ),
        (#"{"example":{"a":1},"allOf":[{"properties":{"a":true,"b":true}}]}"#, #"{"a":1}"#),
    ])
    func `17 examples of branches give their members`(schema: String, expected: String) throws {
        let made = try sample(schema)
        expectEqual(made.canonical, try Fixture.json(expected).canonical)
    }

    @Test(arguments: [
        ("base64", "^[A-Za-z0-9+/]+={0,2}$"), ("base64url", "^[A-Za-z0-9_-]+$"), ("base16", "^[0-9A-F]+$"),
    ])
    func `17 an encoding of content is a format in 3·1`(encoding: String, pattern: String) throws {
        let schema = Schema(["type": "string", "contentEncoding": .string(encoding), "minLength": 5])
        for seed in 1...5 {
            let sample = try schema.sampled(UInt64(seed))
            #expect(Schema(["pattern": .string(pattern)]).fits(sample), "\(sample.text)")
        }
        expectEqual(schema.validate("not it!").map(\.reason), ["is not a valid \(encoding)"])
        #expect(Schema(["contentEncoding": "7bit"]).fits("not it!"))
        expectEqual(Schema.survey(["contentEncoding": "7bit"]).notes, [])
        expectEqual(
            Schema.survey(["contentEncoding": "base91"]).notes.map(\.description),
            [#"$.contentEncoding: the encoding "base91" is not checked"#]
        )
    }

    private static let parts: [(required: String, item: String)] = [
        (#""required":["id","pin"]"#, #"{"allOf":[U],R}"#), (#""required":["id","pin"]"#, #"{"allOf":[U,{R}]}"#),
        (#""required":["id","pin"]"#, #"{"allOf":[U,{"type":"object",R,"properties":{"x":{"const":1}}}]}"#),
        (#""required":["id","pin"]"#, #"{"anyOf":[U],R}"#), (#""required":["id","pin"]"#, #"{"oneOf":[false,U],R}"#),
        (#""required":["id","pin"]"#, #"{"allOf":[{"allOf":[{R}]},{"anyOf":[U]}]}"#),
        (#""dependentRequired":{"name":["id","pin"]},"required":["name"]"#, #"{"allOf":[U],R}"#),
        (#""required":["id","pin"]"#, #"{"if":{"required":["name"]},"then":{R},"allOf":[U]}"#),
    ]

    @Test func `16 what is read or written only may be missing wherever that is said and wherever it is required`()
        throws
    {
        let user =
            #"{"type":"object","properties":{"id":{"type":"integer","readOnly":true},"name":{"const":"n"},"pin":{"type":"string","writeOnly":true}}}"#
        for (required, item) in Self.parts {
            let text = item.replacingLetters(["U": user, "R": required])
            for nested in [text, #"{"type":"object","required":["a"],"properties":{"a":\#(text)}}"#] {
                let schema = Schema(try Fixture.json(nested))
                let isInner = nested != text
                func value(_ text: String) throws -> JSON { try Fixture.json(isInner ? #"{"a":\#(text)}"# : text) }
                let request = try value(#"{"name":"n","pin":"p"}"#)
                expectEqual(schema.validate(request, direction: .request).map(\.description), [], nested)
                let response = try value(#"{"id":1,"name":"n"}"#)
                expectEqual(schema.validate(response, direction: .response).map(\.description), [], nested)
                #expect(!schema.fits(try value(#"{"name":"n"}"#), direction: .request), "\(nested)")
                #expect(!schema.fits(try value(#"{"name":"n"}"#), direction: .response), "\(nested)")
                #expect(!schema.fits(request), "\(nested)")
                let sample = try schema.sampled(1)
                expectEqual(schema.validate(sample, direction: .response).map(\.description), [], nested)
                let made = isInner ? sample["a"] ?? .null : sample
                #expect(made["id"] != nil && made["pin"] == nil, "\(nested): \(sample.text)")
            }
        }
    }

    @Test(arguments: [
        // In `not` and in `if`, and between alternatives, presence counts.
        (#"{"properties":{"id":{"readOnly":true}},"not":{"required":["id"]}}"#, #"{"a":1}"#, ""),
        (
            #"{"properties":{"id":{"readOnly":true}},"if":{"required":["id"]},"then":{"required":["z"]}}"#, #"{"a":1}"#,
            ""
        ),
        (
            #"{"properties":{"id":{"readOnly":true}},"oneOf":[{"required":["id"]},{"required":["name"]}]}"#,
            #"{"name":1}"#,
            ""
        ),
        (
            #"{"properties":{"id":{"readOnly":true}},"oneOf":[{"required":["id"]},{"required":["name"]}]}"#,
            #"{"name":1,"id":1}"#, "$: matches 2 of the alternatives instead of one"
        ),
        // An alternative that does not hold says nothing.
        (
            #"{"required":["id"],"anyOf":[{"properties":{"k":{"const":1},"id":{"readOnly":true}},"required":["k"]},{"properties":{"k":{"const":2}}}]}"#,
            #"{"k":2}"#, "$.id: missing"
        ),
    ])
    func `16 an annotation counts where its schema holds`(schema: String, value: String, expected: String) throws {
        try expectEqual(Fixture.issues(schema, value, direction: .request), expected.isEmpty ? [] : [expected])
    }
}

extension String {
    fileprivate func replacingLetters(_ texts: [Character: String]) -> String {
        reduce(into: "") { $0 += texts[$1] ?? String($1) }
    }
}

extension JSON {
    /// The value with the members of objects in the order of their names.
    fileprivate var canonical: String {
        guard case .object(let object) = self else { return text }
        return object.members.map { "\($0.name):\($0.value.canonical)" }.sorted().joined(separator: ",")
    }
}
