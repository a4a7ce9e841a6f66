import ConductKit
import HTTPMessage

/// `body/on-get`.
struct BodyOnGet: ConductRule {
    static let declaration = RuleDeclaration(
        "body/on-get",
        "Body on a GET or DELETE",
        .warning,
        situation: "a GET, or a DELETE that declares no body",
        breach: "content of at least 1 byte",
        excused: ["DELETE in a file without `--api`"],
        source: [.rfc(9110, "9.3.1"), .rfc(9110, "9.3.5")],
        exercisedBy: ["any read"],
        what: "A GET or DELETE request had a body.",
        why: "Proxies drop it or reject the request, so it works on one network and not on another.",
        expected: "Put the parameters of a GET into its query string.",
        urlsession: """
            Move the parameters from the body into the query:

                components.queryItems = [URLQueryItem(name: "q", value: text)]
            """,
        fetch: """
            Move the parameters from the body into the query:

                fetch(url + "?" + new URLSearchParams({ q: text }))
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        let isMeant = x.isGet || x.method == .delete && x.operation.map { !$0.declaresBody } ?? false
        guard isMeant else { return }
        context.situation(x)
        guard x.exchange.body.length > 0 else { return }
        context.breach(
            [x.index],
            "\(x.row.id) was a \(x.method.rawValue) with \(x.exchange.body.length) bytes of content."
        )
    }
}
