/// `auth/stale-token-sent`.
struct StaleTokenSent: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/stale-token-sent",
        "The old access token during or after a refresh",
        .warning,
        situation: "a refresh",
        breach: """
            an access token from before it, sent after its answer had brought a new one; or, where a 401 had refused \
            that token, while the refresh is under way
            """,
        source: [.rfc(6749, "1.5")],
        exercisedBy: [#"{"tokens":"expire"} and a gate on refresh"#],
        what: "A request was sent with the old access token while a refresh was under way, or after it.",
        why: "The call is refused and has to be made again, and each such refusal may begin one more refresh.",
        expected: "Let calls wait while a refresh is under way, and use the new access token from then on.",
        urlsession: """
            Have an actor own the token, and await its refresh before each call:

                actor Tokens { func current() async throws -> String { try await refreshing?.value ?? token } }
            """,
        fetch: """
            Await the refresh that is under way before each call:

                const token = await (refreshing ?? current)
            """
    )

    private struct Renewal {
        var row: Int32
        var access: Int32
    }

    /// The last refresh of each session, and the last that brought a new access token.
    private var begun: [Int32: Int32] = [:]
    private var renewed: [Int32: Renewal] = [:]
    /// The first 401 to each access token that has not been taken since.
    private var refused: [Int32: Int32] = [:]
    private var reported: Set<SessionRoute> = []

    mutating func take(_ x: Judged, _ bench: inout Bench) {
        if x.role == .refresh {
            guard x.session >= 0 else { return }
            bench.situation(x)
            begun[x.session] = x.index
            if x.row.isSuccess, x.issuedAccess >= 0 {
                renewed[x.session] = Renewal(row: x.index, access: x.issuedAccess)
            }
            return
        }
        guard x.role == .ordinary, x.bearer >= 0 else { return }
        let credential = bench.credentials[Int(x.bearer)]
        guard credential.kind == .access, credential.session >= 0 else { return }
        defer { note(x) }
        if let last = renewed[credential.session], x.bearer != last.access, credential.issuedBy < last.row,
            bench.knows(bench[last.row], x.row)
        {
            guard reported.insert(SessionRoute(last.row, x)).inserted else { return }
            bench.breach(
                [last.row, x.index],
                "\(bench.id(last.row)) gave a new access token; \(x.row.id) used an older one (\(bench.token(x.bearer)))."
            )
        } else if let refresh = begun[credential.session], let first = refused[x.bearer],
            credential.issuedBy < refresh, bench[refresh].overlaps(x.row), bench.knows(bench[first], x.row),
            reported.insert(SessionRoute(refresh, x)).inserted
        {
            bench.breach(
                [first, refresh, x.index],
                """
                \(bench.id(first)) was answered 401 and \(bench.id(refresh)) began a refresh; \(x.row.id) was sent \
                meanwhile with the refused token (\(bench.token(x.bearer))).
                """
            )
        }
    }

    /// Notes what an answer says of its access token: another cause has refused one that is taken again.
    private mutating func note(_ x: Judged) {
        guard x.row.isDelivered else { return }
        if x.row.isSuccess {
            refused[x.bearer] = nil
        } else if x.row.status == 401, refused[x.bearer] == nil {
            refused[x.bearer] = x.index
        }
    }
}
