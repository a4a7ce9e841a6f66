/// The two alphabets' common part (RFC 4648 sections 4 and 5).
///
/// Decoding is strict, so every value has one spelling: no white space or line breaks, padding exactly where the
/// alphabet has it, and the unused low bits of the last character must be zero (RFC 4648, section 3.5). A token can
/// then not be changed into another text with the same bytes.
struct Base64Coding: Sendable {
    /// The 64 characters, in order.
    private let alphabet: [UInt8]
    /// The value of each byte as a character, 0xFF for bytes outside the alphabet.
    private let values: [UInt8]

    init(lastTwo: (UInt8, UInt8)) {
        var alphabet = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        alphabet += Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        alphabet += Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
        alphabet += [lastTwo.0, lastTwo.1]
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        self.alphabet = alphabet
        self.values = values
    }

    static let standard = Base64Coding(lastTwo: (UInt8(ascii: "+"), UInt8(ascii: "/")))
    static let url = Base64Coding(lastTwo: (UInt8(ascii: "-"), UInt8(ascii: "_")))

    /// Appends the characters for the bytes.
    func encode(_ bytes: [UInt8], padded: Bool, into text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        var pending: UInt32 = 0
        var held = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            held += 1
            guard held == 3 else { continue }
            text.append(alphabet[Int(pending >> 18 & 63)])
            text.append(alphabet[Int(pending >> 12 & 63)])
            text.append(alphabet[Int(pending >> 6 & 63)])
            text.append(alphabet[Int(pending & 63)])
            pending = 0
            held = 0
        }
        switch held {
        case 1:
            text.append(alphabet[Int(pending >> 2)])
            text.append(alphabet[Int(pending << 4 & 63)])
            if padded { text += [UInt8(ascii: "="), UInt8(ascii: "=")] }
        case 2:
            text.append(alphabet[Int(pending >> 10)])
            text.append(alphabet[Int(pending >> 4 & 63)])
            text.append(alphabet[Int(pending << 2 & 63)])
            if padded { text.append(UInt8(ascii: "=")) }
        default: break
        }
    }

    /// The bytes of the characters, or nil when they are not the one canonical spelling of any.
    func decode(_ text: ArraySlice<UInt8>, padded: Bool) -> [UInt8]? {
        let length = text.count
        if padded, !length.isMultiple(of: 4) { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length / 4 * 3 + 2)
        var pending: UInt32 = 0
        var held = 0
        var padding = 0
        for character in text {
            if padded, character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let value = values[Int(character)]
            guard value != 0xFF, padding == 0 else { return nil }
            pending = pending << 6 | UInt32(value)
            held += 1
            guard held == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: pending >> 16))
            bytes.append(UInt8(truncatingIfNeeded: pending >> 8))
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending = 0
            held = 0
        }
        guard padding == (padded ? (4 - held) % 4 : 0) else { return nil }
        switch held {
        case 0: return bytes
        case 2:
            guard pending & 15 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: pending >> 4))
            return bytes
        case 3:
            guard pending & 3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: pending >> 10))
            bytes.append(UInt8(truncatingIfNeeded: pending >> 2))
            return bytes
        default: return nil
        }
    }
}
