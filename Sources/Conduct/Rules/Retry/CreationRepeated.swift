import ConductKit
import HTTPMessage
import JSON

/// `retry/unsafe-repeated`.
struct CreationRepeated: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/unsafe-repeated",
        "Unsafe request repeated",
        .error,
        situation: "a creating request with an unknown outcome",
        breach:
            "the same request again within `withinSeconds`, with no delivered GET of its collection by the client in between",
        excused: [
            "the first one had an `Idempotency-Key`",
            "its content makes the row unique: the key, or unique members",
            "its content was not kept whole and may have such members",
        ],
        settings: [(.withinSeconds, 60)],
        source: [.rfc(9110, "9.2.2")],
        exercisedBy: ["a fault with phase `after`"],
        needsContract: true,
        what: "A request that creates something was repeated although it may already have succeeded.",
        why: "The user gets duplicates: two bookings, two messages, two payments.",
        expected: "Read the list first, or send an `Idempotency-Key` with the first request and its retries.",
        urlsession: """
            Send an `Idempotency-Key` that is created once per operation, not per attempt:

                request.setValue(draft.id.uuidString, forHTTPHeaderField: "Idempotency-Key")
            """,
        fetch: """
            Send an `Idempotency-Key` that is created once per operation, not per attempt:

                headers.set("Idempotency-Key", draft.id)
            """
    )

    private struct Pending {
        var row: Int32
        var request: Int32
        var path: [Substring]
        var lists: [String]
        var base: Int
        /// The end of the first delivered reading of the list.
        var readAt: Int64?
    }

    private var pending: [Int32: [Pending]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if var list = pending[x.row.client] {
            if x.isGet, x.row.isSuccess || x.row.isDelivered && x.row.status == 304 {
                let path = x.exchange.path.split(separator: "/")
                for place in list.indices where x.row.begin >= context[list[place].row].end {
                    if Self.isCollection(path, x, of: list[place]) {
                        list[place].readAt = min(list[place].readAt ?? .max, x.row.end)
                    }
                }
                pending[x.row.client] = list
            } else if let place = list.firstIndex(where: { $0.request == x.row.request }) {
                let first = list[place]
                let former = context[first.row]
                guard context.sawEnd(former, x.row) else { return }
                if Fairness.pause(former, x.row) <= context.limits(x).seconds(.withinSeconds),
                    first.readAt.map({ $0 > x.row.begin }) ?? true
                {
                    let how = former.isDelivered ? "answered \(former.status)" : "cut before a response"
                    context.breach(
                        [first.row, x.index],
                        "\(context.id(first.row)) was \(how) and may have succeeded; \(x.row.id) repeated it without reading the list in between."
                    )
                }
                list.remove(at: place)
                pending[x.row.client] = list
            }
        }
        guard let operation = x.operation, operation.creates, x.row.hasUnknownEnd, x.row.request >= 0 else { return }
        context.situation(x)
        guard x.field(.idempotencyKey) == nil, !Self.isDistinct(x, operation) else { return }
        var list = pending[x.row.client] ?? []
        if list.count >= 64 { list.removeFirst() }
        list.append(
            Pending(
                row: x.index,
                request: x.row.request,
                path: x.exchange.path.split(separator: "/"),
                lists: operation.collections,
                base: context.baseSegments(of: x.exchange.api)
            )
        )
        pending[x.row.client] = list
    }

    /// Tells whether the server refuses to make the same thing twice, by what the client says of it.
    private static func isDistinct(_ x: JudgedExchange, _ operation: OperationKnowledge) -> Bool {
        guard !operation.distinct.isEmpty else { return false }
        // What content says of which nobody has all, nobody can tell.
        guard x.exchange.body.isWhole else { return true }
        guard let json = x.requestJSON else { return false }
        let things = operation.batch.flatMap { json[$0]?.arrayValue } ?? [json]
        return !things.isEmpty
            && things.allSatisfy { thing in
                operation.distinct.contains { group in
                    // An empty id is none; any other empty text is a value.
                    group.allSatisfy { name in thing[name].map { !$0.isNull && (name != "id" || $0 != "") } ?? false }
                }
            }
    }

    private static func isCollection(_ path: [Substring], _ x: JudgedExchange, of call: Pending) -> Bool {
        if let template = x.operation?.template, call.lists.contains(template) { return true }
        return path.count > call.base && call.path.starts(with: path)
    }
}
