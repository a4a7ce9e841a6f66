extension String {
    /// Without white space at either end, as JavaScript's `trim` does.
    var trimmed: String {
        func isSpace(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(self[start...end])
    }
}
