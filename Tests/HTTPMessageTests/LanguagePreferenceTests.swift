import HTTPMessage
import TestSupport
import Testing

@Suite struct LanguagePreferenceTests {
    @Test func `ranges are ordered by weight, equal ones as they stood`() {
        let preference = LanguagePreference("da, en-GB;q=0.8, sv ; q=0.9, en;q=0.8, *;q=0.001, fr;q=0")
        expectEqual(preference.ranges.map(\.tag), ["da", "sv", "en-gb", "en", "*", "fr"])
        expectEqual(preference.ranges.map(\.weight), [1_000, 900, 800, 800, 1, 0])
    }

    @Test(arguments: [
        "", ",", "é", "en;q=", "en;q=2", "en;q=1.001", "en;q=0.0001", "en;q=a", "en;x=1", "toolongtag", "en-", "-en",
        "1en",
        "en;q=0.5;q=1", "en;q=.5", "en us",
    ])
    func `elements that are not of the right form are left out`(text: String) {
        #expect(LanguagePreference(text).ranges.isEmpty)
        expectEqual(LanguagePreference(text + ",sv").ranges.map(\.tag), ["sv"])
    }

    @Test(arguments: [
        ("sv-SE,en;q=0.5", "sv"), ("en-US,sv;q=0.5", "en"), ("de,en;q=0.1", "en"), ("de", nil), ("*", "sv"),
        ("*,sv;q=0", "en"),
        ("sv;q=0,en;q=0", nil), ("sv;q=0.1,en;q=0.2", "en"), ("de-CH-1996,*;q=0.5", "sv"), ("", nil),
    ])
    func `the best language is found by lookup (RFC 4647 section 3_4)`(text: String, language: String?) {
        expectEqual(LanguagePreference(text).best(of: ["sv", "en"]), language)
    }

    @Test func `64 ranges are kept and the next is not`() {
        let text = (0..<65).map { _ in "en" }.joined(separator: ",")
        expectEqual(LanguagePreference(text).ranges.count, 64)
        #expect(LanguagePreference(nil).ranges.isEmpty)
    }
}
