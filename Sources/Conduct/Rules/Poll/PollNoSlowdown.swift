import ConductKit
import HTTPMessage

/// `poll/no-slowdown`.
struct PollNoSlowdown: ConductRule {
    static let declaration = RuleDeclaration(
        "poll/no-slowdown",
        "Polling without slowing down",
        .warning,
        situation: "a delivered 2xx or 304 to a GET asked again",
        breach: """
            `unchanged` more responses in a row that are 304 or have the same digest, their intervals all below `belowMs` \
            and within `evenPercent` of their mean
            """,
        excused: ["`Range`", "event streams", "responses whose content is unknown"],
        settings: [(.unchanged, 20), (.evenPercent, 10), (.belowMs, 30_000)],
        exercisedBy: ["any polling"],
        what: "Polling continued at the same rate although nothing had changed for a long time.",
        why: "Most of the requests are needless. Slower polling would do and save battery.",
        expected: "Increase the interval while nothing changes, and reset it when something does.",
        urlsession: """
            Increase the interval while nothing changes:

                interval = hasChanged ? .seconds(2) : min(interval * 1.5, .seconds(60))
            """,
        fetch: """
            Increase the interval while nothing changes:

                interval = changed ? 2000 : Math.min(interval * 1.5, 60000)
            """
    )

    private struct Chain {
        var first: Int32
        var last: Int32
        var mark: UInt64
        var rows: [Int32] = []
        var intervals: [Int64] = []
        var isReported = false
    }

    private var chains: [Int32: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.row.request >= 0, !x.isEventStream, x.field(.range) == nil else { return }
        let isUnchanged = x.row.isDelivered && x.row.status == 304
        // An answer of which nothing is known is the same as no other.
        guard let own = isUnchanged ? 0 : x.row.isSuccess ? x.responseMark : nil else {
            chains[x.row.request] = nil
            return
        }
        guard var chain = chains[x.row.request] else {
            chains[x.row.request] = Chain(first: x.index, last: x.index, mark: own)
            return
        }
        context.situation(x)
        let limits = context.limits(x)
        let former = context[chain.last]
        let interval = Fairness.interval(former, x.row)
        let mark = isUnchanged ? chain.mark : own
        guard context.knows(former, x.row), mark == chain.mark, interval < limits.milliseconds(.belowMs) else {
            chains[x.row.request] = Chain(first: x.index, last: x.index, mark: mark)
            return
        }
        chain.last = x.index
        chain.rows.append(x.index)
        chain.intervals.append(interval)
        let count = Int(limits[.unchanged])
        if chain.intervals.count > count {
            chain.first = chain.rows[chain.rows.count - count - 1]
            chain.rows.removeFirst()
            chain.intervals.removeFirst()
        }
        if chain.intervals.count >= count, Self.isEven(chain.intervals, limits[.evenPercent]) {
            if !chain.isReported {
                chain.isReported = true
                let mean = chain.intervals.reduce(0, +) / Int64(max(1, count))
                context.breach(
                    [chain.first] + chain.rows,
                    """
                    \(count) responses in a row up to \(x.row.id) had nothing new, and the interval stayed at about \
                    \(Words.duration(mean)).
                    """
                )
            }
        } else if chain.isReported {
            chain.isReported = false
        }
        chains[x.row.request] = chain
    }

    private static func isEven(_ intervals: [Int64], _ percent: Int64) -> Bool {
        guard !intervals.isEmpty else { return false }
        let count = Int64(intervals.count)
        let sum = intervals.reduce(0, +)
        // Compared without a division: |interval − mean| ≤ percent of the mean.
        return intervals.allSatisfy { (($0 * count - sum) * 100).magnitude <= (sum * percent).magnitude }
    }
}
