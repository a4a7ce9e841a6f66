/// A checksum over a stored row: SQLite would not notice a flipped bit in it.
///
/// Every step is invertible, so two rows that differ in one word never have the same sum.
struct RowSum {
    private var hash: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The sum in SQLite's number type.
    var value: Int64 { Int64(bitPattern: hash) }

    mutating func add(_ number: Int) { step(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        step(UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            step(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
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
