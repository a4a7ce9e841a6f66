import ConductKit

/// `retry/unbounded`.
struct UnboundedRetry: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/unbounded",
        "Unlimited retries",
        .error,
        situation: "a request repeated after it failed",
        breach: "more than `maxRepeats` repeats in a row within `withinSeconds`, all failed",
        settings: [(.maxRepeats, 5), (.withinSeconds, 60)],
        exercisedBy: [#"{"connection":"reset"}"#],
        what: "A failed request was retried more often than allowed.",
        why: "The app drains battery and data, and the user never learns that something is wrong.",
        expected: "Give up after a few retries and tell the user.",
        urlsession: """
            Give up after a few attempts, and tell the user:

                for attempt in 0..<4 { if let data = try? await send(request) { return data } … }
                throw Unreachable()
            """,
        fetch: """
            Give up after a few attempts, and tell the user:

                for (let attempt = 0; attempt < 4; attempt++) { … }
                throw new Error("unreachable")
            """
    )

    private struct Chain {
        var first: Int32
        var repeats: [Int32] = []
        var isReported = false

        var last: Int32 { repeats.last ?? first }

        /// Puts an automatic repeat in the place of the request that was cut.
        mutating func replaceLast(by row: Int32) {
            if repeats.isEmpty { first = row } else { repeats[repeats.count - 1] = row }
        }
    }

    private var chains: [Int32: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.row.request >= 0 else { return }
        guard var chain = chains[x.row.request] else {
            if x.row.isFailed { chains[x.row.request] = Chain(first: x.index) }
            return
        }
        guard !x.row.isAutomatic else {
            chain.replaceLast(by: x.index)
            chains[x.row.request] = x.row.isFailed ? chain : nil
            return
        }
        guard context.sawEnd(context[chain.last], x.row) else {
            chains[x.row.request] = x.row.isFailed ? Chain(first: x.index) : nil
            return
        }
        context.situation(x)
        guard x.row.isFailed else {
            chains[x.row.request] = nil
            return
        }
        let limits = context.limits(x)
        chain.repeats.append(x.index)
        let most = Int(limits[.maxRepeats])
        if !chain.isReported, chain.repeats.count > most {
            let recent = chain.repeats.suffix(most + 1)
            if let start = recent.first, Fairness.interval(context[start], x.row) <= limits.seconds(.withinSeconds) {
                chain.isReported = true
                context.breach(
                    [chain.first] + recent.filter { $0 != chain.first },
                    "\(context.id(chain.first)) failed and was repeated \(chain.repeats.count) times up to \(x.row.id); all failed."
                )
            } else {
                // Only what may still lie within the time is kept.
                chain.repeats = Array(recent)
            }
        }
        chains[x.row.request] = chain
    }
}
