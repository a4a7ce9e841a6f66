import ConductKit
import HTTPMessage

/// `cache/no-validator-sent`.
struct NoValidatorSent: ConductRule {
    static let declaration = RuleDeclaration(
        "cache/no-validator-sent",
        "Repeated reads without a validator",
        .warning,
        situation: "a delivered 200 to a GET with `ETag` or `Last-Modified`",
        breach: "`times` more identical requests of one user without `If-None-Match` and `If-Modified-Since`",
        excused: [
            "`no-store` responses", "a later 200 without either", "responses still fresh by either clock",
            "another variant by `Vary`",
            "`Cache-Control` or `Pragma` in the request", "`Range`",
            "a later write to the path, to one above or below it, or one whose response names it",
        ],
        settings: [(.times, 3)],
        source: [.rfc(9110, "13.1.2"), .rfc(9111, "4.3.1")],
        exercisedBy: ["Trafikskola's i18n"],
        what: "The same resource was read again and again without the validator from its response.",
        why: "The whole body is sent each time where a 304 without a body would do.",
        expected: "Send the `ETag` of the last response in `If-None-Match`.",
        urlsession: """
            Keep the default cache policy, which sends `If-None-Match`, or send it from a cache of your own:

                request.setValue(etag, forHTTPHeaderField: "If-None-Match")
            """,
        fetch: """
            Leave the browser's cache enabled, which sends `If-None-Match`, or send it from a cache of your own:

                headers.set("If-None-Match", etag)
            """
    )

    private struct Kept {
        var first: Int32
        /// The latest answer, and the time in microseconds for which it is fresh.
        var latest: Int32
        var life: Int64
        var vary: [FieldName]
        var selection: UInt64
        var more: [Int32] = []
        var isReported = false
    }

    private var kept: [CredentialedRequest: Kept] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.row.request >= 0 else { return }
        let key = CredentialedRequest(ofUser: x)
        if let copy = kept[key],
            context.mayHaveChanged(x, since: context[copy.latest])
                || CacheWords.selection(copy.vary, x.exchange.fields) != copy.selection
        {
            // What a cache had is gone, and its validator with it.
            kept[key] = nil
        }
        if var copy = kept[key] {
            if x.field(.ifNoneMatch) != nil || x.field(.ifModifiedSince) != nil {
                copy.more = []
                copy.isReported = false
                kept[key] = copy
            } else if Fairness.shorterInterval(context[copy.latest], x.row) >= copy.life,
                context.knows(context[copy.first], x.row), !CacheWords.isUnusual(x)
            {
                if !copy.isReported { copy.more.append(x.index) }
                if !copy.isReported, copy.more.count >= context.limits(x)[.times] {
                    copy.isReported = true
                    context.breach(
                        [copy.first] + copy.more,
                        """
                        The response to \(context.id(copy.first)) had an `ETag` or `Last-Modified`; it was requested \
                        \(Words.times(Int64(copy.more.count))) more without a validator, up to \(x.row.id).
                        """
                    )
                }
                kept[key] = copy
            }
        }
        guard x.row.isDelivered, x.row.status == 200 else { return }
        let fields = x.exchange.responseFields
        guard fields["ETag"] != nil || fields["Last-Modified"] != nil, let vary = CacheWords.vary(fields),
            !CacheWords.directives(fields).contains("no-store")
        else {
            // The latest answer brought nothing to send back, or nothing that any other request selects.
            kept[key] = nil
            return
        }
        context.situation(x)
        let selection = CacheWords.selection(vary, x.exchange.fields)
        var copy = kept[key] ?? Kept(first: x.index, latest: x.index, life: 0, vary: vary, selection: selection)
        copy.latest = x.index
        (copy.vary, copy.selection) = (vary, selection)
        copy.life = CacheWords.freshFor(x) ?? 0
        kept[key] = copy
    }
}
