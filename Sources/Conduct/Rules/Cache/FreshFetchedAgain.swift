import HTTPMessage

/// `cache/fresh-fetched-again`.
struct FreshFetchedAgain: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/fresh-fetched-again",
        "A fresh answer fetched again",
        .warning,
        situation: "a delivered 200 to a GET with `max-age` or `immutable`",
        breach: "so many more same requests with the same credential while it is fresh in world time",
        excused: ["`Cache-Control` or `Pragma` in the request", "`Range`"],
        settings: [(.times, 3)],
        source: [
            .rfc(9111, "4.2"), RuleSource("RFC 8246 section 2", "https://www.rfc-editor.org/rfc/rfc8246#section-2"),
        ],
        exercisedBy: ["Trafikskola's avatars"],
        what: "An answer was fetched again and again while the copy at hand was still fresh.",
        why: "The user waits for what the device has already, and pays for the data.",
        expected: "Keep the answer as long as its `max-age` says, and use it.",
        urlsession: """
            Give the session a cache with room, and leave the policy as it is:

                configuration.urlCache = URLCache(memoryCapacity: 20_000_000, diskCapacity: 100_000_000)
                configuration.requestCachePolicy = .useProtocolCachePolicy
            """,
        fetch: """
            Leave the cache on:

                fetch(url, { cache: "default" })
            """
    )

    private struct Kept {
        var first: Int32
        var until: Int64
        var vary: [FieldName]
        var selection: UInt64
        var more: [Int32] = []
        var isReported = false
    }

    private var kept: [CredentialedRequest: Kept] = [:]

    mutating func take(_ x: Judged, _ bench: inout Bench) {
        guard x.isGet, x.row.request >= 0 else { return }
        let key = CredentialedRequest(x)
        if var copy = kept[key] {
            if x.row.at >= copy.until {
                kept[key] = nil
            } else if bench.knows(bench[copy.first], x.row), !CacheWords.isUnusual(x),
                CacheWords.selection(copy.vary, x.exchange.fields) == copy.selection
            {
                if !copy.isReported { copy.more.append(x.index) }
                if !copy.isReported, copy.more.count >= bench.limits(x)[.times] {
                    copy.isReported = true
                    bench.breach(
                        [copy.first] + copy.more,
                        "The answer to \(bench.id(copy.first)) was still fresh; the same was fetched \(Words.times(Int64(copy.more.count))) more, up to \(x.row.id)."
                    )
                }
                kept[key] = copy
            }
        }
        guard x.row.isDelivered, x.row.status == 200, let life = CacheWords.freshFor(x),
            let vary = CacheWords.vary(x.exchange.responseFields)
        else { return }
        bench.situation(x)
        let until = x.row.at + life
        if var copy = kept[key] {
            copy.until = max(until, copy.until)
            kept[key] = copy
        } else {
            kept[key] = Kept(
                first: x.index,
                until: until,
                vary: vary,
                selection: CacheWords.selection(vary, x.exchange.fields)
            )
        }
    }
}
