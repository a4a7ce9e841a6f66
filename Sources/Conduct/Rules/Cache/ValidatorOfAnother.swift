import ConductKit
import HTTPMessage

/// `cache/validator-of-another`.
struct ValidatorOfAnother: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/validator-of-another",
        "Entity tag of another resource",
        .error,
        situation: "a GET with `If-None-Match`",
        breach: """
            none of its tags was issued for this path and query, of which the client knew a tag by an answer to a GET, one \
            came to it with a known answer to a GET of another, and the answer, a 2xx, has another tag or none
            """,
        excused: [
            "a 304, or a 2xx with that very tag: equal contents may have equal tags",
            "a tag that the client had sent before a response contained it, also in `If-Match` or `If-Range`",
            "a client that knew no tag of this path and query: it may have an earlier one, or one computed from the content",
            "a tag that a response to any method had for this path and query",
            "a tag that a response gave it by `Location`, `Content-Location` or a redirect",
            "a broken response, or one of another status, which says nothing about the tag",
        ],
        source: [.rfc(9110, "8.8.3")],
        exercisedBy: ["i18n in two languages"],
        needsWholeJournal: true,
        what: "A request had the entity tag of another path or query.",
        why: "If the tags happen to match, the server answers 304, and the app shows the wrong content.",
        expected: "Store each tag together with the path and query that it belongs to.",
        urlsession: """
            Store each `ETag` under the full URL, query included:

                tags[request.url!.absoluteString] = etag
            """,
        fetch: """
            Store each `ETag` under the full URL, query included:

                tags.set(response.url, response.headers.get("ETag"))
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.field(.ifNoneMatch) != nil else { return }
        let sent = IssuedTags.sent(x)
        guard !sent.isEmpty else { return }
        context.situation(x)
        let place = context.tags.number(x)
        guard
            !sent.contains(where: { context.tags.wasIssued($0, at: place) || context.tags.wasCarried($0, to: place) }),
            context.tags.knowsTag(of: x, at: place, context)
        else { return }
        // A server that finds the tag right, with a 304 or by sending the same again, speaks for the client: contents that
        // are equal may have equal tags. Any other answer without content says nothing.
        guard x.row.isSuccess, !sent.contains(where: { $0 == IssuedTags.brought(x) }) else { return }
        let rows = sent.compactMap { context.tags.issuedElsewhere($0, to: x, than: place, context) }
        guard let row = rows.min() else { return }
        context.breach(
            [row, x.index],
            "\(x.row.id) sent the entity tag from the response to \(context.id(row)), which is for another path or query."
        )
    }
}
