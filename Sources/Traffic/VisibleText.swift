/// Foreign text without anything that would steer a terminal.
package enum VisibleText {
    /// The text with control characters, line ends and direction marks as JSON escapes them.
    package static func escaped(_ text: String) -> String {
        if isPlain(text) { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            guard isControl(scalar) else {
                shown.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\n": shown += "\\n"
            case "\r": shown += "\\r"
            case "\t": shown += "\\t"
            default:
                let digits = String(scalar.value, radix: 16)
                shown += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return shown
    }

    /// The bytes of lines for a terminal, in which nothing steers it: control characters but line ends and tabs, and direction
    /// marks, become the escapes of JSON.
    ///
    /// `keepsColors` leaves the codes of colours as they are.
    package static func steerless(_ text: String, keepsColors: Bool) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard !bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) else { return bytes }
        var shown: [UInt8] = []
        shown.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x09 {
                shown.append(byte)
                rest.removeFirst()
            } else if keepsColors, let code = color(rest) {
                shown += code
                rest = rest.dropFirst(code.count)
            } else if let (control, length) = control(rest) {
                let digits = String(control, radix: 16)
                shown += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
                rest = rest.dropFirst(length)
            } else {
                shown.append(byte)
                rest.removeFirst()
            }
        }
        return shown
    }

    /// The code of a colour at the start (ECMA-48, SGR); nil for anything else.
    private static func color(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.starts(with: [0x1B, 0x5B]) else { return nil }
        let numbers = bytes.dropFirst(2).prefix { $0 &- 0x30 < 10 || $0 == 0x3B }
        guard numbers.endIndex < bytes.endIndex, bytes[numbers.endIndex] == 0x6D else { return nil }
        return bytes[...numbers.endIndex]
    }

    /// The control character or direction mark at the start, with its bytes.
    private static func control(_ bytes: ArraySlice<UInt8>) -> (UInt32, Int)? {
        guard let first = bytes.first else { return nil }
        if first < 0x80 { return (UInt32(first), 1) }
        // The others have two or three bytes, and begin with one of these.
        guard first == 0xC2 || first == 0xD8 || first == 0xE2 else { return nil }
        for length in 2...3 where bytes.count >= length {
            guard let text = String(validating: bytes.prefix(length), as: UTF8.self),
                let scalar = text.unicodeScalars.first, isControl(scalar)
            else { continue }
            return (scalar.value, length)
        }
        return nil
    }

    /// Tells whether a text is shown as it is, because it consists of printable ASCII characters, as most do.
    static func isPlain(_ text: String) -> Bool {
        // Through a span a byte costs a third of what it does through the view.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, *) else {
            return text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        }
        let bytes = text.utf8Span.span
        for place in bytes.indices where bytes[place] < 0x20 || bytes[place] >= 0x7F { return false }
        return true
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
