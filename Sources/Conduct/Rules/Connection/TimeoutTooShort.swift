import ConductKit

/// `conn/timeout-too-short`.
struct TimeoutTooShort: ConductRule {
    static let declaration = RuleDeclaration(
        "conn/timeout-too-short",
        "Timeout too short",
        .warning,
        situation: "an exchange that the client interrupted at an age from 100 ms to `belowMs`",
        breach: "`times` of one route at the same age (±5 %), each followed by the same request",
        settings: [(.times, 3), (.belowMs, 10_000)],
        exercisedBy: [#"{"connection":"stall"}"#],
        what: "Requests were abandoned after the same short time and sent again: the timeout is too short.",
        why: "On a slow network no response arrives in time: each attempt starts over, and the user gets nothing.",
        expected: "Wait at least 10 seconds for a response, and longer for uploads.",
        urlsession: """
            Raise the timeout to 30 seconds, and more for uploads:

                configuration.timeoutIntervalForRequest = 30
            """,
        fetch: """
            Raise the timeout to 30 seconds, and more for uploads:

                fetch(url, { signal: AbortSignal.timeout(30_000) })
            """
    )

    private struct Key: Hashable {
        var client: Int32
        var route: Int32
    }

    private struct GivenUp {
        var row: Int32
        var age: Int64
    }

    private struct State {
        /// Those that the same request has followed.
        var followed: [GivenUp] = []
        var isReported = false
    }

    private var pending: [Int32: GivenUp] = [:]
    private var states: [Key: State] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if x.row.request >= 0, let given = pending[x.row.request], x.row.begin >= context[given.row].end {
            pending[x.row.request] = nil
            follow(given, x, &context)
        }
        guard x.row.outcome == .interrupted, x.row.request >= 0, !x.isEventStream else { return }
        let age = x.row.end - x.row.begin
        guard age >= 100_000, age <= context.limits(x).milliseconds(.belowMs) else { return }
        context.situation(x)
        pending[x.row.request] = GivenUp(row: x.index, age: age)
    }

    private mutating func follow(_ given: GivenUp, _ x: JudgedExchange, _ context: inout RuleContext) {
        let key = Key(client: x.row.client, route: x.row.route)
        var state = states[key] ?? State()
        guard !state.isReported else { return }
        state.followed.append(given)
        if state.followed.count > 64 { state.followed.removeFirst() }
        // Those within 5 % of the newest.
        let alike = state.followed.filter { ($0.age - given.age).magnitude * 20 <= given.age.magnitude }
        if alike.count >= context.limits(x)[.times] {
            state.isReported = true
            context.breach(
                alike.map(\.row) + [x.index],
                """
                The client abandoned \(alike.count) requests of this route after about \(Words.duration(given.age)) each, up to \
                \(context.id(given.row)), and sent each of them again.
                """
            )
        }
        states[key] = state
    }
}
