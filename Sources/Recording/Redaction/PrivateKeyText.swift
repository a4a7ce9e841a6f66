/// A private key in the text form of PEM (RFC 7468), with its begin and end lines.
enum PrivateKeyText {
    private static let beginning = Array("-----BEGIN".utf8)
    private static let ending = Array("-----END".utf8)
    private static let dashes = Array("-----".utf8)
    /// The length up to which a key is searched for its end.
    private static let longest = 64 * 1_024

    /// Returns the key that begins in the hyphens at the end of a word; nil where none does.
    static func key(in text: [UInt8], behind word: Range<Int>) -> Range<Int>? {
        guard text[word].suffix(beginning.count).elementsEqual(beginning),
            let label = label(in: text, from: word.upperBound)
        else { return nil }
        var end = label
        while end < text.count, end - label < longest, isKeyByte(text[end]) {
            if text[end] == 0x2D, text[end...].starts(with: ending) {
                return word.upperBound - beginning.count..<(self.label(in: text, from: end + ending.count) ?? end)
            }
            end += 1
        }
        // The end may be missing, but not the key itself.
        return text[label..<end].count { $0 > 0x20 } >= 16 ? word.upperBound - beginning.count..<end : nil
    }

    /// Returns the end of ` … PRIVATE KEY-----`, with further words between and behind.
    private static func label(in text: [UInt8], from start: Int) -> Int? {
        var end = start
        // In a query a plus is a blank.
        while end < text.count, end - start < 64, text[end] != 0x2D {
            guard text[end] == 0x20 || text[end] == 0x2B || text[end] &- 0x30 < 10 || text[end] &- 0x41 < 26 else {
                return nil
            }
            end += 1
        }
        let words = text[start..<end].split { $0 == 0x20 || $0 == 0x2B }
        guard let key = words.lastIndex(where: { $0.elementsEqual("KEY".utf8) }), key > 0,
            words[key - 1].elementsEqual("PRIVATE".utf8), text[end...].starts(with: dashes)
        else { return nil }
        return end + dashes.count
    }

    /// Returns true for the bytes of Base64, of line ends and their escapes, and of the fields of encrypted keys.
    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D, 0x09, 0x0A, 0x0D, 0x20, 0x5C, 0x2D, 0x3A, 0x2C,
            0x2E, 0x28, 0x29:
            true
        default: false
        }
    }
}
