import ConductKit
import HTTPMessage

/// `retry/idempotency-key-changed`.
struct IdempotencyKeyChanged: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/idempotency-key-changed",
        "Retry with another idempotency key",
        .error,
        situation: """
            a POST, PUT or PATCH with `Idempotency-Key` and an unknown outcome, or answered 409 `idempotency_in_progress`
            """,
        breach: "the same request within `withinSeconds` with another key or none",
        excused: ["a delivered GET of its path or collection by the client in between, which shows what was done"],
        settings: [(.withinSeconds, 60)],
        source: [.idempotencyDraft],
        exercisedBy: ["trendy/idempotent-retry"],
        what: "A request that may already have succeeded was repeated with another idempotency key.",
        why: "The server treats it as a new request, and does the work twice.",
        expected: "Retry with the same `Idempotency-Key`.",
        urlsession: """
            Store the `Idempotency-Key` with the pending operation, and send it with each attempt:

                struct Draft: Codable { let key = UUID(); var title: String }
                request.setValue(draft.key.uuidString, forHTTPHeaderField: "Idempotency-Key")
            """,
        fetch: """
            Store the `Idempotency-Key` with the pending operation, and send it with each attempt:

                const draft = { key: crypto.randomUUID(), title }
                headers.set("Idempotency-Key", draft.key)
            """
    )

    private var writes = UncertainWrites()

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        writes.read(x, context)
        guard x.row.request >= 0, [.post, .put, .patch].contains(x.method) else { return }
        let key = x.field(.idempotencyKey)
        if let first = writes.take(x, context), key != first.key, !first.isSettled(at: x.row.begin),
            Fairness.pause(context[first.row], x.row) <= context.limits(x).seconds(.withinSeconds)
        {
            let how =
                context[first.row].status == 409
                ? "its response said that the first one was under way" : "its response did not say whether it succeeded"
            context.breach(
                [first.row, x.index],
                """
                \(context.id(first.row)) had an `Idempotency-Key`, and \(how); \(x.row.id) was the same request \
                \(key == nil ? "without a key" : "with another key").
                """
            )
        }
        guard key != nil, x.row.hasUnknownEnd || Self.isUnderWay(x) else { return }
        context.situation(x)
        writes.note(x, context)
    }

    /// Tells whether an answer says that the first request with this key is still under way (wire contract, section 8).
    private static func isUnderWay(_ x: JudgedExchange) -> Bool {
        x.row.isDelivered && x.row.status == 409
            && Content.holds("idempotency_in_progress", in: x.exchange.responseBody.bytes)
    }
}

extension RuleSource {
    static let idempotencyDraft = RuleSource(
        "draft-ietf-httpapi-idempotency-key-header (work in progress)",
        "https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/"
    )
}
