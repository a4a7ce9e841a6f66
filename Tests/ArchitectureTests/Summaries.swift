/// The summaries of documentation comments, which begin with a noun or a verb (docs/contributing.md, "Prose").
enum Summaries {
    /// Words that begin a paraphrase instead of a name or an action: "The number of …", not "How many …".
    static let openings = [
        "Anybody", "How", "Nobody", "So many", "So much", "Somebody", "Someone", "That", "What", "Whatever", "When",
        "Whenever", "Where", "Wherever", "Whether", "Who", "Whoever", "Whom", "Whose", "Why",
    ]

    /// Each summary that begins with one of the words, as `file:line: what`.
    static func breaches(in files: [SourceFile]) -> [String] {
        files.flatMap { file -> [String] in
            var isInside = false
            return file.lines.compactMap { line in
                let summary = isInside ? nil : comment(line)
                isInside = comment(line) != nil
                guard let summary, let opening = openings.first(where: { begins(summary, with: $0) }) else {
                    return nil
                }
                return "\(line.place): a summary begins with a noun or a verb, found \"\(opening)\""
            }
        }
    }

    /// The text of a line that holds a documentation comment and nothing else.
    private static func comment(_ line: SourceLine) -> Substring? {
        let text = line.text.drop { $0 == " " || $0 == "\t" }
        guard text.hasPrefix("///"), line.code.allSatisfy(\.isWhitespace) else { return nil }
        return text.dropFirst(3).drop { $0 == " " }
    }

    private static func begins(_ text: Substring, with opening: String) -> Bool {
        text.hasPrefix(opening) && text.dropFirst(opening.count).first?.isLetter != true
    }
}
