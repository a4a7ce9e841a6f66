extension String {
    /// Without white space at either end, as JavaScript's `trim` does: by code points, so that a combining mark after a
    /// space stays; the byte order mark counts as a space and U+0085 does not.
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
