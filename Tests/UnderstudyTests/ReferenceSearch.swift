import Compression

/// The search for secrets as its rules say it, with no thought of time: the measure for the one that is quick.
struct ReferenceSearch {
    private static let rounds = 4
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    let secrets: [[UInt8]]

    init(_ secrets: [String]) { self.secrets = secrets.map { Self.lowered(Array($0.utf8)) } }

    /// Tells whether a secret occurs in the text or in its decoded forms, four levels deep.
    func finds(in text: [UInt8], round: Int = 0) -> Bool {
        let lowered = Self.lowered(text)
        if secrets.contains(where: { Self.contains(lowered, $0) }) { return true }
        guard round < Self.rounds else { return false }
        var decoded = [Self.unescaped(text), Self.unquoted(text)]
        decoded += Self.base64(text) + Self.narrow(text) + Self.inflated(text)
        return decoded.contains { $0 != text && $0.count >= 10 && finds(in: $0, round: round + 1) }
    }

    private static func lowered(_ text: [UInt8]) -> [UInt8] { text.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 } }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard text.count >= part.count else { return false }
        for start in 0...(text.count - part.count) where text[start] == part[0] {
            if text[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }

    // MARK: Escapes

    /// The bytes from a place on as a number of hexadecimal or decimal digits.
    private static func number(_ text: ArraySlice<UInt8>, radix: Int = 16) -> Int? {
        let isDigits = !text.isEmpty && text.allSatisfy { $0 != 0x2B && $0 != 0x2D }
        return isDigits ? Int(String(decoding: text, as: UTF8.self), radix: radix) : nil
    }

    /// Without the escapes of addresses, JSON and HTML.
    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            if let escape = escape(rest) {
                plain.append(escape.byte)
                rest = rest.dropFirst(escape.length)
            } else {
                plain.append(byte)
                rest = rest.dropFirst()
            }
        }
        return plain
    }

    private static func escape(_ text: ArraySlice<UInt8>) -> (byte: UInt8, length: Int)? {
        func digits(after start: Int, _ count: Int) -> (UInt8, Int)? {
            let digits = text.dropFirst(start).prefix(count)
            guard digits.count == count, let number = number(digits) else { return nil }
            return (number < 256 ? UInt8(number) : 0x3F, start + count)
        }
        if text.starts(with: Array("%u".utf8)) { return digits(after: 2, 4) }
        if text.first == UInt8(ascii: "%") { return digits(after: 1, 2) }
        if text.starts(with: Array(#"\u"#.utf8)) { return digits(after: 2, 4) }
        if text.starts(with: Array(#"\x"#.utf8)) { return digits(after: 2, 2) }
        let pairs: [(String, UInt8)] = [
            (#"\n"#, 0x0A), (#"\r"#, 0x0D), (#"\t"#, 0x09), (#"\b"#, 0x20), (#"\f"#, 0x20), (#"\""#, 0x22),
            (#"\'"#, 0x27), (#"\/"#, 0x2F), (#"\\"#, 0x5C), (#"\-"#, 0x2D), (#"\."#, 0x2E), (#"\_"#, 0x5F),
            (#"\|"#, 0x7C), (#"\="#, 0x3D), (#"\+"#, 0x2B), ("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E),
            ("&quot;", 0x22), ("&lowbar;", 0x5F), ("&hyphen;", 0x2D), ("&verbar;", 0x7C), ("&NewLine;", 0x0A),
        ]
        for (sign, byte) in pairs where text.starts(with: Array(sign.utf8)) { return (byte, sign.utf8.count) }
        for (sign, radix) in [("&#x", 16), ("&#", 10)] where text.starts(with: Array(sign.utf8)) {
            let digits = text.dropFirst(sign.utf8.count).prefix(8).prefix { number([$0], radix: radix) != nil }
            guard let number = number(digits, radix: radix) else { continue }
            let length = sign.utf8.count + digits.count
            let isEnded = text.dropFirst(length).first == UInt8(ascii: ";")
            return (number < 256 ? UInt8(number) : 0x3F, length + (isEnded ? 1 : 0))
        }
        return nil
    }

    /// Without the signs of quoted-printable.
    private static func unquoted(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            if rest.starts(with: Array("=\r\n".utf8)) {
                rest = rest.dropFirst(3)
            } else if rest.starts(with: Array("=\n".utf8)) {
                rest = rest.dropFirst(2)
            } else if let line = softBreak(rest) {
                rest = rest.dropFirst(line)
            } else if byte == UInt8(ascii: "="), rest.count >= 3, let number = number(rest.dropFirst().prefix(2)) {
                plain.append(UInt8(number))
                rest = rest.dropFirst(3)
            } else {
                plain.append(byte)
                rest = rest.dropFirst()
            }
        }
        return plain
    }

    /// The length of a soft line break with blanks.
    private static func softBreak(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "=") else { return nil }
        let blanks = text.dropFirst().prefix { $0 == 0x20 || $0 == 0x09 }
        let rest = text.dropFirst(1 + blanks.count)
        guard !blanks.isEmpty else { return nil }
        let line = rest.first == 0x0A ? 1 : rest.starts(with: [0x0D, 0x0A]) ? 2 : 0
        let length = 1 + blanks.count + line
        return line > 0 && length <= 76 ? length : nil
    }

    // MARK: Base64

    /// The decoded text of each run of Base64, read from each of its first four characters.
    private static func base64(_ text: [UInt8]) -> [[UInt8]] {
        var runs: [[UInt8]] = [[]]
        for byte in text {
            switch byte {
            case 0x0A, 0x0D: continue
            case UInt8(ascii: "-"): runs[runs.count - 1].append(62)
            case UInt8(ascii: "_"): runs[runs.count - 1].append(63)
            default:
                if let value = alphabet.firstIndex(of: byte) {
                    runs[runs.count - 1].append(UInt8(value))
                } else if runs[runs.count - 1].count > 0 {
                    runs.append([])
                }
            }
        }
        return runs.filter { $0.count >= 14 }
            .flatMap { run in
                (0..<4).map { start in
                    var bytes: [UInt8] = []
                    var held: (bits: UInt32, count: Int) = (0, 0)
                    for value in run.dropFirst(start) {
                        held = (held.bits << 6 | UInt32(value), held.count + 6)
                        guard held.count >= 8 else { continue }
                        held.count -= 8
                        bytes.append(UInt8(truncatingIfNeeded: held.bits >> UInt32(held.count)))
                    }
                    return bytes
                }
            }
    }

    // MARK: Two bytes a character, and compressed data

    /// Stretches in which every second byte is zero, without these.
    private static func narrow(_ text: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for start in 0..<2 {
            for zero in 0..<2 {
                var word: [UInt8] = []
                for pair in stride(from: start, to: text.count - 1, by: 2) {
                    if text[pair + zero] == 0, text[pair + 1 - zero] != 0 {
                        word.append(text[pair + 1 - zero])
                    } else {
                        if word.count >= 10 { found.append(word) }
                        word = []
                    }
                }
                if word.count >= 10 { found.append(word) }
            }
        }
        return found
    }

    private static func inflated(_ text: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for start in text.indices where text[start...].starts(with: [0x1F, 0x8B, 0x08]) {
            found.append(unpacked(Array(text[start...]), .gzip))
        }
        if text.count > 8, text[0] == 0x78, (Int(text[0]) << 8 | Int(text[1])) % 31 == 0 {
            found.append(unpacked(text, .deflate))
        }
        return found
    }

    private static func unpacked(_ content: [UInt8], _ coding: Inflater.Coding) -> [UInt8] {
        let inflater = Inflater(coding, limit: 1 << 24)
        var plain: [UInt8] = []
        try? inflater.feed(content, into: &plain)
        return plain
    }
}
