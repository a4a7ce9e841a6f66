/// Finds the routes that a request may have meant, for a person who wonders why none took it (control contract,
/// section 11).
struct RouteSuggestions: Sendable {
    private let table: [Router.Row]
    /// Every different literal once; `templates` refers to them by place.
    private let literals: [[UInt8]]
    private let templates: [[RouteAlignment.Part]]

    private typealias Cost = RouteAlignment.Cost

    /// The cost of a method other than the sent one.
    private static let methodCost = 4
    /// The maximum number of segments to compare: a hostile path may have thousands of segments of thousands of bytes.
    private static let segmentLimit = 12
    private static let byteLimit = 32

    init(_ table: [Router.Row]) {
        self.table = table
        var literals: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        templates = table.map { row in
            row.template.segments.map { segment in
                switch segment {
                case .literal(let text):
                    let bytes = Array(text.utf8)
                    if let place = places[bytes] { return .literal(place) }
                    places[bytes] = literals.count
                    literals.append(bytes)
                    return .literal(literals.count - 1)
                case .parameter: return .any
                case .rest: return .rest
                }
            }
        }
        self.literals = literals
    }

    /// The methods of some of the rows in the order of the table.
    func methodsInOrder(of rows: [Router.Row]) -> [HTTPMethod] {
        table.filter { row in rows.contains { $0.index == row.index && $0.method == row.method } }.map(\.method)
    }

    /// Returns true if a row's method serves another one too: HEAD goes wherever GET does.
    private static func takes(_ method: HTTPMethod, _ row: Router.Row) -> Bool {
        row.method == method || (method == .head && row.method == .get)
    }

    /// Up to `count` routes by what would have to change, the least first; equals in the order of the table.
    func nearest(to path: Path, _ method: HTTPMethod, count: Int) -> [Router.Suggestion] {
        let names = path.segments.prefix(Self.segmentLimit).map { segment in
            String(decoding: segment.utf8.prefix(Self.byteLimit), as: UTF8.self)
        }
        // Each segment is compared with each literal once, however many templates share it.
        let distances = names.map { name in literals.map { Self.distance(Array(name.utf8), $0) } }
        var best: [(cost: Int, place: Int, alignment: RouteAlignment)] = []
        for place in table.indices {
            let alignment = RouteAlignment(distances, templates[place])
            let cost = alignment.cost + (Self.takes(method, table[place]) ? 0 : Self.methodCost)
            let slot = best.firstIndex { cost < $0.cost } ?? best.endIndex
            guard slot < count else { continue }
            best.insert((cost, place, alignment), at: slot)
            if best.count > count { best.removeLast() }
        }
        return best.map { candidate in
            let row = table[candidate.place]
            var differences = differences(candidate.alignment, distances, names, candidate.place)
            if !Self.takes(method, row) { differences.insert(.method(sent: method, known: row.method), at: 0) }
            return Router.Suggestion(row: row, differences: differences)
        }
    }

    /// Puts into words where an alignment is not one to one.
    private func differences(
        _ alignment: RouteAlignment,
        _ distances: [[Int]],
        _ names: [String],
        _ place: Int
    ) -> [Router.Difference] {
        let texts = table[place].template.text.split(separator: "/").map(String.init)
        var found: [Router.Difference] = []
        for step in alignment.steps {
            switch step {
            case .pair(let segment, let part):
                guard case .literal(let literal) = templates[place][part] else { continue }
                let distance = distances[segment][literal]
                guard distance > 0 else { continue }
                let (sent, known) = (names[segment], texts[part])
                found.append(
                    distance < Cost.wrong ? .typo(sent: sent, known: known) : .segment(sent: sent, known: known)
                )
            case .surplus(let segment, let isPrefix):
                if case .surplus(let others, isPrefix) = found.last {
                    found[found.count - 1] = .surplus(others + [names[segment]], isPrefix: isPrefix)
                } else {
                    found.append(.surplus([names[segment]], isPrefix: isPrefix))
                }
            case .missing(let part, let isPrefix):
                if case .missing(let others, isPrefix) = found.last {
                    found[found.count - 1] = .missing(others + [texts[part]], isPrefix: isPrefix)
                } else {
                    found.append(.missing([texts[part]], isPrefix: isPrefix))
                }
            }
        }
        return found
    }

    /// The cost of reading one text for another: nothing when equal, little for a difference in case only, more for
    /// each letter; `Cost.wrong` when more than a third is wrong.
    private static func distance(_ sent: [UInt8], _ known: [UInt8]) -> Int {
        if sent == known { return 0 }
        let allowed = max(1, max(sent.count, known.count) / 3)
        guard !sent.isEmpty, !known.isEmpty, abs(sent.count - known.count) <= allowed else { return Cost.wrong }
        let left = sent.map(\.asciiLowercased)
        let right = known.map(\.asciiLowercased)
        if left == right { return Cost.typo }
        // Edit distance with neighbours exchanged counted as one edit (optimal string alignment).
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        var current = last
        for i in 1...left.count {
            current[0] = i
            for j in 1...right.count {
                let isSame = left[i - 1] == right[j - 1]
                var least = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    least = min(least, beforeLast[j - 2] + 1)
                }
                current[j] = least
            }
            beforeLast = last
            last = current
        }
        let edits = last[right.count]
        return edits <= allowed ? min(Cost.typo + edits, Cost.wrong - 1) : Cost.wrong
    }
}
