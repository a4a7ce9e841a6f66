/// Repeatable numbers of a sample: SplitMix64 from a seed and texts.
package struct SampleStream: RandomNumberGenerator {
    private var state: UInt64

    /// Begins at the number that a seed and texts make; the same ones always make the same.
    package init(seed: UInt64, _ texts: [String]) {
        // FNV-1a over the texts, with a byte between them that no UTF-8 text has.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        state = hash
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, the bound (at least 1).
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(max(bound, 1))).high)
    }

    /// A number within the bounds.
    package mutating func within(_ bounds: ClosedRange<Int>) -> Int {
        let (width, overflow) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
        guard !overflow, width < Int.max else { return bounds.lowerBound &+ Int(truncatingIfNeeded: next() >> 2) }
        return bounds.lowerBound + below(width + 1)
    }
}
