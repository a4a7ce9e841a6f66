import ConductKit

/// `retry/no-pause-after-429`.
struct NoPauseAfter429: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/no-pause-after-429",
        "No pause after a 429",
        .warning,
        situation: "a 429 that names neither a time nor a reset",
        breach: "`times` more requests to the route, the last of them within `withinMs` after the 429",
        settings: [(.times, 3), (.withinMs, 10_000)],
        source: [.rfc(6585, "4")],
        exercisedBy: [#"{"status":429}"#],
        what: "After a 429 that names no time, the client kept sending requests to the same route.",
        why: "Each request keeps the limit exhausted. The user waits longer than without the retries.",
        expected: "After a 429, pause for some seconds, and longer after each further one.",
        urlsession: """
            Pause before the next attempt, twice as long each time:

                try await Task.sleep(for: .seconds(5 * pow(2, Double(attempt))))
            """,
        fetch: """
            Pause before the next attempt, twice as long each time:

                await new Promise(done => setTimeout(done, 5000 * 2 ** attempt))
            """
    )

    private struct Run {
        var first: Int32
        var more: [Int32] = []
        var isReported = false
    }

    private var runs: [Scope: [Run]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        let scope = Scope(x, &context)
        if var list = runs[scope] {
            let limits = context.limits(x)
            var isReported = list.contains(where: \.isReported)
            list.removeAll { Fairness.pause(context[$0.first], x.row) > limits.milliseconds(.withinMs) }
            for place in list.indices where !isReported && context.knows(context[list[place].first], x.row) {
                list[place].more.append(x.index)
                if list[place].more.count >= limits[.times] {
                    isReported = true
                    list[place].isReported = true
                    let run = list[place]
                    context.breach(
                        [run.first] + run.more,
                        """
                        \(context.id(run.first)) was answered 429; \(run.more.count) more requests to the route followed, up to \
                        \(x.row.id), \(Words.duration(Fairness.pause(context[run.first], x.row))) later.
                        """
                    )
                }
            }
            runs[scope] = list.isEmpty ? nil : list
        }
        guard x.row.isDelivered, x.row.status == 429, RetryAfter.wait(x) == nil, !RetryAfter.tellsReset(x) else {
            return
        }
        context.situation(x)
        var list = runs[scope] ?? []
        // A chain of refusals is one occurrence.
        let isReported = list.contains(where: \.isReported)
        if list.count >= 32 { list.removeFirst() }
        list.append(Run(first: x.index, isReported: isReported))
        runs[scope] = list
    }
}
