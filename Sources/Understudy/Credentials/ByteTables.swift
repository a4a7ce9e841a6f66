/// Lookup tables with the properties of each byte that the search needs.
///
/// Unchecked: written once, before it is shared.
final class ByteTables: @unchecked Sendable {
    static let shared = ByteTables()

    /// The line ends that may stand inside Base64.
    static let lineEnd: UInt8 = 64
    /// No character of Base64.
    static let other: UInt8 = 255
    /// The value of the high bits of a group that can't belong to the beginning of gzip.
    static let noGzip: UInt32 = 0xF

    /// The role of a byte in a run of Base64.
    enum Kind {
        static let coded: UInt8 = 1
        static let lineEnd: UInt8 = 2
        /// `-` or `_`, which occur in words too.
        static let dash: UInt8 = 4
        /// `+` or `/`, which end a word.
        static let slash: UInt8 = 8
    }

    /// The role of a byte in a text with escapes.
    enum Sign {
        /// Ends a piece of text that is decoded as a whole.
        static let blank: UInt8 = 1
        /// `%`, a backslash or `&`.
        static let escape: UInt8 = 2
        static let equals: UInt8 = 4
    }

    /// The six bits of a character of Base64, in the standard alphabet or in the one for URLs.
    let sextets: UnsafePointer<UInt8>
    /// The role of a byte in a run of Base64, as bits; zero if it belongs to none.
    let kinds: UnsafePointer<UInt8>
    /// The 24 bits of a group of four characters, by each character's position in it.
    ///
    /// The next four bits say whether the character can't belong to the beginning of gzip.
    let groups: UnsafePointer<UInt32>
    /// Tells whether a byte is a lower-case letter or a digit.
    let isShort: UnsafePointer<Bool>
    /// The role of a byte in a text with escapes, as bits.
    let signs: UnsafePointer<UInt8>
    /// The value of a hexadecimal digit; 255 for anything else.
    let digits: UnsafePointer<UInt8>
    /// The character that a backslash and a byte stand for; zero if none.
    let backslashed: UnsafePointer<UInt8>

    private init() {
        func table<Element>(_ count: Int = 256, _ value: (Int) -> Element) -> UnsafePointer<Element> {
            let table = UnsafeMutablePointer<Element>.allocate(capacity: count)
            for place in 0..<count { (table + place).initialize(to: value(place)) }
            return UnsafePointer(table)
        }
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var sextets = [UInt8](repeating: Self.other, count: 256)
        for (value, byte) in alphabet.enumerated() { sextets[Int(byte)] = UInt8(value) }
        sextets[0x2D] = 62
        sextets[0x5F] = 63
        sextets[0x0D] = Self.lineEnd
        sextets[0x0A] = Self.lineEnd
        self.sextets = table { sextets[$0] }
        kinds = table { byte in
            guard sextets[byte] != Self.other else { return 0 }
            let isDash = byte == 0x2D || byte == 0x5F
            let isSlash = byte == 0x2B || byte == 0x2F
            return Kind.coded | (sextets[byte] == Self.lineEnd ? Kind.lineEnd : 0) | (isDash ? Kind.dash : 0)
                | (isSlash ? Kind.slash : 0)
        }
        groups = Self.groups(sextets, table)
        isShort = table { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        signs = table { byte in
            switch byte {
            case 0...0x20, 0x22, 0x3C, 0x3E: Sign.blank
            case 0x25, 0x5C, 0x26: Sign.escape
            case 0x3D: Sign.equals
            default: 0
            }
        }
        digits = table { Escapes.hex(UInt8($0)) ?? Self.other }
        let letters: [Int: UInt8] = [0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x62: 0x20, 0x66: 0x20]
        let signs: Set<Int> = [0x22, 0x27, 0x2F, 0x5C, 0x2D, 0x2E, 0x5F, 0x7C, 0x3D, 0x2B]
        backslashed = table { letters[$0] ?? (signs.contains($0) ? UInt8($0) : 0) }
    }

    private static func groups(
        _ sextets: [UInt8],
        _ table: (Int, (Int) -> UInt32) -> UnsafePointer<UInt32>
    ) -> UnsafePointer<UInt32> {
        // The bytes 1F 8B 08 cover three whole characters: `4sI`, `+LC` or `fiw`, depending on their offset in a group.
        let sets = ["4+-f", "sLi", "ICw"].map { Set($0.utf8) }
        // The expected one of the three at each position, if the group begins a character earlier, with it, or later.
        let places: [[Int?]] = [[0, 1, 2, nil], [nil, 0, 1, 2], [nil, nil, 0, 1], [1, 2, nil, nil]]
        return table(4 * 256) { number in
            let (place, byte) = (number / 256, UInt8(number % 256))
            var group = UInt32(sextets[Int(byte)] & 63) << UInt32(18 - 6 * place)
            for (bit, wanted) in places.enumerated() {
                guard let set = wanted[place], !sets[set].contains(byte) else { continue }
                group |= 1 << UInt32(24 + bit)
            }
            return group
        }
    }
}
