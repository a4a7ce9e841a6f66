import Basics
import JSON
import Traffic

/// The journal of a running server as lines, filtered (clients contract, section 1).
struct TrafficLog {
    /// A line with the journal's own form of it.
    struct Item {
        var line: TrafficLine
        let json: JSON
    }

    let server: RunningServer
    let filter: TrafficFilter
    /// Requests that nothing answered.
    private var unmatched: [Request: Hint] = [:]

    /// The route that a request probably meant, or what differed where it meant that route.
    private struct Hint {
        var nearest: String?
        var differs: String?

        init(_ item: JSON) {
            guard let near = item["nearest"]?[0], let path = near["path"]?.stringValue,
                let method = near["method"]?.stringValue
            else { return }
            let isMethod = method == item["method"]?.stringValue
            // The path of a recorded entry has its query.
            if isMethod, path.split(separator: "?")[0] == item["path"]?.stringValue ?? "" {
                differs = near["differs"]?.stringValue
            } else {
                nearest = isMethod ? path : "\(method) \(path)"
            }
        }
    }

    /// A request as the list of unmatched ones names it; a reset and a server that was started anew give the id again.
    private struct Request: Hashable {
        let id: String
        let at: String
        let method: String
        let path: String
        let status: Int
    }

    private static let pageSize = 500
    /// Bytes of the longest page.
    private static let longestPage = 16 << 20
    private static let mostUnmatched = 1_000

    init(_ server: RunningServer, _ filter: TrafficFilter) {
        (self.server, self.filter) = (server, filter)
    }

    /// The newest lines that the filter takes, newest first.
    ///
    /// `isEnded` leaves out those that are under way.
    mutating func newest(_ count: Int, isEnded: Bool = false) throws(CommandFailure) -> [Item] {
        guard count > 0 else { return [] }
        var found: [Item] = []
        var before: Int64?
        let asked = serverFilters
        let isWhole = asked.count == filter.tags.count && !isEnded
        let limit = isWhole ? min(count, Self.pageSize) : Self.pageSize
        while found.count < count {
            var query = [(name: "view", value: "line"), (name: "limit", value: "\(limit)")] + asked
            if let before { query.append((name: "before", value: "\(before)")) }
            let items = try lines(query)
            for item in items where found.count < count && (!isEnded || item.line.outcome != "held") {
                if filter.takes(item.line) { found.append(item) }
            }
            // Each page is older than the one before, or there would be no end.
            guard items.count == limit, let last = items.last, last.line.seq < before ?? .max else { break }
            before = last.line.seq
        }
        return found
    }

    /// The tags that are parameters of the call as well: one value each, which means the same there.
    private var serverFilters: [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        for tag in filter.tags where !tag.isNegated && tag.texts.count == 1 {
            guard let value = Self.parameter(tag.key, tag.texts[0]),
                !found.contains(where: { $0.name == tag.key.rawValue })
            else { continue }
            found.append((tag.key.rawValue, value))
        }
        return found
    }

    /// The value of the parameter that a tag is; nil where the server would refuse it, or might read it otherwise.
    private static func parameter(_ key: TrafficFilter.Key, _ text: String) -> String? {
        switch key {
        case .status:
            let isCode = text.first.map { "012345".contains($0) } == true && !text.hasSuffix("+")
            return isCode ? text.lowercased() : nil
        case .method:
            return TrafficFilter.values(of: .method).contains(text.uppercased()) ? text.uppercased() : nil
        case .path:
            let isPlain = text.hasPrefix("/") && text.utf8.count < 1_024 && !text.contains { "%{}?".contains($0) }
            let isWhole = text.split(separator: "/").allSatisfy { $0 == "**" || !$0.contains("**") }
            return isPlain && isWhole && text.utf8.count { $0 == 0x2A } <= 32 ? text : nil
        case .api, .route, .user, .fault, .scenario, .gate, .outcome, .ms, .size, .id, .state: return nil
        }
    }

    /// The line of one entry, if the filter takes it.
    mutating func entry(_ seq: Int64) throws(CommandFailure) -> Item? {
        let items = try lines([
            (name: "view", value: "line"), (name: "since", value: "\(seq - 1)"), (name: "before", value: "\(seq + 1)"),
        ])
        return items.first.flatMap { filter.takes($0.line) ? $0 : nil }
    }

    private mutating func lines(_ query: [(name: String, value: String)]) throws(CommandFailure) -> [Item] {
        let phrase = filter.phrase.map { [(name: "q", value: $0)] } ?? []
        let answer = try server.call("GET", "/requests", query: query + phrase, atMost: Self.longestPage)
        var items = (answer["items"]?.arrayValue ?? []).map { Item(line: TrafficLine($0), json: $0) }
        try mark(&items)
        return items
    }

    private static func request(_ line: TrafficLine) -> Request {
        Request(id: line.id, at: line.at, method: line.method, path: line.path, status: line.status)
    }

    /// Marks the lines that nothing answered.
    private mutating func mark(_ items: inout [Item]) throws(CommandFailure) {
        guard !server.explains else { return }
        let open = items.indices.filter { items[$0].line.route == nil }
        if open.contains(where: { unmatched[Self.request(items[$0].line)] == nil }) {
            let limit = [(name: "limit", value: "\(Self.mostUnmatched)")]
            let answer = try server.call("GET", "/unmatched", query: limit, atMost: Self.longestPage)
            for item in answer["items"]?.arrayValue ?? [] {
                unmatched[Self.request(TrafficLine(item))] = Hint(item)
            }
        }
        for place in open {
            guard let hint = unmatched[Self.request(items[place].line)] else { continue }
            items[place].line.isUnmatched = true
            (items[place].line.nearest, items[place].line.differs) = (hint.nearest, hint.differs)
        }
    }
}
