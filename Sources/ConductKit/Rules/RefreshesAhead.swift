/// A rule that several APIs have: access tokens are not sent after their end.
package protocol RefreshesAhead: APIRule {
    var sent: [Int32: [Int32]] { get set }
    var reported: Set<Int32> { get set }
}

extension RefreshesAhead {
    package mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == Self.declaration.api, x.bearer >= 0, x.role == .ordinary else { return }
        let credential = context.credentials[Int(x.bearer)]
        guard credential.kind == .access, credential.expiresAt != nil,
            context.hasUsableRefresh(credential.session, at: x.row)
        else { return }
        context.situation(x)
        // The time of the journal is that of the answer: only what was late by more than a second counts.
        guard context.isOver(credential, at: x.row, for: 1_000_000), !reported.contains(credential.session) else {
            return
        }
        // Of one token, the first counts: the others were sent before its 401 was known.
        var rows = sent[credential.session] ?? []
        if rows.contains(where: { context[$0].authorization == x.row.authorization }) { return }
        rows.append(x.index)
        sent[credential.session] = rows
        guard rows.count >= context.limits(x)[.times] else { return }
        reported.insert(credential.session)
        context.breach(
            rows,
            "\(rows.count) expired access tokens of one session were sent, the last by \(x.row.id) (\(context.token(x.bearer)))."
        )
    }

    package static func declared(_ api: String) -> RuleDeclaration {
        RuleDeclaration(
            apiRule: "\(api)/refreshes-ahead",
            "Expired access tokens used",
            .warning,
            situation: "an access token sent while the refresh token was usable",
            breach: """
                `times` access tokens of a client sent more than a second after their `exp`, by both clocks, while its \
                refresh token was usable
                """,
            excused: ["a token that expired only because the world's clock was moved"],
            settings: [(.times, 3)],
            exercisedBy: ["any protected call after a sign-in"],
            what: "Expired access tokens were used again and again although a refresh token was available.",
            why: "Each such request costs a 401 and a second round trip before the user sees anything.",
            expected: "Refresh a minute before the token expires.",
            swift: "if token.expiresAt < .now + 60 { try await refresh() }",
            script: "if (token.expiresAt < Date.now() + 60_000) await refresh()"
        )
    }
}
