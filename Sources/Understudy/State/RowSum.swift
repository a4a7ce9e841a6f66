/// A check sum over a stored row: SQLite would not notice a flipped bit in it.
///
/// Every step can be undone, so that two rows that differ in one word never have the same sum.
struct RowSum {
    private var hash: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The sum as SQLite keeps numbers.
    var value: Int64 { Int64(bitPattern: hash) }

    mutating func add(_ number: Int) { step(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ bytes: [UInt8]) {
        step(UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(bytes[place + offset]) << (8 * UInt64(offset)) }
            step(word)
            place += 8
        }
        var word: UInt64 = 0
        while place < bytes.count {
            word = word << 8 | UInt64(bytes[place])
            place += 1
        }
        step(word)
    }

    private mutating func step(_ word: UInt64) {
        hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
        hash ^= hash >> 29
    }
}
