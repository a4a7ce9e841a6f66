import ConductKit
import JSON

/// `poll/after-the-end`.
struct PollAfterTheEnd: ConductRule {
    static let declaration = RuleDeclaration(
        "poll/after-the-end",
        "Polling after the final response",
        .error,
        situation: "a final response",
        breach: "the same GET after it",
        exercisedBy: ["sawaed/chat-happy"],
        needsContract: true,
        what: "Polling continued after a response that can't change any more.",
        why: "The loop never ends: it runs until the app is closed.",
        expected: "Stop at the first final response.",
        urlsession: """
            Leave the loop when a response is final:

                while true {
                    let status = try await status()
                    if status.isFinal { return status }
                    try await Task.sleep(for: .seconds(3))
                }
            """,
        fetch: """
            Leave the loop when a response is final:

                if (["done", "error"].includes(body.status)) return body
            """
    )

    private struct End {
        var row: Int32
        var isReported = false
    }

    private var ends: [Int32: End] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let terminal = x.operation?.terminal, x.isGet, x.row.request >= 0 else { return }
        if var end = ends[x.row.request], context.knows(context[end.row], x.row), !end.isReported {
            end.isReported = true
            ends[x.row.request] = end
            context.breach(
                [end.row, x.index],
                "\(context.id(end.row)) was the final response; \(x.row.id) asked again."
            )
        }
        guard x.row.isSuccess, let value = x.answer(terminal.member)?.stringValue, terminal.values.contains(value)
        else {
            return
        }
        context.situation(x)
        if ends[x.row.request] == nil { ends[x.row.request] = End(row: x.index) }
    }
}
