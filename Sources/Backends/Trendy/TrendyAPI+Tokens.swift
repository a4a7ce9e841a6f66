package import Backend
import CivilTime
import JSON

/// Tokens that the control API mints and ends (control contract, section 12).
extension TrendyAPI {
    package static func mintToken(
        _ order: TokenOrder,
        state: inout TrendyState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken {
        guard let account = state.account(order.user) else {
            throw Problem(.unknownUser, "Trendy has no user \"\(order.user)\" in the world \(core.name).")
        }
        switch order.kind {
        case .access: return mintAccess(order, account, &state, &core)
        case .refresh:
            try order.checkOpaque("refresh token of Trendy")
            return mintRefresh(order, account, &state, &core)
        case .appleIdentity: return mintIdentity(order, account, state, &core)
        }
    }

    /// The address that a token names if no request determines it; nothing checks it.
    private static let usualOrigin = "http://127.0.0.1:4685"

    /// A valid access token has a real session, which can be refreshed, listed and revoked.
    private static func mintAccess(
        _ order: TokenOrder,
        _ account: Account,
        _ state: inout TrendyState,
        _ core: inout WorldCore
    ) -> MintedToken {
        let now = core.now
        let (start, length) = order.life(usual: TokenIssuer.accessLife, now: now)
        let id = TrendyState.newID(order.isOffline ? .offline : .access, &core) { state.issuedAccess.contains($0) }
        let asked = order.claims["session_id"]?.stringValue.flatMap(UUIDText.canonical)
        var session: Session
        if order.isOffline {
            // Outside the running world nothing can store the session; the world does so at the token's first use.
            let sessionID = asked ?? TrendyState.newID(.offline, &core) { state.sessions.contains($0) }
            session = Session(
                id: sessionID,
                userId: account.id,
                method: "password",
                createdAt: .at(now),
                active: ""
            )
        } else {
            session =
                asked.flatMap { state.sessions[$0] }
                ?? state.beginSession(of: account, method: "password", id: asked, at: now, &core)
            if order.state == .revoked || order.isNeverTaken { state.end(session, at: now) }
        }
        let end = start.flooredToSecond + length
        var payload = state.tokens.payload(
            account,
            session: session,
            id: id,
            origin: usualOrigin + (core.name == WorldName.main ? "" : "/@\(core.name)"),
            at: start,
            life: length
        )
        if order.isOffline { payload.append("offline", true) }
        // A world stores which of its tokens are revoked.
        payload = payload.overridden(by: order.changes(marksRevoked: order.isOffline))
        if !order.isOffline, !order.isNeverTaken {
            state.remember(id, of: session, until: order.statedEnd(end), isFirst: true, at: now)
        }
        let token = state.tokens.signed(
            payload,
            state.settings.signing,
            badSignature: order.state == .badSignature
        )
        return MintedToken(token: token, expiresAt: end)
    }

    private static func mintRefresh(
        _ order: TokenOrder,
        _ account: Account,
        _ state: inout TrendyState,
        _ core: inout WorldCore
    ) -> MintedToken {
        guard !order.isOffline else {
            // A world knows only the valid one; any text can stand for a refresh token that has ended.
            let isValid = order.state == .valid
            let name = isValid ? account.id : "\(order.state.rawValue) \(account.id)"
            return MintedToken(token: state.tokens.offlineRefreshToken(of: name), expiresAt: nil)
        }
        let session = state.beginSession(of: account, method: "password", at: core.now, &core)
        if order.state != .valid { state.sessions.update(session.id) { $0.refreshEndedAt = .at(core.now) } }
        // Refresh tokens do not expire by themselves, unless the order names a life.
        guard let life = order.life else { return MintedToken(token: session.active, expiresAt: nil) }
        let end = order.state == .expired ? core.now : core.now + life
        state.sessions.update(session.id) { $0.refreshEndedAt = $0.refreshEndedAt ?? .at(end) }
        return MintedToken(token: session.active, expiresAt: end)
    }

    private static func mintIdentity(
        _ order: TokenOrder,
        _ account: Account,
        _ state: TrendyState,
        _ core: inout WorldCore
    ) -> MintedToken {
        state.tokens.apple.mint(
            order,
            subject: account.id,
            email: account.email,
            audience: state.settings.appleClientID,
            now: core.now
        )
    }

    package static func endTokens(_ order: TokenEnding, state: inout TrendyState, core: inout WorldCore) -> Bool {
        guard let account = state.account(order.user) else { return false }
        let at = Timestamp.at(order.at)
        func earlier(_ former: Timestamp?) -> Timestamp {
            guard case .at(let instant)? = former, instant <= order.at else { return at }
            return .at(instant)
        }
        // If the sessions end, their access tokens report that instead of an expiry (section 9.8).
        if order.scope == .access || order.scope == .all && order.manner == .expire {
            for row in state.issuedAccess.rows(in: account.id) {
                state.issuedAccess.update(row.id) { $0.endedAt = earlier($0.endedAt) }
            }
        }
        for row in state.sessions.rows(in: account.id) {
            switch (order.scope, order.manner) {
            case (.access, _): break
            case (.all, .revoke): state.sessions.update(row.id) { $0.endedAt = earlier($0.endedAt) }
            case (.refresh, _), (.all, .expire):
                state.sessions.update(row.id) { $0.refreshEndedAt = earlier($0.refreshEndedAt) }
            }
        }
        return true
    }
}
