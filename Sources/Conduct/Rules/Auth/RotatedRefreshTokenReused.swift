import ConductKit

/// `auth/rotated-refresh-token-reused`.
struct RotatedRefreshTokenReused: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/rotated-refresh-token-reused",
        "Replaced refresh token sent again",
        .error,
        situation: "a delivered refresh answer with a new refresh token",
        breach: "the old one sent to refresh, started after the response ended",
        excused: ["the response was lost"],
        source: [.rfc(9700, "4.14.2")],
        exercisedBy: ["a second refresh"],
        what: "A refresh token was sent again after the server had replaced it with a new one.",
        why: "Servers treat this as theft and end the session: the user is signed out.",
        expected: "Store the new refresh token before anything else, and discard the old one.",
        urlsession: """
            Store both tokens of each refresh in one step, in place of the old ones:

                let fresh = try decoder.decode(Tokens.self, from: data)
                try keychain.store(access: fresh.accessToken, refresh: fresh.refreshToken ?? old.refreshToken)
            """,
        fetch: """
            Store both tokens of each refresh in one step, in place of the old ones:

                store({ access: body.accessToken, refresh: body.refreshToken ?? old.refresh })
            """
    )

    private var replaced: [Int32: Int32] = [:]
    private var reported: Set<Int32> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.role == .refresh, x.bodyCredential >= 0 else { return }
        if let row = replaced[x.bodyCredential], context.knows(context[row], x.row) {
            if reported.insert(x.bodyCredential).inserted {
                context.breach(
                    [row, x.index],
                    """
                    \(context.id(row)) returned a new refresh token; \(x.row.id) sent the old one \
                    (\(context.token(x.bodyCredential))) \(Words.duration(Fairness.pause(context[row], x.row))) later.
                    """
                )
            }
            return
        }
        guard x.row.isSuccess, x.issuedRefresh >= 0, x.issuedRefresh != x.bodyCredential else { return }
        context.situation(x)
        if replaced[x.bodyCredential] == nil { replaced[x.bodyCredential] = x.index }
    }
}
