/// Undoes the escapes of addresses, JSON and HTML, and quoted-printable, in a piece of text without blanks.
enum Escapes {
    /// References of HTML by name that stand for a character of a credential or of what surrounds one.
    private static let names: [(name: [UInt8], byte: UInt8)] = [
        ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("sol", 0x2F), ("bsol", 0x5C),
        ("period", 0x2E), ("lowbar", 0x5F), ("UnderBar", 0x5F), ("vert", 0x7C), ("verbar", 0x7C),
        ("VerticalLine", 0x7C), ("equals", 0x3D), ("plus", 0x2B), ("percnt", 0x25), ("num", 0x23), ("colon", 0x3A),
        ("semi", 0x3B), ("comma", 0x2C), ("commat", 0x40), ("hyphen", 0x2D), ("dash", 0x2D), ("Tab", 0x09),
        ("NewLine", 0x0A), ("lpar", 0x28), ("rpar", 0x29), ("quest", 0x3F),
    ].map { (Array($0.utf8), $1) }
    /// The same by the length of the name.
    private static let namesByLength = (0...14).map { length in names.filter { $0.name.count == length } }

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
            let digit = ByteTables.shared.digits[Int(base[place])]
            guard digit < 16 else { return nil }
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
            let plain = ByteTables.shared.backslashed[Int(base[place + 1])]
            if plain != 0 { return (plain, 2) }
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
        let name = UnsafeBufferPointer(start: base + first, count: at - first)
        for known in namesByLength[name.count] where known.name[0] == name[0] && known.name.elementsEqual(name) {
            return (known.byte, at + 1 - place)
        }
        return nil
    }

    /// How long the sign of quoted-printable at a place is, and what it stands for.
    static func quoted(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> (byte: UInt8?, length: Int)? {
        guard place + 1 < end else { return nil }
        if base[place + 1] == 0x0A { return (nil, 2) }
        guard place + 2 < end else { return nil }
        if base[place + 1] == 0x0D, base[place + 2] == 0x0A { return (nil, 3) }
        return number(base, place + 1, 2, end).map { (UInt8(truncatingIfNeeded: $0), 3) }
    }

    /// The piece of text around a place; soft line ends belong to it.
    static func piece(_ base: UnsafePointer<UInt8>, _ place: Int, from floor: Int, _ count: Int) -> Range<Int> {
        let separates = ByteTables.shared.separates
        var start = place
        while start > floor {
            let byte = base[start - 1]
            if separates[Int(byte)] {
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
            if separates[Int(byte)] {
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
    static func undo(_ base: UnsafePointer<UInt8>, _ piece: Range<Int>, into output: DerivedText) {
        var hasEquals = false
        add(base, piece, into: output) { byte, place in
            switch byte {
            case 0x25, 0x5C, 0x26: return escape(base, place, piece.upperBound)
            case 0x3D:
                hasEquals = true
                return nil
            default: return nil
            }
        }
        guard hasEquals else { return }
        add(base, piece, into: output) { byte, place in byte == 0x3D ? quoted(base, place, piece.upperBound) : nil }
    }

    /// Adds a piece with what its signs stand for, if it has some.
    @inline(__always)
    private static func add(
        _ base: UnsafePointer<UInt8>,
        _ piece: Range<Int>,
        into output: DerivedText,
        _ sign: (UInt8, Int) -> (byte: UInt8?, length: Int)?
    ) {
        let isSign = ByteTables.shared.isSign
        // What comes out is never longer than what went in.
        output.append(atMost: piece.count + 1) { text in
            var length = 0
            var isChanged = false
            var place = piece.lowerBound
            while place < piece.upperBound {
                let byte = base[place]
                guard isSign[Int(byte)] != 0, let sign = sign(byte, place) else {
                    text[length] = byte
                    length &+= 1
                    place &+= 1
                    continue
                }
                isChanged = true
                if let byte = sign.byte {
                    text[length] = byte
                    length &+= 1
                }
                place &+= sign.length
            }
            guard isChanged else { return 0 }
            text[length] = 0x01
            return length + 1
        }
    }
}
