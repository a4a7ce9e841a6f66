import HTTPMessage
import TestSupport
import Testing

@Suite struct QueryItemsTests {
    @Test func `pairs keep their order and repeats`() {
        let query = QueryItems("a=1&b=&c&a=2&=x&&a=b=c")
        expectEqual(query.items.map(\.name), ["a", "b", "c", "a", "", "a"])
        expectEqual(query.items.map(\.value), ["1", "", "", "2", "x", "b=c"])
        expectEqual(query.first("a"), "1")
        expectEqual(query.last("a"), "b=c")
        expectEqual(query.all("a"), ["1", "2", "b=c"])
        #expect(query.contains("c"))
        expectNil(query.first("d"))
        expectNil(query.last("d"))
        expectEqual(query.all("d"), [])
        #expect(query.isWellFormed)
    }

    @Test(arguments: [nil, "", "&", "&&&"] as [String?])
    func `a query without pairs has none`(raw: String?) {
        #expect(QueryItems(raw).items.isEmpty)
        #expect(QueryItems(raw).isWellFormed)
    }

    @Test(arguments: [
        ("a%20b=c+d", "a b", "c d"), ("%61=%C3%a9", "a", "é"), ("a=%2B%26%3D", "a", "+&="), ("a=%2541", "a", "%41"),
        ("a=%00", "a", "\u{0}"), ("é=ü", "é", "ü"),
    ])
    func `names and values are decoded once`(raw: String, name: String, value: String) {
        let items = QueryItems(raw).items
        expectEqual(items, [QueryItems(raw).items[0]])
        expectEqual(items.first?.name, name)
        expectEqual(items.first?.value, value)
        expectEqual(items.first?.isWellFormed, true)
    }

    @Test(arguments: [
        ("a=%", "%"), ("a=%4", "%4"), ("a=%zz", "%zz"), ("a=%4%41", "%4A"), ("a=%ff", "\u{FFFD}"),
        ("a=%c3", "\u{FFFD}"),
    ])
    func `broken escapes stay, bytes that are not UTF-8 are replaced, and both are flagged`(raw: String, value: String)
    {
        let query = QueryItems(raw)
        expectEqual(query.first("a"), value)
        #expect(!query.isWellFormed)
        expectEqual(query.items.first?.isWellFormed, false)
    }

    @Test func `a thousand pairs are kept and one more is noted`() {
        let exact = QueryItems([String](repeating: "a=1", count: 1_000).joined(separator: "&") + "&&")
        expectEqual(exact.items.count, 1_000)
        #expect(!exact.isTruncated)
        let over = QueryItems([String](repeating: "a=1", count: 1_001).joined(separator: "&"))
        expectEqual(over.items.count, 1_000)
        #expect(over.isTruncated)
        #expect(!over.isWellFormed)
        #expect(QueryItems("a&b", limit: 1).isTruncated)
    }

    @Test func `any bytes are taken`() {
        let seed: UInt64 = 1_866
        var random = SeededGenerator(seed: seed)
        let pool = Array("a=&%+2".utf8) + [0x00, 0xC3, 0xA9, 0xFF]
        for _ in 0..<5_000 {
            let bytes = random.bytes(Int.random(in: 0...20, using: &random), of: pool)
            let query = QueryItems(bytes: bytes[...])
            #expect(query.items.count <= bytes.count, "seed \(seed)")
            #expect(!query.isTruncated, "seed \(seed)")
        }
    }
}
