import HTTPMessage

/// `cache/validator-of-another`.
struct ValidatorOfAnother: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/validator-of-another",
        "The validator of another thing",
        .error,
        situation: "a GET with `If-None-Match`",
        breach: "none of its tags was issued for this path and query, and one was issued to the client for another",
        source: [.rfc(9110, "8.8.3")],
        exercisedBy: ["i18n in two languages"],
        needsWholeJournal: true,
        what: "A request carried the entity tag of another path or query.",
        why: "If the tags meet by chance, the server answers 304, and the app shows the wrong content.",
        expected: "Keep each tag together with the path and the query that it came with.",
        urlsession: """
            Key the stored tags by the whole address:

                tags[request.url!.absoluteString] = etag
            """,
        fetch: """
            Key the stored tags by the whole address:

                tags.set(response.url, response.headers.get("ETag"))
            """
    )

    private var tags = IssuedTags()

    mutating func take(_ x: Judged, _ bench: inout Bench) {
        defer { tags.note(x) }
        guard x.isGet, x.field(.ifNoneMatch) != nil else { return }
        let sent = IssuedTags.sent(x)
        guard !sent.isEmpty else { return }
        bench.situation(x)
        let place = tags.number(x)
        guard !sent.contains(where: { tags.wasIssued($0, at: place) }) else { return }
        let client = x.row.client
        guard let row = sent.compactMap({ tags.issuedElsewhere($0, to: client, than: place) }).min() else { return }
        bench.breach(
            [row, x.index],
            "\(x.row.id) sent the entity tag that the answer to \(bench.id(row)) had brought for another path or query."
        )
    }
}
