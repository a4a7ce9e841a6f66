import ConductKit

/// `cache/identical-in-flight`.
struct IdenticalInFlight: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/identical-in-flight",
        "Identical requests in flight",
        .warning,
        situation: "a GET begun while another of the client is under way",
        breach: "`times` GETs that start while the same request with the same credential and `Cookie` is in flight",
        excused: ["event streams"],
        settings: [(.times, 3)],
        exercisedBy: ["a delay"],
        what: "The same GET was sent several times at once.",
        why: "Each request returns the same content; the first would have been enough.",
        expected: "Let all callers share one request.",
        urlsession: """
            Keep the task of each URL while it runs, and let later callers await it:

                if let running = tasks[url] { return try await running.value }
            """,
        fetch: """
            Keep the promise of each URL while it runs, and let later callers await it:

                running[url] ??= fetch(url).finally(() => delete running[url])
            """
    )

    private struct Group {
        var rows: [Int32]
        var end: Int64
        var count = 0
        var isReported = false
    }

    private var groups: [CredentialedRequest: Group] = [:]
    /// The end of the last GET of each client.
    private var ends: [Int32: Int64] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.row.request >= 0, !x.isEventStream else { return }
        if let end = ends[x.row.client], x.row.begin < end { context.situation(x) }
        ends[x.row.client] = max(ends[x.row.client] ?? .min, x.row.end)
        let key = CredentialedRequest(x)
        guard var group = groups[key], x.row.begin < group.end else {
            groups[key] = Group(rows: [x.index], end: x.row.end)
            return
        }
        group.end = max(group.end, x.row.end)
        if !x.row.isAutomatic {
            if !group.isReported { group.rows.append(x.index) }
            group.count += 1
        }
        if !group.isReported, group.count >= context.limits(x)[.times] {
            group.isReported = true
            context.breach(
                group.rows,
                "\(group.count) more of the same request, up to \(x.row.id), began while \(context.id(group.rows[0])) or one of them was under way."
            )
        }
        groups[key] = group
    }
}
