/// `auth/credential-missing`.
struct CredentialMissing: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/credential-missing",
        "A protected call without a credential",
        .error,
        situation: "a call of an operation that needs a bearer",
        breach: "no `Authorization`, and the answer was 401",
        source: [.rfc(6750, "2.1")],
        exercisedBy: ["any protected call"],
        needsContract: true,
        what: "A call of an operation that needs a bearer token was sent without `Authorization` and answered 401.",
        why: "The call can't succeed: the user waits for a refusal.",
        expected: "Make protected calls only with `Authorization: Bearer` and the access token.",
        urlsession: """
            Set the field in the one place that makes requests:

                request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")
            """,
        fetch: """
            Set the field in the one function that calls `fetch`:

                headers.set("Authorization", `Bearer ${token}`)
            """
    )

    mutating func take(_ x: Judged, _ bench: inout Bench) {
        guard let operation = x.operation, operation.credential == .bearer || operation.missesCredential else { return }
        bench.situation(x)
        guard x.row.authorization == 0 else { return }
        guard x.row.status == 401 || operation.missesCredential && x.row.isSuccess else { return }
        bench.breach([x.index], "\(x.row.id) was sent without `Authorization` and answered \(x.row.status).")
    }
}
