import ConductKit

/// `retry/retry-after-ignored`.
struct RetryAfterIgnored: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/retry-after-ignored",
        "`Retry-After` ignored",
        .error,
        situation: "a 429 or 503 with `Retry-After`",
        breach: "a request of the client to the route after a shorter pause than `Retry-After` says",
        settings: [(.toleranceMs, 100)],
        source: [.rfc(9110, "10.2.3"), .rfc(6585, "4")],
        exercisedBy: [#"{"status":429,"retryAfter":30}"#],
        what: "A request was sent before the time in `Retry-After` was over.",
        why: "Servers count early requests against the client, and the wait grows.",
        expected: "Wait as long as `Retry-After` says before the next request to the route.",
        urlsession: """
            Read `Retry-After`, and wait that long before the next attempt:

                if let text = response.value(forHTTPHeaderField: "Retry-After"), let seconds = Double(text) {
                    try await Task.sleep(for: .seconds(seconds))
                }
            """,
        fetch: """
            Read `Retry-After`, and wait that long before the next attempt:

                const seconds = Number(response.headers.get("Retry-After"))
                if (seconds > 0) await new Promise(done => setTimeout(done, seconds * 1000))
            """
    )

    private struct Wait {
        var row: Int32
        var told: Int64
        var isReported = false
    }

    private var waits: [Scope: Wait] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        let scope = Scope(x, &context)
        // Whoever goes on without waiting is in one chain, however often the answer is repeated.
        var isInChain = false
        if var wait = waits[scope], context.knows(context[wait.row], x.row) {
            let pause = Fairness.pause(context[wait.row], x.row)
            isInChain = pause < wait.told - context.limits(x).milliseconds(.toleranceMs)
            if isInChain, !wait.isReported {
                wait.isReported = true
                waits[scope] = wait
                context.breach(
                    [wait.row, x.index],
                    """
                    \(context.id(wait.row)) was answered \(context[wait.row].status) and asked to wait \
                    \(Words.wait(wait.told)); \(x.row.id) came after \(Words.duration(pause)).
                    """
                )
            }
        }
        guard x.row.isDelivered, x.row.status == 429 || x.row.status == 503, let told = RetryAfter.wait(x) else {
            return
        }
        context.situation(x)
        if let wait = waits[scope], !wait.isReported, context[wait.row].end + wait.told > x.row.end + told { return }
        waits[scope] = Wait(row: x.index, told: told, isReported: isInChain)
    }
}

/// A client with a route, or with all routes of a bucket where an instance says so.
struct Scope: Hashable {
    var client: Int32
    var route: Int32
    var bucket: String?

    init(_ x: JudgedExchange, _ context: inout RuleContext) {
        client = x.row.client
        if let bucket = x.operation?.bucket, context.limits(x).spansBucket {
            route = -1
            self.bucket = bucket
        } else {
            route = x.row.route
            bucket = nil
        }
    }
}
