extension String {
    /// The text with its control characters written as escapes, so that a terminal does not obey them.
    package var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
