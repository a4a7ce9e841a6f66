import ConductKit
import HTTPMessage

/// `cache/tag-rewritten`.
struct TagRewritten: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/tag-rewritten",
        "Entity tag was altered",
        .error,
        situation: "a GET with `If-None-Match`",
        breach: """
            none of its tags was issued for this path and query, and one would be if quotes were put around it or case \
            were ignored
            """,
        excused: ["a lost or added `W/`"],
        source: [.rfc(9110, "8.8.3")],
        exercisedBy: ["i18n"],
        needsWholeJournal: true,
        what: "An entity tag came back without its quotes or in another case.",
        why: "The server does not recognise it, and sends the whole body each time.",
        expected: "Send the tag exactly as received, including its quotes.",
        urlsession: """
            Store the value of `ETag` with its quotes, and send it back unchanged:

                let etag = response.value(forHTTPHeaderField: "ETag")
            """,
        fetch: """
            Store the value of `ETag` with its quotes, and send it back unchanged:

                const etag = response.headers.get("ETag")
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.field(.ifNoneMatch) != nil else { return }
        let sent = IssuedTags.sent(x)
        guard !sent.isEmpty else { return }
        context.situation(x)
        let place = context.tags.number(x)
        guard !sent.contains(where: { context.tags.wasIssued($0, at: place) }),
            sent.contains(where: { context.tags.wouldFit($0, at: place) })
        else { return }
        context.breach(
            [x.index],
            "\(x.row.id) sent a tag that differs only in quotes or case from one of this path and query."
        )
    }
}
