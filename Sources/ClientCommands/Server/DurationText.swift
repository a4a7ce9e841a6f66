import CivilTime

/// A duration of a command line: ISO 8601 (`PT15M`), or short (`15m`, `1h30m`, `500ms`).
enum DurationText {
    private static let units: [(name: String, length: Interval)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .minutes(1)), ("h", .hours(1)), ("d", .days(1)),
        ("w", .days(7)),
    ]

    static let form = "a duration such as 15m, 1h30m, 31d, 500ms or PT15M"

    /// Returns the duration as ISO 8601; nil for a text that is none.
    static func iso8601(_ text: String) -> String? {
        if text.hasPrefix("P") || text.hasPrefix("p") {
            let upper = text.uppercased()
            return (try? CalendarDuration(iso8601: upper)) == nil ? nil : upper
        }
        return interval(text)?.iso8601
    }

    /// Returns the length of a duration without months and years; nil for a text that is none.
    static func interval(_ text: String) -> Interval? {
        if text.hasPrefix("P") || text.hasPrefix("p") { return try? Interval(iso8601Duration: text.uppercased()) }
        var rest = text.lowercased()[...]
        guard !rest.isEmpty else { return nil }
        var total = Interval.zero
        // Units stand in falling order, each once: 1h30m, not 30m1h.
        var last = units.count
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest[digits.endIndex...]
            let name = rest.prefix { $0.isLetter }
            rest = rest[name.endIndex...]
            guard let place = units.firstIndex(where: { $0.name == name }), place < last,
                let part = length(String(digits), of: units[place].length)
            else { return nil }
            total = total + part
            last = place
        }
        return total
    }

    /// Reads a decimal number of units; nil for none, and for more than a hundred thousand years.
    private static func length(_ digits: String, of unit: Interval) -> Interval? {
        guard let first = digits.first, let last = digits.last, first != ".", last != ".", digits.utf8.count <= 15,
            let number = Double(digits)
        else { return nil }
        let microseconds = number * Double(unit.microseconds)
        guard microseconds < 3e18 else { return nil }
        return Interval(microseconds: Int64(microseconds.rounded()))
    }
}
