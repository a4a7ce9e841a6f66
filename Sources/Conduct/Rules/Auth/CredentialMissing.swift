import ConductKit

/// `auth/credential-missing`.
struct CredentialMissing: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/credential-missing",
        "Protected request without credentials",
        .error,
        situation: "a request to an operation that needs a bearer token",
        breach: "no `Authorization`, answered 401",
        source: [.rfc(6750, "2.1")],
        exercisedBy: ["any protected call"],
        needsContract: true,
        what: "A request to an operation that needs a bearer token had no `Authorization` header and was answered 401.",
        why: "The request can't succeed: the user waits only to see an error.",
        expected: "Send `Authorization: Bearer` with the access token on every protected request.",
        urlsession: """
            Set `Authorization` in the one function that creates requests:

                request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")
            """,
        fetch: """
            Set `Authorization` in the one function that calls `fetch`:

                headers.set("Authorization", `Bearer ${token}`)
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let operation = x.operation, operation.credential == .bearer || operation.missesCredential else { return }
        context.situation(x)
        guard x.row.authorization == 0 else { return }
        guard x.row.status == 401 || operation.missesCredential && x.row.isSuccess else { return }
        context.breach([x.index], "\(x.row.id) was sent without `Authorization` and answered \(x.row.status).")
    }
}
