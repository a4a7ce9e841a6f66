/// Text in UTF-16 or UTF-32 of which every second byte is zero.
enum UTF16Text {
    /// Adds the text that is encoded in two bytes for each character, one of them zero.
    static func narrow(_ base: UnsafePointer<UInt8>, _ count: Int, into derived: DerivedText) {
        let raw = UnsafeRawPointer(base)
        var place = 0
        while place + 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let isLittle = word & 0xFF00_FF00_FF00_FF00 == 0
            guard word != 0, isLittle || word & 0x00FF_00FF_00FF_00FF == 0 else {
                place += 8
                continue
            }
            let zero = isLittle ? 1 : 0
            let sign = 1 - zero
            // Every second character of UTF-32 is zero as well.
            func goesOn(_ pair: Int, from other: Int) -> Bool {
                base[pair + zero] == 0 && (base[pair + sign] != 0 || base[other + sign] != 0)
            }
            var start = place
            while start >= 2, goesOn(start - 2, from: start) { start -= 2 }
            var end = place + 8
            while end + 2 <= count, goesOn(end, from: end - 2) { end += 2 }
            derived.append(atMost: (end - start) / 2 + 3) { text in
                var length = 0
                func add(_ byte: UInt8) {
                    text[length] = byte
                    length += 1
                }
                // If the pairs are counted from the wrong offset, the first or the last character lies outside.
                if start > 0 { add(base[start - 1]) }
                var pair = start
                while pair < end {
                    let byte = base[pair + sign]
                    text[length] = byte
                    length += byte == 0 ? 0 : 1
                    pair += 2
                }
                if end < count { add(base[end]) }
                add(0x01)
                return length
            }
            place = max(place + 8, end & ~7)
        }
    }
}
