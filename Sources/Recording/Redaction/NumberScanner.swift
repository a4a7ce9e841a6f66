import CivilTime
import Secrets

/// Finds phone numbers and personal numbers by their form.
enum NumberScanner {
    /// Finds the numbers; with `takesPseudonyms` the pseudonyms of numbers count, too.
    static func find(_ bytes: [UInt8], takesPseudonyms: Bool = false) -> [SecretScanner.Finding] {
        var findings: [SecretScanner.Finding] = []
        var place = 0
        while place < bytes.count {
            guard isDigit(bytes[place]) else {
                place += 1
                continue
            }
            let start = place
            let isInternational = plus(before: start, bytes) != nil
            if let end = bracketed(start, bytes) {
                findings.append(SecretScanner.Finding(range: start..<end, kind: .phone))
                place = end
                continue
            }
            // Digits with single separators between them; a sequence that is longer than any number is skipped.
            var groups: [Range<Int>] = []
            var end = start
            while end < bytes.count, isDigit(bytes[end]) {
                var stop = end
                while stop < bytes.count, isDigit(bytes[stop]) { stop += 1 }
                groups.append(end..<stop)
                end = stop
                guard
                    let next = separator(
                        after: stop,
                        bytes,
                        isInternational || isLocalPrefix(groups[0], bytes, takesPseudonyms)
                    )
                else { break }
                end = next
            }
            let last = groups[groups.count - 1].upperBound
            let number = found(groups, bytes, isInternational, takesPseudonyms)
            // Another number may follow.
            place = number?.range.upperBound ?? last
            if let number { findings.append(number) }
        }
        return findings
    }

    /// Returns true if the digits of a JSON number are a personal number.
    static func isPersonalNumber(_ digits: ArraySlice<UInt8>) -> Bool { isPersonal(Array(digits)) }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }

    /// Returns the end of a number such as `555) 123-4508`, which begins behind a bracket.
    private static func bracketed(_ start: Int, _ bytes: [UInt8]) -> Int? {
        func digits(_ place: Int, _ count: Int) -> Bool {
            place + count <= bytes.count && bytes[place..<place + count].allSatisfy(isDigit)
        }
        guard start > 0, bytes[start - 1] == 0x28, bytes[start] > 0x31, digits(start, 3), start + 3 < bytes.count,
            bytes[start + 3] == 0x29
        else { return nil }
        var place = start + 4
        if place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x2D { place += 1 }
        guard digits(place, 3), place + 3 < bytes.count, [0x2D, 0x20, 0x2E].contains(bytes[place + 3]),
            digits(place + 4, 4), isFree(place, place + 8, bytes, looksBefore: false)
        else { return nil }
        return place + 8
    }

    /// Returns the start of the plus sign, or of its escape, before a digit.
    private static func plus(before start: Int, _ bytes: [UInt8]) -> Int? {
        if start >= 1, bytes[start - 1] == 0x2B { return start - 1 }
        if start >= 3, bytes[start - 3] == 0x25, bytes[start - 2] == 0x32, bytes[start - 1] | 0x20 == 0x62 {
            return start - 3
        }
        return nil
    }

    /// Returns the place of the next digits behind a separator.
    private static func separator(after stop: Int, _ bytes: [UInt8], _ isInternational: Bool) -> Int? {
        guard stop < bytes.count else { return nil }
        if bytes[stop] == 0x2D || bytes[stop] == 0x2B, stop + 1 < bytes.count, isDigit(bytes[stop + 1]) {
            return stop + 1
        }
        guard isInternational else { return nil }
        var next = stop
        var count = 0
        while next < bytes.count, count < 3 {
            if [0x20, 0x2D, 0x28, 0x29, 0x2E].contains(bytes[next]) {
                next += 1
            } else if bytes[next] == 0x25, bytes[next...].starts(with: [0x25, 0x32, 0x30]) {
                // A space in an address.
                next += 3
            } else {
                break
            }
            count += 1
        }
        return next > stop && next < bytes.count && isDigit(bytes[next]) ? next : nil
    }

    /// Returns true for a prefix such as `070`, `0701` or `050`, after which people write the rest in groups with
    /// spaces.
    private static func isLocalPrefix(_ group: Range<Int>, _ bytes: [UInt8], _ takesPseudonyms: Bool) -> Bool {
        guard (3...5).contains(group.count) else { return false }
        if takesPseudonyms, bytes[group.lowerBound] == 0x39 {
            return bytes[group].dropFirst().allSatisfy { $0 == 0x30 }
        }
        guard bytes[group.lowerBound] == 0x30 else { return false }
        return bytes[group.lowerBound + 1] == 0x35 || bytes[group.lowerBound + 1] == 0x37
    }

    private static func found(
        _ groups: [Range<Int>],
        _ bytes: [UInt8],
        _ isInternational: Bool,
        _ takesPseudonyms: Bool
    ) -> SecretScanner.Finding? {
        let start = groups[0].lowerBound
        let end = groups[groups.count - 1].upperBound
        if isInternational {
            // As many groups as have at most fifteen digits together (E.164).
            var count = 0
            var stop = start
            for group in groups where count + group.count <= 15 && stop <= group.lowerBound {
                count += group.count
                stop = group.upperBound
            }
            if (8...15).contains(count), bytes[start] != 0x30 || count > 8 {
                return SecretScanner.Finding(range: start..<stop, kind: .phone)
            }
        }
        if groups.count > 1, isLocalPrefix(groups[0], bytes, takesPseudonyms),
            let phone = localPhone(groups, bytes, takesPseudonyms)
        {
            return phone
        }
        guard isFree(start, end, bytes) else { return nil }
        func isPseudonym() -> Bool { takesPseudonyms && Self.isPseudonym(groups.flatMap { Array(bytes[$0]) }) }
        if groups.count == 2, groups[1].count == 4, groups[1].lowerBound - groups[0].upperBound == 1,
            [6, 8].contains(groups[0].count), isDate(Array(bytes[groups[0]])) || isPseudonym()
        {
            return SecretScanner.Finding(range: start..<end, kind: .person)
        }
        if groups.count == 3, groups.map(\.count) == [3, 2, 4] {
            return SecretScanner.Finding(range: start..<end, kind: .person)
        }
        // The North American form, 555-123-4508.
        if groups.count == 3, groups.map(\.count) == [3, 3, 4], bytes[start] > 0x31 {
            return SecretScanner.Finding(range: start..<end, kind: .phone)
        }
        guard groups.count == 1 else {
            guard groups.count == 2, isLocalPhone(Array(bytes[groups[0]] + bytes[groups[1]])) else { return nil }
            return SecretScanner.Finding(range: start..<end, kind: .phone)
        }
        let digits = Array(bytes[start..<end])
        if isLocalPhone(digits) || isMobile(digits) { return SecretScanner.Finding(range: start..<end, kind: .phone) }
        guard isPersonal(digits) || (10...17).contains(digits.count) && isPseudonym() else { return nil }
        return SecretScanner.Finding(range: start..<end, kind: .person)
    }

    /// Finds ten digits in groups, whatever follows.
    private static func localPhone(
        _ groups: [Range<Int>],
        _ bytes: [UInt8],
        _ takesPseudonyms: Bool
    ) -> SecretScanner.Finding? {
        var digits: [UInt8] = []
        for group in groups where digits.count < 10 {
            digits += bytes[group]
            guard digits.count == 10 else { continue }
            let range = groups[0].lowerBound..<group.upperBound
            guard isLocalPhone(digits) || takesPseudonyms && isPseudonym(digits),
                isFree(range.lowerBound, range.upperBound, bytes)
            else { return nil }
            return SecretScanner.Finding(range: range, kind: .phone)
        }
        return nil
    }

    /// Returns true for the pseudonym of a number, which is small and has leading zeros.
    static func isPseudonym(_ digits: [UInt8]) -> Bool {
        digits.count >= 9 && (digits[0] == 0x30 || digits[0] == 0x39) && digits[1..<5].allSatisfy { $0 == 0x30 }
    }

    /// Returns true if the digits are not part of a longer word, of a decimal number or of a path of identifiers.
    private static func isFree(_ start: Int, _ end: Int, _ bytes: [UInt8], looksBefore: Bool = true) -> Bool {
        if looksBefore, start > 0 {
            let before = bytes[start - 1]
            if isWord(before) || before == 0x2E || before >= 0x80 { return false }
            if before == 0x2D, start > 1, isWord(bytes[start - 2]) { return false }
        }
        if end < bytes.count {
            let after = bytes[end]
            if isWord(after) || after >= 0x80 { return false }
            if after == 0x2D || after == 0x2E || after == 0x3A, end + 1 < bytes.count, isWord(bytes[end + 1]) {
                return false
            }
        }
        return true
    }

    /// Returns true for `05…` and `07…` of ten digits, and for `00` with a country's code.
    private static func isLocalPhone(_ digits: [UInt8]) -> Bool {
        guard digits.count >= 10, digits[0] == 0x30 else { return false }
        if digits.count == 10 { return digits[1] == 0x35 || digits[1] == 0x37 }
        return digits[1] == 0x30 && digits[2] != 0x30 && (10...17).contains(digits.count)
    }

    /// Mobile numbers of some countries with the country's code and without a plus sign: the code, the digits that may
    /// follow it, and the total number of digits.
    private static let mobiles: [(code: [UInt8], next: [UInt8], count: Int)] = [
        ("966", "5", 12), ("968", "79", 11), ("971", "5", 12), ("973", "36", 11), ("974", "3567", 11),
        ("965", "569", 11),
        ("962", "7", 12), ("20", "1", 12), ("46", "7", 11), ("358", "45", 12),
        ("44", "7", 12), ("49", "1", 13), ("33", "67", 11), ("34", "67", 11), ("31", "6", 11), ("48", "5678", 11),
        ("90", "5", 12), ("91", "6789", 12), ("92", "3", 12), ("353", "8", 12), ("41", "7", 11), ("43", "6", 12),
    ].map { (Array($0.0.utf8), Array($0.1.utf8), $0.2) }

    private static func isMobile(_ digits: [UInt8]) -> Bool {
        // Present-day seconds since 1970 have ten digits.
        guard digits.count > 10 else { return false }
        return mobiles.contains {
            $0.count == digits.count && digits.starts(with: $0.code) && $0.next.contains(digits[$0.code.count])
        }
    }

    /// Returns true for ten or twelve digits with a date, or with the beginning of a national number, and the right
    /// check digit.
    private static func isPersonal(_ digits: [UInt8]) -> Bool {
        switch digits.count {
        case 12: return isDate(Array(digits[..<8])) && passesLuhn(digits[2...])
        case 10:
            guard passesLuhn(digits[...]) else { return false }
            if isDate(Array(digits[..<6])) { return true }
            guard digits[0] == 0x31 || digits[0] == 0x32 else { return false }
            // Present-day seconds since 1970 look the same.
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return !(1_400_000_000...2_100_000_000).contains(number)
        default: return false
        }
    }

    /// Returns true for `YYMMDD` or `YYYYMMDD`; a day over 60 is a coordination number's.
    private static func isDate(_ digits: [UInt8]) -> Bool {
        let values = digits.map { Int($0 - 0x30) }
        let (year, rest) =
            values.count == 8
            ? (values[..<4].reduce(0) { $0 * 10 + $1 }, Array(values[4...]))
            : (2_000 + values[0] * 10 + values[1], Array(values[2...]))
        guard (1_850...2_150).contains(year), rest.count == 4 else { return false }
        let day = rest[2] * 10 + rest[3]
        return CivilDate(year: year, month: rest[0] * 10 + rest[1], day: day > 60 ? day - 60 : day) != nil
    }

    private static func passesLuhn(_ digits: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let value = Int(digit - 0x30) * (place % 2 == 1 ? 2 : 1)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }
}
