import Imaging
import TestSupport
import Testing

/// Control contract, section 17: a picture has 64 megapixels in one scan, and pixels times scans at most 200 million.
@Suite(.serialized) struct WorkTests {
    private static let mostPixels = 64_000_000

    private func decodes(_ bytes: [UInt8]) throws(ImageDecodingError) -> Int {
        try ImageDecoder.decode(bytes, maximumPixels: Self.mostPixels).width
    }

    @Test func `17 a picture of 64 megapixels in one scan is read, one of a row more is not`() throws {
        try expectEqual(decodes(CostlyJPEG(width: 8_000, height: 8_000).plain()), 8_000)
        #expect(throws: ImageDecodingError.tooLarge(width: 8_000, height: 8_001)) {
            try decodes(CostlyJPEG(width: 8_000, height: 8_001).plain())
        }
    }

    @Test(arguments: [(2_000, 1_000, 100), (8_000, 2_500, 10), (5_000, 8_000, 5)])
    func `17 pixels times scans are at most 200 million`(width: Int, height: Int, scans: Int) throws {
        try expectEqual(decodes(CostlyJPEG(width: width, height: height).progressive(scans: scans)), width)
        #expect(throws: ImageDecodingError.tooMuchWork(pixels: width * (height + 1), passes: scans)) {
            try decodes(CostlyJPEG(width: width, height: height + 1).progressive(scans: scans))
        }
        #expect(throws: ImageDecodingError.self) {
            try decodes(CostlyJPEG(width: width, height: height).progressive(scans: scans + 1))
        }
    }

    @Test func `17 a scan without data is refused before anything is decoded`() throws {
        #expect(throws: ImageDecodingError.damaged("a scan without data")) {
            try decodes(CostlyJPEG(width: 8_000, height: 8_000).empty())
        }
        // The blocks of a first scan take a bit each at the least.
        let whole = CostlyJPEG(width: 800, height: 800).plain()
        try expectEqual(decodes(whole), 800)
        #expect(throws: ImageDecodingError.damaged("a scan without data")) {
            try decodes(Array(whole.dropLast(2 + 1_251)) + [0xFF, 0xD9])
        }
        #expect(throws: ImageDecodingError.self) {
            try decodes(CostlyJPEG(width: 800, height: 800).progressive(scans: 3, isCut: true))
        }
    }

    @Test func `17 an interlaced PNG is gone over seven times`() throws {
        func file(_ height: Int, isInterlaced: Bool) -> [UInt8] {
            var maker = PNGMaker(width: 5_000, height: height, colourType: 0, depth: 1)
            maker.isInterlaced = isInterlaced
            return maker.file(data: PNGMaker.zeros(repeats: 5_000 * height / 8 / 258))
        }
        #expect(throws: ImageDecodingError.tooMuchWork(pixels: 5_000 * 5_715, passes: 7)) {
            try decodes(file(5_715, isInterlaced: true))
        }
        // Its data is not that of a picture, which is found by decoding it.
        for (height, isInterlaced) in [(5_714, true), (5_715, false)] {
            do throws(ImageDecodingError) {
                _ = try decodes(file(height, isInterlaced: isInterlaced))
            } catch {
                guard case .damaged = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }

    @Test(arguments: [(8, 8, 400), (8, 8, 20_000), (4_000, 4_000, 100_000)])
    func `17 a PNG whose data goes on behind its pixels is refused before that is inflated`(
        width: Int,
        height: Int,
        repeats: Int
    ) throws {
        let maker = PNGMaker(width: width, height: height, colourType: 0, depth: 8)
        let needed = height * (width + 1)
        // All zeros: a picture, and behind it up to 64 KiB that nobody asked for.
        let spare = 64 * 1_024 - 258
        // So much is left to the library, which may complain.
        do throws(ImageDecodingError) {
            try expectEqual(decodes(maker.file(data: PNGMaker.zeros(repeats: (needed + spare) / 258))), width)
        } catch {
            #expect(error != .damaged("data beyond \(width) × \(height) pixels"))
        }
        #expect(throws: ImageDecodingError.damaged("data beyond \(width) × \(height) pixels")) {
            try decodes(maker.file(data: PNGMaker.zeros(repeats: (needed + spare) / 258 + repeats)))
        }
    }
}
