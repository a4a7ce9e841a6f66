import ConductKit
import HTTPMessage

/// The writes whose ends say nothing of what was done, until they are repeated or their client has looked.
struct UncertainWrites: Sendable {
    struct Entry {
        var row: Int32
        var request: Int32
        /// The `Idempotency-Key`.
        var key: String?
        fileprivate var path: [Substring]
        fileprivate var lists: [String]
        fileprivate var base: Int
        /// The end of the first delivered reading of the list.
        fileprivate var readAt: Int64?

        /// Tells whether its client had read what it would have changed when a request began.
        func isSettled(at begin: Int64) -> Bool { readAt.map { $0 <= begin } ?? false }
    }

    private static let most = 64

    private var entries: [Int32: [Entry]] = [:]

    /// Notes what an exchange has read of what the writes before it may have changed.
    mutating func read(_ x: JudgedExchange, _ context: RuleContext) {
        guard x.isGet, x.row.isSuccess || x.row.isDelivered && x.row.status == 304, var list = entries[x.row.client]
        else { return }
        let path = x.exchange.path.split(separator: "/")
        for place in list.indices where x.row.begin >= context[list[place].row].end {
            if Self.isCollection(path, x, of: list[place]) {
                list[place].readAt = min(list[place].readAt ?? .max, x.row.end)
            }
        }
        entries[x.row.client] = list
    }

    /// Takes the write of which an exchange is a repetition whose client had seen the end, that with the same key if there
    /// is one; nil if there is none.
    mutating func take(_ x: JudgedExchange, _ context: RuleContext) -> Entry? {
        guard let list = entries[x.row.client] else { return nil }
        let seen = list.filter { $0.request == x.row.request && context.sawEnd(context[$0.row], x.row) }
        guard let first = seen.first else { return nil }
        entries[x.row.client]?.removeAll { entry in seen.contains { $0.row == entry.row } }
        let key = x.field(.idempotencyKey)
        return seen.first { $0.key == key } ?? first
    }

    mutating func note(_ x: JudgedExchange, _ context: RuleContext) {
        var list = entries[x.row.client] ?? []
        if list.count >= Self.most { list.removeFirst() }
        list.append(
            Entry(
                row: x.index,
                request: x.row.request,
                key: x.field(.idempotencyKey),
                path: x.exchange.path.split(separator: "/"),
                lists: x.operation?.collections ?? [],
                base: context.baseSegments(of: x.exchange.api)
            )
        )
        entries[x.row.client] = list
    }

    private static func isCollection(_ path: [Substring], _ x: JudgedExchange, of write: Entry) -> Bool {
        if let template = x.operation?.template, write.lists.contains(template) { return true }
        return path.count > write.base && write.path.starts(with: path)
    }
}
