import Backend
import ConductKit
import HTTPMessage

/// `auth/secret-in-url`.
struct SecretInURL: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/secret-in-url",
        "Secret in the URL",
        .error,
        situation: "any request",
        breach: """
            path or query (decoded) holds an issued access or refresh token, or a member `token`, `access_token`, \
            `id_token`, `refresh_token`, `jwt` or `auth` that is a JWT, or a non-empty `password`, `passwd`, `pwd`, \
            `otp`, `otpCode` or `client_secret`
            """,
        excused: ["tokens inside a URL that the API itself issued (uploads, magic links)"],
        source: [.rfc(9110, "17.9"), .rfc(6750, "2.3")],
        exercisedBy: ["any call"],
        what: "The path or the query of a request holds a token, a code or a password.",
        why:
            "URLs end up in server and proxy logs, browser histories and crash reports: a secret in one is no longer secret.",
        expected: "Send tokens in `Authorization`, and passwords and codes in the body.",
        urlsession: """
            Move the value from the URL into a header or the body:

                request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")
            """,
        fetch: """
            Move the value from the URL into a header or the body:

                fetch(url, { headers: { Authorization: `Bearer ${token}` } })
            """
    )

    private static let tokenNames: Set<String> = ["token", "access_token", "id_token", "refresh_token", "jwt", "auth"]
    private static let secretNames: Set<String> = ["password", "passwd", "pwd", "otp", "otpCode", "client_secret"]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        context.situation(x)
        guard let place = found(x, context) else { return }
        context.breach([x.index], "\(x.row.id) had \(place) (the value is not shown).")
    }

    private func found(_ x: JudgedExchange, _ context: RuleContext) -> String? {
        let query = x.exchange.query ?? ""
        // Tokens have at least ten characters; the named members need a query.
        guard !query.isEmpty || x.exchange.path.utf8.count > 10 else { return nil }
        let target = query.isEmpty ? x.exchange.path : x.exchange.path + "?" + query
        let isHandedOut =
            x.operation?.hasCredentialInURL == true || context.handedOut.contains(Content.fold(Array(target.utf8), 0))
        if !query.isEmpty {
            for item in x.query.items {
                if !isHandedOut, context.holdsIssuedToken(item.name, of: x.exchange.api) {
                    return "an issued token in its query"
                }
                guard !item.value.isEmpty else { continue }
                if Self.secretNames.contains(item.name) { return "the query parameter `\(item.name)`" }
                guard !isHandedOut else { continue }
                if Self.tokenNames.contains(item.name), Self.isJWT(item.value) {
                    return "a token in the query parameter `\(item.name)`"
                }
                if context.holdsIssuedToken(item.value, of: x.exchange.api) {
                    return "an issued token in the query parameter `\(item.name)`"
                }
            }
        }
        guard !isHandedOut, let path = Path(raw: x.exchange.path) else { return nil }
        return path.segments.contains { context.holdsIssuedToken($0, of: x.exchange.api) }
            ? "an issued token in its path" : nil
    }

    private static func isJWT(_ text: String) -> Bool {
        text.utf8.count > 20 && TokenText.loosePayload(of: text) != nil
    }
}
