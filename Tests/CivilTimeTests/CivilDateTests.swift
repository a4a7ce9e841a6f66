import CivilTime
import TestSupport
import Testing

@Suite struct CivilDateTests {
    @Test func `every day of 1,000 years agrees with counting day by day`() throws {
        // Independent of the era arithmetic: month lengths, one day after the other, from a known day.
        var (year, month, day, weekday) = (1600, 1, 1, 6)  // A Saturday.
        var days: Int64 = -135_140
        while year < 2600 {
            let date = try #require(CivilDate(year: year, month: month, day: day))
            guard date.daysSinceEpoch == days, CivilDate(daysSinceEpoch: days) == date, date.weekday.rawValue == weekday
            else {
                Issue.record("\(year)-\(month)-\(day) is not day \(days)")
                return
            }
            var lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            if year % 400 == 0 || year % 4 == 0 && year % 100 != 0 { lengths[1] = 29 }
            days += 1
            weekday = weekday % 7 + 1
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        expectEqual(days, 230_103)
    }

    @Test func `every day count from before year 0 to after 9999 comes back`() {
        var failures = 0
        for days in stride(from: Int64(-800_000), through: 3_000_000, by: 1)
        where CivilDate(daysSinceEpoch: days).daysSinceEpoch != days { failures += 1 }
        expectEqual(failures, 0)
    }

    @Test(
        arguments: [
            (1970, 1, 1, 0, CivilDate.Weekday.thursday), (2000, 2, 29, 11_016, .tuesday),
            (1969, 12, 31, -1, .wednesday),
            (2025, 1, 1, 20_089, .wednesday), (0, 3, 1, -719_468, .wednesday), (9999, 12, 31, 2_932_896, .friday),
            (-1, 12, 31, -719_529, .friday),
        ] as [(Int, Int, Int, Int64, CivilDate.Weekday)]
    )
    func `known days have known numbers`(year: Int, month: Int, day: Int, days: Int64, weekday: CivilDate.Weekday)
        throws
    {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        expectEqual(date.daysSinceEpoch, days)
        expectEqual(date.weekday, weekday)
    }

    @Test(
        arguments: [
            (2000, true), (1900, false), (2100, false), (2024, true), (2023, false), (0, true), (-4, true),
            (-100, false), (-400, true),
        ] as [(Int, Bool)]
    )
    func `leap years follow the 4, 100 and 400 rule`(year: Int, isLeap: Bool) {
        expectEqual(CivilDate.isLeap(year), isLeap)
        expectEqual(CivilDate(year: year, month: 2, day: 29) != nil, isLeap)
        expectEqual(CivilDate.daysInMonth(2, ofYear: year), isLeap ? 29 : 28)
    }

    @Test(
        arguments: [
            (2025, 0, 1), (2025, 13, 1), (2025, 1, 0), (2025, 1, 32), (2025, 4, 31), (2025, 2, 30), (2025, -1, 5),
        ] as [(Int, Int, Int)]
    )
    func `a day that does not exist is refused`(year: Int, month: Int, day: Int) {
        expectNil(CivilDate(year: year, month: month, day: day))
    }

    @Test func `years stop at 999,999 in both directions`() throws {
        let last = try #require(CivilDate(year: 999_999, month: 12, day: 31))
        let first = try #require(CivilDate(year: -999_999, month: 1, day: 1))
        expectNil(CivilDate(year: 1_000_000, month: 1, day: 1))
        expectNil(CivilDate(year: -1_000_000, month: 12, day: 31))
        for beyond in [last.daysSinceEpoch, last.daysSinceEpoch + 1, .max] {
            expectEqual(CivilDate(daysSinceEpoch: beyond), last)
        }
        for beyond in [first.daysSinceEpoch, first.daysSinceEpoch - 1, .min] {
            expectEqual(CivilDate(daysSinceEpoch: beyond), first)
        }
        #expect(first < last)
    }

    @Test func `instants know their day and second, at the ends too`() {
        expectEqual(Instant(microseconds: -1).civilDate, CivilDate(year: 1969, month: 12, day: 31))
        expectEqual(Instant(microseconds: -1).secondOfDay, 86_399)
        expectEqual(Instant(microseconds: .max).civilDate.year, 294_247)
        expectEqual(Instant(microseconds: .min).civilDate.year, -290_308)
        expectEqual(Instant(microseconds: .min).flooredToDay.microseconds, .min)
        expectEqual(Instant(microseconds: .min).flooredToSecond.microseconds, .min)
        expectEqual(Instant(seconds: .max).microseconds, .max)
        expectEqual(CivilDate(year: 999_999, month: 1, day: 1).map(Instant.init(startOf:))?.microseconds, .max)
        expectEqual(
            CivilDate(year: 2025, month: 1, day: 1).map(Instant.init(startOf:)),
            Instant(seconds: 1_735_689_600)
        )
    }
}
