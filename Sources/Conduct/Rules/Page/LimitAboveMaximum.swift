import ConductKit
import HTTPMessage

/// `page/limit-above-maximum`.
struct LimitAboveMaximum: ConductRule {
    static let declaration = RuleDeclaration(
        "page/limit-above-maximum",
        "Page size above the maximum",
        .warning,
        situation: "a list requested with `limit`",
        breach: "a `limit` above the documented maximum in `times` requests",
        settings: [(.times, 2)],
        exercisedBy: ["any list"],
        needsContract: true,
        what: "Lists were requested with a `limit` above the documented maximum.",
        why: "The server lowers or rejects it, and items that the app relies on are missing.",
        expected: "Request at most the documented maximum, and page through the list.",
        urlsession: """
            Lower `limit` to the documented maximum, and request further pages for the rest:

                static let pageSize = 100
            """,
        fetch: """
            Lower `limit` to the documented maximum, and request further pages for the rest:

                const pageSize = 100
            """
    )

    private struct Key: Hashable {
        var client: Int32
        var route: Int32
    }

    private var rows: [Key: [Int32]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let maximum = x.operation?.limitMaximum, x.isGet, let text = x.query.last("limit") else { return }
        context.situation(x)
        guard let limit = Int64(text), limit > maximum, !x.row.isAutomatic else { return }
        let key = Key(client: x.row.client, route: x.row.route)
        let times = context.limits(x)[.times]
        var list = rows[key] ?? []
        guard list.count < times else { return }
        list.append(x.index)
        rows[key] = list
        guard list.count == times else { return }
        context.breach(list, "\(x.row.id) asked for \(limit) items, and the maximum is \(maximum).")
    }
}
