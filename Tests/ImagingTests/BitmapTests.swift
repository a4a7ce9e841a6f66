import Imaging
import TestSupport
import Testing

struct BitmapTests {
    @Test func `a bitmap has sides of 1 to 65,500 and four bytes a pixel`() {
        #expect(Bitmap(width: 1, height: 1, pixels: [1, 2, 3, 4]) != nil)
        expectNil(Bitmap(width: 1, height: 1, pixels: [1, 2, 3]))
        expectNil(Bitmap(width: 0, height: 1, pixels: []))
        expectNil(Bitmap(width: -1, height: -1, pixels: [1, 2, 3, 4]))
        #expect(Bitmap(width: 65_500, height: 1, pixels: [UInt8](repeating: 0, count: 262_000)) != nil)
        expectNil(Bitmap(width: 65_501, height: 1, pixels: [UInt8](repeating: 0, count: 262_004)))
        expectNil(Bitmap(width: 1, height: 65_501, pixels: [UInt8](repeating: 0, count: 262_004)))
        expectNil(Bitmap(width: .max, height: .max, pixels: []))
    }

    @Test func `scaling fits the longer side, keeps the ratio and never enlarges`() throws {
        func size(_ width: Int, _ height: Int, _ side: Int) throws -> [Int] {
            let bitmap = try #require(Bitmap.plain(width, height, [9, 8, 7, 255])).scaled(toFit: side)
            expectEqual(bitmap.pixels.count, 4 * bitmap.width * bitmap.height)
            expectEqual(bitmap.pixel(0, 0), [9, 8, 7, 255])
            expectEqual(bitmap.pixel(bitmap.width - 1, bitmap.height - 1), [9, 8, 7, 255])
            return [bitmap.width, bitmap.height]
        }
        try expectEqual(size(512, 300, 512), [512, 300])
        try expectEqual(size(513, 300, 512), [512, 299])
        try expectEqual(size(300, 513, 512), [299, 512])
        try expectEqual(size(1_024, 512, 512), [512, 256])
        try expectEqual(size(3, 2, 512), [3, 2])
        try expectEqual(size(1_000, 1, 10), [10, 1])
        try expectEqual(size(5, 9, 1), [1, 1])
        try expectEqual(size(5, 9, 0), [1, 1])
        try expectEqual(size(5, 9, .min), [1, 1])
        try expectEqual(size(5, 9, .max), [5, 9])
        try expectEqual(size(65_500, 3, 65_499), [65_499, 3])
    }

    @Test func `each scaled pixel is the average of the area it covers`() throws {
        func row(_ values: [UInt8], _ side: Int) throws -> [UInt8] {
            let pixels = values.flatMap { value -> [UInt8] in [value, value, value, 255] }
            let bitmap = try #require(Bitmap(width: values.count, height: 1, pixels: pixels)).scaled(toFit: side)
            return (0..<bitmap.width).map { bitmap.pixel($0, 0)[0] }
        }
        try expectEqual(row([10, 20, 30, 40], 2), [15, 35])
        // Three on two: the middle one counts half to each side; 10 · 2/3 + 40 · 1/3 = 20, 40 · 1/3 + 100 · 2/3 = 80.
        try expectEqual(row([10, 40, 100], 2), [20, 80])
        try expectEqual(row([0, 0, 0, 0, 100], 4), [0, 0, 0, 80])
        try expectEqual(row([1, 2], 1), [2])
        let square = try #require(
            Bitmap(width: 2, height: 2, pixels: [0, 9, 1, 255, 4, 9, 1, 255, 8, 9, 1, 255, 12, 9, 2, 255])
        )
        expectEqual(square.scaled(toFit: 1).pixels, [6, 9, 1, 255])
    }

    @Test func `what can't be seen does not colour its neighbours`() throws {
        let pair = try #require(Bitmap(width: 2, height: 1, pixels: [200, 100, 0, 255, 0, 0, 255, 0]))
        expectEqual(pair.scaled(toFit: 1).pixels, [200, 100, 0, 128])
        let nothing = try #require(Bitmap(width: 2, height: 1, pixels: [200, 100, 0, 0, 0, 0, 255, 0]))
        expectEqual(nothing.scaled(toFit: 1).pixels, [0, 0, 0, 0])
        let faint = try #require(Bitmap(width: 2, height: 1, pixels: [200, 0, 0, 30, 100, 0, 0, 10]))
        expectEqual(faint.scaled(toFit: 1).pixels, [175, 0, 0, 20])
    }

    @Test func `scaling in one step keeps the sum of light`() throws {
        var generator = SeededGenerator(seed: 7)
        for seed in 0..<40 {
            let made = generator.bitmap(upTo: 40)
            let bitmap = try #require(made)
            let side = Int.random(in: 1...40, using: &generator)
            let small = bitmap.scaled(toFit: side)
            func mean(_ bitmap: Bitmap) -> Double {
                let alphas = stride(from: 3, to: bitmap.pixels.count, by: 4).map { Double(bitmap.pixels[$0]) }
                return alphas.reduce(0, +) / Double(alphas.count)
            }
            #expect(abs(mean(bitmap) - mean(small)) <= 0.5, "round \(seed)")
        }
    }
}
