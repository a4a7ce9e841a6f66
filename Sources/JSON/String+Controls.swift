extension String {
    /// The text with its control characters written as escapes, so that a terminal does not obey them.
    ///
    /// Those that turn the direction of text count too: behind one of them a line reads as another than it is.
    package var withoutControls: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if Self.isControl(scalar) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Line separators, and the embeddings, overrides and isolates of the bidirectional algorithm (UAX 9).
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
