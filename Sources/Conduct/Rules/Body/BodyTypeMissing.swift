import HTTPMessage

/// `body/type-missing`.
struct BodyTypeMissing: ConductRule {
    static let declaration = RuleDeclaration(
        "body/type-missing",
        "Content without a type",
        .warning,
        situation: "a request with content",
        breach: "no `Content-Type`",
        source: [.rfc(9110, "8.3")],
        exercisedBy: ["any write"],
        what: "A request had content and no `Content-Type`.",
        why: "Servers read such content as empty, or refuse it.",
        expected: "Send `Content-Type` with all content, such as `application/json`.",
        urlsession: """
            Set the type where the content is set:

                request.httpBody = try encoder.encode(value)
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            """,
        fetch: """
            Set the type where the content is set:

                fetch(url, { body: JSON.stringify(value), headers: { "Content-Type": "application/json" } })
            """
    )

    mutating func take(_ x: Judged, _ bench: inout Bench) {
        guard x.exchange.body.length > 0 else { return }
        bench.situation(x)
        guard x.field(.contentType) == nil else { return }
        bench.breach([x.index], "\(x.row.id) had \(x.exchange.body.length) bytes of content and no `Content-Type`.")
    }
}
