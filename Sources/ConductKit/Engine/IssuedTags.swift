import HTTPMessage

/// The entity tags that were issued, by path and query, and to whom.
package struct IssuedTags: Sendable {
    /// The numbers of paths with queries for which a tag was issued, by the tag without `W/`.
    private var targets: [String: Set<Int32>] = [:]
    /// The first row by which the answer to a GET brought a client a tag, by `client tag`, for each path and query.
    private var rows: [String: [Int32: Int32]] = [:]
    /// The first row by which the answer to a GET brought a client any tag, for each path and query.
    private var known: [Int32: [Int32: Int32]] = [:]
    /// The places that a redirected request's tags were taken along to.
    private var carried: [String: Set<Int32>] = [:]
    /// Tags that clients sent before an answer brought them, by `client tag`: they had them from before.
    private var former: Set<String> = []
    private var numbers: [String: Int32] = [:]
    /// The tags in lower case and without quotes, for each path and query.
    private var loose: [Int32: Set<String>] = [:]
    /// The last places that redirects led to, by the one that they lead from.
    private var leads: [Int32: [Int32]] = [:]
    /// The places that are kept of one, and those that are followed along redirects.
    private static let mostLeads = 16
    private static let mostHops = 64

    /// The number of a path with its query, whichever host it is on.
    package mutating func number(_ x: JudgedExchange) -> Int32 {
        number(x.exchange.query.map { "\(x.exchange.path)?\($0)" } ?? x.exchange.path)
    }

    private mutating func number(_ target: String) -> Int32 {
        if let number = numbers[target] { return number }
        let number = Int32(numbers.count)
        numbers[target] = number
        return number
    }

    /// Notes the tags of a request and of its answer.
    ///
    /// An answer tells the tag of its own path and query, of `Content-Location`, and of the `Location` of what it has made
    /// (RFC 9110, sections 8.7, 8.8.3 and 15.3.2).
    package mutating func note(_ x: JudgedExchange) {
        for tag in Self.sent(x) + Self.tags([.ifMatch, .ifRange], of: x) where rows["\(x.row.client) \(tag)"] == nil {
            former.insert("\(x.row.client) \(tag)")
        }
        guard x.row.isDelivered else { return }
        let fields = x.exchange.responseFields
        let isRedirect = (300..<400).contains(x.row.status) && x.row.status != 304
        if isRedirect, x.isGet || x.method == .head || x.row.status == 307 || x.row.status == 308,
            let location = fields[.location]
        {
            let place = number(x)
            for target in Addresses.targets(location, of: x.exchange).map({ number($0) }) where target != place {
                leads[place] = (leads[place] ?? []).filter { $0 != target }.suffix(Self.mostLeads - 1) + [target]
                // A client that follows it sends the same fields.
                for tag in Self.sent(x) { carried[tag, default: []].insert(target) }
            }
        }
        guard let strong = Self.brought(x) else { return }
        let place = number(x)
        var places = [place]
        for reference in [fields["Content-Location"], isRedirect ? nil : fields[.location]].compactMap({ $0 }) {
            places += Addresses.targets(reference, of: x.exchange).map { number($0) }
        }
        for place in places {
            targets[strong, default: []].insert(place)
            loose[place, default: []].insert(Self.loosely(strong))
        }
        let name = "\(x.row.client) \(strong)"
        if x.isGet, known[x.row.client]?[place] == nil { known[x.row.client, default: [:]][place] = x.index }
        if x.isGet, !former.contains(name), rows[name]?[place] == nil { rows[name, default: [:]][place] = x.index }
    }

    /// The tag of an answer, without `W/`.
    package static func brought(_ x: JudgedExchange) -> String? { x.exchange.responseFields["ETag"].map(strong) }

    /// Tells whether an answer brought a tag for a place, or for one that it leads to.
    package func wasIssued(_ tag: String, at place: Int32) -> Bool {
        guard let places = targets[tag] else { return false }
        return reach(place).contains(where: places.contains)
    }

    /// Tells whether a client that followed a redirect took a tag along to a place.
    package func wasCarried(_ tag: String, to place: Int32) -> Bool { carried[tag]?.contains(place) == true }

    /// Tells whether the client of a request knew an answer that brought a tag of its path and query, so that it knows
    /// better than to send another's.
    package func knowsTag(of x: JudgedExchange, at place: Int32, _ context: RuleContext) -> Bool {
        known[x.row.client]?[place].map { context.knows(context[$0], x.row) } ?? false
    }

    /// A place, and those that redirects lead to from it.
    private func reach(_ place: Int32) -> Set<Int32> {
        var seen: Set<Int32> = []
        var open = [place]
        while let next = open.popLast(), seen.count < Self.mostHops {
            if seen.insert(next).inserted { open += leads[next, default: []] }
        }
        return seen
    }

    /// The row by which the client got a tag for another path or query, if it knew that answer.
    package func issuedElsewhere(_ tag: String, to x: JudgedExchange, than place: Int32, _ context: RuleContext)
        -> Int32?
    {
        rows["\(x.row.client) \(tag)"]?.filter { $0.key != place && context.knows(context[$0.value], x.row) }.values
            .min()
    }

    /// Tells whether a tag would fit with quotes around it, or in another case.
    package func wouldFit(_ tag: String, at place: Int32) -> Bool {
        reach(place).contains { loose[$0]?.contains(Self.loosely(tag)) == true }
    }

    /// The tags of `If-None-Match`, without `W/`; empty for `*`.
    package static func sent(_ x: JudgedExchange) -> [String] { tags([.ifNoneMatch], of: x) }

    private static func tags(_ names: [FieldName], of x: JudgedExchange) -> [String] {
        names.flatMap { x.exchange.fields.values($0) }.flatMap(elements).filter { $0 != "*" }.map(strong)
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

extension FieldName {
    fileprivate static let ifMatch: FieldName = "If-Match"
    fileprivate static let ifRange: FieldName = "If-Range"
}
