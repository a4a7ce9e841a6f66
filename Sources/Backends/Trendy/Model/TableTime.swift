import Backend
import CivilTime

/// A date as the server of the tables reads it: as PostgreSQL does in ISO forms (contract, section 10.12).
///
/// Words such as `now`, names of zones and of months, `infinity` and years outside 1 to 9999 are refused, although
/// PostgreSQL accepts them.
struct TableTime {
    private var rest: ArraySlice<UInt8>

    private init(_ text: String) { rest = Array(text.utf8)[...] }

    /// The instant of a text, or nil, as a row keeps it.
    static func read(_ text: String) -> Timestamp? { instant(text).map { .at($0) } }

    /// The instant of a text, or nil.
    static func instant(_ text: String) -> Instant? {
        var reader = TableTime(text)
        return reader.instant()
    }

    private static let years =
        Instant(seconds: -62_135_596_800).microseconds...Instant(seconds: 253_402_300_799).microseconds + 999_999

    private mutating func instant() -> Instant? {
        skipBlanks()
        guard let date = date() else { return nil }
        var time: Int64 = 0
        if skip("T") || skip("t") {
            guard let found = timeOfDay() else { return nil }
            time = found
        } else if isBlank, skipBlanks(), let next = rest.first, isDigit(next) {
            guard let found = timeOfDay() else { return nil }
            time = found
        }
        skipBlanks()
        guard let offset = zone() else { return nil }
        skipBlanks()
        guard rest.isEmpty else { return nil }
        let microseconds = (date.daysSinceEpoch * 86_400 - offset) * 1_000_000 + time
        return Self.years.contains(microseconds) ? Instant(microseconds: microseconds) : nil
    }

    /// `2026-11-22` or `20261122`.
    private mutating func date() -> CivilDate? {
        guard let year = digits(4), year > 0 else { return nil }
        let isExtended = skip("-")
        guard let month = digits(2), !isExtended || skip("-"), let day = digits(2) else { return nil }
        if let next = rest.first, isDigit(next) || next == UInt8(ascii: "-") { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// `11:46:24.035`, `11:46`, `114624` or `1146`, in microseconds.
    ///
    /// Second 60 is the next minute's first, and 24:00:00 the next day's.
    private mutating func timeOfDay() -> Int64? {
        guard let hour = digits(2) else { return nil }
        let isExtended = skip(":")
        guard let minute = digits(2) else { return nil }
        var second = 0
        var fraction: Int64 = 0
        if isExtended ? skip(":") : rest.first.map(isDigit) ?? false {
            guard let found = digits(2) else { return nil }
            second = found
            if skip(".") { fraction = fractionOfSecond() }
        }
        if let next = rest.first, isDigit(next) { return nil }
        guard hour <= 24, minute < 60, second <= 60, hour < 24 || (minute == 0 && second == 0 && fraction == 0) else {
            return nil
        }
        return Int64(hour * 3_600 + minute * 60 + second) * 1_000_000 + fraction
    }

    /// The digits after the point in microseconds, rounded half to even if there are more than six.
    private mutating func fractionOfSecond() -> Int64 {
        let digits = rest.prefix(while: isDigit)
        rest.removeFirst(digits.count)
        guard let part = Double("0." + String(decoding: digits, as: UTF8.self)) else { return 0 }
        return Int64((part * 1_000_000).rounded(.toNearestOrEven))
    }

    /// `Z`, `+02`, `+0200`, `+02:00` or `+02:00:00` in seconds east of UTC; 0 if absent.
    private mutating func zone() -> Int64? {
        guard let sign = rest.first else { return 0 }
        if skip("Z") || skip("z") { return 0 }
        guard skip("+") || skip("-") else { return nil }
        guard let hours = digits(2) ?? digits(1) else { return nil }
        var minutes = 0
        var seconds = 0
        if skip(":") {
            guard let found = digits(2) else { return nil }
            minutes = found
            if skip(":") {
                guard let found = digits(2) else { return nil }
                seconds = found
            }
        } else if let found = digits(2) {
            minutes = found
        }
        guard hours <= Self.mostHoursFromUTC, minutes < 60, seconds < 60 else { return nil }
        let offset = Int64(hours * 3_600 + minutes * 60 + seconds)
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    private static let mostHoursFromUTC = 15

    // MARK: Bytes

    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private var isBlank: Bool { rest.first.map { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? false }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        while isBlank { rest.removeFirst() }
        return true
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads exactly `count` digits.
    private mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
}
