import ConductKit
import HTTPMessage

/// `poll/too-fast`.
struct PollTooFast: ConductRule {
    static let declaration = RuleDeclaration(
        "poll/too-fast",
        "Polling too fast",
        .warning,
        situation: "a delivered 2xx or 304 to a GET asked again",
        breach: "`times` more identical requests in a row, each answered so and each interval below `minIntervalMs`",
        excused: ["`Range`", "event streams"],
        settings: [(.times, 10), (.minIntervalMs, 1_000)],
        exercisedBy: ["any polling"],
        what: "The same GET was sent again and again at short intervals.",
        why: "Nothing changes that fast. The radio stays on and drains the battery.",
        expected: "Leave more time between the requests of a poll.",
        urlsession: """
            Wait some seconds after each response:

                while !Task.isCancelled {
                    try await refresh()
                    try await Task.sleep(for: .seconds(5))
                }
            """,
        fetch: """
            Wait some seconds after each response:

                async function poll() { await refresh(); setTimeout(poll, 5000) }
            """
    )

    private struct Chain {
        var rows: [Int32]
        var isReported = false
    }

    private var chains: [Int32: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.row.request >= 0, x.field(.range) == nil, !x.isEventStream else { return }
        let isAnswered = x.row.isSuccess || x.row.isDelivered && x.row.status == 304
        guard var chain = chains[x.row.request], let last = chain.rows.last else {
            if isAnswered { chains[x.row.request] = Chain(rows: [x.index]) }
            return
        }
        let former = context[last]
        guard isAnswered else {
            chains[x.row.request] = nil
            return
        }
        context.situation(x)
        let limits = context.limits(x)
        guard context.knows(former, x.row), Fairness.interval(former, x.row) < limits.milliseconds(.minIntervalMs)
        else {
            // Not in a row, or slow enough.
            chains[x.row.request] = Chain(rows: [x.index])
            return
        }
        chain.rows.append(x.index)
        if !chain.isReported, chain.rows.count > limits[.times] {
            chain.isReported = true
            context.breach(
                chain.rows,
                """
                The same GET was sent \(chain.rows.count) times from \(context.id(chain.rows[0])) to \(x.row.id), each within \
                \(limits[.minIntervalMs]) ms of the one before.
                """
            )
        }
        // Once reported, the chain needs no more than its end.
        if chain.isReported { chain.rows = [x.index] }
        chains[x.row.request] = chain
    }
}
