import ConductKit
import HTTPMessage
import JSON

/// `trendy/idempotent-creates`.
struct TrendyIdempotentCreates: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/idempotent-creates",
        "Creating request without an idempotency key",
        .warning,
        situation: "a creating request",
        breach: "a creating request without `Idempotency-Key`",
        exercisedBy: ["trendy/idempotent-retry"],
        what: "A creating request had no `Idempotency-Key`.",
        why: "If the response is lost, the client can't tell whether to retry.",
        expected: "Send an `Idempotency-Key` with each creating request.",
        swift: "request.setValue(event.id.uuidString, forHTTPHeaderField: \"Idempotency-Key\")",
        script: "headers.set(\"Idempotency-Key\", event.id)"
    )
    static let routes = TrendyRoutes.creating

    static func fault(_ x: JudgedExchange) -> String? {
        x.field(.idempotencyKey) == nil ? "created something without an `Idempotency-Key`" : nil
    }
}

/// `trendy/uses-batches`.
struct TrendyUsesBatches: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/uses-batches",
        "Many events sent one by one",
        .warning,
        situation: "a POST of an event",
        breach: "`times` POST events by one session within `withinSeconds`",
        settings: [(.times, 20), (.withinSeconds, 10)],
        exercisedBy: ["a sync of many events"],
        what: "Many events were sent one by one in a few seconds.",
        why: "Twenty requests cost twenty times the energy and the time of one.",
        expected: "Send many events as one batch of at most 500.",
        swift: "for chunk in events.chunks(ofCount: 500) { try await api.batch(chunk) }",
        script: "for (const part of chunks(events, 500)) await api.batch(part)"
    )

    private var posts: [Int32: [Int32]] = [:]
    private var reported: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("trendy", "POST /api/v1/events"), x.session >= 0 else { return }
        context.situation(x)
        let limits = context.limits(x)
        var rows = (posts[x.session] ?? []).filter {
            Fairness.interval(context[$0], x.row) <= limits.seconds(.withinSeconds)
        }
        if rows.isEmpty { reported[x.session] = nil }
        rows.append(x.index)
        if rows.count >= limits[.times], reported[x.session] == nil {
            reported[x.session] = x.index
            context.breach(rows, "\(rows.count) single events up to \(x.row.id) within \(limits[.withinSeconds]) s.")
        }
        posts[x.session] = rows
    }
}

/// `trendy/repeats-only-the-failed`.
struct TrendyRepeatsOnlyTheFailed: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/repeats-only-the-failed",
        "Stored events sent again",
        .warning,
        situation: "a delivered 207 to a batch",
        breach: "after a delivered 207, a batch with an `id` that it had stored",
        exercisedBy: ["trendy/batch-partial"],
        what: "Events that the server had stored were sent again with those that had failed.",
        why: "Stored events are overwritten with an older state.",
        expected: "Resend only the items that the response lists as failed.",
        swift: "let again = answer.errors.map { events[$0.index] }",
        script: "const again = body.errors.map(error => events[error.index])"
    )

    private var stored: [String: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("trendy", "POST /api/v1/events/batch") else { return }
        let owner = "\(x.row.client)"
        for event in x.requestJSON?["events"]?.arrayValue ?? [] {
            guard let id = event["id"]?.stringValue, let row = stored["\(owner)\n\(id.lowercased())"],
                context.knows(context[row], x.row)
            else { continue }
            stored["\(owner)\n\(id.lowercased())"] = nil
            context.breach([row, x.index], "\(context.id(row)) had stored an event; \(x.row.id) sent it again.")
            break
        }
        guard x.row.isDelivered, x.row.status == 207 else { return }
        context.situation(x)
        for event in x.responseJSON?["created"]?.arrayValue ?? [] {
            if let id = event["id"]?.stringValue { stored["\(owner)\n\(id.lowercased())"] = x.index }
        }
    }
}
