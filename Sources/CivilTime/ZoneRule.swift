/// The rule of a POSIX `TZ` text, as the footer of a zone file has it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable, Equatable {
    /// A day of the year and a second on it, by the clock on the wall.
    private struct Change: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            /// The n-th such weekday of a month; 5 is the last one. Sunday is 0.
            case weekday(month: Int, week: Int, day: Int)
            /// 1 to 365, February 29 never counted.
            case julian(Int)
            /// 0 to 365.
            case ordinal(Int)
        }

        var day: Day
        var second: Int64

        func second(inYear year: Int) -> Int64 {
            func start(_ month: Int) -> Int64 { CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0 }
            let days: Int64
            switch day {
            case .weekday(let month, let week, let weekday):
                let first = start(month)
                // 1970-01-01 was a Thursday.
                let firstWeekday = Int((first + 4) - (first + 4).flooredQuotient(7) * 7)
                var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                if day >= CivilDate.daysInMonth(month, ofYear: year) { day -= 7 }
                days = first + Int64(day)
            case .julian(let number):
                days = start(1) + Int64(number - 1) + (CivilDate.isLeap(year) && number > 59 ? 1 : 0)
            case .ordinal(let number): days = start(1) + Int64(number)
            }
            return days * 86_400 + second
        }
    }

    static let utc = ZoneRule(standard: 0)

    private var standard: Int64
    private var summer: Int64
    private var changes: (start: Change, end: Change)?

    private init(standard: Int64) {
        self.standard = standard
        summer = standard
    }

    static func == (left: ZoneRule, right: ZoneRule) -> Bool {
        left.standard == right.standard && left.summer == right.summer && left.changes?.start == right.changes?.start
            && left.changes?.end == right.changes?.end
    }

    /// Reads the POSIX form with the extension of RFC 9636 (hours from -167 to 167); nil if it is none.
    init?(posix text: Substring) {
        var reader = ZoneRuleReader(text)
        guard reader.skipName(), let west = reader.time() else { return nil }
        self.init(standard: -west)
        if reader.isAtEnd { return }
        guard reader.skipName() else { return nil }
        summer = standard + 3_600
        if !reader.isNext(",") {
            guard let west = reader.time() else { return nil }
            summer = -west
        }
        guard reader.skip(","), let start = Self.change(&reader), reader.skip(","), let end = Self.change(&reader),
            reader.isAtEnd
        else { return nil }
        changes = (start, end)
    }

    private static func change(_ reader: inout ZoneRuleReader) -> Change? {
        let day: Change.Day
        if reader.skip("M") {
            guard let month = reader.number(), (1...12).contains(month), reader.skip("."), let week = reader.number(),
                (1...5).contains(week), reader.skip("."), let weekday = reader.number(), (0...6).contains(weekday)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else if reader.skip("J") {
            guard let number = reader.number(), (1...365).contains(number) else { return nil }
            day = .julian(number)
        } else {
            guard let number = reader.number(), (0...365).contains(number) else { return nil }
            day = .ordinal(number)
        }
        guard reader.skip("/") else { return Change(day: day, second: 7_200) }
        return reader.time().map { Change(day: day, second: $0) }
    }

    /// Seconds east of UTC at a second since 1970.
    func offset(at second: Int64) -> Int64 {
        guard let changes else { return standard }
        let year = Instant(seconds: second.addingClamped(standard)).civilDate.year
        // The clock on the wall shows standard time before the start, and summer time before the end.
        let start = changes.start.second(inYear: year) - standard
        let end = changes.end.second(inYear: year) - summer
        let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
        return isSummer ? summer : standard
    }
}

/// Reads a POSIX `TZ` text from the front.
struct ZoneRuleReader {
    private var rest: Substring.UTF8View

    init(_ text: Substring) { rest = text.utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Unicode.Scalar) -> Bool { rest.first.map(UInt32.init) == character.value }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A name: letters, or anything between angle brackets.
    mutating func skipName() -> Bool {
        if skip("<") {
            while let byte = rest.first, byte != UInt8(ascii: ">") { rest = rest.dropFirst() }
            return skip(">")
        }
        let letters = rest.prefix { ($0 | 0x20) &- 0x61 < 26 }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    mutating func number() -> Int? {
        let digits = rest.prefix { $0 &- 0x30 < 10 }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    /// `[+-]h[:mm[:ss]]` in seconds.
    mutating func time() -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number() else { return nil }
        var seconds = Int64(hours) * 3_600
        for unit in [Int64(60), 1] where skip(":") {
            guard let value = number() else { return nil }
            seconds += Int64(value) * unit
        }
        return isNegative ? -seconds : seconds
    }
}
