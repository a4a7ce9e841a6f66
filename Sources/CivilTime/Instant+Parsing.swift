extension Instant {
    /// Returns the instant of an RFC 3339 text, or nil for any other text.
    ///
    /// Strict: the zone is there (`Z` or `±hh:mm`, at most 23:59), a fraction has one to nine digits (cut to
    /// microseconds), the day exists, and neither hour 24 nor second 60 is accepted.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - allowLowercase: Whether `t` and `z` are accepted too, as RFC 3339 section 5.6 permits.
    package init?(iso8601 text: String, allowLowercase: Bool = false) {
        var cursor = DateTimeCursor(text)
        guard let date = cursor.date() else { return nil }
        guard cursor.skip(UInt8(ascii: "T")) || allowLowercase && cursor.skip(UInt8(ascii: "t")) else { return nil }
        guard let second = cursor.timeOfDay() else { return nil }
        var fraction: Int64 = 0
        if cursor.skip(UInt8(ascii: ".")) {
            guard let microseconds = cursor.fraction() else { return nil }
            fraction = microseconds
        }
        guard let offset = cursor.zoneOffset(allowLowercase: allowLowercase), cursor.isAtEnd else { return nil }
        // Years of four digits stay far inside the range of 64 bits.
        self.init(microseconds: (date.daysSinceEpoch * 86_400 + second - offset) * 1_000_000 + fraction)
    }

    /// The instant of an RFC 3339 text, or 00:00:00 UTC of a day such as `2025-01-01`; nil for anything else.
    package init?(isoDayOrDateTime text: String) {
        var cursor = DateTimeCursor(text)
        if let date = cursor.date(), cursor.isAtEnd {
            self.init(startOf: date)
        } else {
            self.init(iso8601: text)
        }
    }

    /// The instant of an HTTP date in its one current form (IMF-fixdate, RFC 9110 section 5.6.7), or nil.
    ///
    /// The name of the day has to be the right one.
    package init?(httpDate text: String) {
        var cursor = DateTimeCursor(text)
        guard let weekday = cursor.name(from: CalendarNames.weekdays), cursor.skip(", "), let day = cursor.digits(2),
            cursor.skip(" "), let month = cursor.name(from: CalendarNames.months), cursor.skip(" "),
            let year = cursor.digits(4), cursor.skip(" "), let second = cursor.timeOfDay(), cursor.skip(" GMT"),
            cursor.isAtEnd, let date = CivilDate(year: year, month: month + 1, day: day),
            date.weekday.rawValue == weekday + 1
        else { return nil }
        self.init(seconds: date.daysSinceEpoch * 86_400 + second)
    }

    /// The instant of an HTTP date in any form that a recipient takes: the current one, or one of the two obsolete ones
    /// (RFC 9110 section 5.6.7); nil for anything else.
    ///
    /// The name of the day has to be the right one. It decides the century of a year of two digits.
    package init?(receivedHTTPDate text: String) {
        guard let instant = Instant(httpDate: text) ?? Instant(rfc850: text) ?? Instant(asctime: text) else {
            return nil
        }
        self = instant
    }

    /// The instant of a text such as `Sunday, 06-Nov-94 08:49:37 GMT`.
    private init?(rfc850 text: String) {
        var cursor = DateTimeCursor(text)
        guard let weekday = cursor.name(from: CalendarNames.wholeWeekdays), cursor.skip(", "),
            let day = cursor.digits(2), cursor.skip("-"), let month = cursor.name(from: CalendarNames.months),
            cursor.skip("-"), let year = cursor.digits(2), cursor.skip(" "), let second = cursor.timeOfDay(),
            cursor.skip(" GMT"), cursor.isAtEnd
        else { return nil }
        // The same day of two centuries never has the same name.
        for century in [2_000, 1_900, 2_100] {
            guard let date = CivilDate(year: century + year, month: month + 1, day: day),
                date.weekday.rawValue == weekday + 1
            else { continue }
            self.init(seconds: date.daysSinceEpoch * 86_400 + second)
            return
        }
        return nil
    }

    /// The instant of a text such as `Sun Nov  6 08:49:37 1994`.
    private init?(asctime text: String) {
        var cursor = DateTimeCursor(text)
        guard let weekday = cursor.name(from: CalendarNames.weekdays), cursor.skip(" "),
            let month = cursor.name(from: CalendarNames.months), cursor.skip(" "),
            let day = cursor.skip(" ") ? cursor.digits(1) : cursor.digits(2), cursor.skip(" "),
            let second = cursor.timeOfDay(), cursor.skip(" "), let year = cursor.digits(4), cursor.isAtEnd,
            let date = CivilDate(year: year, month: month + 1, day: day), date.weekday.rawValue == weekday + 1
        else { return nil }
        self.init(seconds: date.daysSinceEpoch * 86_400 + second)
    }
}

/// Reads fixed forms from the front of a text.
struct DateTimeCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    var first: UInt8? { rest.first }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    /// Exactly that many digits.
    mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    /// All digits that come next.
    mutating func digitRun() -> ArraySlice<UInt8> {
        let digits = rest.prefix { $0 &- 0x30 < 10 }
        rest.removeFirst(digits.count)
        return digits
    }

    /// One to nine digits after a decimal point, in microseconds, cut.
    mutating func fraction() -> Int64? {
        let digits = digitRun()
        guard (1...9).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for place in 0..<6 {
            let digit = place < digits.count ? digits[digits.startIndex + place] &- 0x30 : 0
            value = value * 10 + Int64(digit)
        }
        return value
    }

    /// The place of the name in the list that comes next.
    mutating func name(from names: [String]) -> Int? {
        guard let place = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
        rest.removeFirst(names[place].utf8.count)
        return place
    }

    /// `YYYY-MM-DD` of a day that exists.
    mutating func date() -> CivilDate? {
        guard let year = digits(4), skip(UInt8(ascii: "-")), let month = digits(2), skip(UInt8(ascii: "-")),
            let day = digits(2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// `hh:mm:ss` in seconds, up to 23:59:59.
    mutating func timeOfDay() -> Int64? {
        guard let hour = digits(2), hour < 24, skip(UInt8(ascii: ":")), let minute = digits(2), minute < 60,
            skip(UInt8(ascii: ":")), let second = digits(2), second < 60
        else { return nil }
        return Int64(hour * 3_600 + minute * 60 + second)
    }

    /// `Z` or `±hh:mm`, in seconds east of UTC.
    mutating func zoneOffset(allowLowercase: Bool) -> Int64? {
        if skip(UInt8(ascii: "Z")) || allowLowercase && skip(UInt8(ascii: "z")) { return 0 }
        let isWest = first == UInt8(ascii: "-")
        guard skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-")), let hours = digits(2), hours < 24,
            skip(UInt8(ascii: ":")), let minutes = digits(2), minutes < 60
        else { return nil }
        let offset = Int64(hours * 3_600 + minutes * 60)
        return isWest ? -offset : offset
    }
}
