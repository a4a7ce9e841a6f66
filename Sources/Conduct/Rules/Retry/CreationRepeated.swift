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
        exercisedBy: [
            "a fault with phase `after`", #"{"match":{"connection":"reused"},"effect":{"connection":"empty"}}"#,
        ],
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

    private var writes = UncertainWrites()
    /// The connections on which a request came.
    private var connections: Set<Int> = []
    /// The uncertain writes on a connection that was used before.
    private var reused: Set<Int32> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        let isReused = x.row.connection >= 0 && !connections.insert(x.row.connection).inserted
        writes.read(x, context)
        if let first = writes.take(x, context),
            Fairness.pause(context[first.row], x.row) <= context.limits(x).seconds(.withinSeconds),
            !first.isSettled(at: x.row.begin)
        {
            let former = context[first.row]
            let place = reused.contains(first.row) ? " on a reused connection" : ""
            let how = former.isDelivered ? "answered \(former.status)" : "cut\(place) before a response"
            context.breach(
                [first.row, x.index],
                "\(context.id(first.row)) was \(how) and may have succeeded; \(x.row.id) repeated it without reading the list in between."
            )
        }
        guard let operation = x.operation, operation.creates, x.row.hasUnknownEnd, x.row.request >= 0 else { return }
        context.situation(x)
        guard x.field(.idempotencyKey) == nil, !Self.isDistinct(x, operation) else { return }
        writes.note(x, context)
        if isReused { reused.insert(x.index) }
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
}
