import ConductKit

/// `auth/parallel-refresh`.
struct ParallelRefresh: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/parallel-refresh",
        "Parallel token refreshes",
        .warning,
        situation: "a refresh",
        breach: """
            another one with the same token that overlaps it, or, where tokens don't rotate, begins within `withinMs` \
            after its delivered success
            """,
        excused: ["the first had failed or been cut before the second started"],
        settings: [(.withinMs, 1_000)],
        source: [.rfc(9700, "4.14.2")],
        exercisedBy: ["a gate on refresh"],
        what: "Two refreshes with the same token were in flight at once.",
        why: "With token rotation, the second one looks like theft and ends the session.",
        expected: "Let all requests that got a 401 wait for a single refresh.",
        urlsession: """
            Keep the running refresh as a task that all callers await:

                actor Tokens {
                    private var refreshing: Task<String, Error>?
                    func fresh() async throws -> String {
                        if let refreshing { return try await refreshing.value }
                        let task = Task { try await refresh() }
                        refreshing = task
                        defer { refreshing = nil }
                        return try await task.value
                    }
                }
            """,
        fetch: """
            Keep the running refresh as a promise that all callers await:

                refreshing ??= refresh().finally(() => { refreshing = undefined })
                return refreshing
            """
    )

    private struct Chain {
        var rows: [Int32]
        var end: Int64
        var isReported = false
    }

    private var chains: [Int32: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.role == .refresh, x.bodyCredential >= 0 else { return }
        context.situation(x)
        if x.row.isSuccess, x.issuedRefresh < 0 || x.issuedRefresh == x.bodyCredential { didNotRotate.insert(x.index) }
        guard var chain = chains[x.bodyCredential], let last = chain.rows.last else {
            chains[x.bodyCredential] = Chain(rows: [x.index], end: x.row.end)
            return
        }
        let former = context[last]
        let overlaps = x.row.begin < chain.end
        let follows =
            former.isSuccess && didNotRotate.contains(last)
            && x.row.begin >= former.end
            && Fairness.pause(former, x.row) <= context.limits(x).milliseconds(.withinMs)
        guard overlaps || follows else {
            chains[x.bodyCredential] = Chain(rows: [x.index], end: x.row.end)
            return
        }
        chain.rows.append(x.index)
        chain.end = max(chain.end, x.row.end)
        if !chain.isReported {
            chain.isReported = true
            let how =
                overlaps
                ? "while \(context.id(last)) was under way"
                : "\(Words.duration(Fairness.pause(former, x.row))) after \(context.id(last)) had succeeded"
            context.breach(chain.rows, "\(x.row.id) sent the same refresh token \(how).")
        }
        chains[x.bodyCredential] = chain
    }

    private var didNotRotate: Set<Int32> = []
}
