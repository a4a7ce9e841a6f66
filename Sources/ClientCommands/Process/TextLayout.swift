/// Lines of text for people: wrapped at words, measured in columns of a terminal.
package enum TextLayout {
    /// The lines of a text that is wrapped at words; a longer word has a line of its own.
    package static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !line.isEmpty, Self.width(of: line) + 1 + Self.width(of: word) > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// A wrapped text whose later lines are indented.
    package static func wrapped(_ text: String, width: Int, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var all = lines(of: text, width: width)
        if indent > 0, all.count > 1 {
            let rest = all.dropFirst().joined(separator: " ")
            all = [all[0]] + lines(of: rest, width: max(width - indent, 10)).map { margin + $0 }
        }
        return all.joined(separator: "\n")
    }

    /// The number of columns that a text takes: two for a wide character, none for a combining one.
    package static func width(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + ($1.unicodeScalars.first.map(columns) ?? 0) }
    }

    /// The columns of a character by its first scalar (Unicode East Asian Width: wide and fullwidth, and emoji).
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }

    /// Cuts a text to a number of columns; the last one is then an ellipsis.
    static func cut(_ text: String, to columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        guard columns > 1 else { return String(repeating: "…", count: max(columns, 0)) }
        var kept = ""
        var used = 0
        for character in text {
            let next = width(of: String(character))
            guard used + next < columns else { break }
            kept.append(character)
            used += next
        }
        return kept + "…"
    }
}
