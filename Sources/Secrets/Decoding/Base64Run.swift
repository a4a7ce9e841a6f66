/// A run of the characters of Base64, whose bytes are read from each of its first four characters on, so that the text
/// before a coded value does not matter.
///
/// The run is decoded once, into groups of four characters. The four readings are the same bits, cut into bytes at four
/// offsets that are six bits apart. Usually all but one of them are noise.
package struct Base64Run {
    /// A part of a reading: whole bytes from one on.
    struct Part {
        let reading: Int
        let bytes: Range<Int>
    }

    /// The first bits of gzip, and their number.
    private static let gzip: (bits: UInt64, count: Int) = (0x1F8B08, 24)
    /// The three whole characters that they cover, which depend on their offset in a character: `4sI`, `+LC`, `fiw`.
    private static let gzipCharacters: (UInt32, UInt32, UInt32) = (0o70_5410, 0o76_1302, 0o37_4260)
    private static let signs: UInt64 = 0x80_8080

    /// Tells whether a byte is a character of Base64, in the standard alphabet or in the one for URLs.
    package static func isCharacter(_ byte: UInt8) -> Bool { ByteRoles.sextets[Int(byte)] < ByteRoles.lineEnd }

    let range: Range<Int>
    /// The number of characters, without line ends.
    private(set) var count = 0
    /// The 24 bits of each group of four characters, ones after the end.
    private var groups: [UInt32] = []
    /// The number of characters before each line, and the line's place in the text.
    private var lines: [(count: Int, place: Int)] = []
    /// The bits at which gzip begins.
    private(set) var gzips: [Int] = []

    init(_ text: [UInt8], _ range: Range<Int>) {
        self.range = range
        let sextets = ByteRoles.sextets
        var groups: [UInt32] = []
        groups.reserveCapacity(range.count / 4 + 3)
        var (group, count, place) = (0 as UInt32, 0, range.lowerBound)
        var candidates: [Int] = []
        while place < range.upperBound {
            lines.append((count, place))
            while place < range.upperBound {
                let sextet = sextets[Int(text[place])]
                place &+= 1
                guard sextet < ByteRoles.lineEnd else { break }
                group = group << 6 | UInt32(sextet)
                count &+= 1
                if count & 3 == 0 { groups.append(group & 0xFF_FFFF) }
                let last = group & 0x3_FFFF
                if last == Self.gzipCharacters.0 || last == Self.gzipCharacters.1 || last == Self.gzipCharacters.2 {
                    candidates.append(count)
                }
            }
        }
        if count & 3 != 0 {
            let missing = UInt32(4 - count & 3) * 6
            groups.append((group << missing | (1 << missing - 1)) & 0xFF_FFFF)
        }
        groups += [0xFF_FFFF, 0xFF_FFFF]
        (self.groups, self.count) = (groups, count)
        for last in candidates {
            // They may begin in the character before the three.
            for bit in stride(from: max(last - 4, 0) * 6, through: (last - 3) * 6, by: 2)
            where bit + Self.gzip.count <= count * 6 && isByte(bit) && bits(at: bit, Self.gzip.count) == Self.gzip.bits
            {
                gzips.append(bit)
            }
        }
    }

    /// Tells whether a byte of one of the four readings can begin at a bit.
    private func isByte(_ bit: Int) -> Bool { bit >= [0, 18, 12, 6][bit % 8 / 2] }

    /// Returns at most 24 bits from a bit on.
    private func bits(at bit: Int, _ count: Int) -> UInt64 {
        let place = bit / 24
        guard place + 1 < groups.count else { return 1 << UInt64(count) - 1 }
        let pair = UInt64(groups[place]) << 24 | UInt64(groups[place + 1])
        return pair >> UInt64(48 - bit % 24 - count) & (1 << UInt64(count) - 1)
    }

    /// Returns the bits of a character.
    func sextet(_ number: Int) -> UInt8 { UInt8(bits(at: number * 6, 6)) }

    /// Returns bytes from a bit on, as many as there are.
    func bytes(fromBit bit: Int, atMost most: Int = .max) -> [UInt8] {
        var bytes: [UInt8] = []
        let length = min(max(count * 6 - bit, 0) / 8, most)
        bytes.reserveCapacity(length)
        add(length, fromBit: bit, to: &bytes)
        return bytes
    }

    /// Adds bytes from a bit on, three at a time.
    private func add(_ length: Int, fromBit bit: Int, to output: inout [UInt8]) {
        let shift = UInt64(24 - bit % 24)
        var place = bit / 24
        var missing = length
        while missing > 0 {
            let group = (UInt64(groups[place]) << 24 | UInt64(groups[place + 1])) &>> shift
            output.append(UInt8(truncatingIfNeeded: group &>> 16))
            if missing > 1 { output.append(UInt8(truncatingIfNeeded: group &>> 8)) }
            if missing > 2 { output.append(UInt8(truncatingIfNeeded: group)) }
            missing &-= 3
            place &+= 1
        }
    }

    // MARK: The four readings

    private func length(of reading: Int) -> Int { max(count - reading, 0) * 6 / 8 }

    /// The four readings as a whole.
    var readings: [Part] { (0..<4).map { Part(reading: $0, bytes: 0..<length(of: $0)) } }

    /// Returns each stretch of at least `shortest` bytes below 128, in all four readings.
    ///
    /// Eight characters of zeros end a stretch too, because no secret contains them, however wide its characters are.
    func stretches(atLeast shortest: Int) -> [Part] {
        var parts: [Part] = []
        // The byte up to which each reading has been taken.
        var floors = SIMD4<Int>.zero
        // The readings of which the group before is text, as bits.
        var before = 0
        var pair = UInt64(groups[0])
        for place in 0..<(groups.count - 1) {
            pair = (pair & 0xFF_FFFF) << 24 | UInt64(groups[place + 1])
            var texts = 0
            if pair != 0 {
                texts =
                    (pair >> 24 & Self.signs == 0 ? 1 : 0) | (pair >> 18 & Self.signs == 0 ? 2 : 0)
                    | (pair >> 12 & Self.signs == 0 ? 4 : 0) | (pair >> 6 & Self.signs == 0 ? 8 : 0)
            }
            // In ten bytes there are two whole groups.
            let both = texts & before
            before = texts
            guard both != 0 else { continue }
            for reading in 0..<4 where both & (1 << reading) != 0 && place * 3 > floors[reading] {
                let part = stretch(reading, around: place, after: floors[reading])
                floors[reading] = part.upperBound
                if part.count >= shortest { parts.append(Part(reading: reading, bytes: part)) }
            }
        }
        return parts
    }

    private func stretch(_ reading: Int, around place: Int, after floor: Int) -> Range<Int> {
        func isText(_ byte: Int) -> Bool { bits(at: reading * 6 + byte * 8, 8) < 0x80 }
        var start = (place - 1) * 3
        while start > floor, isText(start - 1) { start -= 1 }
        var next = place + 1
        while next + 1 < groups.count {
            let pair = UInt64(groups[next]) << 24 | UInt64(groups[next + 1])
            guard pair != 0, pair >> UInt64(24 - 6 * reading) & Self.signs == 0 else { break }
            next += 1
        }
        let last = length(of: reading)
        var end = min(next * 3, last)
        while end < min(next * 3 + 3, last), isText(end) { end += 1 }
        return min(start, end)..<end
    }

    /// Adds the bytes of a part.
    func add(_ part: Part, to output: inout [UInt8]) {
        add(part.bytes.count, fromBit: part.reading * 6 + part.bytes.lowerBound * 8, to: &output)
    }

    // MARK: Places

    /// Returns the place in the text of the characters that make up bytes of a reading.
    func place(of bytes: Range<Int>, reading: Int) -> Range<Int> {
        let start = place(ofCharacter: reading + bytes.lowerBound * 4 / 3)
        return start..<max(place(ofCharacter: reading + (bytes.upperBound * 4 + 2) / 3 - 1) + 1, start)
    }

    private func place(ofCharacter number: Int) -> Int {
        guard number < count else { return range.upperBound - 1 }
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle].count <= number { low = middle } else { high = middle }
        }
        return lines[low].place + number - lines[low].count
    }
}
