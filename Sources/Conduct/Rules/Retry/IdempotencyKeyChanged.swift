import ConductKit
import HTTPMessage

/// `retry/idempotency-key-changed`.
struct IdempotencyKeyChanged: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/idempotency-key-changed",
        "Retry with another idempotency key",
        .error,
        situation: "a POST, PUT or PATCH with `Idempotency-Key` and an unknown outcome",
        breach: "the same request within `withinSeconds` with another key or none",
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

    private struct First {
        var row: Int32
        var key: String
    }

    private var firsts: [Int32: First] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.row.request >= 0, [.post, .put, .patch].contains(x.method) else { return }
        let key = x.field(.idempotencyKey)
        if let first = firsts[x.row.request] {
            let former = context[first.row]
            if context.sawEnd(former, x.row) {
                firsts[x.row.request] = nil
                if Fairness.pause(former, x.row) <= context.limits(x).seconds(.withinSeconds), key != first.key {
                    context.breach(
                        [first.row, x.index],
                        """
                        \(context.id(first.row)) had an `Idempotency-Key`, and its response did not say whether it succeeded; \
                        \(x.row.id) was the same request \(key == nil ? "without a key" : "with another key").
                        """
                    )
                }
            }
        }
        guard let key, x.row.hasUnknownEnd else { return }
        context.situation(x)
        firsts[x.row.request] = First(row: x.index, key: key)
    }
}

extension RuleSource {
    static let idempotencyDraft = RuleSource(
        "draft-ietf-httpapi-idempotency-key-header (work in progress)",
        "https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/"
    )
}
