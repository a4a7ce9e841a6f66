import HTTPMessage

/// The strong entity tags of rows and lists (own-API contract, section 14).
enum RowTag {
    /// Returns the tag of a content.
    static func tag(_ content: [UInt8]) -> EntityTag {
        let hash = hash(content)
        let digits = String(hash, radix: 16)
        let text = String(repeating: "0", count: 16 - digits.count) + digits
        guard let tag = EntityTag(opaque: text) else { preconditionFailure("not an entity tag: \(text)") }
        return tag
    }

    /// Returns a hash of all bytes, eight at a time: the same on every machine.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        var place = 0
        while place + 8 <= bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word = word << 8 | UInt64(bytes[place + offset]) }
            hash = mixed(hash ^ word)
            place += 8
        }
        while place < bytes.count {
            hash = mixed(hash ^ UInt64(bytes[place]))
            place += 1
        }
        return hash
    }

    /// The finishing steps of SplitMix64.
    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
