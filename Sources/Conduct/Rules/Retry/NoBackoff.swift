import ConductKit

/// `retry/no-backoff`.
struct NoBackoff: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/no-backoff",
        "Retries without backoff",
        .warning,
        situation: "a request repeated after it failed",
        breach: """
            `times` repeats in a row, all pauses below `immediateMs`; or one more, no pause longer than 1.1 times the \
            one before and all below `belowMs`
            """,
        excused: ["a repeat that waited for `Retry-After`"],
        settings: [(.times, 3), (.immediateMs, 200), (.belowMs, 10_000)],
        exercisedBy: [#"{"status":500}"#],
        what: "A failed request was retried again and again with pauses that did not grow.",
        why: "Many clients that retry at once keep a server down that was about to recover.",
        expected: "Increase the pauses, for example 1, 2 and 4 seconds, each with random jitter.",
        urlsession: """
            Double the pause after each failure:

                let pause = pow(2, Double(attempt)) * .random(in: 0.8...1.2)
                try await Task.sleep(for: .seconds(pause))
            """,
        fetch: """
            Double the pause after each failure:

                const pause = 2 ** attempt * (0.8 + Math.random() * 0.4)
                await new Promise(done => setTimeout(done, pause * 1000))
            """
    )

    private struct Chain {
        var rows: [Int32]
        var pauses: [Int64] = []
        var told: Int64?
        var isReported = false
    }

    private var chains: [Int32: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.row.request >= 0 else { return }
        let told = x.row.isFailed ? RetryAfter.wait(x) : nil
        guard var chain = chains[x.row.request], let last = chain.rows.last else {
            if x.row.isFailed { chains[x.row.request] = Chain(rows: [x.index], told: told) }
            return
        }
        guard !x.row.isAutomatic else {
            // It takes the place of the request that was cut.
            chain.rows[chain.rows.count - 1] = x.index
            chain.told = told
            chains[x.row.request] = x.row.isFailed ? chain : nil
            return
        }
        let former = context[last]
        guard context.sawEnd(former, x.row) else {
            // Not in a row.
            chains[x.row.request] = x.row.isFailed ? Chain(rows: [x.index], told: told) : nil
            return
        }
        context.situation(x)
        let pause = Fairness.pause(former, x.row)
        let limits = context.limits(x)
        if let wait = chain.told, pause >= wait - 100_000 {
            chain = Chain(rows: [x.index], told: told)
        } else {
            chain.rows.append(x.index)
            chain.pauses.append(pause)
            chain.told = told
            if !chain.isReported, let what = Self.fault(chain.pauses, limits) {
                chain.isReported = true
                context.breach(
                    chain.rows,
                    "\(context.id(chain.rows[0])) failed and was repeated \(Words.times(Int64(chain.pauses.count))) up to \(x.row.id), \(what)."
                )
            }
        }
        chains[x.row.request] = x.row.isFailed ? chain : nil
    }

    private static func fault(_ pauses: [Int64], _ limits: Limits) -> String? {
        let times = Int(limits[.times])
        guard times > 0, pauses.count >= times else { return nil }
        if pauses.suffix(times).allSatisfy({ $0 < limits.milliseconds(.immediateMs) }) {
            return "the last \(times) times less than \(limits[.immediateMs]) ms after the failure before"
        }
        guard pauses.count > times else { return nil }
        let last = Array(pauses.suffix(times + 1))
        guard last.allSatisfy({ $0 < limits.milliseconds(.belowMs) }) else { return nil }
        for place in last.indices.dropFirst() where last[place] * 10 > last[place - 1] * 11 { return nil }
        return "and the pauses did not grow (the last was \(Words.duration(last[times])))"
    }
}
