/// The searches for a text within a text, by code point: a combining mark after an occurrence does not hide it, and two
/// spellings of one letter differ.
///
/// The standard library has them in a module of its own, whose calls bring its engine of regular expressions into the
/// program with them: a megabyte. A release and a strict build leave that module out (`Package.swift`).
extension Substring {
    /// The place of the first occurrence; that of an empty text is the start.
    package func firstRange(of text: String) -> Range<Index>? {
        let wanted = text.utf8
        guard let first = wanted.first else { return startIndex..<startIndex }
        var rest = utf8
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            // An occurrence of whole code points begins and ends with one, since the bytes inside of one never begin any.
            if rest.starts(with: wanted) { return start..<rest.index(start, offsetBy: wanted.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Tells whether the text occurs.
    package func contains(_ text: String) -> Bool { firstRange(of: text) != nil }

    /// The text with another in the place of each occurrence, from the first on; of none if the wanted text is empty.
    package func replacing(_ wanted: String, with text: String, maxReplacements: Int = .max) -> String {
        guard !wanted.isEmpty else { return String(self) }
        var replaced = ""
        var rest = self
        var left = maxReplacements
        while left > 0, let range = rest.firstRange(of: wanted) {
            replaced += rest[..<range.lowerBound]
            replaced += text
            rest = rest[range.upperBound...]
            left -= 1
        }
        return replaced + rest
    }
}
