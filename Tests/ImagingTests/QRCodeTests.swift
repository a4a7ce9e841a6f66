import Imaging
import TestSupport
import Testing

struct QRCodeTests {
    @Test func `the code grows with its text, up to 2,331 bytes`() throws {
        expectNil(QRCode(text: ""))
        try expectEqual(#require(QRCode(text: "a")).size, 21)
        // Version 1 at level M holds 14 bytes.
        try expectEqual(#require(QRCode(text: String(repeating: "a", count: 14))).size, 21)
        try expectEqual(#require(QRCode(text: String(repeating: "a", count: 15))).size, 25)
        try expectEqual(#require(QRCode(text: String(repeating: "a", count: 2_331))).size, 177)
        expectNil(QRCode(text: String(repeating: "a", count: 2_332)))
        expectNil(QRCode(text: String(repeating: "é", count: 1_166)))
        try expectEqual(#require(QRCode(text: "a\0b")).size, 21)
    }

    @Test func `it has its three finders, its timing lines and level M`() throws {
        let code = try #require(QRCode(text: #"{"type":"quick_login","token":"qlt_0123456789"}"#))
        func finder(_ left: Int, _ top: Int) {
            for y in 0..<7 {
                for x in 0..<7 {
                    let ring = max(abs(x - 3), abs(y - 3))
                    expectEqual(code.isDark(x: left + x, y: top + y), ring != 2)
                }
            }
        }
        finder(0, 0)
        finder(code.size - 7, 0)
        finder(0, code.size - 7)
        for place in 8..<(code.size - 8) {
            expectEqual(code.isDark(x: place, y: 6), place % 2 == 0)
            expectEqual(code.isDark(x: 6, y: place), place % 2 == 0)
        }
        // The two highest bits of the format, under their mask 10: level M is 00.
        #expect(code.isDark(x: 0, y: 8) && !code.isDark(x: 1, y: 8))
        for (x, y) in [(-1, 0), (0, -1), (code.size, 0), (0, code.size), (.max, .min)] {
            #expect(!code.isDark(x: x, y: y))
        }
    }

    @Test func `the picture shows every module, with its border`() throws {
        let code = try #require(QRCode(text: "https://example.com/å"))
        let bytes = code.png(scale: 3, border: 4)
        let bitmap = try ImageDecoder.decode(bytes, maximumPixels: 100_000)
        expectEqual(bitmap.width, 3 * (code.size + 8))
        expectEqual(bitmap.height, bitmap.width)
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let light: UInt8 = code.isDark(x: x / 3 - 4, y: y / 3 - 4) ? 0 : 255
                expectEqual(bitmap.pixel(x, y), [light, light, light, 255])
            }
        }
        expectEqual(bytes, code.png(scale: 3, border: 4))
        expectEqual(bytes[24], 1)
        #expect(bytes.count < 700)
    }

    @Test func `a picture of a wanted side has exactly that one`() throws {
        let code = try #require(QRCode(text: "a"))
        let bitmap = try ImageDecoder.decode(code.png(side: 512, border: 4), maximumPixels: 262_144)
        expectEqual(bitmap.width, 512)
        expectEqual(bitmap.height, 512)
        // 21 + 8 modules of 17 pixels; the rest is border: 77 on the left.
        #expect(bitmap.pixel(76, 77)[0] == 255 && bitmap.pixel(77, 77)[0] == 0)
        #expect(bitmap.pixel(77 + 357, 77)[0] == 255 && bitmap.pixel(76 + 357, 77)[0] == 0)
    }

    @Test func `odd sizes are taken to what is possible`() throws {
        let code = try #require(QRCode(text: "a"))
        func side(_ bytes: [UInt8]) throws -> Int { try #require(ImageDecoder.size(of: bytes)).width }
        try expectEqual(side(code.png(scale: 0, border: -1)), 21)
        try expectEqual(side(code.png(scale: .min, border: .min)), 21)
        try expectEqual(side(code.png(scale: 1, border: 64)), 149)
        try expectEqual(side(code.png(scale: 1, border: 65)), 149)
        try expectEqual(side(code.png(scale: .max, border: 4)), 8_178)
        try expectEqual(side(code.png(side: 0, border: 4)), 29)
        try expectEqual(side(code.png(side: 8_192, border: .max)), 8_192)
        try expectEqual(side(code.png(side: .max, border: 0)), 8_192)
    }
}
