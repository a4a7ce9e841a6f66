import ConductKit

/// `auth/no-refresh-after-401`.
struct NoRefreshAfter401: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/no-refresh-after-401",
        "Expired access token not refreshed",
        .warning,
        situation: "a 401 for the access token of a session with a usable refresh token",
        breach:
            "`times` more requests with it, started after that and also answered 401, before a refresh or sign-in starts",
        settings: [(.times, 3)],
        source: [.rfc(6749, "1.5")],
        exercisedBy: [#"{"tokens":"expire"}"#],
        what: "After a 401, more requests were sent with the same access token although a refresh token was available.",
        why: "Every screen that the user opens fails until the app is restarted.",
        expected: "Refresh at the first 401, and let other requests wait for the new token.",
        urlsession: """
            Refresh at the first 401; an actor that owns the token makes all other requests wait:

                actor Tokens { func afterRefusal(of old: String) async throws -> String { … } }
            """,
        fetch: """
            Refresh at the first 401, and let all other requests await the same promise:

                refreshing ??= refresh().finally(() => { refreshing = undefined })
                token = await refreshing
            """
    )

    private struct Chain {
        var first: Int32
        var more: [Int32] = []
        var isReported = false
    }

    private var chains: [Int32: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if !chains.isEmpty {
            if x.role == .refresh {
                // With content that nobody knows it may have been for any session of that place.
                let place = x.exchange.body.isWhole ? nil : x.row.place
                chains = chains.filter { key, chain in
                    context.credentials[Int(key)].session != x.session && context[chain.first].place != place
                }
            } else if x.role == .signIn || x.role == .signUp {
                let place = x.row.place
                chains = chains.filter { context[$0.value.first].place != place }
            }
        }
        guard x.bearer >= 0, x.row.status == 401, x.row.isDelivered, x.role != .refresh else { return }
        let credential = context.credentials[Int(x.bearer)]
        guard credential.kind == .access else { return }
        guard var chain = chains[x.bearer] else {
            guard context.hasUsableRefresh(credential.session, at: x.row) else { return }
            context.situation(x)
            chains[x.bearer] = Chain(first: x.index)
            return
        }
        guard context.knows(context[chain.first], x.row) else { return }
        context.situation(x)
        if !chain.isReported { chain.more.append(x.index) }
        if !chain.isReported, chain.more.count >= context.limits(x)[.times] {
            chain.isReported = true
            context.breach(
                [chain.first] + chain.more,
                """
                \(context.id(chain.first)) was answered 401; \(chain.more.count) more requests up to \(x.row.id) carried the \
                same access token (\(context.token(x.bearer))), and no refresh was started.
                """
            )
        }
        chains[x.bearer] = chain
    }
}
