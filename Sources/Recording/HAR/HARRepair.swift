/// Repairs JSON text with a valid structure but invalid Unicode, as some exporters write it.
enum HARRepair {
    /// Replaces half surrogate pairs and invalid UTF-8 by U+FFFD, and raw control characters by their escapes.
    static func repaired(_ text: [UInt8]) -> [UInt8] {
        var mended: [UInt8] = []
        mended.reserveCapacity(text.count + 64)
        var isInString = false
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte == 0x22 {
                isInString.toggle()
            } else if isInString, byte == 0x5C, place + 1 < text.count {
                if text[place + 1] == 0x75 {
                    place = unicodeEscape(text, place, into: &mended)
                } else {
                    mended += text[place...place + 1]
                    place += 2
                }
                continue
            } else if isInString, byte < 0x20 {
                mended += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                place += 1
                continue
            }
            mended.append(byte)
            place += 1
        }
        // Decoding replaces invalid UTF-8.
        return Array(String(decoding: mended, as: UTF8.self).utf8)
    }

    private static let digits = Array("0123456789abcdef".utf8)
    private static let replacement = Array("\\ufffd".utf8)

    /// Copies the escape at a place, or its replacement, and returns the place behind it.
    private static func unicodeEscape(_ text: [UInt8], _ place: Int, into mended: inout [UInt8]) -> Int {
        guard let first = unit(text, place) else {
            mended.append(text[place])
            return place + 1
        }
        if first & 0xFC00 == 0xD800, let second = unit(text, place + 6), second & 0xFC00 == 0xDC00 {
            mended += text[place..<place + 12]
            return place + 12
        }
        mended += first & 0xF800 == 0xD800 ? replacement : Array(text[place..<place + 6])
        return place + 6
    }

    private static func unit(_ text: [UInt8], _ place: Int) -> UInt16? {
        guard place + 5 < text.count, text[place] == 0x5C, text[place + 1] == 0x75 else { return nil }
        var value: UInt16 = 0
        for index in place + 2..<place + 6 {
            switch text[index] {
            case 0x30...0x39: value = value << 4 | UInt16(text[index] - 0x30)
            case 0x41...0x46: value = value << 4 | UInt16(text[index] - 0x37)
            case 0x61...0x66: value = value << 4 | UInt16(text[index] - 0x57)
            default: return nil
            }
        }
        return value
    }
}
