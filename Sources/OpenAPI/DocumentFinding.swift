package import JSON

/// A problem of a file of the folder, or something in it that is not supported, with its place.
package struct DocumentFinding: Hashable, Sendable {
    /// The file as the user gave it.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The way from the whole file to the part.
    package let path: [JSONPathElement]
    /// The finding in words; starts in lower case and has no full stop.
    package let reason: String

    package init(file: String, line: Int, path: [JSONPathElement], reason: String) {
        self.file = file
        self.line = line
        self.path = path
        self.reason = reason
    }
}

extension DocumentFinding: CustomStringConvertible {
    /// `FILE:LINE: PATH: reason` (own-API contract, section 2), without control characters.
    package var description: String { "\(file):\(line): \(path.formattedJSONPath): \(reason)".withoutControls }
}

extension String {
    /// The text with its control characters written as escapes, so that a terminal does not obey them.
    fileprivate var withoutControls: String {
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
