import ConductKit
import HTTPMessage

/// `body/type-missing`.
struct BodyTypeMissing: ConductRule {
    static let declaration = RuleDeclaration(
        "body/type-missing",
        "Body without `Content-Type`",
        .warning,
        situation: "a request with content",
        breach: "no `Content-Type`",
        source: [.rfc(9110, "8.3")],
        exercisedBy: ["any write"],
        what: "A request had a body but no `Content-Type`.",
        why: "Servers treat such a body as empty, or reject it.",
        expected: "Send a `Content-Type` with every body, such as `application/json`.",
        urlsession: """
            Set `Content-Type` wherever a body is set:

                request.httpBody = try encoder.encode(value)
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            """,
        fetch: """
            Set `Content-Type` wherever a body is set:

                fetch(url, { body: JSON.stringify(value), headers: { "Content-Type": "application/json" } })
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.body.length > 0 else { return }
        context.situation(x)
        guard x.field(.contentType) == nil else { return }
        context.breach([x.index], "\(x.row.id) had \(x.exchange.body.length) bytes of content and no `Content-Type`.")
    }
}
