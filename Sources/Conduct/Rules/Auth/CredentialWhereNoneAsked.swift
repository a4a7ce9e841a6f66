import ConductKit

/// `auth/credential-where-none-asked`.
struct CredentialWhereNoneAsked: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/credential-where-none-asked",
        "Token sent to a public operation",
        .warning,
        situation:
            "a request to an operation that takes no credential, by the address and `User-Agent` that hold a session",
        breach: "an issued token in `Authorization`",
        excused: [
            "operations where it is optional (Sawaed's chat and sign-out, CarbScan's devices)",
            "Trendy's `/auth/v1`, to which Supabase's own clients send their session",
            "keys that are not issued tokens",
            "CarbScan, whose OpenAPI document declares it so",
        ],
        exercisedBy: ["any public call"],
        needsContract: true,
        what: "A token was sent to an operation that takes no credentials.",
        why: "Every place that receives a token can leak it: caches, logs and image hosts have no use for it.",
        expected: "Send the bearer token to protected operations only.",
        urlsession: """
            Let each endpoint of the app declare whether it needs the token, and send it only there:

                if endpoint.isProtected { request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization") }
            """,
        fetch: """
            Let each endpoint of the app declare whether it needs the token, and send it only there:

                const headers = endpoint.isProtected ? { Authorization: `Bearer ${token}` } : {}
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let operation = x.operation, operation.credential == .none,
            let since = context.placeSessions[x.row.place], since < x.index || x.bearer >= 0
        else { return }
        context.situation(x)
        guard x.bearer >= 0 else { return }
        context.breach(
            [x.index],
            "\(x.row.id) carried an issued token (\(context.token(x.bearer))), though it needs none."
        )
    }
}
