import CivilTime
import JSON
import Testing

@testable import Emulation

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
            #expect(
                JSONSchemaValidator.validate(.object(object), against: Everything.shape.schema).count == 1,
                "\(member)"
            )
        }
        lacking["optional"] = .null
        #expect(!JSONSchemaValidator.validate(.object(lacking), against: Everything.shape.schema).isEmpty)
    }

    @Test func `members come in the declared order, null and absent as declared`() throws {
        #expect(
            try written(Everything()).text
                == #"{"fixed":"a","nullable":null,"integer":-7,"number":1.5,"boolean":true,"#
                + #""time":"2025-01-01T12:00:00.000Z","day":"2025-01-02","strings":[],"object":{"flag":false},"#
                + #""nullableObject":null,"array":[],"custom":5}"#
        )
        let full = try written(Everything(text: "t", inner: Inner(flag: true), flag: false), .seconds)
        #expect(full["optional"]?.stringValue == "t")
        #expect(full["maybe"] == false)
        #expect(full["optionalCustom"]?.isNull == true)
        #expect(full["time"]?.stringValue == "2025-01-01T12:00:00Z")
        #expect(full["array"]?.arrayValue?.count == 2)
    }

    @Test func `an instant in the middle of a second is cut, not rounded`() {
        var writer = ResponseWriter(epoch: Epoch(start: .epoch), dates: .seconds)
        writer.write(Instant(microseconds: 1_999_999))
        #expect(String(decoding: writer.json.bytes, as: UTF8.self) == #""1970-01-01T00:00:01Z""#)
    }
}

@Suite struct InputShapeTests {
    struct Person: RequestModel, Equatable {
        var name: String?
        var age: String?

        static let shape = RequestSchema<Person>(
            "Person",
            [.string("name", nonEmpty: true) { $0.name = $1 }, .string("age") { $0.age = $1 }]
        )
    }

    struct Order: RequestModel, Equatable {
        var token = ""
        var kind: String?
        var isGift: Bool?
        var tags: [String]?
        var person: Person?

        static let shape = RequestSchema<Order>(
            "Order",
            [
                .string("token", required: true) { $0.token = $1 },
                .string("kind", oneOf: ["a", "b"]) { $0.kind = $1 },
                .boolean("isGift") { $0.isGift = $1 },
                .strings("tags") { $0.tags = $1 },
                .object("person") { $0.person = $1 },
            ]
        )
    }

    private func read(_ text: String) throws -> (value: Order, faults: [FieldIssue], schema: [JSONIssue]) {
        let json = try JSONReader.read(text: text)
        let (value, faults) = Order.read(try #require(json.objectValue))
        return (value, faults, JSONSchemaValidator.validate(json, against: Order.shape.schema))
    }

    @Test func `a body that fits is read`() throws {
        let (value, faults, issues) = try read(
            #"{"extra":1,"person":{"age":"","name":"n"},"tags":["x",""],"isGift":false,"kind":"b","token":"t"}"#
        )
        #expect(faults.isEmpty)
        #expect(issues.isEmpty)
        #expect(
            value
                == Order(token: "t", kind: "b", isGift: false, tags: ["x", ""], person: Person(name: "n", age: ""))
        )
    }

    @Test func `null counts as absent`() throws {
        let (value, faults, issues) = try read(
            #"{"token":"t","kind":null,"isGift":null,"tags":null,"person":null}"#
        )
        #expect(faults.isEmpty)
        #expect(issues.isEmpty)
        #expect(value == Order(token: "t"))
    }

    @Test func `faults come in the order of the shape, whatever the body's is`() throws {
        let (_, faults, _) = try read(
            #"{"person":{"age":1,"name":""},"tags":[1],"isGift":"yes","kind":"c"}"#
        )
        let text = "a string"
        #expect(
            faults == [
                FieldIssue(path: "token", kind: .missing),
                FieldIssue(path: "kind", kind: .notAllowed(["a", "b"])),
                FieldIssue(path: "isGift", kind: .wrongType(expected: "a boolean")),
                FieldIssue(path: "tags", kind: .wrongType(expected: "an array of strings")),
                FieldIssue(path: "person.name", kind: .empty),
                FieldIssue(path: "person.age", kind: .wrongType(expected: text)),
            ]
        )
    }

    @Test(
        arguments: [
            #"{}"#, #"{"token":null}"#, #"{"token":""}"#, #"{"token":1}"#, #"{"token":"t","kind":"c"}"#,
            #"{"token":"t","kind":""}"#,
            #"{"token":"t","isGift":0}"#, #"{"token":"t","tags":"x"}"#, #"{"token":"t","tags":[null]}"#,
            #"{"token":"t","person":[]}"#, #"{"token":"t","person":{"name":""}}"#, #"{"token":"t"}"#,
            #"{"token":"t","person":{}}"#, #"{"token":"t","tags":[]}"#, #"{"token":" ","person":{"name":null}}"#,
            #"{"token":"","token":"t"}"#,
        ]
    )
    func `the schema says the same as the reading`(text: String) throws {
        let (_, faults, issues) = try read(text)
        #expect(faults.isEmpty == issues.isEmpty, "\(faults), \(issues)")
    }
}
