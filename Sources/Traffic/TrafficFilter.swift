import JSON

/// A filter of exchanges: tags such as `status:4xx`, joined by and, and a phrase (console contract, section 14).
///
/// `-` before a tag negates it, and `|` between its values is or. Words that are no tags are one phrase, which the
/// server looks for.
package struct TrafficFilter: Sendable {
    package enum Key: String, CaseIterable, Sendable {
        case api, method, path, route, status, user, fault, scenario, gate, outcome, ms, size, id
        case state = "is"
    }

    /// One tag, with at least one value.
    package struct Tag: Sendable {
        package let key: Key
        package let isNegated: Bool
        let values: [FilterValue]
        /// The values as they were written.
        package let texts: [String]

        func takes(_ line: TrafficLine) -> Bool { values.contains { $0.takes(line, key) } != isNegated }
    }

    package private(set) var tags: [Tag] = []
    /// The words that are no tags, joined by blanks; nil without any.
    package private(set) var phrase: String?

    /// The maximum length of a phrase in characters, as of the parameter `q`.
    package static let longestPhrase = 256

    /// Reads the words of a command line, or of a search field.
    package init(_ words: [String]) throws(FilterRefusal) {
        var others: [String] = []
        for word in words {
            if let tag = try Self.tag(word) { tags.append(tag) } else { others.append(word) }
        }
        let text = others.joined(separator: " ")
        guard !text.isEmpty else { return }
        guard text.count <= Self.longestPhrase else {
            throw FilterRefusal(
                word: String(text.prefix(40)),
                reason: "a phrase has at most \(Self.longestPhrase) characters"
            )
        }
        phrase = text
    }

    /// Reads a text in which blanks separate words.
    package init(text: String) throws(FilterRefusal) {
        try self.init(text.split(whereSeparator: { $0.isWhitespace }).map(String.init))
    }

    /// Tells whether a line has all the tags; the phrase is not looked at.
    package func takes(_ line: TrafficLine) -> Bool { tags.allSatisfy { $0.takes(line) } }

    /// Tells whether a tag asks for a state that a line alone does not show.
    package var asksForUnmatched: Bool {
        tags.contains { $0.key == .state && $0.texts.contains("unmatched") }
    }

    /// The values that a key has; empty for one whose values are free.
    package static func values(of key: Key) -> [String] {
        switch key {
        case .method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        case .status: ["2xx", "3xx", "4xx", "5xx"]
        case .outcome: FilterValue.outcomes
        case .state: FilterValue.State.allCases.map(\.rawValue)
        case .api, .path, .route, .user, .fault, .scenario, .gate, .ms, .size, .id: []
        }
    }

    /// Reads a word as a tag; nil for one that has not the form of a tag.
    private static func tag(_ word: String) throws(FilterRefusal) -> Tag? {
        let isNegated = word.hasPrefix("-")
        let text = isNegated ? word.dropFirst() : word[...]
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[..<colon]
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else { return nil }
        guard let key = Key(rawValue: name.lowercased()) else {
            let known = Key.allCases.map(\.rawValue)
            let near =
                Suggestion.nearest(to: String(name), among: known) ?? Suggestion.closest(to: String(name), among: known)
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            throw FilterRefusal(
                word: word,
                reason: "there is no key \(name)\(hint) The keys are \(known.joined(separator: ", "))"
            )
        }
        let texts = text[text.index(after: colon)...].split(separator: "|", omittingEmptySubsequences: false).map(
            String.init
        )
        var values: [FilterValue] = []
        for text in texts {
            guard !text.isEmpty else { throw FilterRefusal(word: word, reason: "\(key.rawValue) needs a value") }
            switch FilterValue.read(text, key) {
            case .success(let value): values.append(value)
            case .failure(let problem): throw FilterRefusal(word: word, reason: problem.reason)
            }
        }
        return Tag(key: key, isNegated: isNegated, values: values, texts: texts)
    }
}
