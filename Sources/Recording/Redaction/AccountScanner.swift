import Secrets

/// Finds card and bank account numbers, which are confirmed by their check digits.
enum AccountScanner {
    static func find(_ bytes: [UInt8]) -> [SecretScanner.Finding] {
        var findings: [SecretScanner.Finding] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte &- 0x30 < 10 {
                let end = card(bytes, place)
                if let end { findings.append(SecretScanner.Finding(range: place..<end, kind: .token)) }
                place = end ?? place
                while place < bytes.count, bytes[place] &- 0x30 < 10 { place += 1 }
            } else if (byte | 0x20) &- 0x61 < 26 {
                if place + 4 < bytes.count, (bytes[place + 1] | 0x20) &- 0x61 < 26, bytes[place + 2] &- 0x30 < 10,
                    bytes[place + 3] &- 0x30 < 10, let end = account(bytes, place)
                {
                    findings.append(SecretScanner.Finding(range: place..<end, kind: .token))
                    place = end
                    continue
                }
                // The rest of a word can't begin a number.
                while place < bytes.count, isWord(bytes[place]) { place += 1 }
            } else {
                place += 1
            }
        }
        return findings
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte >= 0x80
    }

    private static func isFree(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        if start > 0, isWord(bytes[start - 1]) || bytes[start - 1] == 0x2E || bytes[start - 1] == 0x2D { return false }
        guard end < bytes.count else { return true }
        if [0x2D, 0x2E].contains(bytes[end]), end + 1 < bytes.count, isWord(bytes[end + 1]) { return false }
        return !isWord(bytes[end])
    }

    // MARK: Cards

    /// Returns the end of the card number that begins here: in one piece, or in groups with one blank or hyphen
    /// between.
    private static func card(_ bytes: [UInt8], _ start: Int) -> Int? {
        // Digits inside a longer number can't begin a card number.
        guard (0x33...0x36).contains(bytes[start]) || bytes[start] == 0x32,
            start == 0 || !isWord(bytes[start - 1])
        else { return nil }
        var digits: [UInt8] = []
        var groups: [Int] = [0]
        var place = start
        var separator: UInt8?
        while place < bytes.count, digits.count < 20 {
            if bytes[place] &- 0x30 < 10 {
                digits.append(bytes[place] - 0x30)
                groups[groups.count - 1] += 1
                place += 1
            } else if bytes[place] == 0x20 || bytes[place] == 0x2D, place + 1 < bytes.count,
                bytes[place + 1] &- 0x30 < 10,
                separator == nil || separator == bytes[place], groups[groups.count - 1] >= 4, digits.count < 19
            {
                separator = bytes[place]
                groups.append(0)
                place += 1
            } else {
                break
            }
        }
        let isGrouped = groups.count > 1
        if isGrouped {
            let isFours = groups.dropLast().allSatisfy { $0 == 4 } && groups.last.map { (1...4).contains($0) } == true
            guard isFours || groups == [4, 6, 5] || groups == [4, 6, 4] else { return nil }
        }
        guard isCard(digits), isFree(bytes, start, place) else { return nil }
        return place
    }

    /// Returns true if digits have the prefix and the length of a card issuer, and pass Luhn's test.
    private static func isCard(_ digits: [UInt8]) -> Bool {
        guard (13...19).contains(digits.count) else { return false }
        let first = digits[..<4].reduce(0) { $0 * 10 + Int($1) }
        let fits =
            switch first {
            case 4_000...4_999: [13, 16, 19].contains(digits.count)
            case 5_100...5_599, 2_221...2_720: digits.count == 16
            case 3_400...3_499, 3_700...3_799: digits.count == 15
            case 3_000...3_059, 3_600...3_699, 3_800...3_899: digits.count == 14
            case 3_528...3_589, 6_011, 6_440...6_599: digits.count == 16
            case 5_018, 5_020, 5_038, 5_888, 6_304, 6_759...6_763, 6_200...6_299: (16...19).contains(digits.count)
            default: false
            }
        guard fits, Set(digits).count > 1 else { return false }
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let value = Int(digit) * (place % 2 == 1 ? 2 : 1)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }

    // MARK: Accounts

    /// The lengths of IBANs by country.
    private static let lengths: [String: Int] = [
        "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
        "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
        "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
        "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
        "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
        "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SD": 18,
        "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22,
        "VG": 24, "XK": 20,
    ]

    /// Returns the end of the IBAN that begins here, with blanks or hyphens between its groups or without.
    private static func account(_ bytes: [UInt8], _ start: Int) -> Int? {
        let country = String(decoding: bytes[start..<start + 2], as: UTF8.self).uppercased()
        guard start == 0 || !isWord(bytes[start - 1]), let length = lengths[country] else { return nil }
        var letters: [UInt8] = []
        var place = start
        while place < bytes.count, letters.count < length {
            let byte = bytes[place]
            if byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 {
                letters.append((byte | 0x20) &- 0x61 < 26 ? byte & 0xDF : byte)
                place += 1
            } else if byte == 0x20 || byte == 0x2D, letters.count % 4 == 0, !letters.isEmpty {
                place += 1
            } else {
                return nil
            }
        }
        guard letters.count == length, isFree(bytes, start, place) else { return nil }
        // The country and the check digits move behind the rest; letters count from 10 on (ISO 13616).
        var rest = 0
        for letter in letters[4...] + letters[..<4] {
            let value = letter &- 0x30 < 10 ? Int(letter) - 0x30 : Int(letter) - 0x37
            rest = (rest * (value > 9 ? 100 : 10) + value) % 97
        }
        return rest == 1 ? place : nil
    }
}
