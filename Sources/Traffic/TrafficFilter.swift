import JSON

/// A filter of exchanges: tags such as `status:4xx`, joined by and, and a phrase (console contract, section 14).
///
/// `-` before a tag negates it, and a comma or `|` between its values is or. Words that are no tags are one phrase, which the
/// server looks for. The console's `kit/filter.js` is the other implementation; Tests/Vectors/filter.json holds both.
package struct TrafficFilter: Sendable {
    package enum Key: String, CaseIterable, Sendable {
        case api, method, path, route, status, user, fault, scenario, gate, outcome, ms, size, id
        case state = "is"

        /// Tells whether a comma parts its values, none of which can have one.
        var hasLists: Bool {
            switch self {
            case .api, .method, .status, .fault, .scenario, .outcome, .state: true
            case .path, .route, .user, .gate, .ms, .size, .id: false
            }
        }
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

    /// Reads a text in which blanks separate words; quotes keep the blanks of a word.
    package init(_ text: String) throws(FilterRefusal) {
        var others: [String] = []
        for word in Self.words(text) {
            if let tag = try Self.tag(word) { tags.append(tag) } else { others.append(Self.unquoted(word)) }
        }
        let text = others.filter { !$0.isEmpty }.joined(separator: " ")
        guard !text.isEmpty else { return }
        guard text.unicodeScalars.count <= Self.longestPhrase else {
            throw FilterRefusal(
                word: String(String.UnicodeScalarView(text.unicodeScalars.prefix(40))),
                reason: "a phrase has at most \(Self.longestPhrase) characters"
            )
        }
        phrase = text
    }

    private static func words(_ text: String) -> [String] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted && character.isWhitespace
        }.map(String.init)
    }

    private static func unquoted(_ word: String) -> String { word.filter { $0 != "\"" } }

    /// Tells whether a line has all the tags; the phrase is not looked at.
    package func takes(_ line: TrafficLine) -> Bool { tags.allSatisfy { $0.takes(line) } }

    /// The values that a key has; empty for one whose values are free.
    package static func values(of key: Key) -> [String] {
        switch key {
        case .method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        case .outcome: ["delivered", "interrupted", "cut", "held"]
        case .state: FilterValue.State.allCases.map(\.rawValue)
        default: []
        }
    }

    /// Reads a word as a tag; nil for one that has not the form of a tag.
    private static func tag(_ word: String) throws(FilterRefusal) -> Tag? {
        let isNegated = word.hasPrefix("-")
        let text = isNegated ? word.dropFirst() : word[...]
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[..<colon]
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else { return nil }
        let rest = text[text.index(after: colon)...]
        // An address is no tag.
        guard !rest.hasPrefix("//") else { return nil }
        guard let key = Key(rawValue: name.lowercased()) else {
            let known = Key.allCases.map(\.rawValue)
            let near = Suggestion.closest(to: String(name), among: known).map { "; did you mean \($0)?" } ?? "."
            throw FilterRefusal(
                word: word,
                reason: "there is no key \(name)\(near) The keys are \(known.joined(separator: ", "))"
            )
        }
        let texts = unquoted(String(rest)).split(omittingEmptySubsequences: false) {
            $0 == "|" || $0 == "," && key.hasLists
        }.map(String.init)
        var values: [FilterValue] = []
        for text in texts {
            do throws(FilterValue.Problem) {
                values.append(try FilterValue.read(text, key))
            } catch {
                throw FilterRefusal(word: word, reason: error.reason)
            }
        }
        return Tag(key: key, isNegated: isNegated, values: values, texts: texts)
    }
}
