/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// A day of the week, numbered as in ISO 8601.
    package enum Weekday: Int, CaseIterable, Hashable, Sendable {
        /// The first day of the ISO week.
        case monday = 1
        /// The second day of the ISO week.
        case tuesday
        /// The third day of the ISO week.
        case wednesday
        /// The fourth day of the ISO week.
        case thursday
        /// The fifth day of the ISO week.
        case friday
        /// The sixth day of the ISO week.
        case saturday
        /// The last day of the ISO week.
        case sunday
    }

    /// The years that dates can have; wider than what an `Instant` reaches.
    package static let years = -999_999...999_999

    /// The year; 0 is the year before 1.
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// The day, or nil when the calendar has no such day or the year is outside of `years`.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= Self.daysInMonth(month, ofYear: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 1970-01-01; the first or last day of `years` when it is outside of them.
    ///
    /// Counts in eras of 400 years from a March, so that the leap day is the last day of its year.
    package init(daysSinceEpoch: Int64) {
        let days = min(max(daysSinceEpoch, -365_961_662), 364_522_971) + 719_468
        let era = days.flooredQuotient(146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; negative before it.
    package var daysSinceEpoch: Int64 {
        let year = Int64(month <= 2 ? year - 1 : year)
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of the week.
    package var weekday: Weekday {
        let days = daysSinceEpoch + 3  // 1970-01-01 was a Thursday.
        return Weekday(rawValue: Int(days - days.flooredQuotient(7) * 7) + 1) ?? .monday
    }

    /// Returns true if the year has a 29 February.
    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The number of days in a month; 0 for a month that does not exist.
    package static func daysInMonth(_ month: Int, ofYear year: Int) -> Int {
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: 31
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 0
        }
    }

    /// The earlier day.
    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension Instant {
    /// 00:00:00 UTC of that day; the nearest representable instant when it does not fit.
    package init(startOf date: CivilDate) {
        self.init(seconds: date.daysSinceEpoch * 86_400)
    }

    /// The day in UTC.
    package var civilDate: CivilDate { CivilDate(daysSinceEpoch: seconds.flooredQuotient(86_400)) }

    /// Whole seconds since 00:00:00 UTC of the day.
    package var secondOfDay: Int { Int(seconds - seconds.flooredQuotient(86_400) * 86_400) }
}
