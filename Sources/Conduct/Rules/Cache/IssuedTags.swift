import HTTPMessage

/// The entity tags that were issued, by path and query, and to whom.
struct IssuedTags: Sendable {
    private struct Place: Hashable {
        var api: Int
        var target: String
    }

    /// The numbers of paths with queries for which a tag was issued, by the tag without `W/`.
    private var targets: [String: Set<Int32>] = [:]
    /// The first row by which a client got a tag, by `client tag`.
    private var rows: [String: [Int32: Int32]] = [:]
    /// Tags that clients sent before an answer brought them, by `client tag`: they had them from before.
    private var former: Set<String> = []
    private var numbers: [String: Int32] = [:]
    /// The tags in lower case and without quotes, for each path and query.
    private var loose: [Int32: Set<String>] = [:]

    /// The number of a path with its query on an API.
    mutating func number(_ x: Judged) -> Int32 {
        let name = "\(x.exchange.api) \(x.exchange.path)?\(x.exchange.query ?? "")"
        if let number = numbers[name] { return number }
        let number = Int32(numbers.count)
        numbers[name] = number
        return number
    }

    mutating func note(_ x: Judged) {
        guard x.isGet else { return }
        for tag in Self.sent(x) where rows["\(x.row.client) \(tag)"] == nil { former.insert("\(x.row.client) \(tag)") }
        guard x.row.outcome == .delivered, let strong = Self.brought(x) else { return }
        let place = number(x)
        targets[strong, default: []].insert(place)
        loose[place, default: []].insert(Self.loosely(strong))
        let name = "\(x.row.client) \(strong)"
        if !former.contains(name), rows[name]?[place] == nil { rows[name, default: [:]][place] = x.index }
    }

    /// The tag of an answer, without `W/`.
    static func brought(_ x: Judged) -> String? { x.exchange.responseFields["ETag"].map(strong) }

    func wasIssued(_ tag: String, at place: Int32) -> Bool { targets[tag]?.contains(place) == true }

    /// The row by which the client got a tag for another path or query, if it knew that answer.
    func issuedElsewhere(_ tag: String, to x: Judged, than place: Int32, _ bench: Bench) -> Int32? {
        rows["\(x.row.client) \(tag)"]?.filter { $0.key != place && bench.knows(bench[$0.value], x.row) }.values.min()
    }

    /// Tells whether a tag would fit with quotes around it, or in another case.
    func wouldFit(_ tag: String, at place: Int32) -> Bool { loose[place]?.contains(Self.loosely(tag)) == true }

    /// The tags of `If-None-Match`, without `W/`; empty for `*`.
    static func sent(_ x: Judged) -> [String] {
        x.exchange.fields.values("If-None-Match").flatMap(elements).filter { $0 != "*" }.map(strong)
    }

    /// The elements of a list; a comma inside of quotes is a part of a tag.
    private static func elements(_ value: String) -> [String] {
        var elements: [String] = []
        var element = ""
        var isQuoted = false
        for character in value + "," {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                let text = element.drop { $0 == " " || $0 == "\t" }
                var end = text
                while end.last == " " || end.last == "\t" { end = end.dropLast() }
                if !end.isEmpty { elements.append(String(end)) }
                element = ""
            } else {
                element.append(character)
            }
        }
        return elements
    }

    private static func strong(_ tag: String) -> String {
        let text = tag.hasPrefix("W/") || tag.hasPrefix("w/") ? String(tag.dropFirst(2)) : tag
        return text
    }

    private static func loosely(_ tag: String) -> String { String(tag.filter { $0 != "\"" }).lowercased() }
}
