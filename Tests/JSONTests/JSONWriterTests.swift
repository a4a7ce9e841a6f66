import JSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    private func text(_ value: JSON, _ options: JSONWriter.Options = JSONWriter.Options()) -> String {
        String(decoding: value.serialized(options: options), as: UTF8.self)
    }

    @Test func `compact text has no space and keeps order`() {
        let value: JSON = ["b": [1, 2.5, true, .null, "x"], "a": [:], "c": []]
        expectEqual(text(value), #"{"b":[1,2.5,true,null,"x"],"a":{},"c":[]}"#)
    }

    @Test(
        arguments: [
            ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
            ("\u{0}\u{1F}", #""\u0000\u001f""#),
            ("\u{7F}", "\"\u{7F}\""), ("é€😀", "\"é€😀\""), ("<&>", "\"<&>\""), ("\u{85}\u{2028}", "\"\u{85}\u{2028}\""),
            ("ab\ncd", #""ab\ncd""#), ("", #""""#),
        ] as [(String, String)]
    )
    func `only what must be escaped is escaped`(value: String, expected: String) {
        expectEqual(text(.string(value)), expected)
    }

    @Test func `HTML characters are escaped on demand, in names too`() {
        let options = JSONWriter.Options(escapeHTML: true)
        expectEqual(text(["<a>": "x&y\u{2028}é"], options), "{\"\\u003ca\\u003e\":\"x\\u0026y\u{2028}é\"}")
    }

    @Test func `line separators are escaped on demand`() {
        let options = JSONWriter.Options(escapeLineSeparators: true)
        expectEqual(
            text("a\u{85}b\u{2028}c\u{2029}d\u{2027}\u{84}<", options),
            #""a\u0085b\u2028c\u2029d"#
                + "\u{2027}\u{84}<\""
        )
    }

    @Test func `pretty text is indented by two spaces and empty containers stay closed`() {
        let value: JSON = ["a": [1, [], [:]], "b": ["c": "d"]]
        let expected = """
            {
              "a": [
                1,
                [],
                {}
              ],
              "b": {
                "c": "d"
              }
            }
            """
        expectEqual(text(value, JSONWriter.Options(pretty: true)), expected)
    }

    @Test func `a double is written as the value of it is`() {
        var values: [Double] = [
            0, -0.0, 1, -1, 0.5, -0.5, 0.001, -0.001, 0.0005, 0.000_1, 1e-5, 1.001, -1.25, 0.1 + 0.2, 1.0 / 3, 123.456,
            999_999_999.999, 1e9, 1_000_000_000.001, 1e12, 1e15, 9.007_199_254_740_993e15, 1e300, -1e300,
            .leastNonzeroMagnitude,
            .infinity, .nan, 2.675, 1.005, 4_503_599.627_370_497,
        ]
        for number in 0..<4_000 {
            values += [Double(number) / 1_000, -Double(number * 37) / 1_000, Double(number) * 0.001]
        }
        for value in values {
            var writer = JSONWriter()
            writer.beginArray()
            writer.double(value)
            writer.double(value)
            writer.endArray()
            expectEqual(String(decoding: writer.bytes, as: UTF8.self), text([.double(value), .double(value)]))
        }
    }

    @Test(arguments: [0, 9, 10, 99, 100, -1, -10, 1_234_567_890, Int64.max, Int64.min] as [Int64])
    func `integers are written in full`(value: Int64) {
        expectEqual(text(.integer(value)), "\(value)")
    }

    @Test func `the pieces put commas where they belong`() throws {
        var writer = JSONWriter(reserving: 16)
        writer.beginObject()
        writer.name("a")
        writer.beginArray()
        writer.integer(1)
        writer.string("x")
        writer.null()
        writer.bool(false)
        writer.double(0.5)
        writer.double(.nan)
        writer.number(try #require(JSONNumber(text: "1.00")))
        writer.raw("{\"r\":0}")
        writer.raw([0x37])
        writer.write(["k": [1]])
        writer.beginArray()
        writer.endArray()
        writer.endArray()
        writer.name("b")
        writer.beginObject()
        writer.endObject()
        writer.name("c")
        writer.integer(-7)
        writer.endObject()
        let expected = #"{"a":[1,"x",null,false,0.5,null,1.00,{"r":0},7,{"k":[1]},[]],"b":{},"c":-7}"#
        expectEqual(String(decoding: writer.bytes, as: UTF8.self), expected)
    }

    @Test func `writing continues after bytes that are there`() {
        var writer = JSONWriter(appendingTo: utf8("data: "))
        writer.write(["a": "\n"])
        expectEqual(String(decoding: writer.bytes, as: UTF8.self), #"data: {"a":"\n"}"#)
    }

    @Test func `text in bytes is written as the same text in a string`() {
        let texts = [
            "", "plain", "\"", "\\", "a\"b\\c", "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} \u{7f}", "é€😀\u{2028}\u{85}<&>",
            String(repeating: "{\"k\":\"v\"}\r\n", count: 100),
        ]
        for options in [
            JSONWriter.Options(), JSONWriter.Options(escapeHTML: true), JSONWriter.Options(escapeLineSeparators: true),
        ] {
            for text in texts {
                var (strings, bytes) = (JSONWriter(options: options), JSONWriter(options: options))
                strings.beginArray()
                bytes.beginArray()
                for _ in 0..<2 {
                    strings.string(text)
                    bytes.string(utf8: Array(text.utf8))
                }
                expectEqual(strings.bytes, bytes.bytes, "\(text)")
            }
        }
    }
}
