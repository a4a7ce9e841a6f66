import JSON
import TestSupport
import Testing

@Suite struct JSONSyntaxErrorTests {
    @Test(
        arguments: [
            ("", 0, 1, 1), ("\n\n ", 3, 3, 2), ("[1,\n 2,\n x]", 9, 3, 2), ("{\n  \"a\": tru\n}", 12, 2, 11),
            ("[\"é€😀\", x]", 14, 1, 9), ("[1,\r\n x]", 6, 2, 2), ("{\"a\":1}\n\n]", 9, 3, 1), ("[\"a\nb\"]", 3, 1, 4),
            ("[\"a\\qb\"]", 3, 1, 4), ("[\"\\ud800\"]", 2, 1, 3), ("[01]", 1, 1, 2), ("[1.]", 3, 1, 4), ("[1", 2, 1, 3),
            ("\"é", 3, 1, 3),
        ] as [(String, Int, Int, Int)]
    )
    func `an error points at its byte, line and column`(text: String, offset: Int, line: Int, column: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(utf8(text)) }
        expectEqual(error?.offset, offset, "\(String(describing: error))")
        expectEqual(error?.line, line)
        expectEqual(error?.column, column)
    }

    @Test(
        arguments: [
            ("{\"a\": ]}", "Invalid JSON at line 1, column 7: expected a value, found ']'."),
            ("{\"a\" 1}", "Invalid JSON at line 1, column 6: expected ':', found '1'."),
            ("[1 é]", "Invalid JSON at line 1, column 4: expected ',' or ']', found 'é'."),
            ("{\"a\":1;}", "Invalid JSON at line 1, column 7: expected ',' or '}', found ';'."),
            ("{a:1}", "Invalid JSON at line 1, column 2: expected a member name in quotes or '}', found 'a'."),
            ("[1] x", "Invalid JSON at line 1, column 5: expected the end of the text after the value, found 'x'."),
            ("[\0]", "Invalid JSON at line 1, column 2: expected a value, found the control character 0x00."),
            ("[1,", "Invalid JSON at line 1, column 4: expected a value, but the text ends here."),
            ("nil", "Invalid JSON at line 1, column 2: expected the word 'null', found 'i'."),
            ("\"a", "Invalid JSON at line 1, column 3: the string is not closed before the end of the text."),
            ("\"\u{1}\"", "Invalid JSON at line 1, column 2: a string must escape the control character 0x01."),
            ("01", "Invalid JSON at line 1, column 1: a number must not start with a zero before other digits."),
            ("  ", "Invalid JSON at line 1, column 3: there is no value."),
        ] as [(String, String)]
    )
    func `the description is one sentence with place and reason`(text: String, description: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(utf8(text)) }
        expectEqual(error?.description, description)
    }

    @Test func `malformed UTF-8 is described by its byte`() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read([0x22, 0x61, 0xFF, 0x22]) }
        expectEqual(error?.message, "the byte 0xFF does not start a valid UTF-8 sequence")
        expectEqual(error?.column, 3)
    }
}
