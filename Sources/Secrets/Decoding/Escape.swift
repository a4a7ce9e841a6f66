/// The escapes of URLs, JSON and HTML, quoted-printable, and characters that look like those of ASCII.
enum Escape {
    /// An escape that stands for a byte (nil for nothing), and its length.
    typealias Meaning = (byte: UInt8?, length: Int)

    /// Returns the meaning of the escape at a place; nil if there is none.
    static func meaning(in text: [UInt8], at place: Int) -> Meaning? {
        switch text[place] {
        case 0x25: percent(text, place)
        case 0x26: reference(text, place)
        case 0x3D: quoted(text, place)
        case 0x5C: backslash(text, place)
        default: lookAlike(text, place)
        }
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        let digit = ByteRoles.digits[Int(byte)]
        return digit < 16 ? digit : nil
    }

    /// Returns the number written in hexadecimal digits at a place.
    private static func number(_ text: [UInt8], _ start: Int, _ digits: Int) -> UInt32? {
        guard start + digits <= text.count else { return nil }
        var number: UInt32 = 0
        for place in start..<(start + digits) {
            guard let digit = digit(text[place]) else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }

    private static func byte(_ number: UInt32) -> UInt8 { number < 0x100 ? UInt8(number) : 0x3F }

    private static func percent(_ text: [UInt8], _ place: Int) -> Meaning? {
        guard place + 2 < text.count else { return nil }
        if text[place + 1] | 0x20 == 0x75 { return number(text, place + 2, 4).map { (byte($0), 6) } }
        return number(text, place + 1, 2).map { (byte($0), 3) }
    }

    private static func backslash(_ text: [UInt8], _ place: Int) -> Meaning? {
        guard place + 1 < text.count else { return nil }
        switch text[place + 1] {
        case 0x6E: return (0x0A, 2)
        case 0x72: return (0x0D, 2)
        case 0x74: return (0x09, 2)
        case 0x62, 0x66: return (0x20, 2)
        case 0x22, 0x27, 0x2F, 0x5C, 0x2D, 0x2E, 0x5F, 0x7C, 0x3D, 0x2B: return (text[place + 1], 2)
        case 0x78: return number(text, place + 2, 2).map { (byte($0), 4) }
        case 0x75:
            if let code = number(text, place + 2, 4) { return (byte(code), 6) }
            // Newer languages put the digits in braces.
            guard place + 2 < text.count, text[place + 2] == 0x7B else { return nil }
            for digits in 1...6 where place + 3 + digits < text.count && text[place + 3 + digits] == 0x7D {
                return number(text, place + 3, digits).map { (byte($0), 4 + digits) }
            }
            return nil
        default: return nil
        }
    }

    // MARK: HTML

    /// Named references of HTML for characters that occur in a secret or around one, by the length of the name.
    private static let names: [[(name: [UInt8], byte: UInt8)]] = {
        let names: [(String, UInt8)] = [
            ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("sol", 0x2F), ("bsol", 0x5C),
            ("period", 0x2E), ("lowbar", 0x5F), ("UnderBar", 0x5F), ("vert", 0x7C), ("verbar", 0x7C),
            ("VerticalLine", 0x7C), ("equals", 0x3D), ("plus", 0x2B), ("percnt", 0x25), ("num", 0x23), ("colon", 0x3A),
            ("semi", 0x3B), ("comma", 0x2C), ("commat", 0x40), ("hyphen", 0x2D), ("dash", 0x2D), ("Tab", 0x09),
            ("NewLine", 0x0A), ("lpar", 0x28), ("rpar", 0x29), ("quest", 0x3F), ("nbsp", 0x20),
        ]
        return (0...14).map { length in names.filter { $0.0.utf8.count == length }.map { (Array($0.0.utf8), $0.1) } }
    }()

    private static func reference(_ text: [UInt8], _ place: Int) -> Meaning? {
        var next = place + 1
        guard next < text.count else { return nil }
        guard text[next] == 0x23 else {
            while next < text.count, next - place < 15, (text[next] | 0x20) &- 0x61 < 26 { next += 1 }
            guard next > place + 1, next < text.count, text[next] == 0x3B else { return nil }
            let name = text[(place + 1)..<next]
            return names[name.count].first { name.elementsEqual($0.name) }.map { ($0.byte, next + 1 - place) }
        }
        next += 1
        let isHex = next < text.count && text[next] | 0x20 == 0x78
        if isHex { next += 1 }
        var number: UInt32 = 0
        let first = next
        while next < text.count, next - first < 8, let digit = digit(text[next]), isHex || digit < 10 {
            number = number &* (isHex ? 16 : 10) &+ UInt32(digit)
            next += 1
        }
        guard next > first else { return nil }
        if next < text.count, text[next] == 0x3B { next += 1 }
        return (byte(number), next - place)
    }

    // MARK: Quoted-printable

    private static func quoted(_ text: [UInt8], _ place: Int) -> Meaning? {
        guard place + 1 < text.count else { return nil }
        // A soft line break: the line continues in the next one.
        if text[place + 1] == 0x0A { return (nil, 2) }
        guard place + 2 < text.count else { return nil }
        if text[place + 1] == 0x0D, text[place + 2] == 0x0A { return (nil, 3) }
        if text[place + 1] == 0x20 || text[place + 1] == 0x09 { return softBreak(text, place) }
        return number(text, place + 1, 2).map { (byte($0), 3) }
    }

    /// A soft line break with blanks before the line end, which a decoder omits (RFC 2045, section 6.7).
    private static func softBreak(_ text: [UInt8], _ place: Int) -> Meaning? {
        // A line has at most 76 characters.
        let last = min(text.count, place + 76)
        var next = place + 1
        while next < last, text[next] == 0x20 || text[next] == 0x09 { next += 1 }
        if next + 1 < last, text[next] == 0x0D, text[next + 1] == 0x0A { return (nil, next + 2 - place) }
        return next < last && text[next] == 0x0A ? (nil, next + 1 - place) : nil
    }

    // MARK: Look-alikes

    private static func lookAlike(_ text: [UInt8], _ place: Int) -> Meaning? {
        func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }
        switch text[place] {
        // No-break blank, soft hyphen.
        case 0xC2: return byte(1) == 0xA0 ? (0x20, 2) : byte(1) == 0xAD ? (nil, 2) : nil
        // Arabic digits, and those of Persian and Urdu.
        case 0xD9: return byte(1) &- 0xA0 < 10 ? (byte(1) - 0xA0 + 0x30, 2) : nil
        case 0xDB: return byte(1) &- 0xB0 < 10 ? (byte(1) - 0xB0 + 0x30, 2) : nil
        case 0xE2:
            switch (byte(1), byte(2)) {
            // Blanks of other widths.
            case (0x80, 0x80...0x8A), (0x80, 0xAF), (0x81, 0x9F): return (0x20, 3)
            // Marks without width, and marks of direction.
            case (0x80, 0x8B...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA0), (0x81, 0xA6...0xA9): return (nil, 3)
            // Quotes.
            case (0x80, 0x98...0x9B): return (0x27, 3)
            case (0x80, 0x9C...0x9F): return (0x22, 3)
            // Hyphens, dashes and the minus sign.
            case (0x80, 0x90...0x95), (0x88, 0x92): return (0x2D, 3)
            default: return nil
            }
        case 0xEF:
            switch (byte(1), byte(2)) {
            case (0xBB, 0xBF): return (nil, 3)
            // Letters of full width, `！` to `＿`, and `ａ` to `～`.
            case (0xBC, 0x81...0xBF): return (byte(2) - 0x60, 3)
            case (0xBD, 0x80...0x9E): return (byte(2) - 0x20, 3)
            default: return nil
            }
        default: return nil
        }
    }
}
