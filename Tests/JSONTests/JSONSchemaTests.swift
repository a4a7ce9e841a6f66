import JSON
import TestSupport
import Testing

@Suite struct JSONSchemaTests {
    @Test(
        arguments: [
            (.any, "{}"), (.null, #"{"type":"null"}"#), (.boolean, #"{"type":"boolean"}"#),
            (.number, #"{"type":"number"}"#),
            (.boundedNumber(minimum: -90, maximum: 90.5), #"{"type":"number","minimum":-90,"maximum":90.5}"#),
            (.integer(), #"{"type":"integer"}"#),
            (.integer(minimum: 1, maximum: 9), #"{"type":"integer","minimum":1,"maximum":9}"#),
            (.string(), #"{"type":"string"}"#),
            (
                .string(format: "uuid", enumeration: ["a"], minLength: 1, maxLength: 2, pattern: "^a$"),
                #"{"type":"string","format":"uuid","enum":["a"],"minLength":1,"maxLength":2,"pattern":"^a$"}"#
            ),
            (.array(.string()), #"{"type":"array","items":{"type":"string"}}"#),
            (.array(.any, minItems: 1, maxItems: 3), #"{"type":"array","items":{},"minItems":1,"maxItems":3}"#),
            (.nullable(.string()), #"{"type":["string","null"]}"#), (.nullable(.any), "{}"),
            (.nullable(.null), #"{"type":"null"}"#),
            (.nullable(.nullable(.boolean)), #"{"type":["boolean","null"]}"#),
            (.nullable(.string(enumeration: ["a", "b"])), #"{"type":["string","null"],"enum":["a","b",null]}"#),
            (.reference("User"), ##"{"$ref":"#/components/schemas/User"}"##),
            (.reference("a/b~c"), ##"{"$ref":"#/components/schemas/a~1b~0c"}"##),
            (.nullable(.reference("User")), ##"{"anyOf":[{"$ref":"#/components/schemas/User"},{"type":"null"}]}"##),
            (.oneOf([.boolean, .number]), #"{"oneOf":[{"type":"boolean"},{"type":"number"}]}"#),
            (
                .nullable(.oneOf([.boolean, .number])),
                #"{"oneOf":[{"type":"boolean"},{"type":"number"},{"type":"null"}]}"#
            ),
            (
                .described(.boolean, description: "On?", example: true),
                #"{"type":"boolean","description":"On?","examples":[true]}"#
            ),
            (.nullable(.described(.boolean, description: "On?")), #"{"type":["boolean","null"],"description":"On?"}"#),
            (.object(.init()), #"{"type":"object"}"#),
            (.object(.init(additionalProperties: .closed)), #"{"type":"object","additionalProperties":false}"#),
            (
                .object(.init(additionalProperties: .schema(.number))),
                #"{"type":"object","additionalProperties":{"type":"number"}}"#
            ),
            (
                .object(
                    .init(
                        [
                            .init("b", .string(), description: "B", example: "x"),
                            .init("a", .boolean, isRequired: false),
                        ],
                        description: "Thing"
                    )
                ),
                #"{"type":"object","description":"Thing","properties":{"b":{"type":"string","description":"B","examples":["x"]},"#
                    + #""a":{"type":"boolean"}},"required":["b"]}"#
            ),
        ] as [(JSONSchema, String)]
    )
    func `OpenAPI 3.1: a schema prints as JSON Schema 2020-12`(schema: JSONSchema, text: String) {
        expectEqual(schema.json().text, text)
    }

    @Test func `references take another prefix`() {
        expectEqual(
            JSONSchema.array(.reference("A")).json(referencePrefix: "#/$defs/").text,
            ##"{"type":"array","items":{"$ref":"#/$defs/A"}}"##
        )
    }

    @Test func `a property can be given words`() throws {
        let schema = JSONSchema.object(.init([.init("a", .string())]))
        let changed = try #require(schema.changingProperty("a") { $0.description = "The a." })
        expectEqual(changed.json()["properties"]?["a"]?["description"], "The a.")
        expectNil(schema.changingProperty("b") { $0.description = "" })
        expectNil(JSONSchema.any.changingProperty("a") { $0.description = "" })
    }

    private func issues(_ value: JSON, _ schema: JSONSchema) -> [String] {
        JSONSchemaValidator.validate(value, against: schema) { name in
            switch name {
            case "Tree":
                .object(
                    .init(
                        [.init("children", .array(.reference("Tree")), isRequired: false)],
                        additionalProperties: .closed
                    )
                )
            case "Loop": .reference("Loop")
            default: nil
            }
        }
        .map(\.description)
    }

    @Test(
        arguments: [
            (.string(minLength: 2, maxLength: 3), ["ab", "abc", "é😀"], ["a", "abcd", 1, .null]),
            (.string(enumeration: ["a", "b"]), ["a", "b"], ["c", "", "A"]),
            (.string(pattern: "^[a-z]+$"), ["abc"], ["", "ab1", "A"]), (.string(pattern: "b"), ["abc"], ["ac"]),
            (.integer(minimum: 1, maximum: 3), [1, 3, 1.0], [0, 4, 1.5, "1", .double(1e300)]),
            (.integer(), [.double(1e300), 5], [0.5, true]),
            (.number, [1, 1.5], ["1", .null]),
            (.boundedNumber(minimum: 0, maximum: 1), [0, 1, 0.5], [-0.1, 1.1, "x"]),
            (.boolean, [true], [0, "true"]), (.null, [.null], [false]), (.any, [.null, 1, [:]], []),
            (
                .array(.boolean, minItems: 1, maxItems: 2), [[true], [true, false]],
                [[], [true, true, true], [1], [:]]
            ),
            (.nullable(.boolean), [.null, true], [1]),
            (.reference("Tree"), [[:], ["children": [[:], ["children": []]]]], [["children": [1]], ["x": 1]]),
            (.reference("Loop"), [], [1]), (.reference("Nowhere"), [], [1]),
            (.oneOf([.boolean, .integer()]), [true, 1], ["x"]), (.oneOf([.number, .integer()]), [1.5], [1]),
            (.oneOf([]), [], [1]),
            (
                .object(.init([.init("a", .boolean), .init("b", .number, isRequired: false)])),
                [["a": true], ["a": true, "c": 1]], [[:], ["a": 1], ["a": true, "b": "x"], []]
            ),
            (
                .object(.init([.init("a", .boolean)], additionalProperties: .closed)), [["a": true]],
                [["a": true, "b": 1]]
            ),
            (.object(.init(additionalProperties: .schema(.number))), [[:], ["x": 1]], [["x": "1"]]),
            (.described(.boolean), [true], [1]),
        ] as [(JSONSchema, [JSON], [JSON])]
    )
    func `a schema tells fitting from other values`(schema: JSONSchema, fitting: [JSON], other: [JSON]) {
        for value in fitting { expectEqual(issues(value, schema), [], "\(value.text)") }
        for value in other { #expect(issues(value, schema) != [], "\(value.text)") }
    }

    @Test func `every issue has its path and reason`() {
        let schema = JSONSchema.object(
            .init(
                [
                    .init(
                        "when",
                        .object(.init([.init("times", .integer(minimum: 1))], additionalProperties: .closed))
                    ),
                    .init("kind", .string(enumeration: ["delay", "reset"])), .init("name", .string(minLength: 1)),
                    .init("list", .array(.boolean), isRequired: false),
                ],
                additionalProperties: .closed
            )
        )
        let value: JSON = ["when": ["times": 0, "tims": 1], "kind": "dely", "list": [true, 1], "nmae": "x"]
        expectEqual(
            issues(value, schema),
            [
                "$.name: missing", "$.when.times: must be at least 1",
                #"$.when.tims: unknown member; did you mean "times"?"#,
                #"$.kind: expected one of "delay", "reset", found "dely"; did you mean "delay"?"#,
                "$.list[1]: expected a boolean, found number", #"$.nmae: unknown member; did you mean "name"?"#,
            ]
        )
        expectEqual(issues("x", .string(minLength: 2)), ["$: must have at least 2 characters"])
        expectEqual(issues("x", .string(pattern: "(")), ["$: the schema's pattern ( is not a regular expression"])
    }

    @Test func `a choice reports the alternative that was meant`() {
        let schema = JSONSchema.oneOf([.boolean, .object(.init([.init("a", .object(.init([.init("b", .number)])))]))])
        expectEqual(issues(["a": ["b": "x"]], schema), ["$.a.b: expected a number, found string"])
        expectEqual(issues("x", schema), ["$: expected one of 2 alternatives, found string"])
        expectEqual(issues(1, .oneOf([.number, .integer()])), ["$: fits 2 of the alternatives instead of one"])
    }

    @Test(arguments: [1, 100])
    func `issues stop at the limit`(limit: Int) {
        let value = JSON.array(Array(repeating: 1, count: 101))
        expectEqual(JSONSchemaValidator.validate(value, against: .array(.boolean), limit: limit).count, limit)
    }

    @Test(
        arguments: [
            .any, .null, .boolean, .number, .boundedNumber(minimum: 5), .boundedNumber(maximum: -5),
            .integer(minimum: 3),
            .integer(maximum: -3), .string(minLength: 3), .string(enumeration: ["x"]), .string(format: "date-time"),
            .array(.boolean, minItems: 2), .nullable(.string()), .oneOf([.string(), .boolean]),
            .described(.string(pattern: "^z$"), example: "z"),
            .object(
                .init(
                    [.init("a", .integer(minimum: 1)), .init("b", .string(), isRequired: false)],
                    additionalProperties: .closed
                )
            ),
        ] as [JSONSchema]
    )
    func `a sample fits its schema`(schema: JSONSchema) {
        expectEqual(issues(schema.sample(), schema), [])
    }
}
