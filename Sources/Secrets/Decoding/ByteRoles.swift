/// Tables of the roles that a byte can have in a coding, by its value.
enum ByteRoles {
    /// The role of a byte in a run of Base64; no bit if it belongs to none.
    enum Run {
        static let coded: UInt8 = 1
        static let lineEnd: UInt8 = 2
        /// `-` or `_`, which occur in words too.
        static let dash: UInt8 = 4
        /// `+` or `/`, which end a word.
        static let slash: UInt8 = 8
    }

    /// The role of a byte that begins or ends something other than Base64.
    enum Sign {
        /// A blank, a quote, an angle bracket or a control character.
        static let blank: UInt16 = 1
        /// The separator of decoded pieces, or a zero.
        static let separator: UInt16 = 2
        static let percent: UInt16 = 4
        static let backslash: UInt16 = 8
        static let ampersand: UInt16 = 16
        static let equals: UInt16 = 32
        /// The first byte of a character that looks like one of ASCII, or like nothing.
        static let lookAlike: UInt16 = 64
        static let zero: UInt16 = 128
        /// The first byte of gzip or zlib data.
        static let packed: UInt16 = 256
    }

    /// The line ends that may stand inside Base64.
    static let lineEnd: UInt8 = 64
    /// No character of Base64.
    static let other: UInt8 = 255

    /// The six bits of a character of Base64, in the standard alphabet or in the one for URLs.
    static let sextets: [UInt8] = {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var table = [UInt8](repeating: other, count: 256)
        for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
        (table[0x2D], table[0x5F], table[0x0D], table[0x0A]) = (62, 63, lineEnd, lineEnd)
        return table
    }()

    /// The value of a hexadecimal digit, or `other`.
    static let digits: [UInt8] = (0..<256).map { byte in
        switch byte {
        case 0x30...0x39: UInt8(byte - 0x30)
        case 0x41...0x46, 0x61...0x66: UInt8(byte & 0x0F + 9)
        default: other
        }
    }

    static let runs: [UInt8] = (0..<256).map { byte in
        guard sextets[byte] != other else { return 0 }
        return switch byte {
        case 0x0A, 0x0D: Run.coded | Run.lineEnd
        case 0x2D, 0x5F: Run.coded | Run.dash
        case 0x2B, 0x2F: Run.coded | Run.slash
        default: Run.coded
        }
    }

    static let signs: [UInt16] = (0..<256).map { byte in
        switch byte {
        case 0: Sign.blank | Sign.separator | Sign.zero
        case 1: Sign.blank | Sign.separator
        case 0x1F: Sign.blank | Sign.packed
        case 2...0x20, 0x22, 0x3C, 0x3E: Sign.blank
        case 0x25: Sign.percent
        case 0x26: Sign.ampersand
        case 0x3D: Sign.equals
        case 0x5C: Sign.backslash
        case 0x78: Sign.packed
        case 0xC2, 0xD9, 0xDB, 0xE2, 0xEF: Sign.lookAlike
        default: 0
        }
    }
}
