extension Instant {
    /// The precision of an ISO 8601 text; finer digits are cut off.
    package enum Precision: Hashable, Sendable {
        /// `2025-01-01T12:00:00Z`.
        case seconds
        /// `2025-01-01T12:00:00.000Z`.
        case milliseconds
        /// `2025-01-01T12:00:00.000000Z`.
        case microseconds
    }

    /// 0000-01-01T00:00:00Z, the earliest instant with a year of four digits.
    static let earliestPrintable = Instant(seconds: -62_167_219_200)
    /// 9999-12-31T23:59:59.999999Z, the latest instant with a year of four digits.
    static let latestPrintable = Instant(microseconds: 253_402_300_800_000_000 - 1)

    /// The instant in UTC as RFC 3339 has it.
    ///
    /// Years have four digits: an instant before 0000 or after 9999 prints as the nearest one inside.
    package func iso8601(_ precision: Precision) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        appendISO8601(precision, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The day in UTC, such as `2025-01-01`; within 0000 to 9999 as for `iso8601`.
    package var isoDay: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10)
        printable.civilDate.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The instant as an HTTP date (RFC 9110 section 5.6.7), such as `Wed, 01 Jan 2025 12:00:00 GMT`.
    package var httpDate: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        appendHTTPDate(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of `iso8601`.
    package func appendISO8601(_ precision: Precision, to bytes: inout [UInt8]) {
        let instant = printable
        instant.civilDate.append(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        instant.appendTime(to: &bytes)
        let fraction = Int(instant.microseconds - instant.seconds * 1_000_000)
        switch precision {
        case .seconds:
            break
        case .milliseconds:
            bytes.append(UInt8(ascii: "."))
            bytes.append(digits: fraction / 1_000, count: 3)
        case .microseconds:
            bytes.append(UInt8(ascii: "."))
            bytes.append(digits: fraction, count: 6)
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Appends the text of `httpDate`.
    package func appendHTTPDate(to bytes: inout [UInt8]) {
        let instant = printable
        let date = instant.civilDate
        bytes.append(contentsOf: CalendarNames.weekdays[date.weekday.rawValue - 1].utf8)
        bytes.append(contentsOf: ", ".utf8)
        bytes.append(digits: date.day, count: 2)
        bytes.append(0x20)
        bytes.append(contentsOf: CalendarNames.months[date.month - 1].utf8)
        bytes.append(0x20)
        bytes.append(digits: date.year, count: 4)
        bytes.append(0x20)
        instant.appendTime(to: &bytes)
        bytes.append(contentsOf: " GMT".utf8)
    }

    private var printable: Instant { min(max(self, Self.earliestPrintable), Self.latestPrintable) }

    private func appendTime(to bytes: inout [UInt8]) {
        let second = secondOfDay
        bytes.append(digits: second / 3_600, count: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digits: second / 60 % 60, count: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digits: second % 60, count: 2)
    }

    /// Appends the time of day in UTC to the millisecond, such as `12:00:00.123`.
    package func appendTimeOfDay(to bytes: inout [UInt8]) {
        let instant = printable
        instant.appendTime(to: &bytes)
        bytes.append(UInt8(ascii: "."))
        bytes.append(digits: Int(instant.microseconds - instant.seconds * 1_000_000) / 1_000, count: 3)
    }
}

/// The English names of RFC 9110 section 5.6.7.
enum CalendarNames {
    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    static let wholeWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension CivilDate {
    /// Appends `YYYY-MM-DD`; the year must have four digits.
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(digits: year, count: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digits: month, count: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digits: day, count: 2)
    }
}

extension [UInt8] {
    /// Appends the last digits of a number that is not negative, with zeros in front.
    ///
    /// Inlined with a literal `count`, so that it comes down to a few divisions by constants.
    @inline(__always)
    fileprivate mutating func append(digits value: Int, count: Int) {
        let number = UInt32(truncatingIfNeeded: value)
        var divisor: UInt32 = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            append(0x30 &+ UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
