import Imaging
import TestSupport
import Testing

struct EncodingTests {
    @Test func `a PNG gives the same pixels back`() throws {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<150 {
            let made = generator.bitmap(upTo: 40)
            let bitmap = try #require(made)
            let bytes = bitmap.png()
            try expectEqual(ImageDecoder.decode(bytes, maximumPixels: 1_600), bitmap, "round \(round) of seed 11")
            expectEqual(bitmap.png(), bytes)
        }
    }

    @Test func `a PNG takes the smallest form that loses nothing`() throws {
        func form(_ pixels: [UInt8]) throws -> [UInt8] {
            let bitmap = try #require(Bitmap(width: pixels.count / 4, height: 1, pixels: pixels))
            let bytes = bitmap.png()
            try expectEqual(ImageDecoder.decode(bytes, maximumPixels: 10_000), bitmap)
            return Array(bytes[24...25])
        }
        func many(_ count: Int, _ pixel: (UInt8) -> [UInt8]) -> [UInt8] {
            (0..<count).flatMap { pixel(UInt8($0 % 256)) }
        }
        try expectEqual(form([0, 0, 0, 255, 255, 255, 255, 255]), [1, 3])
        try expectEqual(form(many(4) { [$0, 1, 2, $0] }), [2, 3])
        try expectEqual(form(many(16) { [$0, 1, 2, 255] }), [4, 3])
        var generator = SeededGenerator(seed: 2)
        let colours = (0..<4_352).flatMap { _ -> [UInt8] in [UInt8.random(in: 0..<17, using: &generator), 7, 9, 255] }
        try expectEqual(form(colours), [8, 3])
        try expectEqual(form(many(256) { [$0, $0, $0, 255] }), [8, 0])
        try expectEqual(form(many(256) { [$0, $0, $0, 255 - $0] }), [8, 4])
        try expectEqual(form(many(256) { [$0, 0, 0, 255] }), [8, 2])
        try expectEqual(form(many(256) { [$0, 0, 0, 255] } + [1, 1, 1, 1]), [8, 6])
    }

    @Test func `a picture of noise fits its buffer`() throws {
        var generator = SeededGenerator(seed: 3)
        let pixels = (0..<(4 * 300 * 300)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let bitmap = try #require(Bitmap(width: 300, height: 300, pixels: pixels))
        try expectEqual(ImageDecoder.decode(bitmap.png(), maximumPixels: 90_000), bitmap)
        let tall = try #require(Bitmap(width: 1, height: 65_500, pixels: Array(pixels.prefix(262_000))))
        try expectEqual(ImageDecoder.decode(tall.png(), maximumPixels: 65_500), tall)
        #expect(tall.jpeg(quality: 90).count > 1_000)
    }

    @Test func `a JPEG comes near to the picture, nearer at a higher quality`() throws {
        var pixels: [UInt8] = []
        for y in 0..<48 {
            for x in 0..<64 { pixels += [UInt8(4 * x), UInt8(5 * y), 128, 255] }
        }
        let bitmap = try #require(Bitmap(width: 64, height: 48, pixels: pixels))
        let fine = bitmap.jpeg(quality: 95)
        let coarse = bitmap.jpeg(quality: 10)
        #expect(fine.count > coarse.count)
        expectEqual(bitmap.jpeg(quality: 95), fine)
        #expect(try #require(try ImageDecoder.decode(fine, maximumPixels: 3_072).distance(to: bitmap)) < 16)
        #expect(try #require(try ImageDecoder.decode(coarse, maximumPixels: 3_072).distance(to: bitmap)) < 90)
    }

    @Test func `a quality outside 1 to 100 is taken inside`() throws {
        let bitmap = try #require(Bitmap.plain(9, 9, [200, 10, 90, 255]))
        expectEqual(bitmap.jpeg(quality: 0), bitmap.jpeg(quality: 1))
        expectEqual(bitmap.jpeg(quality: .min), bitmap.jpeg(quality: 1))
        expectEqual(bitmap.jpeg(quality: 101), bitmap.jpeg(quality: 100))
        #expect(bitmap.jpeg(quality: 1) != bitmap.jpeg(quality: 100))
    }

    @Test func `a JPEG lays what shines through over white`() throws {
        let bitmap = try #require(Bitmap.plain(16, 16, [0, 0, 0, 51]))
        let decoded = try ImageDecoder.decode(bitmap.jpeg(quality: 100), maximumPixels: 256)
        expectEqual(decoded, Bitmap.plain(16, 16, [204, 204, 204, 255]))
        let clear = try #require(Bitmap.plain(16, 16, [0, 0, 0, 0]))
        try expectEqual(
            ImageDecoder.decode(clear.jpeg(quality: 100), maximumPixels: 256),
            Bitmap.plain(16, 16, [255, 255, 255, 255])
        )
    }

    @Test func `a grey JPEG has one component`() throws {
        let grey = try #require(Bitmap.plain(8, 8, [77, 77, 77, 255])).jpeg(quality: 85)
        let frame = try #require(grey.indices.first { grey[$0...].starts(with: [0xFF, 0xC0]) })
        expectEqual(grey[frame + 9], 1)
    }

    @Test func `formats are told by their signature`() throws {
        let bitmap = try #require(Bitmap.plain(5, 3, [1, 2, 3, 255]))
        expectEqual(ImageFormat.of(bitmap.png()), .png)
        expectEqual(ImageFormat.of(bitmap.jpeg(quality: 50)), .jpeg)
        expectNil(ImageFormat.of([]))
        expectNil(ImageFormat.of([0xFF, 0xD8]))
        expectNil(ImageFormat.of(Array("GIF89a".utf8)))
        expectEqual(ImageFormat.png.contentType, "image/png")
        expectEqual(ImageFormat.jpeg.contentType, "image/jpeg")
    }
}
