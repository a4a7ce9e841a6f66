import ConductKit

/// `auth/used-after-signout`.
struct UsedAfterSignOut: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/used-after-signout",
        "Token used after sign-out",
        .error,
        situation: "a delivered sign-out",
        breach: "an access or refresh token of the session that signed out, after it",
        excused: ["sign-in, sign-up and sign-out operations", "other sessions of that user"],
        exercisedBy: ["a sign-out"],
        needsContract: true,
        what: "A token of a session was used after the session had signed out.",
        why: "The app still holds what the user believes is gone. On a shared device that is somebody else's data.",
        expected: "Discard both tokens at sign-out, and stop timers and queues that use them.",
        urlsession: """
            Cancel running requests, then discard the tokens:

                tasks.cancelAll()
                keychain.clear()
            """,
        fetch: """
            Cancel running requests, then discard the tokens:

                controller.abort()
                clearTokens()
            """
    )

    private var reported: Set<SessionRoute> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if x.role == .signOut {
            if x.row.isSuccess, x.session >= 0 { context.situation(x) }
            return
        }
        guard x.role != .signIn, x.role != .signUp else { return }
        let number = x.bodyCredential >= 0 && x.role == .refresh ? x.bodyCredential : x.bearer
        guard number >= 0 else { return }
        let credential = context.credentials[Int(number)]
        guard credential.kind != .identity, credential.session >= 0 else { return }
        let end = context.sessions[Int(credential.session)].signedOutBy
        guard end >= 0, context.knows(context[end], x.row),
            reported.insert(SessionRoute(credential.session, x)).inserted
        else { return }
        context.breach(
            [end, x.index],
            "\(context.id(end)) signed the session out; \(x.row.id) used a token of it (\(context.token(number)))."
        )
    }
}
