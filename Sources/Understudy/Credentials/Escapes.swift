/// Undoes the escapes of addresses, JSON and HTML, and quoted-printable, in a piece of text without blanks.
enum Escapes {
    /// References of HTML by name that stand for a character of a credential or of what surrounds one.
    private static let names: [String: UInt8] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "sol": 0x2F, "bsol": 0x5C, "period": 0x2E,
        "lowbar": 0x5F, "UnderBar": 0x5F, "vert": 0x7C, "verbar": 0x7C, "VerticalLine": 0x7C, "equals": 0x3D,
        "plus": 0x2B,
        "percnt": 0x25, "num": 0x23, "colon": 0x3A, "semi": 0x3B, "comma": 0x2C, "commat": 0x40, "hyphen": 0x2D,
        "dash": 0x2D, "Tab": 0x09, "NewLine": 0x0A, "lpar": 0x28, "rpar": 0x29, "quest": 0x3F,
    ]

    static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// The number of that many hexadecimal digits at a place.
    private static func number(_ base: UnsafePointer<UInt8>, _ start: Int, _ digits: Int, _ end: Int) -> UInt32? {
        guard start + digits <= end else { return nil }
        var number: UInt32 = 0
        for place in start..<(start + digits) {
            guard let digit = hex(base[place]) else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }

    /// What the escape at a place stands for and how long it is; nil where there is none.
    static func escape(
        _ base: UnsafePointer<UInt8>,
        _ place: Int,
        _ end: Int
    ) -> (byte: UInt8?, length: Int)? {
        func byte(_ number: UInt32) -> UInt8 { number < 0x100 ? UInt8(number) : 0x3F }
        guard place + 1 < end else { return nil }
        switch base[place] {
        case 0x25:
            if base[place + 1] | 0x20 == 0x75 { return number(base, place + 2, 4, end).map { (byte($0), 6) } }
            return number(base, place + 1, 2, end).map { (byte($0), 3) }
        case 0x5C:
            switch base[place + 1] {
            case 0x75:
                if let code = number(base, place + 2, 4, end) { return (byte(code), 6) }
                // The form of newer languages has braces.
                guard place + 2 < end, base[place + 2] == 0x7B else { return nil }
                for digits in 1...6 where place + 3 + digits < end && base[place + 3 + digits] == 0x7D {
                    return number(base, place + 3, digits, end).map { (byte($0), 4 + digits) }
                }
                return nil
            case 0x78: return number(base, place + 2, 2, end).map { (byte($0), 4) }
            case 0x6E: return (0x0A, 2)
            case 0x72: return (0x0D, 2)
            case 0x74: return (0x09, 2)
            case 0x62, 0x66: return (0x20, 2)
            case 0x22, 0x27, 0x2F, 0x5C, 0x2D, 0x2E, 0x5F, 0x7C, 0x3D, 0x2B: return (base[place + 1], 2)
            default: return nil
            }
        case 0x26: return reference(base, place, end)
        default: return nil
        }
    }

    private static func reference(
        _ base: UnsafePointer<UInt8>,
        _ place: Int,
        _ end: Int
    ) -> (byte: UInt8?, length: Int)? {
        var at = place + 1
        if base[at] == 0x23 {
            at += 1
            guard at < end else { return nil }
            let isHex = base[at] | 0x20 == 0x78
            if isHex { at += 1 }
            var number: UInt32 = 0
            let first = at
            while at < end, at - first < 8, let digit = hex(base[at]), isHex || digit < 10 {
                number = number &* (isHex ? 16 : 10) &+ UInt32(digit)
                at += 1
            }
            guard at > first else { return nil }
            if at < end, base[at] == 0x3B { at += 1 }
            return (number < 0x100 ? UInt8(number) : 0x3F, at - place)
        }
        let first = at
        while at < end, at - first < 14, base[at] | 0x20 >= 0x61, base[at] | 0x20 <= 0x7A { at += 1 }
        guard at > first, at < end, base[at] == 0x3B else { return nil }
        let name = String(decoding: UnsafeBufferPointer(start: base + first, count: at - first), as: UTF8.self)
        return names[name].map { ($0, at + 1 - place) }
    }

    /// How long the sign of quoted-printable at a place is, and what it stands for.
    static func quoted(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> (byte: UInt8?, length: Int)? {
        guard place + 1 < end else { return nil }
        if base[place + 1] == 0x0A { return (nil, 2) }
        guard place + 2 < end else { return nil }
        if base[place + 1] == 0x0D, base[place + 2] == 0x0A { return (nil, 3) }
        return number(base, place + 1, 2, end).map { (UInt8(truncatingIfNeeded: $0), 3) }
    }

    /// Whether a byte ends a piece of text that is decoded as a whole.
    static func separates(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x22 || byte == 0x3C || byte == 0x3E }

    /// The piece of text around a place; soft line ends belong to it.
    static func piece(_ base: UnsafePointer<UInt8>, _ place: Int, from floor: Int, _ count: Int) -> Range<Int> {
        var start = place
        while start > floor {
            let byte = base[start - 1]
            if separates(byte) {
                guard byte == 0x0A else { break }
                if start >= floor + 2, base[start - 2] == 0x3D {
                    start -= 2
                } else if start >= floor + 3, base[start - 2] == 0x0D, base[start - 3] == 0x3D {
                    start -= 3
                } else {
                    break
                }
            } else {
                start -= 1
            }
        }
        var end = place
        while end < count {
            let byte = base[end]
            if separates(byte) {
                guard end > start, base[end - 1] == 0x3D else { break }
                if byte == 0x0A {
                    end += 1
                } else if byte == 0x0D, end + 1 < count, base[end + 1] == 0x0A {
                    end += 2
                } else {
                    break
                }
            } else {
                end += 1
            }
        }
        return start..<end
    }

    /// Adds what a piece says without its escapes, and without its signs of quoted-printable: each where it has some.
    static func undo(_ base: UnsafePointer<UInt8>, _ piece: Range<Int>, into output: inout [UInt8]) {
        for isQuoted in [false, true] {
            let start = output.count
            var isChanged = false
            var place = piece.lowerBound
            while place < piece.upperBound {
                let sign: (byte: UInt8?, length: Int)? =
                    switch base[place] {
                    case 0x25, 0x5C, 0x26: isQuoted ? nil : escape(base, place, piece.upperBound)
                    case 0x3D: isQuoted ? quoted(base, place, piece.upperBound) : nil
                    default: nil
                    }
                guard let sign else {
                    output.append(base[place])
                    place += 1
                    continue
                }
                isChanged = true
                if let byte = sign.byte { output.append(byte) }
                place += sign.length
            }
            if isChanged { output.append(0x01) } else { output.removeSubrange(start...) }
        }
    }
}
