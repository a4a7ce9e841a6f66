import Imaging
import TestSupport
import Testing

struct JPEGTests {
    /// The quarters that the samples show.
    private static let quarters: [[UInt8]] = [
        [220, 30, 30, 255], [30, 200, 40, 255], [40, 50, 210, 255], [230, 220, 40, 255],
    ]

    private static func expectQuarters(_ bitmap: Bitmap, _ comment: String) {
        expectEqual(bitmap.width, 24, comment)
        expectEqual(bitmap.height, 16, comment)
        let corners = [bitmap.pixel(0, 0), bitmap.pixel(23, 0), bitmap.pixel(0, 15), bitmap.pixel(23, 15)]
        for (corner, quarter) in zip(corners, quarters) {
            #expect(zip(corner, quarter).allSatisfy { abs(Int($0) - Int($1)) < 12 }, "\(comment)")
        }
    }

    @Test func `baseline and progressive JPEGs are read`() throws {
        Self.expectQuarters(try ImageDecoder.decode(Samples.baseline, maximumPixels: 384), "baseline")
        Self.expectQuarters(try ImageDecoder.decode(Samples.progressive, maximumPixels: 384), "progressive")
    }

    @Test func `all eight orientations show the same picture`() throws {
        for (index, sample) in Samples.turned.enumerated() {
            Self.expectQuarters(try ImageDecoder.decode(sample, maximumPixels: 384), "tag \(index + 1)")
            let size = try #require(ImageDecoder.size(of: sample))
            expectEqual(size.format, .jpeg)
            expectEqual(size.width, 24)
            expectEqual(size.height, 16)
        }
    }

    @Test func `an orientation that makes no sense is none`() throws {
        let sample = Samples.turned[5]
        // Tag 6 in the big-endian sample: its value lies behind type and count.
        let entry = try #require(sample.indices.first { sample[$0...].starts(with: [1, 0x12, 0, 3, 0, 0, 0, 1]) })
        for (offset, value) in [(9, UInt8(0)), (9, 9), (8, 1), (3, 4), (7, 2), (1, 0x13)] {
            var bytes = sample
            bytes[entry + offset] = value
            let bitmap = try ImageDecoder.decode(bytes, maximumPixels: 384)
            expectEqual(bitmap.width, 16)
            expectEqual(bitmap.height, 24)
        }
    }

    @Test func `grey becomes three equal channels`() throws {
        try expectEqual(
            ImageDecoder.decode(Samples.grey, maximumPixels: 128),
            Bitmap.plain(16, 8, [100, 100, 100, 255])
        )
    }

    @Test func `inks become light, Adobe's inverted ones too`() throws {
        func colour(_ bytes: [UInt8]) throws -> [UInt8] {
            try ImageDecoder.decode(bytes, maximumPixels: 64).pixel(3, 3)
        }
        // (255 − ink) · (255 − black) / 255
        try expectEqual(colour(Samples.ink), [0, 235, 118, 255])
        try expectEqual(colour(Samples.plainInk), [20, 0, 10, 255])
        try expectEqual(colour(Samples.ycck), [127, 127, 127, 255])
    }

    @Test func `a JPEG cut short anywhere is damaged`() {
        for sample in [Samples.baseline, Samples.progressive, Samples.grey, Samples.ink] {
            for length in 3..<sample.count {
                #expect(throws: ImageDecodingError.self, "\(length)") {
                    try ImageDecoder.decode(Array(sample.prefix(length)), maximumPixels: 384)
                }
            }
        }
    }

    @Test func `data cut short before a whole end marker is damaged too`() throws {
        let noise = (0..<(4 * 64 * 64)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let whole = try #require(Bitmap(width: 64, height: 64, pixels: noise)).jpeg(quality: 90)
        #expect(throws: Never.self) { try ImageDecoder.decode(whole, maximumPixels: 4_096) }
        #expect(throws: ImageDecodingError.self) {
            try ImageDecoder.decode(whole.prefix(whole.count / 2) + [0xFF, 0xD9], maximumPixels: 4_096)
        }
    }

    @Test func `harmless oddities don't refuse a good picture`() throws {
        let sample = Samples.baseline
        let end = sample.dropLast(2)
        let good = try ImageDecoder.decode(sample, maximumPixels: 384)
        // Zeros before the end marker, as some cameras write; bytes after it, as panoramas and motion pictures have.
        try expectEqual(ImageDecoder.decode(end + [0, 0, 0, 0xFF, 0xD9], maximumPixels: 384), good)
        try expectEqual(ImageDecoder.decode(end + [0xFF, 0xFF, 0xFF, 0xD9], maximumPixels: 384), good)
        try expectEqual(ImageDecoder.decode(sample + sample + [1, 2, 3], maximumPixels: 384), good)
        try expectEqual(ImageDecoder.decode([0xFF, 0xD8, 0xFF, 0xFF] + sample[3...], maximumPixels: 384), good)
        // An unknown JFIF version.
        var odd = sample
        odd[11] = 3
        try expectEqual(ImageDecoder.decode(odd, maximumPixels: 384), good)
    }

    @Test func `a header beyond the limit is refused with its size`() throws {
        #expect(throws: ImageDecodingError.tooLarge(width: 24, height: 16)) {
            try ImageDecoder.decode(Samples.baseline, maximumPixels: 383)
        }
        var huge = Samples.baseline
        let frame = try #require(huge.indices.first { huge[$0...].starts(with: [0xFF, 0xC0]) })
        huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ImageDecodingError.tooLarge(width: 65_535, height: 65_535)) {
            try ImageDecoder.decode(huge, maximumPixels: 64_000_000)
        }
        #expect(throws: ImageDecodingError.tooLarge(width: 65_535, height: 65_535)) {
            try ImageDecoder.decode(huge, maximumPixels: .max)
        }
        huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0, 0, 0, 0])
        #expect(throws: ImageDecodingError.self) { try ImageDecoder.decode(huge, maximumPixels: .max) }
        expectNil(ImageDecoder.size(of: huge))
    }

    @Test func `more than 100 scans are refused`() throws {
        let sample = Samples.progressive
        let starts = sample.indices.filter { sample[$0...].starts(with: [0xFF, 0xDA]) }
        let last = try #require(starts.last)
        let scan = sample[last..<(sample.count - 2)]
        func error(scans: Int) -> ImageDecodingError? {
            var bytes = Array(sample[..<(sample.count - 2)])
            for _ in starts.count..<scans { bytes += scan }
            do throws(ImageDecodingError) {
                _ = try ImageDecoder.decode(bytes + [0xFF, 0xD9], maximumPixels: 384)
                return nil
            } catch {
                return error
            }
        }
        // A scan sent twice is refused by the decoder itself, for another reason.
        #expect(error(scans: 100) != .damaged("more than 100 scans"))
        expectEqual(error(scans: 101), .damaged("more than 100 scans"))
    }

    @Test func `no damaged byte makes the decoder crash`() {
        for sample in [Samples.baseline, Samples.progressive, Samples.grey, Samples.ink, Samples.turned[5]] {
            for index in sample.indices {
                for value in [0, 1, 0x7F, 0xD9, 0xFF, sample[index] ^ 0x10, sample[index] &+ 1] {
                    var bytes = sample
                    bytes[index] = value
                    if let bitmap = try? ImageDecoder.decode(bytes, maximumPixels: 100_000) {
                        expectEqual(bitmap.pixels.count, 4 * bitmap.width * bitmap.height)
                    }
                    if let size = ImageDecoder.size(of: bytes) { #expect(size.width > 0 && size.height > 0) }
                }
            }
        }
    }
}
