import Basics
import TestSupport
import Testing

/// The searches within texts.
@Suite struct TextSearchTests {
    /// The first occurrence by the plain way: each place in turn.
    private func expected(_ wanted: String, in text: String) -> Range<Int>? {
        let (bytes, part) = (Array(text.utf8), Array(wanted.utf8))
        guard part.count <= bytes.count else { return nil }
        return (0...(bytes.count - part.count)).first { bytes[$0...].starts(with: part) }.map { $0..<($0 + part.count) }
    }

    private func found(_ wanted: String, in text: Substring) -> Range<Int>? {
        text.firstRange(of: wanted).map {
            text.utf8.distance(
                from: text.startIndex,
                to: $0.lowerBound
            )..<text.utf8.distance(
                from: text.startIndex,
                to: $0.upperBound
            )
        }
    }

    @Test(arguments: [
        ("", ""), ("", "a"), ("a", ""), ("a", "a"), ("b", "ab"), ("c", "ab"), ("ab", "aab"), ("aab", "aaab"),
        ("://", "http://a://b"), ("{{", "a{b{{c"), ("abc", "ab"), ("\n", "a\r\nb"), ("e", "e\u{301}"),
        ("\u{E9}", "e\u{301}"), ("ö", "smörgås"), ("😀", "a😃😀"), ("å", "\u{E4}\u{E5}"), ("abcabd", "abcabcabd"),
    ])
    func `the first occurrence is found by code point`(wanted: String, text: String) {
        expectEqual(found(wanted, in: text[...]), expected(wanted, in: text))
        expectEqual(text.firstRange(of: wanted), text[...].firstRange(of: wanted))
        expectEqual(text.contains(wanted), expected(wanted, in: text) != nil)
        // A part of a longer text is searched alone.
        let longer = wanted + text + wanted
        let part = longer[
            longer.utf8.index(
                longer.startIndex,
                offsetBy: wanted.utf8.count
            )..<longer.utf8.index(
                longer.endIndex,
                offsetBy: -wanted.utf8.count
            )
        ]
        expectEqual(found(wanted, in: part), expected(wanted, in: text))
        expectEqual(part.contains(wanted), text.contains(wanted))
    }

    @Test func `every text of three letters is searched for every part`() {
        func texts(_ most: Int) -> [String] {
            var all = [""]
            var last = all
            for _ in 0..<most {
                last = last.flatMap { text in ["a", "b", "ä"].map { text + $0 } }
                all += last
            }
            return all
        }
        for text in texts(5) {
            for wanted in texts(3) {
                expectEqual(found(wanted, in: text[...]), expected(wanted, in: text), "\(wanted) in \(text)")
            }
        }
    }

    @Test(arguments: [
        ("a&b&&", "&", "&amp;", Int.max, "a&amp;b&amp;&amp;"), ("aaa", "aa", "b", .max, "ba"),
        ("abc", "x", "y", .max, "abc"),
        ("abc", "b", "", .max, "ac"), ("abc", "", "x", .max, "abc"), ("", "a", "b", .max, ""),
        ("aa", "a", "aa", .max, "aaaa"),
        ("a.a.a", "a", "b", 2, "b.b.a"), ("aaa", "a", "b", 0, "aaa"), ("<\u{301}", "<", "&lt;", .max, "&lt;\u{301}"),
    ])
    func `occurrences are replaced from the first on`(
        text: String,
        wanted: String,
        other: String,
        most: Int,
        result: String
    ) {
        expectEqual(Array(text.replacing(wanted, with: other, maxReplacements: most).utf8), Array(result.utf8))
        let part = ("x" + text + "x").dropFirst().dropLast()
        expectEqual(Array(part.replacing(wanted, with: other, maxReplacements: most).utf8), Array(result.utf8))
    }
}
