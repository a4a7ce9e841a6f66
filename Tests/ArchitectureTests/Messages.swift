import Foundation

/// The messages of the program that end a command: literals in the sources of the command line, with `…` for what differs.
enum Messages {
    /// Every message for a mistake of who calls, in the order of the sources.
    static func all() throws -> [(place: String, pattern: String)] {
        var found: [(String, String)] = []
        for file in SourceTree.files where ["ClientCommands", "UnderstudyCLI"].contains(file.target) {
            let text = try SourceTree.text(of: file.path)
            for pattern in patterns(in: text) { found.append((file.path, pattern)) }
        }
        return found
    }

    /// The messages in a source: what `UsageError(message:)`, `.usage(…)`, `.input(…)` and `Terminal.error(…)` are given as literals.
    static func patterns(in source: String) -> [String] {
        source.matches(of: /UsageError\(\s*message:|\.(?:usage|input)\(|Terminal\.(?:error|fail)\(/).compactMap {
            match in
            var reader = LiteralReader(rest: Substring(source[match.range.upperBound...]))
            let pattern = normalised(reader.arguments())
            return pattern.contains(where: \.isLetter) ? pattern : nil
        }
    }

    /// The pattern with one `…` for several, and without the program's name and a hint at the end.
    static func normalised(_ pattern: String) -> String {
        var text = pattern.replacing(/…+/, with: "…").trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("understudy: ") { text = String(text.dropFirst(12)) }
        while text.hasSuffix("…"), !text.hasSuffix(" …"), !text.hasSuffix("-…") { text = String(text.dropLast()) }
        return text
    }

    /// Every pattern that a page names in code, where a bar of a table is escaped.
    static func entries(of page: String) -> [String] {
        page.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
            line.matches(of: /`([^`]+)`/).map { normalised(String($0.1).replacing("\\|", with: "|")) }
        }
    }

    /// Reads the string literals among the arguments of a call.
    private struct LiteralReader {
        var rest: Substring

        /// The literals up to the parenthesis that closes the call, one after the other.
        mutating func arguments() -> String {
            var depth = 1
            var text = ""
            while depth > 0, let next = rest.first {
                if next == "\"" {
                    let literal = literal()
                    if depth == 1 { text += literal }
                    continue
                }
                rest.removeFirst()
                if next == "(" { depth += 1 }
                if next == ")" { depth -= 1 }
            }
            return text
        }

        private mutating func literal() -> String {
            rest.removeFirst()
            var text = ""
            while let next = rest.first, next != "\"" {
                rest.removeFirst()
                guard next == "\\", let escaped = rest.first else {
                    text.append(next)
                    continue
                }
                rest.removeFirst()
                if escaped == "(" {
                    _ = arguments()
                    text += "…"
                } else {
                    text.append(escaped)
                }
            }
            rest = rest.dropFirst()
            return text
        }
    }
}
