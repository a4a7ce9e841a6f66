import JSON
import OpenAPI
import TestSupport
import Testing

/// The validator of schemas (own-API contract, section 16): JSON Schema 2020-12.
@Suite struct SchemaTests {
    @Test(arguments: [
        (#"{"type":"integer"}"#, "1.0", ""), (#"{"type":"integer"}"#, "1.5", "$: expected an integer, found 1.5"),
        (#"{"type":["string","null"]}"#, "5", "$: expected a string or null, found number"),
        (#"{"type":"number"}"#, "1e400", ""), (#"true"#, "5", ""), (#"false"#, "5", "$: is not allowed"),
        (#"{"const":1}"#, "1.0", ""), (#"{"const":{"a":[1,2]}}"#, #"{"a":[1.0,2]}"#, ""),
        (#"{"const":{"a":1}}"#, #"{"a":2}"#, #"$: must be {"a":1}"#),
        (
            #"{"enum":["red","green"]}"#, #""gren""#,
            #"$: expected one of "red", "green", found "gren"; did you mean "green"?"#
        ),
        (#"{"minimum":1,"maximum":3}"#, "3", ""), (#"{"minimum":1.5}"#, "1", "$: must be at least 1.5"),
        (#"{"maximum":3}"#, "3.1", "$: must be at most 3"), (#"{"exclusiveMinimum":0}"#, "0", "$: must be more than 0"),
        (#"{"exclusiveMaximum":0.5}"#, "0.5", "$: must be less than 0.5"), (#"{"multipleOf":0.1}"#, "0.3", ""),
        (#"{"multipleOf":0.01}"#, "4.35", ""), (#"{"multipleOf":3}"#, "10", "$: must be a multiple of 3"),
        (#"{"multipleOf":0.1}"#, "0.35", "$: must be a multiple of 0.1"),
        (#"{"maximum":9007199254740993}"#, "9007199254740994", "$: must be at most 9007199254740993"),
        (#"{"minLength":2,"maxLength":2}"#, #""éé""#, ""),
        (#"{"minLength":2}"#, #""é""#, "$: must have at least 2 characters"),
        (#"{"maxLength":1}"#, #""ab""#, "$: must have at most 1 character"),
        (#"{"pattern":"^a+$"}"#, #""aab""#, "$: must match ^a+$"), (#"{"pattern":"b"}"#, #""abc""#, ""),
        (#"{"minLength":5}"#, "3", ""), (#"{"minimum":5}"#, #""x""#, ""),
        (#"{"items":{"type":"string"}}"#, #"["a",1]"#, "$[1]: expected a string, found number"),
        (
            #"{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}"#, #"["a",1,"b"]"#,
            "$[2]: expected an integer, found string"
        ),
        (#"{"prefixItems":[true],"items":false}"#, "[1,2]", "$[1]: is an unexpected element"),
        (#"{"minItems":2}"#, "[1]", "$: must have at least 2 elements"),
        (#"{"maxItems":1}"#, "[1,2]", "$: must have at most 1 elements"),
        (#"{"uniqueItems":true}"#, #"[{"a":1,"b":2},{"b":2,"a":1.0}]"#, "$[1]: is the same as element 0"),
        (#"{"contains":{"type":"string"}}"#, "[1]", "$: must contain at least 1 such elements, found 0"),
        (#"{"contains":{"type":"string"},"minContains":0}"#, "[1]", ""),
        (#"{"contains":true,"maxContains":1}"#, "[1,2]", "$: must contain at most 1 such elements, found 2"),
        (#"{"required":["a"]}"#, "{}", "$.a: missing"), (#"{"required":["a"]}"#, "[]", ""),
        (
            #"{"properties":{"a":{"type":"string"}},"additionalProperties":false}"#, #"{"a":"x","b":1}"#,
            "$.b: unknown member"
        ),
        (
            #"{"properties":{"name":true},"additionalProperties":false}"#, #"{"nmae":1}"#,
            #"$.nmae: unknown member; did you mean "name"?"#
        ),
        (#"{"additionalProperties":{"type":"integer"}}"#, #"{"b":"x"}"#, "$.b: expected an integer, found string"),
        (
            #"{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}"#, #"{"x1":"a"}"#,
            "$.x1: expected an integer, found string"
        ),
        (#"{"propertyNames":{"maxLength":2}}"#, #"{"abc":1}"#, "$.abc: must have at most 2 characters"),
        (#"{"minProperties":1}"#, "{}", "$: must have at least 1 members"),
        (#"{"maxProperties":1}"#, #"{"a":1,"b":1}"#, "$: must have at most 1 members"),
        (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, #"$.b: missing, as "a" is present"#),
        (#"{"dependentSchemas":{"a":{"required":["c"]}}}"#, #"{"a":1}"#, "$.c: missing"),
        (#"{"allOf":[{"minimum":1},{"maximum":2}]}"#, "3", "$: must be at most 2"),
        (#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, "true", "$: matches none of the 2 alternatives"),
        (
            #"{"oneOf":[{"type":"object"},{"type":"object","required":["a"]}]}"#, "[]",
            "$: expected an object, found array"
        ),
        (
            #"{"anyOf":[{"type":"string"},{"properties":{"a":{"type":"string"}}}]}"#, #"{"a":1}"#,
            "$.a: expected a string, found number"
        ),
        (#"{"oneOf":[{"type":"integer"},{"minimum":0}]}"#, "5", "$: matches 2 of the alternatives instead of one"),
        (#"{"oneOf":[{"type":"integer"},{"minimum":0}]}"#, "-5", ""),
        (#"{"not":{"type":"string"}}"#, #""x""#, "$: matches what it must not match"),
        (#"{"not":{"type":"string"}}"#, "1", ""),
        (
            #"{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}"#, #""x""#,
            "$: must have at least 2 characters"
        ),
        (#"{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}"#, "1", "$: must be at least 2"),
        (#"{"properties":{"a":true},"unevaluatedProperties":false}"#, #"{"a":1,"b":2}"#, "$.b: unknown member"),
        (#"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#, #"{"a":1}"#, ""),
        (
            #"{"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":true}}],"unevaluatedProperties":false}"#,
            #"{"a":2,"b":1}"#, "$.a: unknown member"
        ),
        (
            #"{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":true}},"unevaluatedProperties":false}"#,
            #"{"a":1,"b":2}"#, ""
        ),
        (#"{"prefixItems":[true],"unevaluatedItems":false}"#, "[1,2]", "$[1]: is an unexpected element"),
        (
            #"{"contains":{"type":"string"},"unevaluatedItems":{"type":"integer"}}"#, #"["a",1,true]"#,
            "$[2]: expected an integer, found boolean"
        ),
        (
            ##"{"$defs":{"t":{"$anchor":"tree","properties":{"next":{"$ref":"#tree"},"v":{"type":"integer"}}}},"$ref":"#/$defs/t"}"##,
            #"{"next":{"next":{"v":"x"}}}"#, "$.next.next.v: expected an integer, found string"
        ),
        (
            ##"{"$defs":{"a":{"$id":"urn:a","$defs":{"n":{"type":"null"}},"$ref":"#/$defs/n"}},"$ref":"urn:a"}"##, "1",
            "$: expected null, found number"
        ),
        (##"{"anyOf":[{"$ref":"#"},{"type":"string"}]}"##, "1", ""),
        (
            ##"{"$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}}"##, #""ab""#,
            "$: must have at most 1 character"
        ),
        (#"{"minLength":"x","type":"strng"}"#, "1", ""),
    ])
    func `16 a value is held against JSON Schema 2020-12`(schema: String, value: String, expected: String) throws {
        try expectEqual(Fixture.issues(schema, value), expected.isEmpty ? [] : [expected])
    }

    @Test(arguments: [
        (
            "date-time", ["2025-01-01T12:00:00Z", "2025-01-01t12:00:00.123+01:00", "2016-12-31T23:59:60Z"],
            ["2025-01-01", "2025-13-01T00:00:00Z", "x"]
        ),
        ("date", ["2024-02-29"], ["2025-02-29", "2025-1-1", "2025-01-01T00:00:00Z"]),
        ("time", ["12:00:00Z", "23:59:59.5+02:00"], ["12:00:00", "24:00:00Z", "12:00Z"]),
        ("duration", ["P1D", "PT1.5S", "P1Y2M3DT4H", "P3W"], ["P", "PT", "1D", "P1DT", "P1S", "PT1D"]),
        ("uuid", ["6BA7B810-9dad-11d1-80b4-00c04fd430c8"], ["6ba7b8109dad11d180b400c04fd430c8", "x"]),
        ("email", ["a.b+c@example.com", "ä@x.y"], ["a", "@b", "a@", "a b@c.d", "a..b@c.d", "a@-b.c"]),
        (
            "uri", ["https://example.com/a?b#c", "urn:x:y", "mailto:a@b.c"],
            ["/a", "a b:c", "http://a b", "1a:b", "http://%zz"]
        ),
        ("hostname", ["example.com", "a", "x-1.y"], ["-a", "a..b", "a_b", ""]),
        ("ipv4", ["192.0.2.1"], ["192.0.2", "256.1.1.1", "01.1.1.1"]),
        (
            "ipv6", ["::1", "2001:db8::", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "::"],
            ["1", ":::", "1:2:3:4:5:6:7:8:9", "1::2::3", "g::", "1:2:3:4:5:6:7:"]
        ),
        ("byte", ["", "aGk=", "aGlo"], ["aGk", "a===", "a b="]),
        ("binary", ["anything"], []), ("password", ["x"], []), ("idn-email", ["not checked"], []),
    ])
    func `17 formats are checked`(format: String, good: [String], bad: [String]) throws {
        let schema = Schema(["format": .string(format)])
        for text in good { #expect(schema.fits(.string(text)), "\(text)") }
        for text in bad {
            expectEqual(schema.validate(.string(text)).map(\.reason), ["is not a valid \(format)"], "\(text)")
        }
        #expect(schema.fits(5))
    }

    @Test(arguments: [
        ("int32", "2147483647", true), ("int32", "2147483648", false), ("int32", "1.5", false),
        ("int64", "9223372036854775807", true), ("int64", "9223372036854775808", false), ("float", "1e39", false),
        ("float", "3.4e38", true), ("double", "1e309", false), ("double", "1e308", true), ("int32", "\"x\"", true),
    ])
    func `17 formats of numbers are checked`(format: String, value: String, fits: Bool) throws {
        expectEqual(Schema(["format": .string(format)]).fits(try Fixture.json(value)), fits)
    }

    @Test(arguments: [
        ("type: string, nullable: true", "null", ""), ("type: string", "null", "$: expected a string, found null"),
        ("type: string, nullable: true, enum: [a]", "null", ""),
        ("nullable: true, allOf: [{type: object}]", "null", ""),
        ("minimum: 1, exclusiveMinimum: true", "1", "$: must be more than 1"),
        ("minimum: 1, exclusiveMinimum: false", "1", ""),
        ("maximum: 1, exclusiveMaximum: true", "1", "$: must be less than 1"),
        ("const: 1, prefixItems: [{type: string}]", "[5]", ""), ("type: [string, integer]", "true", ""),
        ("type: array, items: {type: string}", "[1]", "$[0]: expected a string, found number"),
        ("additionalProperties: false", "{\"a\":1}", "$.a: unknown member"),
    ])
    func `16 schemas of 3·0 have their own keywords`(schema: String, value: String, expected: String) throws {
        let operation = try Fixture.operation(
            "/a",
            "post:\n  requestBody: {content: {application/json: {schema: {\(schema)}}}}",
            version: "3.0.3"
        )
        let body = try #require(operation.body?.content.first?.schema)
        expectEqual(body.validate(try Fixture.json(value)).map(\.description), expected.isEmpty ? [] : [expected])
    }

    @Test func `16 a discriminator names the schema that counts`() throws {
        let text = """
            openapi: 3.1.0
            paths:
              /a:
                post:
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
            components:
              schemas:
                Pet:
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Fish'}]
                  discriminator: {propertyName: kind, mapping: {hund: '#/components/schemas/Dog', katze: Cat}}
                Cat: {properties: {kind: {type: string}, lives: {type: integer}}, required: [kind]}
                Dog: {properties: {kind: {type: string}, barks: {type: boolean}}, required: [kind, barks]}
                Fish: {allOf: [{properties: {kind: {const: fish}}}]}
            """
        let schema = try #require(try Fixture.document(text).operations.first?.body?.content.first?.schema)
        func issues(_ value: String) throws -> [String] { schema.validate(try Fixture.json(value)).map(\.description) }
        try expectEqual(issues(#"{"kind":"katze","lives":9}"#), [])
        try expectEqual(issues(#"{"kind":"hund"}"#), ["$.barks: missing"])
        try expectEqual(issues(#"{"kind":"fish"}"#), [])
        try expectEqual(issues(#"{}"#), ["$.kind: missing"])
        try expectEqual(issues(#"{"kind":"cow"}"#), [#"$.kind: expected one of "hund", "katze", "fish", found "cow""#])
    }

    @Test func `16 what is read only may be missing in a request, what is written only in a response`() throws {
        let schema = #"{"properties":{"id":{"readOnly":true},"pin":{"writeOnly":true}},"required":["id","pin"]}"#
        try expectEqual(Fixture.issues(schema, "{}"), ["$.id: missing", "$.pin: missing"])
        try expectEqual(Fixture.issues(schema, "{}", direction: .request), ["$.pin: missing"])
        try expectEqual(Fixture.issues(schema, "{}", direction: .response), ["$.id: missing"])
    }

    @Test func `16 issues are told up to the limit, and hostile work is given up`() throws {
        let schema = Schema(["items": ["type": "string"]])
        let many = JSON.array(Array(repeating: 1, count: 500))
        expectEqual(schema.validate(many).count, 100)
        expectEqual(schema.validate(many, limit: 7).count, 7)
        // Each level asks the next one twice: 2^60 comparisons, if nobody counted.
        let twice = Schema(
            try Fixture.json(
                ##"{"properties":{"n":{"anyOf":[{"allOf":[{"$ref":"#"},{"required":["z"]}]},{"$ref":"#"}]}},"type":"object"}"##
            )
        )
        var deep = JSON.object(JSONObject())
        for _ in 0..<60 { deep = ["n": deep] }
        expectEqual(twice.validate(deep), [])
        // A product of elements and alternatives stays one.
        let products = Schema(["items": ["anyOf": .array((0..<1_000).map { ["const": .integer(Int64($0) - 1_000)] })]])
        let elements = JSON.array((0..<1_000).map { .integer($0) })
        expectEqual(products.validate(elements, limit: 1).map(\.reason), ["matches none of the 1000 alternatives"])
        expectEqual(products.validate(elements, limit: 1_000).map(\.reason), ["takes too much work to be checked"])
    }

    @Test func `16 a schema that combines itself says nothing more`() throws {
        let schema = Schema(
            try Fixture.json(
                ##"{"allOf":[{"$ref":"#"}],"oneOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#"}],"type":"string"}}}"##
            )
        )
        #expect(schema.fits("x"))
        expectEqual(schema.validate(5).map(\.reason), ["expected a string, found number"])
    }
}
