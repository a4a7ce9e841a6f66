/// Hashes of secrets, which identify them without storing them; case does not count.
public enum SecretHash {
    /// The length below which a secret counts as a whole value only (control contract, section 13).
    public static let shortest = 10
    /// The length of a window: four windows of a secret of ten characters begin at its first four characters.
    public static let window = 7
    /// The bits that fold both cases of a letter.
    @inlinable public static var fold: UInt64 { 0x2020_2020_2020_2020 }
    /// The bits of the window in a word.
    @inlinable public static var windowMask: UInt64 { 0x00FF_FFFF_FFFF_FFFF }

    /// Returns the hash of a window, in the low bytes of a word.
    @inlinable
    public static func window(_ word: UInt64) -> UInt32 {
        let mixed = ((word | fold) & windowMask) &* 0x9E37_79B9_7F4A_7C15
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }

    /// Returns the two bits of a hash in its word of the filter.
    @inlinable
    public static func bits(_ hash: UInt32) -> UInt64 { 1 &<< UInt64(hash & 63) | 1 &<< UInt64(hash &>> 6 & 63) }

    /// Returns the hash of the first ten characters: eight in the first word, two in the low bytes of the second.
    @inlinable
    public static func start(_ low: UInt64, _ high: UInt64) -> UInt64 {
        var mixed = (low | fold) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 31
        mixed = (mixed ^ ((high | fold) & 0xFFFF)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 29)
    }

    /// The print of a text while it is read in words of eight characters, the last padded with zeros.
    public struct Print: Sendable {
        @usableFromInline var state: UInt64 = 0x2545_F491_4F6C_DD1D

        /// Creates the print of an empty text.
        @inlinable public init() {}

        /// Adds the next word.
        @inlinable
        public mutating func add(_ word: UInt64) {
            state = (state ^ (word | SecretHash.fold)) &* 0xD6E8_FEB8_6659_FD93
            state ^= state >> 32
        }

        /// Returns the print, with the length of the text in its low 16 bits.
        @inlinable
        public func value(length: Int) -> UInt64 {
            let mixed = state &* 0x9E37_79B9_7F4A_7C15
            return ((mixed ^ (mixed >> 29)) & ~0xFFFF) | UInt64(UInt16(truncatingIfNeeded: length))
        }
    }

    /// Returns the eight characters from a place on as a word, with zeros after the end.
    package static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
        if start >= 0, start &+ 8 <= bytes.count {
            let low =
                UInt32(bytes[start]) | UInt32(bytes[start &+ 1]) &<< 8 | UInt32(bytes[start &+ 2]) &<< 16
                | UInt32(bytes[start &+ 3]) &<< 24
            let high =
                UInt32(bytes[start &+ 4]) | UInt32(bytes[start &+ 5]) &<< 8 | UInt32(bytes[start &+ 6]) &<< 16
                | UInt32(bytes[start &+ 7]) &<< 24
            return UInt64(low) | UInt64(high) &<< 32
        }
        var word: UInt64 = 0
        for place in 0..<8 where start + place < bytes.count { word |= UInt64(bytes[start + place]) << (8 * place) }
        return word
    }

    /// Returns the print of a whole text.
    package static func value(_ bytes: [UInt8]) -> UInt64 {
        var print = Print()
        var place = 0
        while place < bytes.count {
            print.add(word(bytes, place))
            place += 8
        }
        return print.value(length: bytes.count)
    }
}
