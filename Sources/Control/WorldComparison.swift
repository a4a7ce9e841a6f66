import Crypto
import HTTPMessage
import JSON
import Journal

/// The exchanges of two worlds side by side.
struct WorldComparison {
    /// The number of exchanges of a world that are compared, the newest.
    static let most = 2_000

    private struct Key: Hashable {
        let api: String
        let method: String
        let route: String
    }

    private let a: [JournalEntry]
    private let b: [JournalEntry]

    /// Compares the exchanges of two journals: those of one API, if one is named.
    init(_ a: Journal, _ b: Journal, api: String? = nil) {
        self.a = Self.newest(a, api)
        self.b = Self.newest(b, api)
    }

    private static func newest(_ journal: Journal, _ api: String?) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        journal.forEachNewestFirst { entry in
            if api == nil || entry.api == api { entries.append(entry) }
            return entries.count < most
        }
        return entries.reversed()
    }

    private static func key(_ entry: JournalEntry) -> Key {
        Key(api: entry.api, method: entry.method.rawValue, route: entry.route ?? entry.path)
    }

    /// Returns the pairs in the order of the longest common sequence of both; nil stands for the side that lacks one.
    private func pairs() -> [(Int?, Int?)] {
        let (left, right) = (a.map(Self.key), b.map(Self.key))
        // Both ends are alike most of the time.
        var start = 0
        while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
        var end = 0
        while end < left.count - start, end < right.count - start,
            left[left.count - 1 - end] == right[right.count - 1 - end]
        { end += 1 }
        let (rows, columns) = (left.count - start - end, right.count - start - end)
        var lengths = [UInt16](repeating: 0, count: (rows + 1) * (columns + 1))
        for row in stride(from: rows - 1, through: 0, by: -1) {
            for column in stride(from: columns - 1, through: 0, by: -1) {
                let place = row * (columns + 1) + column
                lengths[place] =
                    left[start + row] == right[start + column]
                    ? lengths[place + columns + 2] + 1 : max(lengths[place + columns + 1], lengths[place + 1])
            }
        }
        var pairs: [(Int?, Int?)] = (0..<start).map { ($0, $0) }
        var (row, column) = (0, 0)
        while row < rows || column < columns {
            if row < rows, column < columns, left[start + row] == right[start + column] {
                pairs.append((start + row, start + column))
                row += 1
                column += 1
            } else if column >= columns
                || row < rows
                    && lengths[(row + 1) * (columns + 1) + column] >= lengths[row * (columns + 1) + column + 1]
            {
                pairs.append((start + row, nil))
                row += 1
            } else {
                pairs.append((nil, start + column))
                column += 1
            }
        }
        for place in 0..<end { pairs.append((left.count - end + place, right.count - end + place)) }
        return pairs
    }

    var json: JSON {
        var isSame = true
        let items: [JSON] = pairs().map { pair in
            let (one, other) = (pair.0.map { a[$0] }, pair.1.map { b[$0] })
            var count = 0
            if let one, let other { count = ExchangeComparison(one, other).differences.count }
            let state = one == nil ? "extra" : other == nil ? "missing" : count == 0 ? "same" : "changed"
            if state != "same" { isSame = false }
            var object: JSONObject = ["state": .string(state)]
            if let one { object.append("a", .string(one.id)) }
            if let other { object.append("b", .string(other.id)) }
            if let shown = one ?? other {
                object.append("api", .string(shown.api))
                object.append("method", .string(shown.method.rawValue))
                object.append("route", .string(shown.route ?? shown.path))
            }
            object.append("differences", .integer(Int64(count)))
            return .object(object)
        }
        return ["same": .bool(isSame), "items": .array(items)]
    }
}
