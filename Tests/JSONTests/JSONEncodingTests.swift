import JSON
import TestSupport
import Testing

@Suite struct JSONEncodingTests {
    struct Everything: Codable, Equatable {
        var bool = true
        var text = "é\n"
        var int = -1
        var int8 = Int8.min
        var int16 = Int16.min
        var int32 = Int32.min
        var int64 = Int64.min
        var uint = UInt(1)
        var uint8 = UInt8.max
        var uint16 = UInt16.max
        var uint32 = UInt32.max
        var uint64 = UInt64.max
        var double = 0.1
        var float = Float(0.1)
        var none: Int?
        var some: Double? = 2
        var list: [Int?] = [1, nil]
        var names = ["b": 1, "a": 2, "c": 3]
        var nested: [[String: Bool]] = [["x": false]]
    }

    @Test func `every scalar has its text, members keep their order and names are sorted`() throws {
        let json = try JSONEncoding.encode(Everything())
        expectEqual(
            json.text,
            #"{"bool":true,"text":"é\n","int":-1,"int8":-128,"int16":-32768,"int32":-2147483648,"#
                + #""int64":-9223372036854775808,"uint":1,"uint8":255,"uint16":65535,"uint32":4294967295,"#
                + #""uint64":18446744073709551615,"double":0.1,"float":0.1,"some":2,"list":[1,null],"#
                + #""names":{"a":2,"b":1,"c":3},"nested":[{"x":false}]}"#
        )
        try expectEqual(
            JSONDecoding.decode(Everything.self, from: json, options: .init(rejectUnknownMembers: true)),
            Everything()
        )
    }

    @Test func `random values come back through text`() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<500 {
            var value = Everything()
            value.text = random.string()
            value.int64 = Int64(bitPattern: random.next())
            value.uint64 = random.next()
            let double = Double(bitPattern: random.next())
            value.double = double.isFinite ? double : 0
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            value.float = float.isFinite ? float : 0
            value.names = Dictionary(uniqueKeysWithValues: (0..<5).map { ("\($0)\(random.string())", $0) })
            let text = try JSONEncoding.encode(value).serialized()
            try expectEqual(JSONDecoding.decode(Everything.self, from: JSONReader.read(text)), value)
        }
    }

    @Test func `JSON inside a type stays as it is`() throws {
        let json: JSON = ["z": 1, "a": [.null, "x"], "z": 2]
        try expectEqual(JSONEncoding.encode(json), json)
        try expectEqual(JSONEncoding.encode(["k": json])["k"], json)
        try expectEqual(JSONEncoding.encode([json.objectValue]).text, "[\(json.text)]")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is refused with its path`(value: Double) {
        let error = #expect(throws: JSONEncodingError.self) { try JSONEncoding.encode(["a": [0, value]]) }
        expectEqual(error?.path, ["a", 1])
        expectEqual(error?.reason, "\(value) is not a JSON number")
    }

    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }

    struct Torn: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var single = encoder.singleValueContainer()
            try single.encode(2)
        }
    }

    struct Repeating: Encodable {
        enum Keys: CodingKey { case a, b }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
            try container.encode(2, forKey: .b)
            try container.encode(3, forKey: .a)
        }
    }

    @Test func `a type that encodes nothing or in two ways is refused`() {
        let silent = #expect(throws: JSONEncodingError.self) { try JSONEncoding.encode(["x": Silent()]) }
        expectEqual(silent?.description, "$.x: encodes nothing")
        let torn = #expect(throws: JSONEncodingError.self) { try JSONEncoding.encode([Torn()]) }
        expectEqual(torn?.description, "$[0]: encodes itself in two different ways")
    }

    @Test func `a member encoded twice keeps the second value`() throws {
        try expectEqual(JSONEncoding.encode(Repeating()).text, #"{"b":2,"a":3}"#)
    }

    /// Opens containers inside of containers, which no synthesized conformance does.
    struct Nesting: Encodable {
        enum Keys: CodingKey { case a, b, c }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var list = container.nestedUnkeyedContainer(forKey: .a)
            try container.encode(1, forKey: .b)
            try list.encode("late")
            var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .c)
            try inner.encodeNil(forKey: .a)
        }
    }

    /// Wraps each value in a form of its own.
    struct Mixed: Encodable {
        var everything = [Everything(), Everything()]
        var empty: [String] = []
        var members: [String: [Double]] = ["b": [], "a": [0.5]]
        var json: JSON = ["z": 1, "a": [.null, "x"], "z": 2]
        var object: JSONObject? = ["k": true]
        var bytes: [UInt8] = [1, 2, 255]
        var noBytes: [UInt8]? = []
        var choice = Choice.second
        var nothing: String?

        enum Choice: String, Codable { case first, second }
    }

    @Test func `the text without a tree is the text of the tree`() throws {
        func check(_ value: some Encodable) throws {
            let bytes: @Sendable ([UInt8]) -> String = { "\($0.count) bytes" }
            for bytes in [nil, bytes] {
                let expected = try JSONEncoding.encode(value, bytes: bytes).text
                expectEqual(String(decoding: try JSONEncoding.text(value, bytes: bytes), as: UTF8.self), expected)
            }
        }
        try check(Everything())
        try check(Mixed())
        try check(Nesting())
        try check([Optional(Mixed()), nil])
        try check("a\"\u{1}é")
        try check(Float(0.1))
        try check([Float(2)])
        try check(UInt64.max)
        try check([Int: String]())
        try check(["é": ["n": Mixed.Choice.first]])
        try check(JSON.null)
        let none: Int? = nil
        try check(none)
    }

    @Test func `the text without a tree has the errors of the tree`() {
        let infinite = #expect(throws: JSONEncodingError.self) { try JSONEncoding.text(["a": [0, Double.infinity]]) }
        expectEqual(infinite?.path, ["a", 1])
        let silent = #expect(throws: JSONEncodingError.self) { try JSONEncoding.text(["x": Silent()]) }
        expectEqual(silent?.description, "$.x: encodes nothing")
        let torn = #expect(throws: JSONEncodingError.self) { try JSONEncoding.text([Torn()]) }
        expectEqual(torn?.description, "$[0]: encodes itself in two different ways")
    }
}
