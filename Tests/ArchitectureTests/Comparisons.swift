/// The plain comparisons of tests: `expectEqual` and `expectNil`, which the compiler reads at a fraction of what `#expect` costs it.
enum Comparisons {
    /// Each `#expect` of one comparison by `==`, as `file:line: what`.
    static func breaches(in files: [SourceFile]) -> [String] {
        files.flatMap { file in
            file.lines.indices.flatMap { number in
                file.lines[number].code.split(separator: "#expect(", omittingEmptySubsequences: false).dropFirst()
                    .filter { start in
                        let rest = file.lines[(number + 1)...].lazy.flatMap { " " + $0.code }
                        return isPlain(outline(of: start) ?? outline(of: Array(start) + rest.prefix(5_000)) ?? "")
                    }
                    .map { _ in "\(file.lines[number].place): a comparison by #expect" }
            }
        }
    }

    /// The first argument of a call, of which nothing stays within brackets but the outer commas; nil if the call does not end.
    private static func outline(of code: some Sequence<Character>) -> String? {
        var (depth, text) = (0, "")
        for character in code {
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 || depth == 0 && character == "," { return text }
            if depth == 0 || depth == 1 && character == "," { text.append(character) }
            if "([{".contains(character) { depth += 1 }
        }
        return nil
    }

    private static func isPlain(_ outline: String) -> Bool {
        let words = outline.split(separator: " ").filter { !["try", "await"].contains($0) }
        guard words.count(where: { $0 == "==" }) == 1, !words.contains(where: { ["&&", "||", "?"].contains($0) }) else {
            return false
        }
        // Tuples conform to no protocol, so that no function takes them.
        return !words.contains { $0.hasPrefix("(,") && $0.allSatisfy { "(,)".contains($0) } }
    }
}
