import CivilTime
import ConductKit
import HTTPMessage

/// `cache/fresh-fetched-again`.
struct FreshFetchedAgain: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/fresh-fetched-again",
        "Fresh response fetched again",
        .warning,
        situation: "a delivered 200 to a GET with `max-age` or `immutable`, or a 304 that makes it fresh again",
        breach: """
            `times` more identical requests with the same credential and `Cookie` while it is fresh; the time in `Age`, or \
            since its `Date` on the device, is over already, and either clock ends the rest
            """,
        excused: [
            "`Cache-Control` or `Pragma` in the request", "`Range`",
            "a later write to the path, to one above or below it, or one whose response names it",
        ],
        settings: [(.times, 3)],
        source: [
            .rfc(9111, "4.2"), .rfc(9111, "4.3.4"),
            RuleSource("RFC 8246 section 2", "https://www.rfc-editor.org/rfc/rfc8246#section-2"),
        ],
        exercisedBy: ["Trafikskola's avatars"],
        what: "A response was fetched again and again while the cached copy was still fresh.",
        why: "The user waits for what the device already has, and pays for the data.",
        expected: "Cache the response for as long as its `max-age` allows, and use it.",
        urlsession: """
            Give the session a large enough cache, and keep the default policy:

                configuration.urlCache = URLCache(memoryCapacity: 20_000_000, diskCapacity: 100_000_000)
                configuration.requestCachePolicy = .useProtocolCachePolicy
            """,
        fetch: """
            Leave the cache enabled, without `no-store` or `reload`:

                fetch(url, { cache: "default" })
            """
    )

    private struct Kept {
        /// The answer with which the time began in which it is fresh; nil once it is over.
        var first: Int32?
        /// The latest answer, from which on it is fresh for a time in microseconds.
        var latest: Int32
        var life: Int64
        /// The seconds that the answer gives it, those that it had spent elsewhere, and its date.
        var lifetime: Int64
        var age: Int64
        var date: Instant?
        var vary: [FieldName]
        var selection: UInt64
        var more: [Int32] = []
        var isReported = false
    }

    private var kept: [CredentialedRequest: Kept] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.row.request >= 0 else { return }
        let key = CredentialedRequest(x)
        if let copy = kept[key] { kept[key] = judged(x, copy, &context) }
        note(x, key, &context)
    }

    /// Returns what is kept after a request for it.
    private func judged(_ x: JudgedExchange, _ copy: Kept, _ context: inout RuleContext) -> Kept {
        var copy = copy
        let isOver = Fairness.interval(context[copy.latest], x.row) >= copy.life
        guard let first = copy.first, !isOver, !context.mayHaveChanged(x, since: context[copy.latest]) else {
            copy.first = nil
            copy.more = []
            copy.isReported = false
            return copy
        }
        guard !copy.isReported, context.knows(context[copy.latest], x.row), !CacheWords.isUnusual(x),
            CacheWords.selection(copy.vary, x.exchange.fields) == copy.selection
        else { return copy }
        copy.more.append(x.index)
        guard copy.more.count >= context.limits(x)[.times] else { return copy }
        copy.isReported = true
        context.breach(
            [first] + copy.more,
            "The response to \(context.id(first)) was still fresh; it was fetched \(Words.times(Int64(copy.more.count))) more, up to \(x.row.id)."
        )
        return copy
    }

    /// Notes how long an answer is fresh; a 304 changes what is kept (RFC 9111, section 4.3.4).
    private mutating func note(_ x: JudgedExchange, _ key: CredentialedRequest, _ context: inout RuleContext) {
        let fields = x.exchange.responseFields
        let isRenewal = x.row.status == 304 && (x.field(.ifNoneMatch) ?? x.field(.ifModifiedSince)) != nil
        guard x.row.isDelivered, x.row.status == 200 || isRenewal else { return }
        let isTold = !isRenewal || fields[.cacheControl] != nil
        let lifetime = isTold ? CacheWords.lifetime(fields) : kept[key]?.lifetime
        let age = CacheWords.age(fields) ?? (isRenewal ? kept[key]?.age : nil) ?? 0
        let date = CacheWords.date(fields) ?? (isRenewal ? kept[key]?.date : nil)
        let left = (lifetime ?? 0) - max(age, CacheWords.apparentAge(date, at: x.row))
        guard let lifetime, left > 0, let vary = CacheWords.vary(fields) else {
            kept[key] = nil
            return
        }
        let life = left * 1_000_000
        context.situation(x)
        guard var copy = kept[key] else {
            let selection = CacheWords.selection(vary, x.exchange.fields)
            kept[key] = Kept(
                first: x.index,
                latest: x.index,
                life: life,
                lifetime: lifetime,
                age: age,
                date: date,
                vary: vary,
                selection: selection
            )
            return
        }
        copy.first = copy.first ?? x.index
        copy.latest = x.index
        (copy.life, copy.lifetime, copy.age, copy.date) = (life, lifetime, age, date)
        if !isRenewal || fields[.vary] != nil {
            copy.vary = vary
            copy.selection = CacheWords.selection(vary, x.exchange.fields)
        }
        kept[key] = copy
    }
}
