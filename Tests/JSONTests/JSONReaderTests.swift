import JSON
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", JSON.null), ("true", true), ("false", false), ("0", 0), ("-1", -1),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("\"\"", ""), ("\"a/b\"", "a/b"), ("\"\\/\"", "/"), ("\"\\u0000\"", "\0"), ("\"\\u001F\"", "\u{1F}"),
            ("\"\\b\\f\\n\\r\\t\\\"\\\\\"", "\u{8}\u{C}\n\r\t\"\\"), ("\"\\u00e9\"", "\u{E9}"),
            ("\"\\u00E9x\"", "\u{E9}x"),
            ("\"\\u20ac\"", "€"), ("\"\\uD83D\\uDE00\"", "😀"), ("\"\\udbff\\udfff\"", "\u{10FFFF}"),
            ("\"\\uFFFF\"", "\u{FFFF}"), ("\"\u{7F}\"", "\u{7F}"), ("\"é€😀\"", "é€😀"), ("\"é\\n€\"", "é\n€"),
            ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), ("[]", []), ("[ ]", []), ("{}", [:]), ("{ \n}", [:]),
            ("[null]", [.null]), ("[1,2 , 3]", [1, 2, 3]), ("[[],[[]]]", [[], [[]]]), ("{\"\":0}", ["": 0]),
            ("{\"a\":{\"b\":[{}]}}", ["a": ["b": [[:]]]]), (" \t\r\n1 \t\r\n", 1),
            ("{\"a\":1,\"b\":2}", ["a": 1, "b": 2]),
            ("{\"\\u0061\":1}", ["a": 1]), ("\"\u{FEFF}\"", "\u{FEFF}"),
        ] as [(String, JSON)]
    )
    func `RFC 8259: a valid text is its value`(text: String, value: JSON) throws {
        try expectEqual(JSONReader.read(utf8(text)), value)
        try expectEqual(JSONReader.read(text: text), value)
        try expectEqual(JSONReader.read(([0x5B] + utf8(text) + [0x5D])[1..<utf8(text).count + 1]), value)
    }

    @Test(arguments: [
        "-0", "1.0", "0.5", "-0.0", "1e5", "1E+5", "1e-5", "0e0", "1.25e10", "9223372036854775808",
        "-9223372036854775809", "12345678901234567890", "18446744073709551616", "123456789012345678901234567890",
        "1e400",
        "10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
    ])
    func `a number that is not a plain integer of 64 bits keeps its spelling`(text: String) throws {
        let number = try #require(JSONNumber(text: text))
        try expectEqual(JSONReader.read(utf8(text)), .number(number))
        try expectEqual(JSONReader.read(utf8("[\(text)]")).text, "[\(text)]")
    }

    @Test(
        arguments: [
            ("", JSONSyntaxError.Reason.empty), (" \n", .empty), ("[", .unexpectedEnd), ("{", .unexpectedEnd),
            ("[1", .unexpectedEnd), ("[1,", .unexpectedEnd), ("{\"a\"", .unexpectedEnd), ("{\"a\":", .unexpectedEnd),
            ("{\"a\":1", .unexpectedEnd), ("{\"a\":1,", .unexpectedEnd), ("\"", .unexpectedEnd),
            ("\"a", .unexpectedEnd),
            ("\"\\", .unexpectedEnd), ("\"\\u", .unexpectedEnd), ("\"\\u00", .unexpectedEnd),
            ("\"\\ud800\\", .unexpectedEnd),
            ("\"\\ud800\\u", .unexpectedEnd), ("tru", .unexpectedEnd), ("-", .unexpectedEnd), ("1.", .unexpectedEnd),
            ("1e", .unexpectedEnd), ("1e+", .unexpectedEnd), ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte),
            ("[1 2]", .unexpectedByte), ("[1}", .unexpectedByte), ("{]", .unexpectedByte), ("{1:2}", .unexpectedByte),
            ("{\"a\" 1}", .unexpectedByte), ("{\"a\":1,}", .unexpectedByte), ("{\"a\":1 \"b\":2}", .unexpectedByte),
            ("{\"a\"::1}", .unexpectedByte), ("{a:1}", .unexpectedByte), ("{'a':1}", .unexpectedByte),
            ("]", .unexpectedByte),
            ("+1", .unexpectedByte), (".5", .unexpectedByte), ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte),
            ("-Infinity", .invalidNumber), ("nul1", .unexpectedByte), ("True", .unexpectedByte),
            ("/**/1", .unexpectedByte),
            ("\u{A0}1", .unexpectedByte), ("\u{C}1", .unexpectedByte), ("\0", .unexpectedByte), ("01", .invalidNumber),
            ("-01", .invalidNumber), ("00", .invalidNumber), ("--1", .invalidNumber), ("1.e5", .invalidNumber),
            ("1.x", .invalidNumber), ("1ex", .invalidNumber), ("1e+-2", .invalidNumber), ("-a", .invalidNumber),
            ("0x1", .trailingBytes), ("1 2", .trailingBytes), ("{}}", .trailingBytes), ("[]]", .trailingBytes),
            ("\"a\"b", .trailingBytes), ("nulll", .trailingBytes), ("1,", .trailingBytes), ("[]#", .trailingBytes),
            ("\"\u{0}\"", .controlCharacter), ("\"\u{1F}\"", .controlCharacter), ("\"a\nb\"", .controlCharacter),
            ("\"\t\"", .controlCharacter), ("\"\\n\n\"", .controlCharacter), ("\"\\x\"", .invalidEscape),
            ("\"\\'\"", .invalidEscape), ("\"\\U0041\"", .invalidEscape), ("\"\\a\"", .invalidEscape),
            ("\"\\é\"", .invalidEscape), ("\"\\u00G0\"", .invalidEscape), ("\"\\u 041\"", .invalidEscape),
            ("\"\\u\"", .invalidEscape), ("\"\\ud800\"", .loneSurrogate), ("\"\\ud800x\"", .loneSurrogate),
            ("\"\\ud800\\n\"", .loneSurrogate), ("\"\\ud800\\u0041\"", .loneSurrogate),
            ("\"\\ud800\\ud800\"", .loneSurrogate), ("\"\\udc00\"", .loneSurrogate),
            ("\"\\udfff\\ud800\"", .loneSurrogate),
            ("\u{FEFF}1", .byteOrderMark), ("\u{FEFF}", .byteOrderMark),
        ] as [(String, JSONSyntaxError.Reason)]
    )
    func `RFC 8259: an invalid text is refused with its reason`(text: String, reason: JSONSyntaxError.Reason) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(utf8(text)) }
        expectEqual(error?.reason, reason, "\(text): \(String(describing: error))")
        #expect((error?.offset ?? -1) >= 0 && (error?.offset ?? .max) <= text.utf8.count)
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0x81], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFE], [0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func `RFC 3629: malformed UTF-8 is refused inside and outside of strings`(bytes: [UInt8]) {
        for text in [[0x22] + bytes + [0x22], [0x22, 0x5C, 0x6E] + bytes + [0x22], bytes, [0x5B, 0x31] + bytes] {
            let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(text) }
            expectEqual(error?.reason, .invalidUTF8, "\(text)")
        }
    }

    @Test func `every scalar from U+0080 on is accepted raw`() throws {
        var text = ""
        for value in UInt32(0x80)...0x10FFFF where value % 7 == 0 || value < 0x1000 || value > 0x10FF00 {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        let read = try JSONReader.read(utf8("\"\(text)\""))
        expectEqual(read.stringValue.map(utf8), utf8(text))
    }

    @Test(arguments: [1, 64, 512])
    func `depth n is accepted and n + 1 is refused at its bracket`(limit: Int) throws {
        let options = JSONReader.Options(maxDepth: limit)
        for (opening, closing, inner) in [("[", "]", ""), ("{\"a\":", "}", "0")] {
            let fits = String(repeating: opening, count: limit) + inner + String(repeating: closing, count: limit)
            try expectEqual(JSONReader.read(utf8(fits), options: options).text, fits)
            let tooDeep = opening + fits + closing
            let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(utf8(tooDeep), options: options) }
            expectEqual(error?.reason, .tooDeep)
            expectEqual(error?.offset, opening.utf8.count * limit)
        }
        let empty = String(repeating: "[", count: limit) + "{}" + String(repeating: "]", count: limit)
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(utf8(empty), options: options) }
    }

    @Test func `the default depth is 64`() throws {
        let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        try expectEqual(JSONReader.read(utf8(text)).typeName, "array")
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(utf8("[\(text)]")) }
    }

    @Test func `a million opening brackets are refused at once`() {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONReader.read([UInt8](repeating: 0x5B, count: 1_000_000))
        }
        expectEqual(error?.reason, .tooDeep)
        expectEqual(error?.offset, 64)
    }

    @Test func `duplicate names are kept in order and the last one is found`() throws {
        let value = try JSONReader.read(utf8(#"{"a":1,"b":2,"a":3}"#))
        expectEqual(value["a"], 3)
        expectEqual(value.text, #"{"a":1,"b":2,"a":3}"#)
        expectEqual(value.objectValue?.firstDuplicateName(), "a")
    }

    @Test func `a duplicate name is an error on demand, at the second name`() {
        let options = JSONReader.Options(allowDuplicateNames: false)
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONReader.read(utf8("{\"a\":1,\n \"b\":{\"a\":1},\n \"\\u0061\":3}"), options: options)
        }
        expectEqual(error?.reason, .duplicateName)
        expectEqual(error?.line, 3)
        expectEqual(error?.column, 2)
        #expect(throws: Never.self) { try JSONReader.read(utf8(#"{"a":{"a":[{"a":1},{"a":1}]}}"#), options: options) }
    }

    @Test func `a byte order mark is skipped on demand`() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + utf8("[1]")
        try expectEqual(JSONReader.read(bytes, options: JSONReader.Options(allowBOM: true)), [1])
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes) }
    }

    @Test func `a text may have as many values as it is said to, containers among them`() throws {
        let text = #"{"a":[1,{},"x",null],"b":true}"#
        #expect(throws: Never.self) { try JSONReader.read(text: text, options: JSONReader.Options(maxValues: 7)) }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONReader.read(text: text, options: JSONReader.Options(maxValues: 6))
        }
        expectEqual(error?.reason, .tooManyValues)
        expectEqual(error?.column, 26)
    }
}
