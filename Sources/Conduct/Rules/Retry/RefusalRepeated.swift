import ConductKit
import HTTPMessage

/// `retry/refusal-repeated`.
struct RefusalRepeated: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/refusal-repeated",
        "Refused request repeated unchanged",
        .warning,
        situation: "a 400, 403, 404, 405, 409, 410, 413, 414, 415 or 422",
        breach: """
            the same request with the same credential `times` more times, each within `withinSeconds` of the one before and each \
            refused alike
            """,
        excused: [
            "a 2xx write of the client in between", "operations that take a password or typed code",
            "409 to a request with an `Idempotency-Key`, whose first may be under way",
        ],
        settings: [(.times, 2), (.withinSeconds, 60)],
        source: [.rfc(9110, "15.5.4")],
        exercisedBy: [#"{"status":404}"#],
        what: "A request was repeated unchanged after the server had refused it for good.",
        why: "It will be refused again. The user waits for nothing.",
        expected: "Retry a request after a 4xx only if something about it has changed.",
        urlsession: """
            Retry only errors that may be temporary (5xx, 408 and 429), and show the others:

                let isWorthARepeat = status >= 500 || status == 408 || status == 429
            """,
        fetch: """
            Retry only errors that may be temporary (5xx, 408 and 429), and show the others:

                const isWorthARepeat = status >= 500 || status === 408 || status === 429
            """
    )

    private struct Key: Hashable {
        var request: Int32
        var authorization: Int32
    }

    private struct Chain {
        var rows: [Int32]
        var isReported = false
    }

    private static let refusals: Set<Int16> = [400, 403, 404, 405, 409, 410, 413, 414, 415, 422]

    private var chains: [Key: Chain] = [:]
    /// The last 2xx write of each client.
    private var writes: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if !x.isGet, x.row.isSuccess { writes[x.row.client] = x.index }
        guard x.row.request >= 0, x.operation?.takesSecret != true else { return }
        let key = Key(request: x.row.request, authorization: x.row.authorization)
        // It is answered once the first is done.
        let mayBeUnderWay = x.row.status == 409 && x.field(.idempotencyKey) != nil
        let isRefused =
            x.row.isDelivered && !mayBeUnderWay
            && (Self.refusals.contains(x.row.status) || context.limits(x).statuses.contains(Int(x.row.status)))
        if isRefused { context.situation(x) }
        guard var chain = chains[key], let last = chain.rows.last else {
            if isRefused { chains[key] = Chain(rows: [x.index]) }
            return
        }
        guard isRefused else {
            chains[key] = nil
            return
        }
        let former = context[last]
        let limits = context.limits(x)
        let isChanged =
            writes[x.row.client].map { $0 > chain.rows[0] && context[$0].begin >= context[chain.rows[0]].end } ?? false
        guard context.knows(former, x.row), former.status == x.row.status, !isChanged,
            Fairness.pause(former, x.row) <= limits.seconds(.withinSeconds)
        else {
            // One that was under way at the same time leaves the chain as it is.
            if x.row.begin >= former.end { chains[key] = Chain(rows: [x.index]) }
            return
        }
        chain.rows.append(x.index)
        if !chain.isReported, chain.rows.count > limits[.times] {
            chain.isReported = true
            context.breach(
                chain.rows,
                """
                \(context.id(chain.rows[0])) was answered \(x.row.status); the same request was sent \
                \(Words.times(Int64(chain.rows.count - 1))) more, up to \(x.row.id), and refused the same way.
                """
            )
        }
        // Once reported, a chain needs no more than its ends.
        if chain.isReported, let first = chain.rows.first { chain.rows = [first, x.index] }
        chains[key] = chain
    }
}
