import RegularExpressions
import TestSupport
import Testing

/// Own-API contract, section 6: the dialect of regular expressions.
@Suite struct RegularExpressionTests {
    @Test(
        arguments: [
            ("abc", ["abc"], ["ab", "abcd", ""]),
            ("a|bc|", ["a", "bc", ""], ["b", "abc"]),
            ("a*b+c?", ["b", "aabbc"], ["a", "ac"]),
            ("a{2}", ["aa"], ["a", "aaa"]),
            ("a{2,}", ["aa", "aaaa"], ["a"]),
            ("a{1,3}?", ["a", "aaa"], ["", "aaaa"]),
            ("(ab){2}c", ["ababc"], ["abc"]),
            ("(?:a|b)*c", ["c", "abbac"], ["abd"]),
            ("(?<year>\\d{4})-(?<month>\\d\\d)", ["2025-01"], ["25-01", "２０２５-01"]),
            ("[a-c_]+", ["ab_c"], ["d", ""]),
            ("[^a-c]", ["d", "\n", "ä"], ["a", ""]),
            ("[]", [], ["", "a"]),
            ("[^]", ["a", "\n"], [""]),
            ("[\\]\\-a]", ["]", "-", "a"], ["b"]),
            ("[a-]", ["a", "-"], ["b"]),
            ("[\\b]", ["\u{8}"], ["b"]),
            ("[\\d\\s]", ["5", " ", "\u{FEFF}"], ["a"]),
            ("[^\\W]", ["a", "_"], ["-"]),
            (".", ["a", "😀", "\u{85}"], ["\n", "\r", "\u{2028}", "\u{2029}", ""]),
            ("\\w+\\W\\S", ["ab a"], ["ab  "]),
            ("\\D", ["x"], ["1"]),
            ("\\x41\\u0042\\u{1F600}\\uD83D\\uDE00", ["AB😀😀"], ["AB😀"]),
            ("\\cJ\\0\\t\\v\\f\\r", ["\n\0\t\u{B}\u{C}\r"], [""]),
            ("\\/\\-\\.\\\\\\$\\_", ["/-.\\$_"], ["/-x\\$_"]),
            ("^a$", ["a"], ["b"]),
            ("a^b", [], ["ab"]),
            ("\\bfoo\\b.*", ["foo", "foo bar"], ["foobar"]),
            ("a\\Bb", ["ab"], ["a b"]),
            ("{\"a\":\\d+}", ["{\"a\":12}"], ["{\"a\":}"]),
            ("a{,2}", ["a{,2}"], ["a", "aa"]),
            ("\\p{L}\\p{Lu}\\P{Lu}", ["äÄä", "aA1"], ["aaa"]),
            ("\\p{General_Category=Decimal_Number}+", ["1٣"], ["a"]),
            ("[\\p{Alphabetic}\\P{ASCII}]+", ["aé😀"], ["1"]),
            ("\\p{gc=Nd}\\p{Emoji_Presentation}", ["1😀"], ["11"]),
            ("e\u{301}", ["e\u{301}"], ["é"]),
            ("\\uD800", [], ["\u{FFFD}"]),
            ("(?:){1000000000}a", ["a"], [""]),
        ]
    )
    func `6 a text fits as a whole or not at all`(source: String, fitting: [String], others: [String]) throws {
        let expression = try RegularExpression(source)
        for text in fitting { #expect(expression.matchesWhole(text), "\(source) takes \(text.debugDescription)") }
        for text in others { #expect(!expression.matchesWhole(text), "\(source) refuses \(text.debugDescription)") }
    }

    @Test(
        arguments: [
            ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("b$", "abc", false), ("", "", true),
            ("\\bb", "a b", true), ("\\bb", "ab", false), ("x*", "abc", true), ("^$", "a", false), ("^$", "", true),
            ("ab|cd$", "xcdab", true), ("\\d{3}", "a12b345", true), ("\\d{3}", "a12b34", false),
        ]
    )
    func `6 a pattern is found anywhere in a text`(source: String, text: String, isFound: Bool) throws {
        let expression = try RegularExpression(source)
        expectEqual(expression.isFound(in: text), isFound)
        // The same far into a long text, which takes another way.
        let padding = String(repeating: "-", count: 2_000)
        guard !source.contains("^"), !source.contains("$") else { return }
        expectEqual(expression.isFound(in: padding + text + padding), isFound)
    }

    @Test(
        arguments: [
            ("(?=a)", "look-ahead is not supported, at character 1"),
            ("a(?!b)", "look-ahead is not supported, at character 2"),
            ("(?<=a)b", "look-behind is not supported, at character 1"),
            ("(?<!a)b", "look-behind is not supported, at character 1"),
            ("(a)\\1", "back-references are not supported, at character 4"),
            ("(?<x>a)\\k<x>", "back-references are not supported, at character 8"),
            ("(?i:a)", "a group begins with ( or (?: or (?<name>, flags within are not supported, at character 1"),
            ("(a", "a group is not closed, at character 1"),
            ("a)", "a ) without its (, at character 2"),
            ("*a", "nothing to repeat, at character 1"),
            ("a**", "nothing to repeat, at character 3"),
            ("^*", "nothing to repeat, at character 2"),
            ("a|{2}", "nothing to repeat, at character 3"),
            ("a{3,2}", "the bounds of a repetition are in the wrong order, at character 2"),
            ("[a", "a class is not closed, at character 1"),
            ("[b-a]", "a range is in the wrong order, at character 2"),
            ("[\\d-z]", "a range goes from one character to another, at character 2"),
            ("\\", "a backslash at the end, at character 1"),
            ("\\y", "an unknown escape, at character 1"),
            ("\\01", "octal escapes are not supported, at character 1"),
            ("\\x4", "\\x is followed by two digits, at character 1"),
            ("\\u{110000}", "\\u is followed by four digits, or by up to 10FFFF in braces, at character 1"),
            ("\\c1", "\\c is followed by a letter, at character 1"),
            ("\\p{Latin}", "no Unicode property is called Latin here, at character 1"),
            ("\\p{Script=Greek}", "scripts are not supported: Script=Greek, at character 1"),
            ("\\pL", "\\p is followed by a property in braces, as in \\p{L}, at character 1"),
            ("(?<a>x)(?<a>y)", "two groups are named a, at character 8"),
            ("(?<1>x)", "not the name of a group, at character 1"),
            ("a{10001}", "the repetitions written out have more than 10000 parts, at character 2"),
            ("((a{100}){100}){100}", "the repetitions written out have more than 10000 parts, at character 16"),
        ]
    )
    func `6 what is outside of the dialect is refused with a reason`(source: String, reason: String) {
        let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(source) }
        expectEqual(error.map { "\($0)" }, reason)
    }

    @Test func `6 groups of different alternatives may share a name`() throws {
        #expect(try RegularExpression("(?<a>x)|(?<a>y)").matchesWhole("y"))
    }

    @Test func `6 an expression has 1,000 characters and no more`() throws {
        try expectEqual(RegularExpression(String(repeating: "é", count: 1_000)).size, 1_001)
        let error = #expect(throws: RegularExpressionError.self) {
            try RegularExpression(String(repeating: "a", count: 1_001))
        }
        expectEqual(error?.reason, "a regular expression has at most 1000 characters")
    }

    @Test func `6 a repetition is written out up to 10,000 parts`() throws {
        #expect(try RegularExpression("a{10000}").matchesWhole(String(repeating: "a", count: 10_000)))
        #expect(throws: RegularExpressionError.self) { try RegularExpression("a{10001}") }
    }

    @Test func `6 groups may be nested as deep as an expression is long`() throws {
        let source = String(repeating: "(", count: 499) + "a" + String(repeating: ")", count: 499)
        #expect(try RegularExpression(source).matchesWhole("a"))
    }

    @Test(arguments: ["(a*)*b", "(a|aa)+$", "(?:a?){30}a{30}", "(a|a)*c|.*\\bz", "(x+x+)+y"])
    func `6 time grows with the text and not faster`(source: String) throws {
        let expression = try RegularExpression(source)
        func cost(_ count: Int) -> Duration {
            let text = String(repeating: "a", count: count) + "!"
            return ProcessorTime.measure {
                for _ in 0..<3 {
                    #expect(!expression.matchesWhole(text))
                    _ = expression.isFound(in: text)
                }
            }
        }
        _ = cost(20_000)
        let (short, long) = (cost(20_000), cost(200_000))
        #expect(long < short * 40 + .milliseconds(50), "\(short), then \(long) for ten times the text")
    }
}
