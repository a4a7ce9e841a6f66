import ConductKit

/// `retry/spent-limit-ignored`.
struct SpentLimitIgnored: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/spent-limit-ignored",
        "Exhausted rate limit ignored",
        .warning,
        situation: """
            a response with `RateLimit-Remaining` or `X-RateLimit-Remaining` 0 and a reset in the future (an instant, Unix \
            seconds, or seconds left)
            """,
        breach: "`times` more requests to the route before the reset",
        excused: ["a later response with requests remaining"],
        settings: [(.times, 3)],
        source: [
            RuleSource(
                "draft-ietf-httpapi-ratelimit-headers (work in progress)",
                "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/"
            )
        ],
        exercisedBy: ["omnichat/rate-limit-nearly-spent"],
        what: "Requests continued although a response had said that the limit is exhausted until a later time.",
        why: "They are refused, and the user sees errors where a short wait would have been enough.",
        expected: "When no requests remain, wait for the reset before the next one.",
        urlsession: """
            Once no requests remain, wait until the reset that the response names:

                if remaining == 0, reset > Date() { try await Task.sleep(for: .seconds(reset.timeIntervalSinceNow)) }
            """,
        fetch: """
            Once no requests remain, wait until the reset that the response names:

                if (remaining === 0) await new Promise(done => setTimeout(done, reset - Date.now()))
            """
    )

    private struct Window {
        var first: Int32
        var left: Int64
        var more: [Int32] = []
        var isReported = false
    }

    private var windows: [Scope: Window] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        let scope = Scope(x, &context)
        if var window = windows[scope] {
            if Fairness.pause(context[window.first], x.row) >= window.left {
                windows[scope] = nil
            } else if context.knows(context[window.first], x.row) {
                if !window.isReported { window.more.append(x.index) }
                if !window.isReported, window.more.count >= context.limits(x)[.times] {
                    window.isReported = true
                    context.breach(
                        [window.first] + window.more,
                        """
                        The response to \(context.id(window.first)) said that the limit is exhausted for \(Words.wait(window.left)); \
                        \(x.row.id) came \(Words.duration(Fairness.pause(context[window.first], x.row))) later.
                        """
                    )
                }
                // Whoever is told that something is left again may go on.
                windows[scope] = x.row.isDelivered && RetryAfter.hasRoom(x) ? nil : window
            }
        }
        // Whoever waits as long as `Retry-After` says does what was asked for.
        guard x.row.isDelivered, let spent = RetryAfter.spent(x) else { return }
        let left = min(spent, RetryAfter.wait(x) ?? spent)
        context.situation(x)
        if windows[scope] == nil { windows[scope] = Window(first: x.index, left: left) }
    }
}
