/// Writes strings with quotes and escapes (RFC 8259 section 7).
struct JSONStringEncoder: Sendable {
    private let escapeHTML: Bool
    private let escapeLineSeparators: Bool

    init(options: JSONWriter.Options) {
        escapeHTML = options.escapeHTML
        escapeLineSeparators = options.escapeLineSeparators
    }

    /// Appends the text as a whole and goes back only when something in it needs an escape.
    func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        if let first = firstEscape(in: bytes, from: start) {
            let tail = Array(bytes[first...])
            bytes.removeLast(tail.count)
            appendEscaped(tail, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends text that lies in bytes of UTF-8: its length is known from a first look, so that nothing is moved twice.
    func append(utf8 text: [UInt8], to bytes: inout [UInt8]) {
        guard !escapeHTML, !escapeLineSeparators else {
            return append(String(decoding: text, as: UTF8.self), to: &bytes)
        }
        var (escapes, long) = (0, 0)
        for byte in text {
            escapes &+= byte < 0x20 || byte == 0x22 || byte == 0x5C ? 1 : 0
            long &+= byte < 0x08 || byte == 0x0B || (0x0E..<0x20).contains(byte) ? 4 : 0
        }
        bytes.append(UInt8(ascii: "\""))
        if escapes == 0 {
            bytes.append(contentsOf: text)
        } else {
            let start = bytes.count
            bytes.append(contentsOf: [UInt8](repeating: 0, count: text.count + escapes + long))
            Self.fill(&bytes, from: start, with: text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes text with its escapes over bytes that are there.
    private static func fill(_ bytes: inout [UInt8], from start: Int, with text: [UInt8]) {
        var next = start
        for byte in text {
            if byte >= 0x20 {
                // Quotes stand every few bytes in JSON inside of JSON: no branch that could be foretold wrongly.
                bytes[next] = 0x5C
                next &+= byte == 0x22 || byte == 0x5C ? 1 : 0
                bytes[next] = byte
                next &+= 1
            } else if let letter = shortEscape(of: byte) {
                bytes[next] = 0x5C
                bytes[next &+ 1] = letter
                next &+= 2
            } else {
                bytes[next] = 0x5C
                bytes[next &+ 1] = UInt8(ascii: "u")
                bytes[next &+ 2] = 0x30
                bytes[next &+ 3] = 0x30
                bytes[next &+ 4] = hexadecimalDigit(byte >> 4)
                bytes[next &+ 5] = hexadecimalDigit(byte & 15)
                next &+= 6
            }
        }
    }

    /// The letter of a control character that has an escape of two characters.
    private static func shortEscape(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    }

    private func firstEscape(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        let end = bytes.count
        if escapeHTML || escapeLineSeparators {
            while index < end {
                if escapeLength(in: bytes, at: index) > 0 { return index }
                index += 1
            }
            return nil
        }
        while index < end {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { return index }
            index += 1
        }
        return nil
    }

    /// The number of bytes of the character at this place if it needs an escape; zero if it needs none.
    private func escapeLength(in bytes: [UInt8], at index: Int) -> Int {
        switch bytes[index] {
        case 0x22, 0x5C, ..<0x20:
            return 1
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            return escapeHTML ? 1 : 0
        case 0xC2:
            return escapeLineSeparators && index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xE2:
            guard escapeLineSeparators, index + 2 < bytes.count, bytes[index + 1] == 0x80 else { return 0 }
            return bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 ? 3 : 0
        default:
            return 0
        }
    }

    private func appendEscaped(_ tail: [UInt8], to bytes: inout [UInt8]) {
        var start = 0
        // The bytes between two escapes are copied in one piece.
        while let index = firstEscape(in: tail, from: start) {
            bytes.append(contentsOf: tail[start..<index])
            let length = escapeLength(in: tail, at: index)
            switch length {
            case 2: bytes.append(contentsOf: "\\u0085".utf8)
            case 3: bytes.append(contentsOf: (tail[index + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
            default: appendEscape(of: tail[index], to: &bytes)
            }
            start = index + length
        }
        bytes.append(contentsOf: tail[start...])
    }

    private func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        if byte == 0x22 || byte == 0x5C {
            bytes.append(byte)
        } else if let letter = Self.shortEscape(of: byte) {
            bytes.append(letter)
        } else {
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexadecimalDigit(byte >> 4))
            bytes.append(Self.hexadecimalDigit(byte & 15))
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 &+ value : 0x57 &+ value
    }
}
