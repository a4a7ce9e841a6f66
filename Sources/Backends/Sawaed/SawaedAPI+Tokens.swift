package import Backend
import CivilTime
import JSON

/// Tokens that the control API mints and ends (control contract, section 12).
extension SawaedAPI {
    package static func mintToken(
        _ order: TokenOrder,
        state: inout SawaedState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken {
        guard let user = state.user(order.user) else {
            throw Problem(.unknownUser, "Sawaed has no user \"\(order.user)\" in the world \(core.name).")
        }
        switch order.kind {
        case .access: return mintAccess(order, user, &state, core)
        case .refresh:
            try order.checkOpaque("refresh token of Sawaed")
            return mintRefresh(order, user, &state, core)
        case .appleIdentity: return mintIdentity(order, user, &state, core)
        }
    }

    private static func mintAccess(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout SawaedState,
        _ core: WorldCore
    ) -> MintedToken {
        let (start, length) = order.life(usual: TokenIssuer.accessLife, now: core.now)
        // A token that is never good has no session that a list could count.
        let session =
            order.isOffline || order.isNeverTaken
            ? state.secret("offline", core) : state.newSession(user.id, now: core.now, core: core).id
        var issuedAt = start.seconds
        if order.state != .expired { issuedAt = state.accessStart(user: user.id, session: session, now: start) }
        if !order.isOffline, order.state == .valid {
            let end = order.statedEnd(Instant(seconds: issuedAt) + length)
            state.noteAccess(of: user.id, session: session, issuedAt: issuedAt, until: end.seconds)
        }
        let payload = state.tokens.payload(user: user.id, session: session, issuedAt: issuedAt, life: length)
        let token = state.tokens.signed(payload, claims: order.changes(), badSignature: order.state == .badSignature)
        return MintedToken(token: token, expiresAt: Instant(seconds: issuedAt) + length)
    }

    private static func mintRefresh(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout SawaedState,
        _ core: WorldCore
    ) -> MintedToken {
        let (start, length) = order.life(usual: TokenIssuer.refreshLife, now: core.now)
        let end = start + length
        guard !order.isOffline else {
            let session = state.secret("offline", core)
            let id = state.offlineRefreshID(user: user.id, session: session, expiresAt: end)
            // A revoked token is unknown to every world, like one that was never issued.
            let shown = order.state == .valid || order.state == .expired ? id : String(id.reversed())
            return MintedToken(token: "\(shown)|\(session)", expiresAt: end)
        }
        let session = state.newSession(user.id, now: core.now, core: core)
        if length > TokenIssuer.sessionLife { state.sessions.update(session.id) { $0.expiresAt = .at(end) } }
        var row = state.issueRefresh(session, parent: nil, now: core.now, core: core)
        row.expiresAt = .at(end)
        switch order.state {
        case .valid, .expired: state.refreshTokens.insert(row)
        default: state.deleteSession(session.id)
        }
        return MintedToken(token: SawaedState.text(of: row), expiresAt: end)
    }

    private static func mintIdentity(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout SawaedState,
        _ core: WorldCore
    ) -> MintedToken {
        state.tokens.apple.mint(
            order,
            subject: "001998.\(String(user.email.fnv1a64, radix: 16)).0001",
            email: user.email,
            audience: state.settings.appleClientID,
            now: core.now
        )
    }

    package static func endTokens(_ order: TokenEnding, state: inout SawaedState, core: inout WorldCore) -> Bool {
        guard let user = state.user(order.user) else { return false }
        if order.scope != .refresh { state.endAccess(of: user.id, at: order.at, now: core.now) }
        guard order.scope != .access else { return true }
        for token in state.sessions.rows(in: user.id).flatMap({ state.refreshTokens.rows(in: $0.id) }) {
            switch order.manner {
            case .expire: state.expire(token, at: order.at)
            case .revoke:
                let former = token.revokedAt.map { state.instant($0) } ?? order.at
                state.refreshTokens.update(token.id) { $0.revokedAt = .at(min(former, order.at)) }
            }
        }
        return true
    }
}

extension SawaedState {
    /// Ends a refresh token's life at an instant, if it lasts beyond it.
    mutating func expire(_ token: RefreshToken, at end: Instant) {
        // A token is still valid at its end, so the end is the moment before.
        let last = min(instant(token.expiresAt), end - .microseconds(1))
        refreshTokens.update(token.id) { $0.expiresAt = .at(last) }
    }
}
