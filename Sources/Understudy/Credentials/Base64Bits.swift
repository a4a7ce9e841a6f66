/// Decodes runs of Base64 from each of the four positions at which a group can begin, so that the text before a coded
/// value does not matter.
///
/// A run is decoded once, into the bits of its characters. The four readings are the same bits, cut into bytes at four
/// offsets that are two bits apart. Usually all but one of them are noise, and that one is too if the coded content is
/// no text. A secret and each of its forms, apart from the compressed ones, consist of bytes below 128, so only
/// stretches of such bytes are kept.
final class Base64Bits {
    /// More characters than this are decoded in pieces.
    static let piece = 512 * 1_024
    /// The number of characters that a piece shares with the next one.
    static let overlap = 32 * 1_024
    /// The first bits of gzip, and their number.
    private static let gzip: (bits: UInt32, count: Int) = (0x1F8B08, 24)

    private let bytes: UnsafeMutablePointer<UInt8>
    private let capacity: Int

    /// - Parameter length: the length of the text whose runs are decoded.
    init(for length: Int) {
        capacity = min(length, Self.piece) * 3 / 4 + 32
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    // MARK: Decoding

    /// Decodes a run of at most a piece, without line ends; calls `mark` with each position at which a group may hold
    /// the beginning of gzip.
    func decode(_ run: UnsafePointer<UInt8>, _ count: Int, mark: (Int) -> Void) {
        precondition(count * 3 / 4 + 32 <= capacity)
        let groups = ByteTables.shared.groups
        var end = bytes
        var place = 0
        while place &+ 8 <= count {
            let first = Self.group(groups, run + place)
            let second = Self.group(groups, run + place + 4)
            let word = UInt64(first & 0xFF_FFFF) &<< 40 | UInt64(second & 0xFF_FFFF) &<< 16
            UnsafeMutableRawPointer(end).storeBytes(of: word.bigEndian, as: UInt64.self)
            end += 6
            if (first & second) &>> 24 != ByteTables.noGzip {
                if first &>> 24 != ByteTables.noGzip { mark(place) }
                if second &>> 24 != ByteTables.noGzip { mark(place + 4) }
            }
            place &+= 8
        }
        // The rest of the last character belongs to no byte of the first reading, but may belong to one of the others.
        var bit = place * 6
        while bit < count * 6 {
            end.pointee = UInt8(truncatingIfNeeded: Self.bits(run, count, at: bit, 8))
            end += 1
            bit += 8
        }
        // The bytes after the end are no text.
        for _ in 0..<8 {
            end.pointee = 0xFF
            end += 1
        }
    }

    @inline(__always)
    private static func group(_ groups: UnsafePointer<UInt32>, _ run: UnsafePointer<UInt8>) -> UInt32 {
        groups[Int(run[0])] | groups[256 + Int(run[1])] | groups[512 + Int(run[2])] | groups[768 + Int(run[3])]
    }

    /// The bit offsets at which gzip begins in one of the four readings, in or next to the group at a position.
    static func gzips(in run: UnsafePointer<UInt8>, _ count: Int, near place: Int) -> [Int] {
        // The beginning need not lie in the group completely.
        stride(from: max(place - 3, 0) * 6, to: min((place + 4) * 6, count * 6 - gzip.count), by: 2).filter {
            isByte($0) && bits(run, count, at: $0, gzip.count) == gzip.bits
        }
    }

    /// Tells whether a byte of one of the four readings can begin at a bit.
    private static func isByte(_ bit: Int) -> Bool { bit >= [0, 18, 12, 6][bit % 8 / 2] }

    /// Returns at most 24 bits of a run from a bit on, padded with ones after the end.
    private static func bits(_ run: UnsafePointer<UInt8>, _ count: Int, at bit: Int, _ wanted: Int) -> UInt32 {
        let sextets = ByteTables.shared.sextets
        var bits: UInt64 = 0
        let place = bit / 6
        for next in place..<(place + 5) { bits = bits << 6 | UInt64(next < count ? sextets[Int(run[next])] & 63 : 63) }
        return UInt32(truncatingIfNeeded: bits >> UInt64(30 - wanted - bit % 6)) & (1 << UInt32(wanted) - 1)
    }

    /// The bytes of a run from a bit on.
    static func bytes(of run: UnsafePointer<UInt8>, _ count: Int, fromBit bit: Int, atMost most: Int) -> [UInt8] {
        let length = min(max(count * 6 - bit, 0) / 8, most)
        guard length > 0 else { return [] }
        let sextets = ByteTables.shared.sextets
        return [UInt8](unsafeUninitializedCapacity: length) { bytes, filled in
            var place = bit / 6
            var whole = 0
            if bit % 6 == 0 {
                let groups = ByteTables.shared.groups
                while whole + 3 <= length {
                    let group = group(groups, run + place)
                    bytes[whole] = UInt8(truncatingIfNeeded: group &>> 16)
                    bytes[whole + 1] = UInt8(truncatingIfNeeded: group &>> 8)
                    bytes[whole + 2] = UInt8(truncatingIfNeeded: group)
                    whole += 3
                    place += 4
                }
                filled = whole
                guard whole < length else { return }
            }
            var held = 6 - bit % 6
            var group = UInt32(sextets[Int(run[place])])
            for number in whole..<length {
                while held < 8 {
                    place += 1
                    group = group << 6 | UInt32(sextets[Int(run[place])])
                    held += 6
                }
                held -= 8
                bytes[number] = UInt8(truncatingIfNeeded: group >> UInt32(held))
            }
            filled = length
        }
    }

    // MARK: What can be text

    /// Adds each stretch of at least `shortest` bytes below 128, in all four readings of a run of `count` characters.
    ///
    /// Eight zeros end a stretch too, because no secret contains them, however wide its characters are.
    func addTexts(_ count: Int, atLeast shortest: Int, into output: DerivedText) {
        let bits = count * 6
        let ends = (bits / 8, (bits - 2) / 8, (bits - 4) / 8, (bits - 6) / 8)
        // The offset up to which each reading has been taken; the later readings begin with the second, third and
        // fourth character.
        var floors = (0, 2, 1, 0)
        let seven: UInt64 = 0x8080_8080_8080_8000
        var place = 0
        // In ten bytes, seven begin at every fourth place.
        while place < ends.0 {
            let word = word(place)
            let isText =
                word & seven == 0 || word & (seven &>> 2) == 0 || word & (seven &>> 4) == 0
                || word & (seven &>> 6) == 0
            if isText, word != 0 {
                if word & seven == 0 { take(0, place, &floors.0, ends.0, shortest, output) }
                if word & (seven &>> 2) == 0 { take(2, place, &floors.1, ends.1, shortest, output) }
                if word & (seven &>> 4) == 0 { take(4, place, &floors.2, ends.2, shortest, output) }
                if word & (seven &>> 6) == 0 { take(6, place, &floors.3, ends.3, shortest, output) }
            }
            place &+= 4
        }
    }

    /// Adds all four readings whole.
    func addAll(_ count: Int, into output: DerivedText) {
        let bits = count * 6
        for (shift, start) in [(0, 0), (6, 0), (4, 1), (2, 2)] {
            add(UInt64(shift), start, (bits - shift) / 8, output)
        }
    }

    @inline(__always)
    private func word(_ place: Int) -> UInt64 {
        UInt64(bigEndian: UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self))
    }

    private func take(
        _ shift: UInt64,
        _ place: Int,
        _ floor: inout Int,
        _ count: Int,
        _ shortest: Int,
        _ output: DerivedText
    ) {
        guard place >= floor else { return }
        let sign = UInt8(0x80) >> UInt8(shift)
        let signs = 0x8080_8080_8080_8080 as UInt64 >> shift
        // The bytes four positions earlier are known not to belong to the stretch.
        var start = place
        while start > max(floor, place - 3), bytes[start - 1] & sign == 0 { start -= 1 }
        var end = place
        while end + 8 <= count {
            let word = word(end)
            guard word & signs == 0, word != 0 else { break }
            end += 8
        }
        // Eight zeros of the first reading are seven whole ones of another.
        let last = min(end + (end + 8 <= count && word(end) == 0 ? 7 : 8), count)
        while end < last, bytes[end] & sign == 0 { end += 1 }
        floor = end
        if end - start >= shortest { add(shift, start, end, output) }
    }

    /// Adds bytes of a reading, and a separator.
    private func add(_ shift: UInt64, _ start: Int, _ end: Int, _ output: DerivedText) {
        guard start < end else { return }
        output.append(atMost: end - start + 8) { text in
            let target = UnsafeMutableRawPointer(text)
            var place = start
            // Of eight bytes seven are whole when they are shifted.
            while place < end {
                target.storeBytes(of: (word(place) << shift).bigEndian, toByteOffset: place - start, as: UInt64.self)
                place += 7
            }
            text[end - start] = 0x01
            return end - start + 1
        }
    }
}
