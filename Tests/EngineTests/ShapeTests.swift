import CivilTime
import JSON
import TestSupport
import Testing

@testable import Backend

@Suite struct ShapeTests {
    struct Inner: ResponseModel {
        var flag: Bool

        static let shape = ResponseSchema<Inner>("Inner", [.boolean("flag") { $0.flag }])
    }

    struct Everything: ResponseModel {
        var text: String?
        var inner: Inner?
        var flag: Bool?

        static let shape = ResponseSchema<Everything>(
            "Everything",
            [
                .string("fixed", oneOf: ["a", "b"]) { _ in "a" },
                .nullableString("nullable") { $0.text },
                .optionalString("optional") { $0.text },
                .integer("integer") { _ in -7 },
                .number("number") { _ in 1.5 },
                .boolean("boolean") { _ in true },
                .optionalBoolean("maybe") { $0.flag },
                .time("time") { _ in .sinceT0(.hours(-2)) },
                .day("day") { _ in .sinceD0(.days(1)) },
                .strings("strings") { $0.text.map { [$0, "x"] } ?? [] },
                .object("object") { $0.inner ?? Inner(flag: false) },
                .nullableObject("nullableObject") { $0.inner },
                .array("array") { $0.inner.map { [$0, $0] } ?? [] },
                .custom("custom", .integer(minimum: 1)) { $1.json.integer(5) },
                .optionalCustom("optionalCustom", .null, isPresent: { $0.flag != nil }) { $1.json.null() },
            ]
        )
    }

    private func written(_ value: Everything, _ dates: ResponseWriter.DateForm = .milliseconds) throws -> JSON {
        var writer = ResponseWriter(epoch: Epoch(start: Instant(microseconds: 1_735_740_000_987_654)), dates: dates)
        writer.write(value)
        return try JSONReader.read(writer.json.bytes)
    }

    private static let variants: [Everything] = [
        Everything(), Everything(text: "t"), Everything(inner: Inner(flag: true)), Everything(flag: false),
        Everything(text: "", inner: Inner(flag: false), flag: true),
    ]

    @Test func `what is written fits the schema`() throws {
        for variant in Self.variants {
            #expect(JSONSchemaValidator.validate(try written(variant), against: Everything.shape.schema).isEmpty)
        }
    }

    @Test func `the schema refuses what is never written`() throws {
        var lacking = try #require(try written(Everything()).objectValue)
        for member in ["fixed", "nullable", "integer", "time", "object", "nullableObject", "array", "custom"] {
            var object = lacking
            object[member] = nil
            expectEqual(
                JSONSchemaValidator.validate(.object(object), against: Everything.shape.schema).count,
                1,
                "\(member)"
            )
        }
        lacking["optional"] = .null
        #expect(!JSONSchemaValidator.validate(.object(lacking), against: Everything.shape.schema).isEmpty)
    }

    @Test func `members come in the declared order, null and absent as declared`() throws {
        try expectEqual(
            written(Everything()).text,
            #"{"fixed":"a","nullable":null,"integer":-7,"number":1.5,"boolean":true,"#
                + #""time":"2025-01-01T12:00:00.000Z","day":"2025-01-02","strings":[],"object":{"flag":false},"#
                + #""nullableObject":null,"array":[],"custom":5}"#
        )
        let full = try written(Everything(text: "t", inner: Inner(flag: true), flag: false), .seconds)
        expectEqual(full["optional"]?.stringValue, "t")
        expectEqual(full["maybe"], false)
        expectEqual(full["optionalCustom"]?.isNull, true)
        expectEqual(full["time"]?.stringValue, "2025-01-01T12:00:00Z")
        expectEqual(full["array"]?.arrayValue?.count, 2)
    }

    @Test func `an instant in the middle of a second is cut, not rounded`() {
        var writer = ResponseWriter(epoch: Epoch(start: .epoch), dates: .seconds)
        writer.write(Instant(microseconds: 1_999_999))
        expectEqual(String(decoding: writer.json.bytes, as: UTF8.self), #""1970-01-01T00:00:01Z""#)
    }
}
