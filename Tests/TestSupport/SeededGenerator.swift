/// SplitMix64: the same seed gives the same numbers on every system.
public struct SeededGenerator: RandomNumberGenerator {
    /// The seed, which a failing test prints so that it can be repeated.
    public let seed: UInt64
    private var state: UInt64

    /// Starts with that seed.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Starts with a new seed, which is printed.
    public static func announced(_ test: String = #function) -> SeededGenerator {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("\(test): seed \(seed)")
        return SeededGenerator(seed: seed)
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, and without, the bound.
    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns `count` bytes of any value.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// Returns `count` bytes from a pool.
    public mutating func bytes(_ count: Int, of pool: [UInt8]) -> [UInt8] {
        (0..<count).map { _ in pool[below(pool.count)] }
    }
}
