/// A problem with one part of a value.
public struct JSONIssue: Hashable, Sendable {
    /// The way from the whole value to the part.
    public var path: [JSONPathElement]
    /// The problem in words; starts in lower case and has no full stop.
    public var reason: String

    /// An issue.
    public init(path: [JSONPathElement], reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The path as people write it, such as `$.a[3].b`.
    public var formattedPath: String { path.formattedJSONPath }

    /// Creates the issue of an unknown member, with the name that was probably meant or all known names.
    static func unknownMember(_ name: String, at path: [JSONPathElement], known: [String]) -> JSONIssue {
        var reason = "unknown member"
        if let suggestion = Suggestion.nearest(to: name, among: known) {
            reason += "; did you mean \(JSON.string(suggestion).text)?"
        } else if known.isEmpty {
            reason += "; the object takes no members"
        } else if known.count <= 12 {
            reason += "; known are \(known.sorted().joined(separator: ", "))"
        }
        return JSONIssue(path: path + [.key(name)], reason: reason)
    }

    /// Creates the issue of a string outside of the allowed ones.
    static func notAmong(_ allowed: [String], found: String, at path: [JSONPathElement]) -> JSONIssue {
        let list = allowed.map { JSON.string($0).text }.joined(separator: ", ")
        var reason = "expected one of \(list), found \(JSON.string(found).abbreviatedText)"
        reason += Suggestion.hint(Suggestion.nearest(to: found, among: allowed).map { JSON.string($0).text })
        return JSONIssue(path: path, reason: reason)
    }
}

extension JSONIssue: CustomStringConvertible {
    /// Path and reason, such as `$.a[3].b: missing`.
    public var description: String { "\(formattedPath): \(reason)" }
}

extension JSON {
    /// The text, cut so that it fits into a message.
    var abbreviatedText: String {
        switch self {
        case .string(let value) where value.unicodeScalars.count > 40:
            var start = String.UnicodeScalarView()
            start.append(contentsOf: value.unicodeScalars.prefix(40))
            return JSON.string(String(start)).text + "…"
        case .array, .object: return typeName
        case .number(let number) where number.text.utf8.count > 40: return String(number.text.prefix(40)) + "…"
        default: return text
        }
    }
}
