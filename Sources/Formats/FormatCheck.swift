import CivilTime

/// The grammars of the known formats, as JSON Schema 2020-12 (section 7.3) refers to them.
enum FormatCheck {
    /// RFC 3339, section 5.6; a leap second is taken.
    static func isDateTime(_ text: String) -> Bool {
        Instant(iso8601: text, allowLowercase: true) != nil || isLeapSecond(text)
    }

    /// Second 60 where the minute exists.
    private static func isLeapSecond(_ text: String) -> Bool {
        guard let range = text.range(ofASCII: ":60") else { return false }
        return Instant(iso8601: text.replacingCharacters(range, with: ":59"), allowLowercase: true) != nil
    }

    static func isDate(_ text: String) -> Bool {
        text.utf8.count == 10 && Instant(iso8601: text + "T00:00:00Z") != nil
    }

    static func isTime(_ text: String) -> Bool { isDateTime("2000-01-01T" + text) }

    /// ISO 8601 durations of RFC 3339, appendix A.
    static func isDuration(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
        var units = Array("YMWD".utf8)[...]
        var hasUnit = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "T") {
                guard units.count < 5, !hasTime(units) else { return false }
                rest.removeFirst()
                units = Array("HMS".utf8)[...]
                hasUnit = false
                guard !rest.isEmpty else { return false }
                return timeUnits(rest)
            }
            guard let unit = number(&rest), let place = units.firstIndex(of: unit) else { return false }
            units = units[(place + 1)...]
            hasUnit = true
        }
        return hasUnit
    }

    private static func hasTime(_ units: ArraySlice<UInt8>) -> Bool { units.first == UInt8(ascii: "H") }

    private static func timeUnits(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        var units = Array("HMS".utf8)[...]
        while !rest.isEmpty {
            guard let unit = number(&rest), let place = units.firstIndex(of: unit) else { return false }
            units = units[(place + 1)...]
        }
        return true
    }

    /// Takes a number, which may have a fraction, and the unit behind it.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        let digits = rest.prefix { isDigit($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            let fraction = rest.dropFirst().prefix { isDigit($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count + 1)
        }
        return rest.popFirst()
    }

    static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { place in
            [8, 13, 18, 23].contains(place) ? bytes[place] == UInt8(ascii: "-") : isHexDigit(bytes[place])
        }
    }

    /// The mailbox of RFC 5321 without quoted names and address literals.
    static func isEmail(_ text: String) -> Bool {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = text[..<at]
        let atoms = local.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard local.utf8.count <= 64, !atoms.isEmpty else { return false }
        let special = Array("!#$%&'*+-/=?^_`{|}~".utf8)
        for atom in atoms {
            guard !atom.isEmpty, atom.allSatisfy({ isLetter($0) || isDigit($0) || special.contains($0) || $0 >= 0x80 })
            else { return false }
        }
        return isHostname(String(text[text.utf8.index(after: at)...]))
    }

    /// RFC 1123: labels of letters, digits and hyphens, 253 characters at most.
    static func isHostname(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
            }
    }

    /// RFC 4291, section 2.2.
    static func isIPv6(_ text: String) -> Bool {
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count >= 3 else { return false }
        var width = 0
        if let last = groups.last, last.utf8.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups[groups.count - 1] = "0"
            width += 1
        }
        // "::" leaves one empty group, at an end two.
        var empty = groups.filter(\.isEmpty).count
        if groups.first?.isEmpty == true {
            guard groups[1].isEmpty else { return false }
            empty -= 1
        }
        if groups.last?.isEmpty == true {
            guard groups[groups.count - 2].isEmpty else { return false }
            empty -= 1
        }
        let filled = groups.filter { !$0.isEmpty }
        guard filled.allSatisfy({ $0.utf8.count <= 4 && $0.utf8.allSatisfy(isHexDigit) }) else { return false }
        width += filled.count
        return empty == 0 ? width == 8 : empty == 1 && width < 8
    }

    /// A URI of RFC 3986 with its scheme.
    static func isURI(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, isLetter(first) else {
            return false
        }
        let special = Array("+-.".utf8)
        guard bytes[..<colon].allSatisfy({ isLetter($0) || isDigit($0) || special.contains($0) }) else { return false }
        let allowed = Array("-._~:/?#[]@!$&'()*+,;=".utf8)
        var place = colon + 1
        var marks = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "%") {
                guard place + 2 < bytes.count, isHexDigit(bytes[place + 1]), isHexDigit(bytes[place + 2]) else {
                    return false
                }
                place += 2
            } else if byte == UInt8(ascii: "#") {
                marks += 1
            } else if !isLetter(byte), !isDigit(byte), !allowed.contains(byte) {
                return false
            }
            place += 1
        }
        return marks <= 1
    }

    /// RFC 4648, section 4, with padding.
    static func isBase64(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count.isMultiple(of: 4) else { return false }
        let content = bytes.reversed().drop { $0 == UInt8(ascii: "=") }
        guard bytes.count - content.count <= 2 else { return false }
        return content.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    }

    /// RFC 4648, section 5, with padding or without.
    static func isBase64URL(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let content = bytes.reversed().drop { $0 == UInt8(ascii: "=") }
        let padding = bytes.count - content.count
        guard content.count % 4 != 1, padding == 0 || padding <= 2 && bytes.count.isMultiple(of: 4) else {
            return false
        }
        return content.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// RFC 4648, section 8.
    static func isBase16(_ text: String) -> Bool {
        text.utf8.count.isMultiple(of: 2) && text.utf8.allSatisfy(isHexDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
}

extension String {
    /// The first place of a short ASCII text.
    fileprivate func range(ofASCII text: StaticString) -> Range<Int>? {
        let wanted = Array("\(text)".utf8)
        let bytes = Array(utf8)
        guard bytes.count >= wanted.count else { return nil }
        for start in 0...(bytes.count - wanted.count) where bytes[start..<start + wanted.count].elementsEqual(wanted) {
            return start..<start + wanted.count
        }
        return nil
    }

    /// The text with some of its bytes replaced.
    fileprivate func replacingCharacters(_ range: Range<Int>, with text: String) -> String {
        var bytes = Array(utf8)
        bytes.replaceSubrange(range, with: text.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
