import Basics
import CivilTime

/// A text with WireMock's templates, in the form of placeholders (own-API contract, sections 9 and 20).
enum HandlebarsText {
    /// A template that has no counterpart.
    struct Refusal: Error {
        let reason: String
    }

    /// Returns the text with placeholders in place of its templates.
    ///
    /// `path` has the parameters of the mapping's path template.
    static func converted(_ text: String, path: PathNames) throws(Refusal) -> String {
        var output = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            output += rest[..<start.lowerBound]
            let isTriple = rest[start.upperBound...].hasPrefix("{")
            let inner = isTriple ? rest.index(after: start.upperBound) : start.upperBound
            guard output.last != "\\", let end = rest[inner...].firstRange(of: isTriple ? "}}}" : "}}") else {
                throw Refusal(reason: "has braces that are not a template")
            }
            let expression = rest[inner..<end.lowerBound]
            output += try counterpart(of: String(expression), path)
            rest = rest[end.upperBound...]
        }
        return output + rest
    }

    /// A text of a JSON body that stays a text, as it does in WireMock, where it is one placeholder; nil where only the
    /// text of the whole body can say so.
    static func asText(_ text: String) -> String? {
        guard text.hasPrefix("{{"), text.hasSuffix("}}"), !text.dropFirst(2).contains("{{") else { return text }
        let inner = text.dropFirst(2).dropLast(2)
        guard let bar = inner.lastIndex(of: "|") else { return "{{\(inner) | text}}" }
        return inner[bar...].hasSuffix(" date") ? text : nil
    }

    /// The text that stands for a template.
    private static func counterpart(of expression: String, _ path: PathNames) throws(Refusal) -> String {
        let words = words(expression)
        if words.count == 1, let name = parameter("request.path.", of: words[0]), let value = path.values[name] {
            return value
        }
        return "{{\(try placeholder(for: expression, words, path))}}"
    }

    private static func placeholder(
        for expression: String,
        _ words: [String],
        _ path: PathNames
    ) throws(Refusal) -> String {
        let refusal = Refusal(reason: "has the template {{\(expression)}}, which has no counterpart")
        guard let first = words.first else { throw refusal }
        switch (first, words.count) {
        case ("request.method", 1), ("request.requestLine.method", 1): return "request.method"
        case ("request.path", 1), ("request.requestLine.path", 1): return "request.path"
        case ("now", _):
            guard let time = now(words.dropFirst()) else { throw refusal }
            return time
        case ("randomValue", 2) where words[1] == "type='UUID'": return "uuid"
        case ("jsonPath", 3) where words[1] == "request.body":
            guard let path = unquoted(words[2]), let names = MemberPath.names(path), names.allSatisfy(isName) else {
                throw refusal
            }
            return (["body"] + names).joined(separator: ".")
        case (_, 1):
            guard let name = parameter(first, path) else { throw refusal }
            return name
        default: throw refusal
        }
    }

    /// The placeholder of a request's parameter: `request.query.x`, `request.headers.[X-A]`, `request.path.id`.
    private static func parameter(_ word: String, _ path: PathNames) -> String? {
        if let name = parameter("request.path.", of: word) { return path.names.contains(name) ? "path.\(name)" : nil }
        for (prefix, kind) in [("request.query.", "query"), ("request.headers.", "header")] {
            // The first of several values.
            let word = [".[0]", ".0"].first { word.hasSuffix($0) }.map { String(word.dropLast($0.count)) } ?? word
            if let name = parameter(prefix, of: word) { return "\(kind).\(name)" }
        }
        return nil
    }

    /// The name behind a prefix, without brackets around it.
    private static func parameter(_ prefix: String, of word: String) -> String? {
        guard word.hasPrefix(prefix) else { return nil }
        var name = word.dropFirst(prefix.count)
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        return isName(String(name)) ? String(name) : nil
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F || $0 == 0x2D }
    }

    // MARK: Time

    private static let units: [(name: String, isTime: Bool, letter: String)] = [
        ("second", true, "S"), ("minute", true, "M"), ("hour", true, "H"), ("day", false, "D"), ("month", false, "M"),
        ("year", false, "Y"),
    ]

    private static func now(_ words: ArraySlice<String>) -> String? {
        var time = "now"
        var filter = ""
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let value = unquoted(parts[1]) else { return nil }
            switch (parts[0], value) {
            case ("offset", _):
                guard let offset = offset(value) else { return nil }
                time += offset
            case ("format", "epoch"): filter = " | unixms"
            case ("format", "unix"): filter = " | unix"
            case ("format", "yyyy-MM-dd"): filter = " | date"
            default: return nil
            }
        }
        return time + filter
    }

    /// The signed duration of an offset such as `-3 days`.
    private static func offset(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[0]), number > Int64.min,
            let unit = units.first(where: { parts[1] == $0.name || parts[1] == $0.name + "s" })
        else { return nil }
        let duration = (unit.isTime ? "PT" : "P") + "\(abs(number))" + unit.letter
        guard (try? CalendarDuration(iso8601: duration)) != nil else { return nil }
        return (number < 0 ? "-" : "+") + duration
    }

    // MARK: Words

    /// The words of an expression; blanks within quotes belong to a word.
    private static func words(_ expression: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in expression {
            if let open = quote {
                word.append(character == open ? "'" : character)
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
                word.append("'")
            } else if character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func unquoted(_ word: String) -> String? {
        guard word.count >= 2, word.hasPrefix("'"), word.hasSuffix("'") else { return nil }
        return String(word.dropFirst().dropLast())
    }
}
