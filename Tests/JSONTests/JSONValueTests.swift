import JSON
import TestSupport
import Testing

@Suite struct JSONValueTests {
    @Test(
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-3.0, "-3"), (0.1, "0.1"), (1.5, "1.5"), (1e15, "1000000000000000"),
            (.leastNonzeroMagnitude, "5e-324"), (1e300, "1e+300"), (1e-7, "1e-07"), (0.1 + 0.2, "0.30000000000000004"),
            (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
            (-9_223_372_036_854_775_808, "-9223372036854775808"),
            (9_223_372_036_854_775_808, "9.223372036854776e+18"),
        ] as [(Double, String)]
    )
    func `a double is its shortest text`(value: Double, text: String) {
        expectEqual(JSON.double(value).text, text)
    }

    @Test func `every double reads back the same`() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            try expectEqual(JSONReader.read(JSON.double(value).serialized()).doubleValue, value)
        }
    }

    @Test(arguments: [
        "", " 1", "1 ", "01", "1.", ".5", "+1", "1e", "0x1", "NaN", "inf", "1_000", "١", "\"1\"", "null", "-",
    ])
    func `a text outside of the grammar is no number`(text: String) {
        expectNil(JSONNumber(text: text))
    }

    @Test func `accessors answer for their own kind only`() throws {
        let values: [JSON] = [.null, true, 1, .number(try #require(JSONNumber(text: "1.5"))), "s", [1], ["a": 1]]
        expectEqual(values.map(\.typeName), ["null", "boolean", "number", "number", "string", "array", "object"])
        expectEqual(values.map(\.isNull), [true, false, false, false, false, false, false])
        expectEqual(values.map(\.boolValue), [nil, true, nil, nil, nil, nil, nil])
        expectEqual(values.map(\.intValue), [nil, nil, 1, nil, nil, nil, nil])
        expectEqual(values.map(\.doubleValue), [nil, nil, 1, 1.5, nil, nil, nil])
        expectEqual(values.map(\.stringValue), [nil, nil, nil, nil, "s", nil, nil])
        expectEqual(values.map(\.arrayValue), [nil, nil, nil, nil, nil, [1], nil])
        expectEqual(values.map(\.objectValue), [nil, nil, nil, nil, nil, nil, ["a": 1]])
        expectEqual(values.map { $0["a"] }, [nil, nil, nil, nil, nil, nil, 1])
        expectEqual(values.map { $0[0] }, [nil, nil, nil, nil, nil, 1, nil])
        #expect(values[5][1] == nil && values[5][-1] == nil)
    }

    @Test(
        arguments: [
            ("1.0", 1), ("1e3", 1_000), ("-0", 0), ("9007199254740992.0", 9_007_199_254_740_992),
            ("9007199254740994.0", nil),
            ("1.5", nil), ("1e400", nil), ("12345678901234567890", nil),
        ] as [(String, Int64?)]
    )
    func `another spelling of a whole number is an integer up to 2^53`(text: String, value: Int64?) {
        expectEqual(JSONNumber(text: text).map { JSON.number($0).intValue }, .some(value))
    }

    @Test func `strings are equal by code point, not by normalisation`() {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        expectEqual(composed, decomposed)
        #expect(JSON.string(composed) != JSON.string(decomposed))
        let object: JSONObject = JSONObject([.init(name: composed, value: 1), .init(name: decomposed, value: 2)])
        expectEqual(object[composed], 1)
        expectEqual(object[decomposed], 2)
        expectNil(object.firstDuplicateName())
        expectEqual(Set<JSON>([.string(composed), .string(decomposed)]).count, 2)
    }

    @Test func `integers and other spellings of the same number differ`() throws {
        #expect(JSON.integer(1) != .number(try #require(JSONNumber(text: "1.0"))))
        #expect(JSON.bool(true) != 1)
    }

    @Test func `setting a member replaces, appends or removes`() {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        object["a"] = 4
        expectEqual(JSON.object(object).text, #"{"a":1,"b":2,"a":4}"#)
        object["c"] = nil
        object["c"] = .null
        expectEqual(JSON.object(object).text, #"{"a":1,"b":2,"a":4,"c":null}"#)
        object["a"] = nil
        expectEqual(JSON.object(object).text, #"{"b":2,"c":null}"#)
        object.append("b", 5)
        #expect(object.count == 3 && !object.isEmpty)
        expectEqual(object["b"], 5)
        expectNil(object["missing"])
    }

    @Test(arguments: [2, 8, 9, 500])
    func `the first repeated name is found among few and many`(count: Int) {
        var object = JSONObject()
        for index in 0..<count { object.append("name\(index)", 0) }
        expectNil(object.firstDuplicateName())
        object.append("name\(count - 1)", 0)
        object.append("name0", 0)
        expectEqual(object.firstDuplicateName(), "name\(count - 1)")
    }

    @Test func `duplicates among a hundred thousand names are found without comparing all pairs`() {
        var object = JSONObject()
        for index in 0..<100_000 { object.append("name\(index)", .null) }
        let duration = ProcessorTime.measure { expectNil(object.firstDuplicateName()) }
        // All pairs would be five thousand million comparisons.
        #expect(duration < .seconds(10))
    }
}
