import JSON
import TestSupport
import Testing

@testable import Backend
@testable import Conditions

/// Control contract, section 8: a response that drifts from its contract.
@Suite struct DriftTests {
    private static let answer = #"{"data":{"user":{"email":"a@b","age":7},"list":[{"n":"x"},{"n":"y"}]},"ok":true}"#

    private func drift(_ text: String, _ json: String = answer) throws -> String {
        var check = BodyCheck(["drift": try JSONReader.read(text: text)])
        let drift = DriftEffect.read(&check)
        check.refuseUnknown()
        #expect(check.items.isEmpty, "\(text): \(check.items)")
        var (stream, other) = (SeededStream(seed: 1), SeededStream(seed: 1))
        let before = try JSONReader.read(text: json)
        let after = try #require(drift).drifted(before, schema: nil, &stream)
        expectEqual(drift?.changesAnything(in: before, schema: nil, &other), after != before, "\(text)")
        return after.text
    }

    @Test(arguments: [
        (#"{"remove":"data.user.email"}"#, #"{"data":{"user":{"age":7},"list":[{"n":"x"},{"n":"y"}]},"ok":true}"#),
        (#"{"remove":"data.list[0]"}"#, #"{"data":{"user":{"email":"a@b","age":7},"list":[{"n":"y"}]},"ok":true}"#),
        (#"{"remove":"data.list.*.n"}"#, #"{"data":{"user":{"email":"a@b","age":7},"list":[{},{}]},"ok":true}"#),
        (
            #"{"set":"data.list.1.n","to":[1]}"#,
            #"{"data":{"user":{"email":"a@b","age":7},"list":[{"n":"x"},{"n":[1]}]},"ok":true}"#
        ),
        (
            #"{"set":"ok","to":null}"#,
            #"{"data":{"user":{"email":"a@b","age":7},"list":[{"n":"x"},{"n":"y"}]},"ok":null}"#
        ),
        (#"{"null":"data"}"#, #"{"data":null,"ok":true}"#),
        (#"{"null":"nothing"}"#, answer),
        (
            #"{"add":{"path":"data.user.new","value":1}}"#,
            #"{"data":{"user":{"email":"a@b","age":7,"new":1},"list":[{"n":"x"},{"n":"y"}]},"ok":true}"#
        ),
        (
            #"{"add":{"path":"data.list[2]","value":1}}"#,
            #"{"data":{"user":{"email":"a@b","age":7},"list":[{"n":"x"},{"n":"y"},1]},"ok":true}"#
        ),
        (#"{"add":{"path":"not.there","value":1}}"#, answer), (#"{"remove":"data.list[9].n"}"#, answer),
        (#"{"remove":"ok.deeper"}"#, answer),
    ])
    func `8 one place changes, and nothing where the way to it is missing`(text: String, wanted: String) throws {
        try expectEqual(drift(text), wanted)
    }

    @Test(arguments: [
        ("string", "7", #""7""#), ("string", "true", #""true""#), ("string", #""a""#, #""a""#),
        ("number", #""12""#, "12"),
        ("number", #""x""#, "0"), ("number", "true", "1"), ("boolean", "0", "false"), ("boolean", #""no""#, "false"),
        ("boolean", "null", "false"), ("object", "1", #"{"value":1}"#), ("array", "{}", "[{}]"), ("null", "1", "null"),
    ])
    func `8 retype keeps as much of the value as it can`(kind: String, value: String, wanted: String) throws {
        try expectEqual(drift(#"{"retype":"a","as":"\#(kind)"}"#, #"{"a":\#(value)}"#), #"{"a":\#(wanted)}"#)
    }

    @Test(arguments: ["", ".", "a.", "a[", "a[x]", "a]b", "[", "a[1", "a[-1]", "$", "$.data", "$[0]"])
    func `8 a path that is none is refused`(path: String) { expectNil(DriftPath(path)) }

    @Test func `8 auto keeps to what the schema marks as compatible or as breaking`() throws {
        let schema = JSONSchema.object(
            JSONSchema.Object([
                JSONSchema.Property("id", .string()),
                JSONSchema.Property("kind", .string(enumeration: ["a", "b"])),
                JSONSchema.Property("note", .nullable(.string())),
                JSONSchema.Property("extra", .integer(), isRequired: false),
                JSONSchema.Property(
                    "items",
                    .array(.object(JSONSchema.Object([JSONSchema.Property("n", .integer())])))
                ),
            ])
        )
        let json = try JSONReader.read(text: #"{"id":"1","kind":"a","note":"x","extra":3,"items":[{"n":1},{"n":2}]}"#)
        #expect(JSONSchemaValidator.validate(json, against: schema).isEmpty)
        let additive = AutomaticDrift.changes(of: json, schema: schema, .additive)
        let breaking = AutomaticDrift.changes(of: json, schema: schema, .breaking)
        #expect(additive.count >= 4)
        #expect(breaking.count >= 10)
        for change in additive {
            let changed = change.made(in: json)
            #expect(changed != json)
            #expect(JSONSchemaValidator.validate(changed, against: schema).isEmpty, "\(change)")
        }
        for change in breaking {
            let changed = change.made(in: json)
            #expect(!JSONSchemaValidator.validate(changed, against: schema).isEmpty, "\(change)")
        }
    }

    @Test func `8 auto finds nothing to change in a scalar, and stays in bounds in a big answer`() throws {
        #expect(AutomaticDrift.changes(of: 7, schema: nil, .breaking).isEmpty)
        var deep: JSON = 1
        for _ in 0..<200 { deep = ["a": deep] }
        #expect(AutomaticDrift.changes(of: deep, schema: nil, .breaking).count < 200)
    }
}
