/// Foreign text without anything that would steer a terminal.
package enum VisibleText {
    /// The text with control characters, line ends and direction marks as escapes.
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
                shown += scalar.value < 0x100 ? "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
            }
        }
        return shown
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
