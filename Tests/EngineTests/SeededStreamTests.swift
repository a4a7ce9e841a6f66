import Backend
import TestSupport
import Testing

/// Control contract, section 6: the same draws on every machine, and no draw shifts another.
@Suite struct SeededStreamTests {
    @Test func `the generator is SplitMix64`() {
        var stream = SeededStream(seed: 1_234_567)
        expectEqual(
            (0..<3).map { _ in stream.next() },
            [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ]
        )
    }

    @Test func `the hash of a purpose is FNV-1a`() {
        expectEqual("".fnv1a64, 0xCBF2_9CE4_8422_2325)
        expectEqual("a".fnv1a64, 0xAF63_DC4C_8601_EC8C)
        expectEqual("foobar".fnv1a64, 0x8594_4171_F739_67E8)
    }

    @Test func `streams keep their numbers from version to version`() {
        var stream = SeededStream(seed: 42, purpose: "test", ordinal: 1)
        expectEqual((0..<3).map { _ in stream.next() }, Self.pinned)
        expectEqual(stream.text(length: 10, from: Array("0123456789abcdef".utf8)), Self.pinnedText)
    }

    private static let pinned: [UInt64] = [
        109_580_212_116_418_783, 7_465_321_556_484_369_950, 3_949_827_790_895_513_429,
    ]
    private static let pinnedText = "9926f4be91"

    @Test func `seed, purpose and ordinal each make another stream`() {
        var first: Set<UInt64> = []
        var count = 0
        for seed in 0..<8 as Range<UInt64> {
            for purpose in ["", "a", "b", "ab", "ba", "otp", "fault"] {
                for ordinal in 0..<20 as Range<UInt64> {
                    var stream = SeededStream(seed: seed, purpose: purpose, ordinal: ordinal)
                    for _ in 0..<50 { first.insert(stream.next()) }
                    count += 50
                }
            }
        }
        expectEqual(first.count, count)
    }

    @Test func `one purpose's uses do not shift another's`() {
        var plain = Randomness(seed: 7)
        var busy = Randomness(seed: 7)
        for _ in 0..<5 { _ = busy.stream("other") }
        for _ in 0..<5 {
            var left = plain.stream("mine")
            var right = busy.stream("mine")
            _ = busy.stream("other")
            expectEqual(left.next(), right.next())
        }
    }

    @Test func `numbers below a bound are spread evenly`() {
        var stream = SeededStream(seed: 3, purpose: "even", ordinal: 1)
        var seen = Array(repeating: 0, count: 10)
        for _ in 0..<100_000 { seen[stream.below(10)] += 1 }
        // Chi square with 9 degrees of freedom: 27.9 is the one in a thousand.
        let chi = seen.reduce(0.0) { $0 + (Double($1) - 10_000) * (Double($1) - 10_000) / 10_000 }
        #expect(chi < 27.9)
        #expect((0..<100).allSatisfy { _ in (0..<1).contains(stream.fraction()) })
        expectEqual(stream.below(1), 0)
        expectEqual(stream.below(0), 0)
    }

    @Test func `the first numbers of neighbouring ordinals are spread evenly too`() {
        var seen = Array(repeating: 0, count: 10)
        for ordinal in 0..<20_000 as Range<UInt64> {
            var stream = SeededStream(seed: 42, purpose: "id", ordinal: ordinal)
            seen[stream.below(10)] += 1
        }
        let chi = seen.reduce(0.0) { $0 + (Double($1) - 2_000) * (Double($1) - 2_000) / 2_000 }
        #expect(chi < 27.9)
    }

    @Test func `counters count each name for itself, and a copy goes its own way`() {
        var counters = Counters()
        expectEqual(counters.last("a"), 0)
        expectEqual((0..<3).map { _ in counters.next("a") }, [1, 2, 3])
        expectEqual(counters.next("b"), 1)
        var copy = counters
        expectEqual(copy.next("a"), 4)
        expectEqual(counters.last("a"), 3)
        expectEqual(copy.last("b"), 1)
    }
}
