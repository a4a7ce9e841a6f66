import CivilTime
import TestSupport
import Testing

@testable import Worlds

/// The times to which a scenario may move the clock.
struct ScenarioClockTests {
    private func target(_ text: String, _ now: String) throws -> String {
        let start = try #require(Instant(iso8601: now))
        let clock = try #require(ScenarioClock(text))
        return (start + clock.distance(from: start)).iso8601(.milliseconds)
    }

    @Test func `the next day or month, less a duration, is always ahead`() throws {
        try expectEqual(target("nextDay", "2025-01-31T12:00:00Z"), "2025-02-01T00:00:00.000Z")
        try expectEqual(target("nextDay-PT30S", "2025-01-31T12:00:00Z"), "2025-01-31T23:59:30.000Z")
        try expectEqual(target("nextDay-PT30S", "2025-01-31T23:59:30Z"), "2025-01-31T23:59:30.000Z")
        try expectEqual(target("nextDay-PT30S", "2025-01-31T23:59:31Z"), "2025-02-01T23:59:30.000Z")
        try expectEqual(target("nextMonth-PT30S", "2025-01-01T00:00:00Z"), "2025-01-31T23:59:30.000Z")
        try expectEqual(target("nextMonth-PT30S", "2025-12-31T23:59:59Z"), "2026-01-31T23:59:30.000Z")
        try expectEqual(target("nextMonth", "2024-02-29T00:00:00.5Z"), "2024-03-01T00:00:00.000Z")
    }

    @Test(arguments: ["", "nextYear", "nextDay-30S", "nextDay+PT30S", "nextDay-P1D", "nextDay-", "nextDay-PT-1S"])
    func `other forms are refused`(text: String) {
        expectNil(ScenarioClock(text))
    }
}
