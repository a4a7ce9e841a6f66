import Backend
import CivilTime
import JSON
import Templates

/// Tokens that the control API mints and ends (own-API contract, section 15; control contract, section 12).
extension SignIn {
    /// Makes a token; a valid one has a session.
    func mint(
        _ order: TokenOrder,
        _ claims: JSONObject,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        title: String
    ) throws(Problem) -> MintedToken {
        guard let user = user(order.user, state) else {
            throw Problem(.unknownUser, "\(title) has no user \"\(order.user.cut)\" in the world \(core.name).")
        }
        guard let kind = IssuedToken.Kind(order.kind) else {
            throw Problem(
                .invalidBody,
                "\(title) has no sign-in with Apple.",
                items: [Problem.Item(path: "$.kind", reason: "must be access or refresh")]
            )
        }
        if format == .opaque { try checkOpaque(order, title) }
        let settings = state.settings.signIn
        let usual = kind == .access ? settings.accessSeconds : settings.refreshSeconds
        let now = core.now.flooredToSecond
        let (start, length) = order.life(usual: .seconds(Int64(usual)), now: now)
        var session = newSession(of: user, &state, &core, now: core.now, isOffline: order.isOffline)
        let ordered = order.isOffline || format == .opaque ? nil : order.claims["jti"]?.stringValue
        if let ordered {
            guard !ordered.isEmpty, !state.signIn.sessions.contains(ordered) else {
                throw Problem(
                    .invalidBody,
                    "The jti is taken.",
                    items: [Problem.Item(path: "$.claims.jti", reason: "must not be that of another token")]
                )
            }
            session = CustomSession(id: ordered, user: user, startedAt: session.startedAt)
        }
        let identity = TokenIdentity(session: session.id, kind: kind, number: 1)
        // Whole seconds, as both forms of tokens have them.
        let end = (start + length).flooredToSecond
        let minted: MintedToken
        var (issuedAt, expiresAt) = (start, end)
        switch format {
        case .opaque:
            let isRevoked = order.isOffline && order.state == .revoked
            let token = state.signIn.tokens.sealed(
                identity,
                of: order.isOffline ? user : nil,
                from: start,
                until: end,
                isRevoked: isRevoked
            )
            minted = MintedToken(token: token, expiresAt: end)
        case .jwt:
            let payload = state.signIn.tokens.payload(identity, of: user, from: start, until: end, claims)
            // A world stores which of its tokens are revoked.
            minted = state.signIn.tokens.signer.mint(payload, order, expiresAt: end, marksRevoked: order.isOffline)
            issuedAt = order.claims["iat"]?.intValue.map { Instant(seconds: $0) } ?? issuedAt
            expiresAt = order.claims["exp"]?.intValue.map { Instant(seconds: $0) } ?? expiresAt
        }
        if !order.isOffline, !order.isNeverTaken {
            let token = session.issue(kind, at: issuedAt, until: expiresAt, grace: grace, now: now)
            if order.state == .revoked { session.end(token.number, .revoked, at: core.now) }
            state.signIn.sessions.insert(session)
        }
        return minted
    }

    private func checkOpaque(_ order: TokenOrder, _ title: String) throws(Problem) {
        try order.checkOpaque("token of \(title)")
        guard order.claims.isEmpty else {
            throw Problem(
                .invalidBody,
                "A token of \(title) is opaque: it has no claims.",
                items: [Problem.Item(path: "$.claims", reason: "must be absent")]
            )
        }
    }

    /// Returns the key of a user by key or identifier; nil if there is none.
    package func user(_ who: String, _ state: CustomAPIState) -> String? {
        let rows = state.tables[users]
        return rows.id(ofKey: who, key) ?? rows.row(identifiedBy: who)?.id
    }
}

extension CustomAPIDefinition {
    /// Returns the members of the payload of a token that a call makes, besides the registered ones.
    func claims(of who: String, _ state: CustomAPIState, _ core: inout WorldCore, _ epoch: Epoch) -> JSONObject {
        guard let signIn, let claims = signIn.claims, let id = signIn.user(who, state) else { return JSONObject() }
        let user = state.user(id, signIn.users, tables[signIn.users], epoch)
        let moment = (now: core.now, epoch: epoch)
        var values = CustomTemplateValues(
            CustomTemplateValues.Scope(self),
            nil,
            state,
            core,
            user: user,
            at: moment,
            locals: []
        )
        var budget = TemplateBudget()
        let json = claims.filled(from: &values, &budget)
        guard !budget.isSpent else { return JSONObject() }
        values.keep(in: &core)
        return json?.objectValue ?? JSONObject()
    }
}

extension IssuedToken.Kind {
    fileprivate init?(_ kind: TokenOrder.Kind) {
        switch kind {
        case .access: self = .access
        case .refresh: self = .refresh
        case .appleIdentity: return nil
        }
    }
}
