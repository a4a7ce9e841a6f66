import ConductKit
import HTTPMessage

/// `write/double-submit`.
struct DoubleSubmit: ConductRule {
    static let declaration = RuleDeclaration(
        "write/double-submit",
        "Double submit",
        .warning,
        situation: "a creating request answered 2xx",
        breach: """
            the same request, overlapping it or started within `withinMs` after its end, also answered 2xx
            """,
        excused: ["the same `Idempotency-Key` on both"],
        settings: [(.withinMs, 1_000)],
        exercisedBy: ["a delay"],
        needsContract: true,
        what: "The same creating request was sent twice in quick succession, and both succeeded.",
        why: "The user tapped twice and now has a duplicate.",
        expected: "Disable the button during the request, or send one `Idempotency-Key` for both.",
        urlsession: """
            Disable the button while the request is under way:

                Button("Book") { submit() }.disabled(isSubmitting)
            """,
        fetch: """
            Disable the button while the request is under way:

                button.disabled = true
                submit().finally(() => { button.disabled = false })
            """
    )

    private struct First {
        var row: Int32
        var key: String?
        var isReported = false
    }

    private var firsts: [Int32: First] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let operation = x.operation, operation.creates, x.row.isSuccess, x.row.request >= 0 else { return }
        context.situation(x)
        let key = x.field(.idempotencyKey)
        var isReported = false
        if let first = firsts[x.row.request] {
            let former = context[first.row]
            let isClose =
                former.overlaps(x.row) || Fairness.pause(former, x.row) <= context.limits(x).milliseconds(.withinMs)
            if isClose, key == nil || key != first.key {
                isReported = true
                if !first.isReported {
                    context.breach(
                        [first.row, x.index],
                        "\(context.id(first.row)) and \(x.row.id) were the same request, and both were answered 2xx."
                    )
                }
            }
        }
        firsts[x.row.request] = First(row: x.index, key: key, isReported: isReported)
    }
}
