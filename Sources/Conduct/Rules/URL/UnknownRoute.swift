import ConductKit
import HTTPMessage

/// `url/unknown-route`.
struct UnknownRoute: ConductRule {
    static let declaration = RuleDeclaration(
        "url/unknown-route",
        "Unknown route",
        .error,
        situation: "any request",
        breach: "no operation has this path, or none this method",
        excused: [
            "`/favicon.ico`, `/robots.txt`, `/apple-touch-icon*`, `/.well-known/**`", "modes other than `emulate`",
        ],
        exercisedBy: ["any call"],
        needsContract: true,
        what: "A request used a path or a method that the API does not have.",
        why: "The feature behind it does not work, and nobody notices if errors are swallowed.",
        expected: "Call only paths and methods that the API has.",
        urlsession: """
            Correct the path or the method; `GET /__admin/unmatched` names the nearest operations:

                enum Endpoint: String { case items = "/v1/items" }
            """,
        fetch: """
            Correct the path or the method; `GET /__admin/unmatched` names the nearest operations:

                const paths = { items: "/v1/items" }
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.isEmulated else { return }
        context.situation(x)
        guard x.exchange.route == nil, !Self.isExcused(x.exchange.path) else { return }
        context.breach(
            [x.index],
            "\(x.row.id) was a \(x.method.rawValue) of `\(ShownText.path(context.routes[Int(x.row.route)].route))`; no operation matches it."
        )
    }

    private static func isExcused(_ path: String) -> Bool {
        path == "/favicon.ico" || path == "/robots.txt" || path.hasPrefix("/apple-touch-icon")
            || path.hasPrefix("/.well-known/")
    }
}
