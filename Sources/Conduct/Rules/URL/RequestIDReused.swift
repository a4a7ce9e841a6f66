import ConductKit
import HTTPMessage

/// `head/request-id-reused`.
struct RequestIDReused: ConductRule {
    static let declaration = RuleDeclaration(
        "head/request-id-reused",
        "Request id reused",
        .warning,
        situation: "a request with `X-Request-Id`",
        breach: "the same value on requests that differ in method, path or body",
        excused: ["unknown bodies, which may be the same"],
        exercisedBy: ["any call"],
        what: "Different requests had the same `X-Request-Id`.",
        why: "The requests can't be told apart in logs when something goes wrong.",
        expected: "Create a new id for each request; a retry may keep its id.",
        urlsession: """
            Create a new `X-Request-Id` for each request:

                request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-Id")
            """,
        fetch: """
            Create a new `X-Request-Id` for each request:

                headers.set("X-Request-Id", crypto.randomUUID())
            """
    )

    private struct Key: Hashable {
        var place: Int32
        var value: String
    }

    private struct First {
        var row: Int32
        /// The same number for the same method and path.
        var target: UInt64
        /// Nil for content that nobody knows.
        var content: UInt64?
        var isReported = false
    }

    private var firsts: [Key: First] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let value = x.field(.requestID) else { return }
        context.situation(x)
        let key = Key(place: x.row.place, value: value)
        let text = "\(x.exchange.api) \(x.method.rawValue) \(x.exchange.path)"
        let target = Content.fold(Array(text.utf8), 0)
        let content = Content.mark(x.exchange.body)
        guard var first = firsts[key] else {
            firsts[key] = First(row: x.index, target: target, content: content)
            return
        }
        let hasOther = content != nil && first.content != nil && content != first.content
        guard first.target != target || hasOther, !first.isReported else { return }
        first.isReported = true
        firsts[key] = first
        context.breach(
            [first.row, x.index],
            "\(context.id(first.row)) and \(x.row.id) are different requests with the same `X-Request-Id`."
        )
    }
}
