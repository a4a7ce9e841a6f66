import ConductKit
import HTTPMessage

/// `retry/idempotency-key-reused`.
struct IdempotencyKeyReused: ConductRule {
    static let declaration = RuleDeclaration(
        "retry/idempotency-key-reused",
        "Idempotency key reused",
        .error,
        situation: "a request with `Idempotency-Key`",
        breach: "the same key on the same route with another body within a day of world time",
        excused: ["the earlier response was a 4xx"],
        source: [.idempotencyDraft],
        exercisedBy: ["any creating request"],
        what: "One idempotency key was sent with two different bodies.",
        why: "The server answers the second request with the result of the first: what the user entered is lost.",
        expected: "Create a new `Idempotency-Key` for each new operation.",
        urlsession: """
            Create a new `Idempotency-Key` with each operation:

                struct Draft { let key = UUID() }
            """,
        fetch: """
            Create a new `Idempotency-Key` with each operation:

                const draft = { key: crypto.randomUUID() }
            """
    )

    private struct Key: Hashable {
        var client: Int32
        var route: Int32
        var value: String
    }

    private struct First {
        var row: Int32
        var first: UInt64
        var second: UInt64
        var isReported = false
    }

    private var firsts: [Key: First] = [:]
    private static let day: Int64 = 86_400_000_000

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let value = x.field(.idempotencyKey), let digest = Content.digest(x.exchange.body) else { return }
        context.situation(x)
        let key = Key(client: x.row.client, route: x.row.route, value: value)
        let fresh = First(row: x.index, first: digest.0, second: digest.1)
        guard var first = firsts[key] else {
            firsts[key] = fresh
            return
        }
        let former = context[first.row]
        let isRefused = former.isDelivered && former.status >= 400 && former.status < 500
        guard (first.first, first.second) != digest, !isRefused, x.row.at - former.at <= Self.day else {
            if isRefused || x.row.at - former.at > Self.day { firsts[key] = fresh }
            return
        }
        guard !first.isReported else { return }
        first.isReported = true
        firsts[key] = first
        context.breach(
            [first.row, x.index],
            "\(context.id(first.row)) and \(x.row.id) had the same `Idempotency-Key` and different content."
        )
    }
}
