/// A stream of random numbers that follows from a seed: SplitMix64.
package struct ConnectionRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The stream of one purpose.
    package init(seed: UInt64, purpose: UInt64, ordinal: UInt64) {
        var mixer = ConnectionRandom(state: seed)
        for part in [purpose, ordinal] { mixer = ConnectionRandom(state: mixer.next() ^ part) }
        state = mixer.next()
    }

    private init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
