import ConductKit

/// `auth/refresh-loop`.
struct RefreshLoop: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/refresh-loop",
        "Refresh loop",
        .error,
        situation: "a successful refresh",
        breach: """
            `times` successful ones of one session within `withinSeconds` and no 2xx of a protected operation between the \
            first and the last
            """,
        settings: [(.times, 3), (.withinSeconds, 60)],
        exercisedBy: ["carbscan/endless-401", "sawaed/always-401"],
        what: "A session was refreshed again and again, and no request succeeded in between.",
        why: "A loop of 401 and refresh drains the battery, loads the server and never ends by itself.",
        expected: "After a refresh, retry the request once; if it is refused again, give up.",
        urlsession: """
            Retry a request once after a refresh, and give up if it is refused again:

                func send(_ request: URLRequest, isRepeat: Bool = false) async throws -> Data {
                    …
                    guard !isRepeat else { throw Refused() }
                }
            """,
        fetch: """
            Retry a request once after a refresh, and give up if it is refused again:

                async function send(request, isRepeat = false) { … if (isRepeat) throw new Refused() … }
            """
    )

    private struct Run {
        var rows: [Int32] = []
        var isReported = false
    }

    private var runs: [Int32: Run] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.session >= 0 else { return }
        if x.role == .refresh {
            guard x.row.isSuccess else { return }
            context.situation(x)
            let limits = context.limits(x)
            var run = runs[x.session] ?? Run()
            let count = run.rows.count
            run.rows.removeAll { Fairness.interval(context[$0], x.row) > limits.seconds(.withinSeconds) }
            if run.rows.count < count { run.isReported = run.isReported && !run.rows.isEmpty }
            run.rows.append(x.index)
            if !run.isReported, run.rows.count >= limits[.times] {
                run.isReported = true
                let span = Words.duration(Fairness.interval(context[run.rows[0]], x.row))
                context.breach(
                    run.rows,
                    "\(run.rows.count) refreshes of one session from \(context.id(run.rows[0])) to \(x.row.id) within \(span), and no request succeeded between them."
                )
            }
            runs[x.session] = run
        } else if x.row.isSuccess, x.operation.map({ $0.credential == .bearer }) ?? (x.bearer >= 0) {
            runs[x.session] = nil
        }
    }
}
