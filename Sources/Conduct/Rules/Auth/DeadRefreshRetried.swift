import ConductKit

/// `auth/dead-refresh-retried`.
struct DeadRefreshRetried: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/dead-refresh-retried",
        "Refused refresh token sent again",
        .error,
        situation: "a 400, 401 or 403 to a refresh",
        breach: "the same refresh token sent to refresh again",
        source: [.rfc(6749, "5.2")],
        exercisedBy: ["POST /__admin/tokens with state `revoked`"],
        what: "A refresh token that the server had refused was sent again.",
        why: "It stays refused. The app loops where the user should see the sign-in screen.",
        expected: "After a refused refresh, discard both tokens and ask the user to sign in.",
        urlsession: """
            Discard both tokens when a refresh is refused, and show the sign-in screen:

                if [400, 401, 403].contains(response.statusCode) {
                    keychain.clear()
                    throw SignedOut()
                }
            """,
        fetch: """
            Discard both tokens when a refresh is refused, and show the sign-in screen:

                if ([400, 401, 403].includes(response.status)) { clearTokens(); throw new SignedOut() }
            """
    )

    private var refused: [Int32: Int32] = [:]
    private var reported: Set<Int32> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.role == .refresh, x.bodyCredential >= 0 else { return }
        if let row = refused[x.bodyCredential], context.knows(context[row], x.row),
            reported.insert(x.bodyCredential).inserted
        {
            context.breach(
                [row, x.index],
                """
                \(context.id(row)) was answered \(context[row].status); \(x.row.id) sent the same refresh token \
                (\(context.token(x.bodyCredential))) again.
                """
            )
        }
        guard x.row.isDelivered, [400, 401, 403].contains(x.row.status) else { return }
        context.situation(x)
        if refused[x.bodyCredential] == nil { refused[x.bodyCredential] = x.index }
    }
}
