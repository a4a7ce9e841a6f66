/// Repeatable randomness: SplitMix64, whose whole state is one number.
public struct SeededStream: Sendable, Hashable, RandomNumberGenerator {
    private var state: UInt64

    /// Creates a stream that begins at that number.
    public init(seed: UInt64) { state = seed }

    /// Creates the stream of (seed, purpose, ordinal): a new use of randomness in one place never shifts another.
    public init(seed: UInt64, purpose: String, ordinal: UInt64) {
        var mixed = SeededStream(seed: seed ^ purpose.fnv1a64)
        state = mixed.next() ^ (ordinal &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, the bound (at least 1).
    public mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(max(bound, 1))).high)
    }

    /// Returns a number from 0 up to, but not including, 1.
    public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns characters drawn from an alphabet.
    public mutating func text(length: Int, from alphabet: [UInt8]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        for _ in 0..<length { bytes.append(alphabet[below(alphabet.count)]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The 64-bit FNV-1a hash of the UTF-8 form: the same in every process, unlike `hashValue`.
    @inlinable public var fnv1a64: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        // Through a span a byte costs a third of what it costs through the view.
        guard #available(macOS 26, iOS 26, *) else {
            for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            return hash
        }
        let bytes = utf8Span.span
        for place in bytes.indices { hash = (hash ^ UInt64(bytes[place])) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
