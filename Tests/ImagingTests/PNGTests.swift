import Imaging
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct PNGTests {
    private static let kinds: [(type: UInt8, depths: [Int])] = [
        (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ]

    /// Any sample of a given depth, as eight bits.
    private static func eightBits(_ sample: UInt16, depth: Int) -> UInt8 {
        let largest = 1 << depth - 1
        return UInt8((Int(sample) * 255 + largest / 2) / largest)
    }

    @Test func `every colour type and depth is read, plain and interlaced`() throws {
        var generator = SeededGenerator(seed: 5)
        for kind in Self.kinds {
            for depth in kind.depths {
                for isInterlaced in [false, true] {
                    let (width, height) = (13, 11)
                    let palette = (0..<(3 << min(depth, 8))).map { _ in UInt8.random(in: 0...255, using: &generator) }
                    let alphas = (0..<(kind.type == 3 ? 1 << depth / 2 : 0)).map { UInt8(truncatingIfNeeded: $0 * 83) }
                    let samples = (0..<(width * height * 4)).map { _ in
                        UInt16(Int.random(in: 0..<(1 << depth), using: &generator))
                    }
                    let maker = PNGMaker(
                        width: width,
                        height: height,
                        colourType: kind.type,
                        depth: depth,
                        isInterlaced: isInterlaced,
                        palette: kind.type == 3 ? palette : [],
                        transparency: alphas
                    )
                    let bytes = maker.file { x, y, channel in samples[4 * (y * width + x) + channel] }
                    let bitmap = try ImageDecoder.decode(bytes, maximumPixels: width * height)
                    for y in 0..<height {
                        for x in 0..<width {
                            let read = samples[(4 * (y * width + x))...].prefix(4)
                            let eight = read.map { Self.eightBits($0, depth: depth) }
                            let expected: [UInt8]
                            switch kind.type {
                            case 0: expected = [eight[0], eight[0], eight[0], 255]
                            case 2: expected = [eight[0], eight[1], eight[2], 255]
                            case 4: expected = [eight[0], eight[0], eight[0], eight[1]]
                            case 6: expected = eight
                            default:
                                let colour = Int(samples[4 * (y * width + x)])
                                expected =
                                    palette[(3 * colour)..<(3 * colour + 3)]
                                    + [alphas.indices.contains(colour) ? alphas[colour] : 255]
                            }
                            // What can't be seen has no colour; what nearly can't, little of it.
                            let unsure = expected[3] == 0 ? 255 : depth < 16 ? 0 : 1
                            let close = zip(bitmap.pixel(x, y), expected).allSatisfy {
                                abs(Int($0) - Int($1)) <= unsure
                            }
                            #expect(
                                close,
                                "type \(kind.type), depth \(depth), (\(x), \(y)), interlaced \(isInterlaced)"
                            )
                        }
                    }
                }
            }
        }
    }

    @Test func `one colour can be declared clear`() throws {
        let grey = PNGMaker(width: 2, height: 1, colourType: 0, depth: 8, transparency: [0, 40])
            .file { x, _, _ in [40, 41][x] }
        try expectEqual(ImageDecoder.decode(grey, maximumPixels: 2).pixels, [40, 40, 40, 0, 41, 41, 41, 255])
        let colour = PNGMaker(width: 2, height: 1, colourType: 2, depth: 8, transparency: [0, 1, 0, 2, 0, 3])
            .file { x, _, channel in UInt16(channel + 1 + x) }
        try expectEqual(ImageDecoder.decode(colour, maximumPixels: 2).pixels, [1, 2, 3, 0, 2, 3, 4, 255])
    }

    @Test func `a PNG cut short anywhere is damaged`() throws {
        let sample = try #require(Bitmap.plain(5, 4, [7, 8, 9, 100])).png()
        for length in 8..<sample.count {
            #expect(throws: ImageDecodingError.self, "\(length)") {
                try ImageDecoder.decode(Array(sample.prefix(length)), maximumPixels: 20)
            }
        }
        let rows = PNGMaker(width: 4, height: 4, colourType: 0, depth: 8)
        #expect(throws: ImageDecodingError.self) {
            try ImageDecoder.decode(rows.file(data: PNGMaker.stored([0, 1, 2, 3, 4])), maximumPixels: 16)
        }
    }

    @Test func `bytes after the end chunk are ignored`() throws {
        let bitmap = try #require(Bitmap.plain(5, 4, [7, 8, 9, 100]))
        try expectEqual(ImageDecoder.decode(bitmap.png() + [1, 2, 3], maximumPixels: 20), bitmap)
    }

    @Test func `a header beyond the limit is refused with its size`() throws {
        let maker = PNGMaker(width: 6, height: 4, colourType: 0, depth: 8)
        let small = maker.file { _, _, _ in 1 }
        try expectEqual(ImageDecoder.decode(small, maximumPixels: 24).width, 6)
        #expect(throws: ImageDecodingError.tooLarge(width: 6, height: 4)) {
            try ImageDecoder.decode(small, maximumPixels: 23)
        }
        func refused(_ width: Int, _ height: Int, maximumPixels: Int) {
            let bytes = PNGMaker(width: width, height: height, colourType: 6, depth: 16).file(data: PNGMaker.stored([]))
            #expect(throws: ImageDecodingError.tooLarge(width: width, height: height)) {
                try ImageDecoder.decode(bytes, maximumPixels: maximumPixels)
            }
        }
        refused(50_000, 50_000, maximumPixels: 64_000_000)
        refused(0x7FFF_FFFF, 0x7FFF_FFFF, maximumPixels: .max)
        refused(65_501, 1, maximumPixels: .max)
        refused(1, 65_501, maximumPixels: .max)
        let none = PNGMaker(width: 0, height: 5, colourType: 0, depth: 8).file(data: [])
        expectNil(ImageDecoder.size(of: none))
        #expect(throws: ImageDecodingError.damaged("no header")) { try ImageDecoder.decode(none, maximumPixels: 9) }
    }

    @Test func `the longest side there is can be read`() throws {
        let bytes = PNGMaker(width: 65_500, height: 1, colourType: 0, depth: 1).file { x, _, _ in UInt16(x % 2) }
        let bitmap = try ImageDecoder.decode(bytes, maximumPixels: 65_500)
        expectEqual(bitmap.pixel(65_499, 0), [255, 255, 255, 255])
    }

    @Test func `a few bytes that announce millions of pixels take no memory`() {
        let bytes = PNGMaker(width: 8_000, height: 8_000, colourType: 6, depth: 8).file(
            data: PNGMaker.zeros(repeats: 9)
        )
        #expect(throws: ImageDecodingError.damaged("too little data for 8000 × 8000 pixels")) {
            try ImageDecoder.decode(bytes, maximumPixels: 64_000_000)
        }
    }

    @Test func `texts that would inflate to hundreds of megabytes are passed over`() throws {
        let bomb = PNGMaker.zeros(repeats: 30_000)
        let texts = (0..<40).flatMap { number -> [UInt8] in
            PNGMaker.chunk("zTXt", Array("bomb\(number)".utf8) + [0, 0] + bomb)
        }
        let maker = PNGMaker(width: 2, height: 1, colourType: 0, depth: 8, extra: texts)
        let before = Self.peakKilobytes()
        try expectEqual(ImageDecoder.decode(maker.file { x, _, _ in UInt16(x) }, maximumPixels: 2).pixel(1, 0)[0], 1)
        #expect(Self.peakKilobytes() - before < 150_000)
    }

    /// The most memory this process has held so far; macOS counts bytes, which only makes the test stricter.
    private static func peakKilobytes() -> Int {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        usage.ru_maxrss /= 1_024
        #endif
        return usage.ru_maxrss
    }

    @Test func `chunks that a decoder must know refuse the file, others don't`() throws {
        func file(_ extra: [UInt8]) -> [UInt8] {
            PNGMaker(width: 1, height: 1, colourType: 0, depth: 8, extra: extra).file { _, _, _ in 9 }
        }
        try expectEqual(
            ImageDecoder.decode(file(PNGMaker.chunk("teSt", [1])), maximumPixels: 1).pixels,
            [9, 9, 9, 255]
        )
        #expect(throws: ImageDecodingError.self) {
            try ImageDecoder.decode(file(PNGMaker.chunk("TeST", [1])), maximumPixels: 1)
        }
    }

    @Test func `no damaged byte makes the decoder crash`() throws {
        let colours = PNGMaker(
            width: 5,
            height: 5,
            colourType: 3,
            depth: 2,
            isInterlaced: true,
            palette: [1, 2, 3, 4, 5, 6, 7, 8, 9],
            transparency: [0, 100]
        )
        let samples = [
            colours.file { x, y, _ in UInt16((x + y) % 3) },
            PNGMaker(width: 3, height: 3, colourType: 6, depth: 16).file { x, y, _ in UInt16(x * 9_999 + y) },
            try #require(Bitmap.plain(9, 9, [1, 2, 3, 4])).png(),
        ]
        for sample in samples {
            for index in sample.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF, sample[index] ^ 0x20, sample[index] &+ 1] {
                    var bytes = sample
                    bytes[index] = value
                    if let bitmap = try? ImageDecoder.decode(bytes, maximumPixels: 100_000) {
                        expectEqual(bitmap.pixels.count, 4 * bitmap.width * bitmap.height)
                    }
                }
            }
        }
    }

    @Test func `the same with checksums that fit`() throws {
        var generator = SeededGenerator(seed: 23)
        for round in 0..<3_000 {
            var data = PNGMaker.stored((0..<24).map { _ in UInt8.random(in: 0...4, using: &generator) })
            data[Int.random(in: data.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            let maker = PNGMaker(
                width: Int.random(in: 0...9, using: &generator),
                height: Int.random(in: 0...9, using: &generator),
                colourType: UInt8.random(in: 0...7, using: &generator),
                depth: [1, 2, 3, 4, 8, 16, 255].randomElement(using: &generator) ?? 8,
                isInterlaced: Bool.random(using: &generator),
                palette: (0..<Int.random(in: 0...12, using: &generator)).map { UInt8($0) },
                transparency: (0..<Int.random(in: 0...7, using: &generator)).map { UInt8($0) }
            )
            if let bitmap = try? ImageDecoder.decode(maker.file(data: data), maximumPixels: 81) {
                expectEqual(bitmap.pixels.count, 4 * bitmap.width * bitmap.height, "round \(round) of seed 23")
            }
        }
    }

    @Test func `bytes of another kind are of unknown format`() {
        for bytes in [[], Array("GIF89a".utf8), Array("<svg/>".utf8), [0xFF, 0xD8], [0x89, 0x50, 0x4E, 0x47]] {
            #expect(throws: ImageDecodingError.unknownFormat) { try ImageDecoder.decode(bytes, maximumPixels: 1) }
            expectNil(ImageDecoder.size(of: bytes))
        }
    }
}
