/// Writes PNGs of any colour type and depth, interlaced or not, uncompressed: what the encoder under test never makes.
struct PNGMaker {
    let width: Int
    let height: Int
    /// 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha.
    let colourType: UInt8
    let depth: Int
    var isInterlaced = false
    var palette: [UInt8] = []
    var transparency: [UInt8] = []
    /// Whole chunks before the data.
    var extra: [UInt8] = []

    var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 1 }

    /// The file, with the sample at each place from `sample(x, y, channel)`.
    func file(_ sample: (Int, Int, Int) -> UInt16) -> [UInt8] {
        var raw: [UInt8] = []
        let passes =
            isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        for (startX, startY, stepX, stepY) in passes where startX < width && startY < height {
            for y in stride(from: startY, to: height, by: stepY) {
                raw.append(0)
                var bits: UInt32 = 0
                var count = 0
                for x in stride(from: startX, to: width, by: stepX) {
                    for channel in 0..<channels {
                        bits = bits << UInt32(depth) | UInt32(sample(x, y, channel))
                        count += depth
                        while count >= 8 {
                            count -= 8
                            raw.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                        }
                    }
                }
                if count > 0 { raw.append(UInt8(truncatingIfNeeded: bits << UInt32(8 - count))) }
            }
        }
        return file(data: Self.stored(raw))
    }

    /// The file with these bytes in its data chunk.
    func file(data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = Self.big(width) + Self.big(height) + [UInt8(depth), colourType, 0, 0, isInterlaced ? 1 : 0]
        result += Self.chunk("IHDR", header)
        if !palette.isEmpty { result += Self.chunk("PLTE", palette) }
        if !transparency.isEmpty { result += Self.chunk("tRNS", transparency) }
        return result + extra + Self.chunk("IDAT", data) + Self.chunk("IEND", [])
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(data.count) + body + big(Int(checksum(body)))
    }

    static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A zlib stream of stored blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            result += block
        } while !rest.isEmpty
        return result + big(Int(adler(bytes)))
    }

    /// A zlib stream of `1 + 258 * repeats` zeros, about 1.6 bytes for each 258 of them.
    static func zeros(repeats: Int) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var bits: UInt32 = 0
        var count: UInt32 = 0
        func put(_ value: UInt32, _ length: UInt32) {
            bits |= value << count
            count += length
            while count >= 8 {
                result.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
        }
        put(0b011, 3)  // last block, fixed codes
        put(0b0000_1100, 8)  // the literal 0 is 00110000, written from its highest bit
        for _ in 0..<repeats {
            put(0b1010_0011, 8)  // length 258 is 11000101
            put(0, 5)  // distance 1
        }
        put(0, 7)  // end of block
        if count > 0 { put(0, 8 - count) }
        // Of zeros alone the first sum stays 1 and the second counts them.
        let second = (1 + 258 * repeats) % 65_521
        return result + big(second << 16 | 1)
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var first: UInt32 = 1
        var second: UInt32 = 0
        for byte in bytes {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return second << 16 | first
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}
