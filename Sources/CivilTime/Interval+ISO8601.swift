/// An error in a text that should be a duration of fixed length.
package enum DurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not `P`, then numbers with unit letters in order.
    case malformed
    /// Years or months, which are not always equally long.
    case calendarUnit
    /// Longer than an `Interval` can be, about 292,000 years.
    case overflow

    /// Bytes of a duration that are looked at; zeros in front could make one any length.
    static let longestText = 1_000

    /// The defect and the correct form; starts in lower case and has no full stop.
    package var description: String {
        switch self {
        case .malformed: "expected an ISO 8601 duration such as P91D, PT2S, P1DT2H3.5S or P2W"
        case .calendarUnit: "years and months have no fixed length here; use days or weeks"
        case .overflow: "the duration is too long"
        }
    }
}

extension Interval {
    /// The length of an ISO 8601 duration in weeks, or in days, hours, minutes and seconds: `P2W`, `P1DT2H3M4.5S`.
    ///
    /// Days have 86,400 seconds. A sign in front is allowed. The last number may have a fraction after a full stop or a
    /// comma, of one to nine digits, cut to microseconds of its unit.
    package init(iso8601Duration text: String) throws(DurationError) {
        guard text.utf8.count <= DurationError.longestText else { throw .overflow }
        var cursor = DateTimeCursor(text)
        let isNegative = cursor.first == UInt8(ascii: "-")
        if !isNegative { _ = cursor.skip(UInt8(ascii: "+")) } else { _ = cursor.skip(UInt8(ascii: "-")) }
        guard cursor.skip(UInt8(ascii: "P")) else { throw .malformed }
        var total = Total()
        try total.addDateParts(from: &cursor)
        if cursor.skip(UInt8(ascii: "T")) { try total.addTimeParts(from: &cursor) }
        guard cursor.isAtEnd, total.parts > 0 else { throw .malformed }
        if isNegative {
            guard total.microseconds <= Int64.min.magnitude else { throw .overflow }
            self.init(microseconds: Int64(truncatingIfNeeded: 0 &- total.microseconds))
        } else {
            guard let microseconds = Int64(exactly: total.microseconds) else { throw .overflow }
            self.init(microseconds: microseconds)
        }
    }

    /// The shortest ISO 8601 duration in days, hours, minutes and seconds, such as `P1DT2H3.5S`; `PT0S` for none.
    package var iso8601: String {
        guard microseconds != 0 else { return "PT0S" }
        let (seconds, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var text = microseconds < 0 ? "-P" : "P"
        if seconds >= 86_400 { text += "\(seconds / 86_400)D" }
        guard seconds % 86_400 > 0 || fraction > 0 else { return text }
        text += "T"
        if seconds / 3_600 % 24 > 0 { text += "\(seconds / 3_600 % 24)H" }
        if seconds / 60 % 60 > 0 { text += "\(seconds / 60 % 60)M" }
        guard seconds % 60 > 0 || fraction > 0 else { return text }
        text += "\(seconds % 60)"
        if fraction > 0 {
            var digits = String(fraction)
            digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
            while digits.utf8.last == 0x30 { digits.removeLast() }
            text += "." + digits
        }
        return text + "S"
    }

    /// The parts of a duration added up, without their sign.
    private struct Total {
        var microseconds: UInt64 = 0
        var parts = 0

        mutating func addDateParts(from cursor: inout DateTimeCursor) throws(DurationError) {
            guard let first = cursor.first, first != UInt8(ascii: "T") else { return }
            let digits = cursor.digitRun()
            if cursor.first == UInt8(ascii: "Y") || cursor.first == UInt8(ascii: "M"), !digits.isEmpty {
                throw .calendarUnit
            }
            let fraction = try fraction(from: &cursor)
            if cursor.skip(UInt8(ascii: "W")) {
                try add(digits, fraction, unit: 604_800_000_000)
                // Weeks stand alone (ISO 8601-1 section 5.5.2).
                guard cursor.isAtEnd else { throw .malformed }
            } else if cursor.skip(UInt8(ascii: "D")) {
                try add(digits, fraction, unit: 86_400_000_000)
                guard fraction == nil || cursor.isAtEnd else { throw .malformed }
            } else {
                throw .malformed
            }
        }

        mutating func addTimeParts(from cursor: inout DateTimeCursor) throws(DurationError) {
            var units: [(letter: UInt8, length: UInt64)] = [
                (UInt8(ascii: "H"), 3_600_000_000), (UInt8(ascii: "M"), 60_000_000), (UInt8(ascii: "S"), 1_000_000),
            ]
            repeat {
                let digits = cursor.digitRun()
                let fraction = try fraction(from: &cursor)
                guard let place = units.firstIndex(where: { $0.letter == cursor.first }) else { throw .malformed }
                let unit = units[place]
                _ = cursor.skip(unit.letter)
                // Larger and equal units may not follow.
                units.removeFirst(place + 1)
                try add(digits, fraction, unit: unit.length)
                guard fraction == nil || cursor.isAtEnd else { throw .malformed }
            } while !cursor.isAtEnd
        }

        /// Millionths, if there is a fraction.
        private func fraction(from cursor: inout DateTimeCursor) throws(DurationError) -> UInt64? {
            guard cursor.skip(UInt8(ascii: ".")) || cursor.skip(UInt8(ascii: ",")) else { return nil }
            guard let millionths = cursor.fraction() else { throw .malformed }
            return UInt64(millionths)
        }

        private mutating func add(
            _ digits: ArraySlice<UInt8>,
            _ millionths: UInt64?,
            unit: UInt64
        ) throws(DurationError) {
            guard !digits.isEmpty else { throw .malformed }
            var count: UInt64 = 0
            for digit in digits {
                let (tens, overflow) = count.multipliedReportingOverflow(by: 10)
                let (sum, carry) = tens.addingReportingOverflow(UInt64(digit &- 0x30))
                guard !overflow, !carry else { throw .overflow }
                count = sum
            }
            let (length, overflow) = count.multipliedReportingOverflow(by: unit)
            guard !overflow else { throw .overflow }
            try add(microseconds: length)
            // A week's microseconds times a million millionths: far from the limit.
            try add(microseconds: unit / 1_000_000 * (millionths ?? 0))
            parts += 1
        }

        private mutating func add(microseconds more: UInt64) throws(DurationError) {
            let (sum, overflow) = microseconds.addingReportingOverflow(more)
            guard !overflow else { throw .overflow }
            microseconds = sum
        }
    }
}
