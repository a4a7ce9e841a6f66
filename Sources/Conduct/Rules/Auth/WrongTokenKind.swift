import ConductKit

/// `auth/wrong-token-kind`.
struct WrongTokenKind: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/wrong-token-kind",
        "Wrong kind of token",
        .error,
        situation: "a credential sent as bearer or to refresh",
        breach: "a refresh or identity token as bearer, or an access token to refresh",
        source: [.rfc(6749, "1.5")],
        exercisedBy: ["POST /__admin/tokens with kind `refresh`"],
        what: "A refresh or identity token was sent as the bearer token, or an access token to the refresh operation.",
        why:
            "The server refuses it, and a refresh token that is sent with every request can be stolen with every request.",
        expected: "Send the access token as the bearer token, and the refresh token to the refresh operation only.",
        urlsession: """
            Give access and refresh tokens separate types, so that the compiler tells them apart:

                struct AccessToken { let value: String }
                struct RefreshToken { let value: String }
            """,
        fetch: """
            Give access and refresh tokens separate names, and never keep both in one variable:

                const { accessToken, refreshToken } = await response.json()
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.bearer >= 0 || x.role == .refresh && x.bodyCredential >= 0 else { return }
        context.situation(x)
        if x.bearer >= 0, context.credentials[Int(x.bearer)].kind != .access {
            let kind = context.credentials[Int(x.bearer)].kind == .refresh ? "a refresh token" : "an identity token"
            context.breach([x.index], "\(x.row.id) was sent with \(kind) as bearer (\(context.token(x.bearer))).")
        } else if x.role == .refresh, x.bodyCredential >= 0, context.credentials[Int(x.bodyCredential)].kind == .access
        {
            context.breach(
                [x.index],
                "\(x.row.id) sent an access token to refresh (\(context.token(x.bodyCredential)))."
            )
        }
    }
}
