/// Undoes the escapes of URLs, JSON and HTML, and quoted-printable, in a piece of text without blanks.
struct Escapes {
    /// Named references of HTML for characters that occur in a credential or around one.
    private static let names: [(name: [UInt8], byte: UInt8)] = [
        ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("sol", 0x2F), ("bsol", 0x5C),
        ("period", 0x2E), ("lowbar", 0x5F), ("UnderBar", 0x5F), ("vert", 0x7C), ("verbar", 0x7C),
        ("VerticalLine", 0x7C), ("equals", 0x3D), ("plus", 0x2B), ("percnt", 0x25), ("num", 0x23), ("colon", 0x3A),
        ("semi", 0x3B), ("comma", 0x2C), ("commat", 0x40), ("hyphen", 0x2D), ("dash", 0x2D), ("Tab", 0x09),
        ("NewLine", 0x0A), ("lpar", 0x28), ("rpar", 0x29), ("quest", 0x3F),
    ].map { (Array($0.utf8), $1) }
    /// The same, grouped by the length of the name.
    private static let namesByLength = (0...14).map { length in names.filter { $0.name.count == length } }

    private let tables: ByteTables
    private let byLength = Self.namesByLength

    init(_ tables: ByteTables) { self.tables = tables }

    static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// The number written in `digits` hexadecimal digits at a position.
    private func number(_ base: UnsafePointer<UInt8>, _ start: Int, _ digits: Int, _ end: Int) -> UInt32? {
        guard start + digits <= end else { return nil }
        var number: UInt32 = 0
        for place in start..<(start + digits) {
            let digit = tables.digits[Int(base[place])]
            guard digit < 16 else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }

    /// The byte that the escape at a position stands for, and the length of the escape; nil if there is none.
    func escape(
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
            let plain = tables.backslashed[Int(base[place + 1])]
            if plain != 0 { return (plain, 2) }
            switch base[place + 1] {
            case 0x75:
                if let code = number(base, place + 2, 4, end) { return (byte(code), 6) }
                // Newer languages put the digits in braces.
                guard place + 2 < end, base[place + 2] == 0x7B else { return nil }
                for digits in 1...6 where place + 3 + digits < end && base[place + 3 + digits] == 0x7D {
                    return number(base, place + 3, digits, end).map { (byte($0), 4 + digits) }
                }
                return nil
            case 0x78: return number(base, place + 2, 2, end).map { (byte($0), 4) }
            default: return nil
            }
        case 0x26: return reference(base, place, end)
        default: return nil
        }
    }

    private func reference(
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
            while at < end, at - first < 8, let digit = Self.hex(base[at]), isHex || digit < 10 {
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
        let name = UnsafeBufferPointer(start: base + first, count: at - first)
        for known in byLength[name.count] where known.name[0] == name[0] && known.name.elementsEqual(name) {
            return (known.byte, at + 1 - place)
        }
        return nil
    }

    /// The byte and the length of the quoted-printable sequence at a position; nil if there is none.
    func quoted(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> (byte: UInt8?, length: Int)? {
        guard place + 1 < end else { return nil }
        if base[place + 1] == 0x0A { return (nil, 2) }
        guard place + 2 < end else { return nil }
        if base[place + 1] == 0x0D, base[place + 2] == 0x0A { return (nil, 3) }
        if base[place + 1] == 0x20 || base[place + 1] == 0x09 { return softBreak(base, place, end) }
        return number(base, place + 1, 2, end).map { (UInt8(truncatingIfNeeded: $0), 3) }
    }

    /// A soft line break with blanks before the line end, which a decoder omits (RFC 2045, section 6.7).
    private func softBreak(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> (byte: UInt8?, length: Int)? {
        // A line has at most 76 characters.
        let last = min(end, place + 76)
        var at = place + 1
        while at < last, base[at] == 0x20 || base[at] == 0x09 { at += 1 }
        if at + 1 < last, base[at] == 0x0D, base[at + 1] == 0x0A { return (nil, at + 2 - place) }
        return at < last && base[at] == 0x0A ? (nil, at + 1 - place) : nil
    }

    // MARK: Whole texts

    /// Adds the pieces of a text that contain escapes, unescaped, and then those that contain quoted-printable
    /// sequences, decoded.
    ///
    /// Pieces are separated by blanks or quotes; a piece without a sequence is omitted.
    func undo(_ base: UnsafePointer<UInt8>, _ count: Int, into output: DerivedText) {
        typealias Sign = ByteTables.Sign
        add(base, count, Sign.escape, into: output) { escape(base, $0, count) }
        add(base, count, Sign.equals, into: output) { quoted(base, $0, count) }
    }

    @inline(__always)
    private func add(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        _ kind: UInt8,
        into output: DerivedText,
        _ sign: (Int) -> (byte: UInt8?, length: Int)?
    ) {
        let signs = tables.signs
        let stops = kind | ByteTables.Sign.blank
        @inline(__always)
        func kinds(_ block: UnsafePointer<UInt8>) -> UInt8 {
            signs[Int(block[0])] | signs[Int(block[1])] | signs[Int(block[2])] | signs[Int(block[3])]
                | signs[Int(block[4])] | signs[Int(block[5])] | signs[Int(block[6])] | signs[Int(block[7])]
        }
        var place = 0
        // The end of the piece before.
        var floor = 0
        while place < count {
            if place &+ 8 <= count, kinds(base + place) & kind == 0 {
                place &+= 8
                continue
            }
            let end = min(place &+ 8, count)
            while place < end, signs[Int(base[place])] & kind == 0 || sign(place) == nil { place &+= 1 }
            guard place < end else { continue }
            var start = place
            while start > floor, signs[Int(base[start - 1])] & ByteTables.Sign.blank == 0 || isSoft(base, start - 1) {
                start &-= 1
            }
            let plain = place - start
            // The decoded text is never longer than the input.
            output.append(atMost: count - start + 1) { text in
                text.update(from: base + start, count: plain)
                var length = plain
                while place < count {
                    if place &+ 8 <= count, kinds(base + place) & stops == 0 {
                        let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
                        UnsafeMutableRawPointer(text + length).storeBytes(of: word, as: UInt64.self)
                        length &+= 8
                        place &+= 8
                        continue
                    }
                    let byte = base[place]
                    let found = signs[Int(byte)] & stops
                    if found == kind, let sign = sign(place) {
                        if let byte = sign.byte {
                            text[length] = byte
                            length &+= 1
                        }
                        place &+= sign.length
                        continue
                    }
                    if found == ByteTables.Sign.blank, !isSoft(base, place) { break }
                    text[length] = byte
                    length &+= 1
                    place &+= 1
                }
                text[length] = 0x01
                return length + 1
            }
            floor = place
        }
    }

    /// Tells whether a line end is a soft one, which ends no piece.
    private func isSoft(_ base: UnsafePointer<UInt8>, _ place: Int) -> Bool {
        switch base[place] {
        case 0x0D: place > 0 && base[place - 1] == 0x3D
        case 0x0A where place > 0 && base[place - 1] == 0x0D: place > 1 && base[place - 2] == 0x3D
        case 0x0A: place > 0 && base[place - 1] == 0x3D
        default: false
        }
    }
}
