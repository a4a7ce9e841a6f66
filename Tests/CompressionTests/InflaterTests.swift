import Compression
import TestSupport
import Testing

@Suite struct InflaterTests {
    private static let text = (0..<5_000).map { "line \($0)\n" }.joined()

    @Test(arguments: [(Inflater.Coding.gzip, false), (.deflate, false), (.deflate, true)])
    func `13 content comes out as it went in, whole and byte by byte`(coding: Inflater.Coding, isRaw: Bool) throws {
        let plain = Array(Self.text.utf8)
        let packed = try #require(Deflate.compress(plain, coding, isRaw: isRaw))
        #expect(packed.count < plain.count / 3)
        try expectEqual(Inflater.inflate(packed, coding, limit: plain.count), plain)
        let inflater = Inflater(coding, limit: plain.count)
        var output: [UInt8] = []
        for byte in packed { try inflater.feed([byte], into: &output) }
        try inflater.finish()
        expectEqual(output, plain)
    }

    @Test func `13 the limit holds at n and n + 1`() throws {
        let packed = try #require(Deflate.compress([UInt8](repeating: 7, count: 1_000_000), .gzip))
        try expectEqual(Inflater.inflate(packed, .gzip, limit: 1_000_000).count, 1_000_000)
        #expect(throws: InflateError.tooLarge) { try Inflater.inflate(packed, .gzip, limit: 999_999) }
    }

    @Test func `13 members of gzip that follow one another are one content`() throws {
        let one = try #require(Deflate.compress(Array("one".utf8), .gzip))
        let two = try #require(Deflate.compress(Array("two".utf8), .gzip))
        try expectEqual(Inflater.inflate(one + two, .gzip, limit: 10), Array("onetwo".utf8))
        try expectEqual(Inflater.inflate(one + [0, 0], .gzip, limit: 10), Array("one".utf8))
    }

    @Test func `13 damaged and cut content is told from whole`() throws {
        let packed = try #require(Deflate.compress(Array(Self.text.utf8), .gzip))
        #expect(throws: InflateError.incomplete) {
            try Inflater.inflate(Array(packed.dropLast(9)), .gzip, limit: 1 << 20)
        }
        #expect(throws: InflateError.incomplete) { try Inflater.inflate([0x1F], .gzip, limit: 10) }
        #expect(throws: InflateError.damaged) { try Inflater.inflate(Array("plain text".utf8), .gzip, limit: 10) }
        var broken = packed
        broken[packed.count / 2] ^= 0xFF
        #expect(throws: InflateError.self) { try Inflater.inflate(broken, .gzip, limit: 1 << 20) }
    }
}
