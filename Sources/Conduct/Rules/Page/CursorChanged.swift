import ConductKit
import HTTPMessage
import JSON

/// `page/cursor-changed`.
struct CursorChanged: ConductRule {
    static let declaration = RuleDeclaration(
        "page/cursor-changed",
        "Unknown cursor",
        .error,
        situation: "a list requested with a cursor",
        breach: "the cursor was never delivered to the client for this list with the same other parameters",
        excused: [
            "a first page", "0 in a change feed, and a cursor from before the first response with one",
            "a list for which the body of a response is unknown",
        ],
        exercisedBy: ["sawaed/events-paged"],
        needsContract: true,
        needsWholeJournal: true,
        what: "A page was requested with a cursor that the server had not returned for this list.",
        why: "Such a cursor skips items, repeats them or is rejected.",
        expected: "Send the cursor of the last page unchanged, with the same filters.",
        urlsession: """
            Keep the cursor with the query that it belongs to, and send both unchanged:

                struct Page { let query: Query; let next: String? }
            """,
        fetch: """
            Keep the cursor with the query that it belongs to, and send both unchanged:

                params.set("cursor", page.nextCursor)
            """
    )

    /// The cursors by list and by owner: the client, its place or its user.
    private var issued: [ListScope: Set<String>] = [:]
    /// Those of which an answer is not known, with the cursors in it.
    private var untold: Set<ListScope> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let cursor = x.operation?.cursor, x.isGet else { return }
        let names: Set<String> = [cursor.parameter, "limit"]
        let owners = [x.row.client, -1 - x.row.place, x.row.user >= 0 ? 1_000_000_000 + x.row.user : x.row.client]
        if !cursor.parameter.isEmpty, let value = x.query.last(cursor.parameter), !value.isEmpty,
            !(cursor.isFeed && value == "0")
        {
            context.situation(x)
            let scopes = owners.map { scope(x, cursor, $0, names) }
            let lists = scopes.compactMap { issued[$0] }
            // A client keeps its place in a feed, maybe from before.
            if untold.isDisjoint(with: scopes), !lists.contains(where: { $0.contains(value) }),
                !cursor.isFeed || !lists.isEmpty
            {
                context.breach([x.index], "\(x.row.id) used a cursor that no response for this list had returned.")
            }
        }
        if x.row.isSuccess, !x.exchange.responseBody.isWhole {
            for owner in owners { untold.insert(scope(x, cursor, owner, names)) }
        }
        guard x.row.isSuccess, let next = x.answer(cursor.next) else { return }
        let text = next.stringValue ?? next.intValue.map { "\($0)" } ?? ""
        guard !text.isEmpty else { return }
        for owner in Set(owners) { issued[scope(x, cursor, owner, names), default: []].insert(text) }
    }

    private func scope(
        _ x: JudgedExchange,
        _ cursor: OperationKnowledge.Cursor,
        _ owner: Int32,
        _ names: Set<String>
    ) -> ListScope {
        var scope = ListScope(x, owner: owner, without: names)
        // A feed is one for all calls that tell its cursors.
        if cursor.isFeed {
            scope.path = x.exchange.api
            scope.members = []
        }
        return scope
    }
}
