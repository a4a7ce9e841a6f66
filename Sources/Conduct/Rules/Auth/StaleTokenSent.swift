import ConductKit
import HTTPMessage
import JSON

/// `auth/stale-token-sent`.
struct StaleTokenSent: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/stale-token-sent",
        "Old access token used during or after a refresh",
        .warning,
        situation: "a refresh",
        breach: """
            an older access token, sent after its response had returned a new one; or, where a 401 had refused \
            that token, while the refresh is under way
            """,
        excused: [
            "a refresh by another address or `User-Agent`, which the client can't know about",
            "a token of a parallel refresh", "a refresh that names `scope`, `resource` or `audience`",
            "a token whose issue was not seen, unless it was sent before the refresh",
        ],
        source: [.rfc(6749, "1.5")],
        exercisedBy: [#"{"tokens":"expire"} and a gate on refresh"#],
        what: "A request was sent with the old access token during a refresh or after it.",
        why: "The request is refused and has to be repeated, and each refusal may start another refresh.",
        expected: "Let requests wait during a refresh, and use the new access token from then on.",
        urlsession: """
            Let an actor own the token, and await its refresh before each request:

                actor Tokens { func current() async throws -> String { try await refreshing?.value ?? token } }
            """,
        fetch: """
            Await a running refresh before each request:

                const token = await (refreshing ?? current)
            """
    )

    private struct Renewal {
        var row: Int32
        var access: Int32
    }

    /// The last refresh of each session, and those that brought a new access token.
    private var begun: [Int32: Int32] = [:]
    private var renewals: [Int32: [Renewal]] = [:]
    /// The first 401 to each access token that has not been taken since.
    private var refused: [Int32: Int32] = [:]
    /// The first request with each access token whose issue was not seen.
    private var seen: [Int32: Int32] = [:]
    private var reported: Set<SessionRoute> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if x.role == .refresh {
            guard x.session >= 0, !Self.isForPart(x) else { return }
            context.situation(x)
            begun[x.session] = x.index
            if x.row.isSuccess, x.issuedAccess >= 0 {
                renewals[x.session, default: []].append(Renewal(row: x.index, access: x.issuedAccess))
                // What is older than one of them is older than those after it, so the last few tell enough.
                if renewals[x.session, default: []].count > 8 { renewals[x.session]?.removeFirst() }
            }
            return
        }
        guard x.role == .ordinary, x.bearer >= 0 else { return }
        let credential = context.credentials[Int(x.bearer)]
        guard credential.kind == .access, credential.session >= 0 else { return }
        defer { note(x, credential) }
        let renewal = renewals[credential.session]?.last {
            isOlder(x.bearer, credential, than: $0.row, context) && isTold(of: $0.row, x, context)
        }
        if let renewal {
            guard reported.insert(SessionRoute(renewal.row, x)).inserted else { return }
            context.breach(
                [renewal.row, x.index],
                "\(context.id(renewal.row)) gave a new access token; \(x.row.id) used an older one (\(context.token(x.bearer)))."
            )
        } else if let refresh = begun[credential.session], let first = refused[x.bearer],
            isOlder(x.bearer, credential, than: refresh, context), context[refresh].place == x.row.place,
            context[refresh].overlaps(x.row), context.knows(context[first], x.row),
            reported.insert(SessionRoute(refresh, x)).inserted
        {
            context.breach(
                [first, refresh, x.index],
                """
                \(context.id(first)) was answered 401 and \(context.id(refresh)) started a refresh; \(x.row.id) was sent \
                meanwhile with the refused token (\(context.token(x.bearer))).
                """
            )
        }
    }

    /// Tells whether a refresh asks for a token for a part of what there is, beside which another one stays good (RFC 6749,
    /// section 6; RFC 8707).
    private static func isForPart(_ x: JudgedExchange) -> Bool {
        guard x.exchange.body.isWhole else { return true }
        let names = ["scope", "resource", "audience"]
        if let json = x.requestJSON { return names.contains { json[$0].map { !$0.isNull } ?? false } }
        return QueryItems(bytes: x.exchange.body.bytes[...]).items.contains { names.contains($0.name) }
    }

    /// Tells whether a client knew the answer to a refresh; what another device or app of the session has refreshed, it
    /// can't know.
    private func isTold(of refresh: Int32, _ x: JudgedExchange, _ context: RuleContext) -> Bool {
        context[refresh].place == x.row.place && context.knows(context[refresh], x.row)
    }

    /// Tells whether a token is from before a refresh: one of a refresh beside it may be the newer one, and one whose issue
    /// was not seen is older only if it was sent before.
    private func isOlder(_ number: Int32, _ credential: KnownCredential, than refresh: Int32, _ context: RuleContext)
        -> Bool
    {
        guard credential.issuedBy < 0 else { return context[credential.issuedBy].end <= context[refresh].begin }
        return seen[number].map { $0 < refresh } ?? false
    }

    /// Notes what an answer says of its access token: another cause has refused one that is taken again.
    private mutating func note(_ x: JudgedExchange, _ credential: KnownCredential) {
        if credential.issuedBy < 0, seen[x.bearer] == nil { seen[x.bearer] = x.index }
        guard x.row.isDelivered else { return }
        if x.row.isSuccess {
            refused[x.bearer] = nil
        } else if x.row.status == 401, refused[x.bearer] == nil {
            refused[x.bearer] = x.index
        }
    }
}
