import CivilTime
import TestSupport
import Testing

@Suite struct InstantTextTests {
    private let noon = Instant(seconds: 1_735_732_800)

    @Test func `an instant prints in three precisions, cut`() {
        let late = noon + .microseconds(1_999)
        expectEqual(late.iso8601(.seconds), "2025-01-01T12:00:00Z")
        expectEqual(late.iso8601(.milliseconds), "2025-01-01T12:00:00.001Z")
        expectEqual(late.iso8601(.microseconds), "2025-01-01T12:00:00.001999Z")
        expectEqual(noon.iso8601(.milliseconds), "2025-01-01T12:00:00.000Z")
        expectEqual(noon.isoDay, "2025-01-01")
        expectEqual(noon.httpDate, "Wed, 01 Jan 2025 12:00:00 GMT")
    }

    @Test func `instants before 1970 are cut downwards`() {
        let before = Instant(microseconds: -1)
        expectEqual(before.iso8601(.seconds), "1969-12-31T23:59:59Z")
        expectEqual(before.iso8601(.milliseconds), "1969-12-31T23:59:59.999Z")
        expectEqual(before.iso8601(.microseconds), "1969-12-31T23:59:59.999999Z")
        expectEqual(before.isoDay, "1969-12-31")
    }

    @Test func `years stay within 0000 and 9999`() {
        expectEqual(Instant(microseconds: .max).iso8601(.microseconds), "9999-12-31T23:59:59.999999Z")
        expectEqual(Instant(microseconds: .min).iso8601(.microseconds), "0000-01-01T00:00:00.000000Z")
        expectEqual(Instant(seconds: 253_402_300_799).iso8601(.seconds), "9999-12-31T23:59:59Z")
        expectEqual(Instant(seconds: 253_402_300_800).iso8601(.seconds), "9999-12-31T23:59:59Z")
        expectEqual(Instant(seconds: -62_167_219_200).iso8601(.seconds), "0000-01-01T00:00:00Z")
        expectEqual(Instant(seconds: -62_167_219_201).iso8601(.seconds), "0000-01-01T00:00:00Z")
        expectEqual(Instant(microseconds: .max).isoDay, "9999-12-31")
        expectEqual(Instant(microseconds: .max).httpDate, "Fri, 31 Dec 9999 23:59:59 GMT")
    }

    @Test func `the time of day is that of the whole text, cut to milliseconds`() {
        for microseconds in [Int64.min, -1, 0, 999, 1_735_732_800_123_999, Int64.max] {
            let instant = Instant(microseconds: microseconds)
            var bytes = Array("a ".utf8)
            instant.appendTimeOfDay(to: &bytes)
            expectEqual(
                String(decoding: bytes, as: UTF8.self),
                "a " + instant.iso8601(.milliseconds).dropFirst(11).dropLast()
            )
        }
    }

    @Test func `texts are appended to what is there`() {
        var bytes = Array("a ".utf8)
        noon.appendISO8601(.seconds, to: &bytes)
        bytes.append(0x20)
        noon.appendHTTPDate(to: &bytes)
        expectEqual(String(decoding: bytes, as: UTF8.self), "a 2025-01-01T12:00:00Z Wed, 01 Jan 2025 12:00:00 GMT")
    }

    @Test(
        arguments: [
            ("2025-01-01T12:00:00Z", 0), ("2025-01-01T12:00:00.5Z", 500_000), ("2025-01-01T12:00:00.1234567Z", 123_456),
            ("2025-01-01T12:00:00.999999999Z", 999_999), ("2025-01-01T13:30:00+01:30", 0),
            ("2025-01-01T00:00:00-12:00", 0),
            ("2025-01-02T11:59:00+23:59", 0), ("2025-01-01T12:00:00-00:00", 0),
            ("2025-01-01T12:00:01+00:00", 1_000_000),
        ] as [(String, Int64)]
    )
    func `RFC 3339: a valid text is its instant`(text: String, microseconds: Int64) {
        expectEqual(Instant(iso8601: text), noon + .microseconds(microseconds))
        expectEqual(Instant(isoDayOrDateTime: text), noon + .microseconds(microseconds))
    }

    @Test(arguments: [
        "", "2025-01-01", "2025-01-01T12:00:00", "2025-01-01T12:00Z", "2025-01-01 12:00:00Z", "2025-01-01t12:00:00Z",
        "2025-01-01T12:00:00z", "2025-01-01T24:00:00Z", "2025-01-01T12:60:00Z", "2025-01-01T12:00:60Z",
        "2025-02-29T12:00:00Z",
        "2025-13-01T12:00:00Z", "2025-00-01T12:00:00Z", "2025-01-00T12:00:00Z", "2025-04-31T12:00:00Z",
        "2025-1-01T12:00:00Z",
        "25-01-01T12:00:00Z", "02025-01-01T12:00:00Z", "-2025-01-01T12:00:00Z", "2025-01-01T12:00:00.Z",
        "2025-01-01T12:00:00.1234567890Z", "2025-01-01T12:00:00,5Z", "2025-01-01T12:00:00+0100",
        "2025-01-01T12:00:00+01",
        "2025-01-01T12:00:00+24:00", "2025-01-01T12:00:00+01:60", "2025-01-01T12:00:00Z ", " 2025-01-01T12:00:00Z",
        "2025-01-01T12:00:00ZZ", "2025-01-01T12:00:00+01:00Z", "20250101T120000Z", "2025-01-01T１2:00:00Z", "now",
        "2025-01-01T12:00:00\u{2212}01:00",
    ])
    func `RFC 3339: anything else is refused`(text: String) {
        expectNil(Instant(iso8601: text))
    }

    @Test func `small letters are accepted on demand`() {
        expectEqual(Instant(iso8601: "2025-01-01t12:00:00z", allowLowercase: true), noon)
        expectNil(Instant(iso8601: "2025-01-01x12:00:00z", allowLowercase: true))
    }

    @Test func `a day alone is its start`() {
        expectEqual(Instant(isoDayOrDateTime: "2025-01-01"), noon - .hours(12))
        expectEqual(Instant(isoDayOrDateTime: "2024-02-29")?.isoDay, "2024-02-29")
        expectNil(Instant(isoDayOrDateTime: "2025-02-29"))
        expectNil(Instant(isoDayOrDateTime: "2025-01-01T"))
        expectNil(Instant(isoDayOrDateTime: "2025-01-01Z"))
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 29 Feb 2024 23:59:59 GMT",
        "Sat, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func `RFC 9110 section 5.6.7: an HTTP date is its instant`(text: String) {
        expectEqual(Instant(httpDate: text)?.httpDate, text)
    }

    @Test(arguments: [
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT", "Thu, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "",
    ])
    func `RFC 9110 section 5.6.7: any other form of date is refused`(text: String) {
        expectNil(Instant(httpDate: text))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Wednesday, 01-Jan-25 10:00:00 GMT", "Wed, 01 Jan 2025 10:00:00 GMT"),
        ("Tuesday, 29-Feb-00 23:59:59 GMT", "Tue, 29 Feb 2000 23:59:59 GMT"),
        ("Thursday, 31-Dec-99 00:00:00 GMT", "Thu, 31 Dec 2099 00:00:00 GMT"),
        ("Friday, 31-Dec-99 00:00:00 GMT", "Fri, 31 Dec 1999 00:00:00 GMT"),
        ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Wed Jan  1 10:00:00 2025", "Wed, 01 Jan 2025 10:00:00 GMT"),
        ("Fri Dec 31 23:59:59 1999", "Fri, 31 Dec 1999 23:59:59 GMT"),
    ])
    func `RFC 9110 section 5.6.7: a recipient takes the obsolete forms, too`(text: String, expected: String) {
        expectEqual(Instant(receivedHTTPDate: text)?.httpDate, expected)
    }

    @Test(arguments: [
        "Monday, 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Mon Nov  6 08:49:37 1994",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 24:00:00 1994",
        "yesterday", "",
    ])
    func `RFC 9110 section 5.6.7: what has none of the three forms is no date`(text: String) {
        expectNil(Instant(receivedHTTPDate: text))
    }

    @Test func `random instants come back from every text`() {
        var random = SeededGenerator.announced()
        for _ in 0..<20_000 {
            let instant = Instant(
                microseconds: Int64.random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &random)
            )
            expectEqual(Instant(iso8601: instant.iso8601(.microseconds)), instant)
            expectEqual(Instant(iso8601: instant.iso8601(.milliseconds))?.milliseconds, instant.milliseconds)
            expectEqual(Instant(iso8601: instant.iso8601(.seconds)), instant.flooredToSecond)
            expectEqual(Instant(isoDayOrDateTime: instant.isoDay), instant.flooredToDay)
            expectEqual(Instant(httpDate: instant.httpDate), instant.flooredToSecond)
        }
    }

    @Test func `a text with one changed byte never crashes and never is another instant's text`() {
        var random = SeededGenerator.announced()
        let original = Array("2024-02-29T23:59:59.123456Z".utf8)
        for _ in 0..<20_000 {
            var bytes = original
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let instant = Instant(iso8601: text) else { continue }
            expectEqual(instant.iso8601(.microseconds), text)
        }
    }
}
