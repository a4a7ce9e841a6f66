import Foundation
import JSON
import TestSupport
import Testing

/// Own-API contract, section 17: samples of schemas that end, leave many choices or want different texts, in a process.
@Suite struct CustomAPISampleTests {
    /// Serves a schema at each path, and returns the answers with their violations.
    private func samples(
        _ schemas: [String],
        version: String = "3.1.0",
        _ components: String = "{}"
    ) throws -> [(answer: WireAnswer, violations: [String])] {
        let paths = schemas.enumerated().map { index, schema in
            "  /s\(index): {get: {responses: {'200': {description: x, content: {application/json: {schema: \(schema)}}}}}}"
        }
        let server = try DocumentServer(
            "paths:\n\(paths.joined(separator: "\n"))\ncomponents: {schemas: \(components)}\n",
            version: version
        )
        return try schemas.indices.map { index in
            (try server.ask("GET", "/s\(index)"), try server.violations())
        }
    }

    private static let recursions: [(version: String, schema: String)] = [
        ("3.1.0", "{type: [object, 'null'], required: [v, N], properties: {v: {type: integer}, N: R}}"),
        ("3.1.0", "{type: [object, 'null'], required: [l, r], properties: {l: R, r: R}}"),
        ("3.1.0", "{type: ['null', object], required: [a, b, c, d], properties: {a: R, b: R, c: R, d: R}}"),
        ("3.1.0", "{type: [object, 'null'], properties: {a: R, b: R}}"),
        ("3.1.0", "{type: [object, 'null'], minProperties: 2, additionalProperties: R}"),
        ("3.1.0", "{type: [array, 'null'], minItems: 2, items: R}"),
        ("3.1.0", "{type: object, required: [k], properties: {k: {type: [array, 'null'], minItems: 1, items: R}}}"),
        ("3.1.0", "{type: [object, string], required: [l, r], properties: {l: R, r: R}}"),
        ("3.1.0", "{type: [object, array], required: [l, r], properties: {l: R, r: R}}"),
        (
            "3.1.0",
            "{type: object, required: [l, r], properties: {l: {anyOf: [R, {type: 'null'}]}, r: {oneOf: [R, {type: 'null'}]}}}"
        ),
        (
            "3.1.0",
            "{type: object, required: [l, r], properties: {l: {anyOf: [{type: [object, 'null'], required: [x, y], properties: {x: R, y: R}}, R]}, r: {type: [array, 'null'], minItems: 1, items: R}}}"
        ),
        ("3.0.3", "{type: object, nullable: true, required: [l, r], properties: {l: R, r: R}}"),
        ("3.0.3", "{nullable: true, required: [l, r], properties: {l: R, r: R}}"),
        (
            "3.0.3",
            "{type: object, required: [l, r], properties: {l: {nullable: true, allOf: [R]}, r: {nullable: true, anyOf: [R]}}}"
        ),
        ("3.0.3", "{type: array, nullable: true, minItems: 3, items: R}"),
        ("3.0.3", "{type: object, required: [m], properties: {m: {type: object, additionalProperties: R}}}"),
    ]

    @Test func `17 a recursion that may be null, absent or empty ends beyond depth 8`() throws {
        for (version, schema) in Self.recursions {
            let inner = schema.replacingOccurrences(of: "R", with: "{$ref: '#/components/schemas/R'}")
            let samples = try samples(
                ["{$ref: '#/components/schemas/R'}", "{type: array, items: {$ref: '#/components/schemas/R'}}"],
                version: version,
                "{R: \(inner)}"
            )
            for (answer, violations) in samples {
                expectEqual(answer.status, 200, schema)
                expectEqual(violations, [], schema)
                #expect((1...10).contains(answer.json.depth), "\(schema): \(answer.json.depth)")
            }
        }
    }

    private static func objects(_ count: Int, _ key: String) -> String {
        let branches = (0..<count).map {
            "{type: object, required: [k\($0)], properties: {k\($0): {type: string}, n: {type: integer}}}"
        }
        return "{\(key): [\(branches.joined(separator: ", "))]}"
    }

    @Test func `17 hundreds of alternatives leave a sample`() throws {
        func choices(_ count: Int, _ branch: (Int) -> String) -> String {
            "{allOf: [\((0..<count).map { "{\(branch($0))}" }.joined(separator: ", "))]}"
        }
        let patterns = (0..<500).map { "{type: string, minLength: 20, pattern: '^x\($0)$'}" }.joined(separator: ", ")
        let schemas: [(schema: String, isFull: (JSON) -> Bool)] = [
            (Self.objects(1_000, "anyOf"), { $0["k0"] != nil }), (Self.objects(1_000, "oneOf"), { $0["k0"] != nil }),
            ("{type: array, items: \(Self.objects(500, "anyOf"))}", { $0.arrayValue?.count == 2 }),
            ("{type: array, items: \(Self.objects(500, "oneOf"))}", { $0.arrayValue?.count == 2 }),
            (
                "{type: array, uniqueItems: true, minItems: 3, items: \(Self.objects(500, "anyOf"))}",
                { $0.arrayValue?.count == 3 }
            ),
            (
                choices(300) { "anyOf: [{required: [a\($0)], properties: {a\($0): {type: string}}}, {type: integer}]" },
                { $0.objectValue?.count == 300 }
            ),
            (
                choices(300) { "oneOf: [{required: [a\($0)]}, {required: [b\($0)]}], type: object" },
                { $0.objectValue?.count == 300 }
            ),
            (
                "{type: array, items: {oneOf: [\((0..<300).map { "{type: object, required: [k\($0), p\($0)], properties: {k\($0): {type: string}, p\($0): {type: string, writeOnly: true}}}" }.joined(separator: ", "))]}}",
                { $0.arrayValue?.count == 2 && $0[0]?["k0"] != nil }
            ),
            // What a choice leaves to a member is taken by the ones behind it.
            (
                "{required: [m], properties: {m: {const: 9}}, "
                    + choices(100) {
                        "oneOf: [\((0..<10).map { "{properties: {m: {const: \($0)}}}" }.joined(separator: ", "))], title: t\($0)"
                    }.dropFirst(),
                { $0["m"] == 9 }
            ),
            (
                "{required: [t], properties: {t: {enum: [\((0..<100).map { "t\($0)" }.joined(separator: ", "))]}}, "
                    + choices(100) { "if: {properties: {t: {const: t\($0)}}}, then: {required: [d\($0)]}" }.dropFirst(),
                { $0["t"] == "t0" && $0["d0"] != nil && $0["d1"] == nil }
            ),
            (
                "{type: object, properties: {no: false}, "
                    + choices(300) { "anyOf: [{required: [no]}, {required: [y\($0)]}]" }.dropFirst(),
                { $0.objectValue?.count == 300 }
            ),
            // The alternative that fits is the last.
            ("{anyOf: [\(patterns), {const: 7}]}", { $0 == 7 }),
        ]
        for (place, sample) in try samples(schemas.map(\.schema)).enumerated() {
            expectEqual(sample.answer.status, 200, "\(place)")
            expectEqual(sample.violations, [], "\(place)")
            #expect(schemas[place].isFull(sample.answer.json), "\(place): \(sample.answer.text.prefix(200))")
        }
    }

    @Test func `17 a pattern that is open at an end has as many texts as are wanted`() throws {
        let patterns = ["^[a-z]+", "^x-", "x", "-id$", "^\\d", "\\bfoo\\b", "^a|b$", "[A-Z]{2}"]
        let schemas = patterns.flatMap { pattern in
            [
                "{type: array, uniqueItems: true, minItems: 3, items: {type: string, pattern: '\(pattern)'}}",
                "{type: array, uniqueItems: true, minItems: 3, items: {type: string, pattern: '\(pattern)', maxLength: 6}}",
                "{type: array, uniqueItems: true, minItems: 100, items: {type: string, pattern: '\(pattern)'}}",
                "{type: object, minProperties: 3, patternProperties: {'\(pattern)': {type: integer}}, additionalProperties: false}",
                "{type: object, minProperties: 3, propertyNames: {pattern: '\(pattern)'}}",
                "{type: object, minProperties: 100, propertyNames: {pattern: '\(pattern)'}}",
            ]
        }
        let plain = ["{}", "{format: email}", "{format: uri}", "{format: hostname}", "{maxLength: 3}"].map {
            "{type: array, uniqueItems: true, minItems: 200, items: {type: string, allOf: [\($0)]}}"
        }
        for (place, sample) in try samples(schemas + plain).enumerated() {
            expectEqual(sample.answer.status, 200, (schemas + plain)[place])
            expectEqual(sample.violations, [], (schemas + plain)[place])
        }
        // Both ends are bound: there are two.
        let bound = "{type: array, uniqueItems: true, minItems: 3, items: {type: string, pattern: '^[ab]$'}}"
        try expectEqual(samples([bound])[0].answer.status, 501)
    }

    private static let written: [(schema: String, expected: String)] = [
        ("{type: object, properties: {a: {type: string}}, example: {a: 123}}", #"{"a":"123"}"#),
        ("{type: object, properties: {a: {type: string}}, examples: [{a: 01234}]}", #"{"a":"01234"}"#),
        ("{type: object, properties: {a: {type: string}}, default: {a: 1.10}}", #"{"a":"1.10"}"#),
        ("{type: array, items: {type: string}, example: [1, 2.50, yes, true]}", #"["1","2.50","yes","true"]"#),
        (
            "{type: object, properties: {l: {type: array, items: {type: object, properties: {v: {type: string}, n: {type: integer}}}}}, example: {l: [{v: 1.0, n: 2}]}}",
            #"{"l":[{"v":"1.0","n":2}]}"#
        ),
        ("{additionalProperties: {type: string}, type: object, example: {a: 0x1F}}", #"{"a":"0x1F"}"#),
        (
            "{allOf: [{type: object, properties: {a: {type: string}}, example: {a: 007}}, {properties: {b: {const: 1}}}]}",
            #"{"a":"007","b":1}"#
        ),
        ("{type: object, properties: {a: {type: [string, integer]}}, example: {a: 5}}", #"{"a":5}"#),
        ("{type: object, properties: {a: {type: [string, 'null']}}, example: {a: 5}}", #"{"a":"5"}"#),
        ("{type: object, properties: {a: {type: string, example: 08}}}", #"{"a":"08"}"#),
        // What still breaks the schema is no sample.
        ("{type: object, properties: {a: {type: string, enum: [x]}}, example: {a: 5}}", #"{"a":"x"}"#),
    ]

    @Test func `17 numbers in shown objects and arrays are texts where these are wanted`() throws {
        for (place, sample) in try samples(Self.written.map(\.schema)).enumerated() {
            expectEqual(sample.answer.text, Self.written[place].expected, Self.written[place].schema)
        }
    }

    @Test func `16 an example of text that is none is sent as its text`() throws {
        let contents = [
            ("text/plain: {example: 1.10}", "1.10"), ("text/plain: {schema: {type: string}, example: 0042}", "0042"),
            ("text/csv: {schema: {type: string}, examples: {a: {value: 7}}}", "7"),
            ("text/plain: {schema: {type: string}, examples: {a: {$ref: '#/components/examples/E'}}}", "1e3"),
            ("text/plain: {schema: {type: boolean}, example: true}", "true"),
            ("text/plain: {schema: {type: string, example: 5.0}}", "5.0"),
            ("text/plain: {example: [1, a]}", #"[1,"a"]"#),
            ("text/csv: {schema: {type: array}, examples: {a: {value: [{b: 1}]}}}", #"[{"b":1}]"#),
            ("text/plain: {schema: {type: object, properties: {a: {type: string}}, example: {a: 01}}}", #"{"a":"01"}"#),
        ]
        let paths = contents.enumerated().map { index, content in
            "  /t\(index): {get: {responses: {'200': {description: x, content: {\(content.0)}}}}}"
        }
        let document = "paths:\n\(paths.joined(separator: "\n"))\ncomponents: {examples: {E: {value: 1e3}}}\n"
        let server = try DocumentServer(document)
        let valid = try DocumentServer(document, api: #"{"examples":"valid"}"#)
        for (index, content) in contents.enumerated() {
            try expectEqual(server.ask("GET", "/t\(index)").text, content.1, content.0)
            try expectEqual(valid.ask("GET", "/t\(index)").text, content.1, content.0)
        }
        let checked = try Program.run(["validate", "apis/shop"], in: server.folder)
        #expect(!(checked.output + checked.errors).contains("its content is empty"), "\(checked.output)")
    }
}

extension JSON {
    /// The arrays and objects inside one another.
    fileprivate var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
