extension String {
    /// The text without white space at either end, as JavaScript's `trim` returns it.
    ///
    /// The trimming goes by code points, so a combining mark after a space stays. The byte order mark counts as a
    /// space, and U+0085 does not.
    var trimmed: String {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\u{FEFF}" || scalar.properties.isWhitespace && scalar != "\u{85}"
        }
        let scalars = unicodeScalars
        guard let start = scalars.firstIndex(where: { !isSpace($0) }),
            let end = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[start...end])
    }
}
