import JSON

/// The search for the known name nearest to an unknown flag, key or variable (control contract, section 2).
package enum NearestName {
    /// Returns the option that the text most likely means; there is always one, however distant.
    ///
    /// A prefix wins over a misspelling (`--conf` is `--config`, not `--cors`), then comes a name with a suffix
    /// (`--state-dir`), then a word in common (`--token`).
    package static func option(for text: String, among options: [Option]) -> Option? {
        let name = nearest(to: plain(text), among: options.map(\.name))
        return options.first { $0.name == name }
    }

    package static func nearest(to typed: String, among names: [String]) -> String? {
        // A letter of a short flag that does not exist: `-p` means `--port`.
        if typed.utf8.count == 1, let found = names.first(where: { $0.hasPrefix(typed) }) { return found }
        if typed.utf8.count >= 3, let found = names.first(where: { $0.hasPrefix(typed) }) { return found }
        if let found = Suggestion.nearest(to: typed, among: names) { return found }
        return related(to: typed, among: names) ?? Suggestion.closest(to: typed, among: names)
    }

    /// The name that a text begins, misspells or shares a word with; nil where all are distant.
    static func likely(_ typed: String, among names: [String]) -> String? {
        names.first { typed.utf8.count >= 2 && $0.hasPrefix(typed) } ?? Suggestion.nearest(to: typed, among: names)
            ?? related(to: typed, among: names)
    }

    private static func related(to typed: String, among names: [String]) -> String? {
        let begun = names.filter { typed.hasPrefix($0) }
        if let found = begun.max(by: { $0.utf8.count < $1.utf8.count }) { return found }
        let words = typed.split(separator: "-")
        return names.first { $0.split(separator: "-").contains(where: words.contains) }
    }

    /// Converts `--world-required`, `UNDERSTUDY_WORLD_REQUIRED` and `worldRequired` to the option name `world-required`.
    private static func plain(_ text: String) -> String {
        var rest = text[...]
        if rest.hasPrefix("UNDERSTUDY_") { rest = rest.dropFirst("UNDERSTUDY_".count) }
        let isKey = rest.contains { $0.isLowercase } && !rest.hasPrefix("-")
        let words = rest.drop { $0 == "-" }.map { character in
            if character == "_" { return "-" }
            return (isKey && character.isUppercase ? "-" : "") + character.lowercased()
        }
        return words.joined()
    }
}
