import ConductKit
import HTTPMessage
import JSON

/// `page/past-the-end`.
struct PastTheEnd: ConductRule {
    static let declaration = RuleDeclaration(
        "page/past-the-end",
        "Page requested past the end",
        .warning,
        situation: "a delivered page that says it is the last",
        breach: "the same list with an `offset` at or beyond its end, within `withinSeconds`",
        excused: ["change feeds", "a 2xx write of the client in between"],
        settings: [(.withinSeconds, 60)],
        exercisedBy: ["carbscan/single-meal"],
        needsContract: true,
        what: "Another page was requested after the last one.",
        why: "The response can only be empty: each list costs a needless request.",
        expected: "Stop at the page that says it is the last.",
        urlsession: """
            Request another page only if the last one says that more follow:

                guard page.hasMore else { return items }
            """,
        fetch: """
            Request another page only if the last one says that more follow:

                if (!page.hasMore) break
            """
    )

    private struct Last {
        var row: Int32
        var end: Int64
        var isReported = false
    }

    private var lasts: [ListScope: Last] = [:]
    private var writes: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if !x.isGet, x.row.isSuccess { writes[x.row.client] = x.index }
        guard let paging = x.operation?.offset, x.isGet else { return }
        let scope = ListScope(x, owner: x.row.client, without: ["offset", "limit"])
        let offset = x.query.last("offset").flatMap { Int64($0) } ?? 0
        if var last = lasts[scope], !last.isReported, context.knows(context[last.row], x.row), offset >= last.end,
            offset > 0, !((writes[x.row.client] ?? -1) > last.row),
            Fairness.pause(context[last.row], x.row) <= context.limits(x).seconds(.withinSeconds)
        {
            last.isReported = true
            lasts[scope] = last
            context.breach(
                [last.row, x.index],
                "\(context.id(last.row)) said that the list ends at \(last.end); \(x.row.id) requested items from \(offset) on."
            )
        }
        guard x.row.isSuccess, x.answer(paging.more)?.boolValue == false,
            let items = x.answer(paging.items)?.arrayValue
        else { return }
        context.situation(x)
        guard offset == 0 || !items.isEmpty else { return }
        lasts[scope] = Last(row: x.index, end: offset + Int64(items.count))
    }
}
