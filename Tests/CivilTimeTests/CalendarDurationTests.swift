import CivilTime
import TestSupport
import Testing

struct CalendarDurationTests {
    @Test(
        arguments: [
            ("P1M", "2025-01-31T23:59:59.5Z", "2025-02-28T23:59:59.5Z"),
            ("P1M", "2024-01-31T00:00:00Z", "2024-02-29T00:00:00Z"),
            ("P12M", "2025-06-15T10:00:00Z", "2026-06-15T10:00:00Z"),
            ("P1Y", "2024-02-29T10:00:00Z", "2025-02-28T10:00:00Z"),
            ("P1Y2M3DT4H5M6.7S", "2025-01-01T12:00:00Z", "2026-03-04T16:05:06.7Z"),
            ("P1M1D", "2025-01-31T00:00:00Z", "2025-03-01T00:00:00Z"),
            ("P2W", "2025-01-01T00:00:00Z", "2025-01-15T00:00:00Z"),
            ("PT1M", "2025-01-01T00:00:00Z", "2025-01-01T00:01:00Z"),
            ("P0M", "2025-01-31T00:00:00Z", "2025-01-31T00:00:00Z"),
            ("-P1M", "2025-03-31T00:00:00Z", "2025-02-28T00:00:00Z"),
            ("-P1MT1H", "2025-01-15T00:00:00Z", "2024-12-14T23:00:00Z"),
            ("+P1Y", "1969-12-31T23:59:59Z", "1970-12-31T23:59:59Z"),
            ("P1M", "0001-12-31T00:00:00Z", "0002-01-31T00:00:00Z"),
        ]
    )
    func `5 a month is added to the date and ends on its last day if it is too short`(
        text: String,
        start: String,
        end: String
    ) throws {
        let start = try #require(Instant(iso8601: start))
        try expectEqual(start + CalendarDuration(iso8601: text), Instant(iso8601: end))
    }

    @Test(
        arguments: [
            ("", DurationError.malformed), ("P", .malformed), ("P1M1Y", .malformed), ("P1Y1W", .malformed),
            ("P1MT", .malformed), ("P1.5M", .malformed), ("PM", .malformed), ("P1Y1Y", .malformed),
            ("P1M ", .malformed),
            ("P1M-1D", .malformed), ("P--1M", .malformed), ("P10000000M", .overflow),
            ("P1M99999999999999999999D", .overflow),
        ]
    )
    func `5 what is no duration is refused with its reason`(text: String, reason: DurationError) {
        #expect(throws: reason) { try CalendarDuration(iso8601: text) }
    }

    @Test func `5 a duration beyond the calendar goes to its end`() throws {
        try expectEqual(Instant.epoch + CalendarDuration(iso8601: "P9999999Y"), Instant(microseconds: .max))
        try expectEqual(Instant.epoch + CalendarDuration(iso8601: "-P9999999Y"), Instant(microseconds: .min))
    }
}
