/// An ISO 8601 duration that may hold years and months, whose length depends on the date at which they begin.
package struct CalendarDuration: Hashable, Sendable {
    /// Years and months together, in months; negative for a duration with a minus in front.
    package let months: Int64
    /// All that comes after them.
    package let rest: Interval

    /// Reads `P1Y2M3DT4H5M6.7S` and every duration that `Interval` reads; weeks stand alone.
    package init(iso8601 text: String) throws(DurationError) {
        guard text.utf8.count <= DurationError.longestText else { throw .overflow }
        var cursor = DateTimeCursor(text)
        let isNegative = cursor.skip(UInt8(ascii: "-"))
        if !isNegative { _ = cursor.skip(UInt8(ascii: "+")) }
        guard cursor.skip(UInt8(ascii: "P")) else { throw .malformed }
        var months: Int64 = 0
        var hasMonths = false
        for (letter, length) in [(UInt8(ascii: "Y"), Int64(12)), (UInt8(ascii: "M"), 1)] {
            let before = cursor
            let digits = cursor.digitRun()
            guard !digits.isEmpty, cursor.skip(letter) else {
                cursor = before
                continue
            }
            // A million months are longer than the calendar of any world.
            guard digits.count <= 7 else { throw .overflow }
            months += digits.reduce(0) { $0 * 10 + Int64($1 &- 0x30) } * length
            hasMonths = true
        }
        let sign = isNegative ? "-" : ""
        self.months = isNegative ? -months : months
        guard hasMonths else {
            rest = try Interval(iso8601Duration: text)
            return
        }
        let tail = String(decoding: cursor.rest, as: UTF8.self)
        // Weeks stand alone (ISO 8601-1 section 5.5.2).
        guard !tail.utf8.contains(UInt8(ascii: "W")) else { throw .malformed }
        do throws(DurationError) {
            rest = tail.isEmpty ? .zero : try Interval(iso8601Duration: sign + "P" + tail)
        } catch {
            // Years or months once more, or in the wrong order.
            throw error == .calendarUnit ? .malformed : error
        }
    }
}

extension Instant {
    /// The instant that many months later at the same time of day (UTC), on the last day of a month that is too short;
    /// then moved by the rest of the duration.
    package static func + (left: Instant, right: CalendarDuration) -> Instant {
        guard right.months != 0 else { return left + right.rest }
        let date = left.civilDate
        let place = Int64(date.year) * 12 + Int64(date.month - 1) + right.months
        let year = Int(place.flooredQuotient(12))
        let month = Int(place - Int64(year) * 12) + 1
        let day = min(date.day, CivilDate.daysInMonth(month, ofYear: year))
        guard let moved = CivilDate(year: year, month: month, day: day) else {
            return Instant(microseconds: right.months > 0 ? .max : .min)
        }
        return Instant(startOf: moved) + (left - left.flooredToDay) + right.rest
    }
}
