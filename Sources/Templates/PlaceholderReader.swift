import CivilTime
import JSON

/// Reads the name of a placeholder.
struct PlaceholderReader {
    let names: TemplateNames

    /// The names of every template, as they are told to people.
    private static let common = [
        "path.NAME", "query.NAME", "header.NAME", "body", "user.NAME", "now", "T0", "D0", "uuid", "random", "pick",
        "counter.NAME", "state.NAME", "request.id", "request.method", "request.path", "base",
    ]

    func read(_ text: String) throws(TemplateFormError) -> Placeholder {
        guard !text.isEmpty else { throw .form("has no name") }
        if let local = try local(text) { return local }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        let name = String(words[0])
        switch name {
        case "random": return try bounds(words.dropFirst())
        case "pick":
            guard words.count > 1 else { throw .form("needs words to pick from, as in pick red green") }
            return .pick(words.dropFirst().map { String($0) })
        default: break
        }
        if let time = try time(text) { return time }
        guard words.count == 1 else { throw .unknown("placeholder", text, known) }
        switch name {
        case "uuid": return .uuid
        case "base": return .base
        case "request.id": return .requestID
        case "request.method": return .requestMethod
        case "request.path": return .requestPath
        default: return try prefixed(name)
        }
    }

    private var known: [String] { Self.common + names.locals }

    private func local(_ text: String) throws(TemplateFormError) -> Placeholder? {
        if names.locals.contains(text) { return .local(text, []) }
        for name in names.structures where text.hasPrefix(name) {
            let rest = text.dropFirst(name.count)
            guard rest.first == "." || rest.first == "[" else { continue }
            // The user's row is there for every template.
            if name == "user" { continue }
            return .local(name, try path(rest))
        }
        return nil
    }

    private func prefixed(_ text: String) throws(TemplateFormError) -> Placeholder {
        guard let end = text.firstIndex(where: { $0 == "." || $0 == "[" }) else {
            guard text == "body" else { throw .unknown("placeholder", text, known) }
            return .body([])
        }
        let rest = text[end...]
        switch text[..<end] {
        case "body": return .body(try path(rest))
        case "user": return .user(try path(rest))
        case "path": return .path(try name(rest, among: names.pathParameters, "path parameter"))
        case "query": return .query(try name(rest))
        case "header":
            let name = try name(rest)
            guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }) else {
                throw .form("names no header")
            }
            return .header(name)
        case "counter": return .counter(try name(rest))
        case "state": return .state(try name(rest, among: names.states, "state"))
        default: throw .unknown("placeholder", text, known)
        }
    }

    private func name(_ rest: Substring) throws(TemplateFormError) -> String {
        guard rest.first == ".", rest.utf8.count > 1 else { throw .form("has no name after the dot") }
        return String(rest.dropFirst())
    }

    private func name(
        _ rest: Substring,
        among known: [String]?,
        _ kind: String
    ) throws(TemplateFormError) -> String {
        let name = try name(rest)
        if let known, !known.contains(name) { throw .unknown(kind, name, known) }
        return name
    }

    /// A path such as `.a.items[0].id`.
    private func path(_ text: Substring) throws(TemplateFormError) -> [JSONPathElement] {
        var path: [JSONPathElement] = []
        var rest = text
        while let mark = rest.popFirst() {
            if mark == "." {
                let end = rest.firstIndex { $0 == "." || $0 == "[" } ?? rest.endIndex
                guard end > rest.startIndex else { throw .form("has no name after a dot") }
                path.append(.key(String(rest[..<end])))
                rest = rest[end...]
            } else if mark == "[" {
                guard let end = rest.firstIndex(of: "]"), rest[..<end].utf8.allSatisfy({ $0 &- 0x30 < 10 }),
                    let index = Int(rest[..<end])
                else { throw .form("has no number in its brackets") }
                path.append(.index(index))
                rest = rest[rest.index(after: end)...]
            } else {
                throw .form("has no dot before a name")
            }
        }
        return path
    }

    private func bounds(_ words: ArraySlice<Substring>) throws(TemplateFormError) -> Placeholder {
        let bounds = words.map { Int64($0) }
        guard bounds.count == 2, let least = bounds[0], let most = bounds[1], least <= most else {
            throw .form("needs two whole numbers, the smaller one first, as in random 1 6")
        }
        return .chance(least...most)
    }

    /// `now`, `T0` or `D0`, with a signed duration behind it.
    private func time(_ text: String) throws(TemplateFormError) -> Placeholder? {
        for anchor in Placeholder.Anchor.allCases where text.hasPrefix(anchor.rawValue) {
            let rest = text.dropFirst(anchor.rawValue.count).trimmed
            guard let sign = rest.first else { return .time(anchor, nil) }
            guard sign == "+" || sign == "-" else { continue }
            let duration = rest.dropFirst().trimmed
            guard duration.first == "P" else {
                throw .form("needs an ISO 8601 duration after the sign, as in now+PT15M")
            }
            do throws(DurationError) {
                return .time(anchor, try CalendarDuration(iso8601: (sign == "-" ? "-" : "") + duration))
            } catch {
                throw .form("has no duration after its sign: \(error)")
            }
        }
        return nil
    }
}
