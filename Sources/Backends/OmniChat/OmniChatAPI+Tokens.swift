package import Backend
import CivilTime
import JSON

/// Tokens that the control API mints and ends (control contract, section 12).
extension OmniChatAPI {
    package static func mintToken(
        _ order: TokenOrder,
        state: inout OmniChatState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken {
        guard let user = state.user(order.user) else {
            throw Problem(.unknownUser, "OmniChat has no user \"\(order.user)\" in the world \(core.name).")
        }
        let now = core.now
        switch order.kind {
        case .access: return mintAccess(order, user, &state, &core, now)
        case .refresh: return mintRefresh(order, user, &state, &core, now)
        case .appleIdentity: return mintIdentity(order, user, state, &core, now)
        }
    }

    private static func mintAccess(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ now: Instant
    ) -> MintedToken {
        let (start, length) = order.life(usual: TokenIssuer.accessLife, now: now)
        let id = newID(order, state, &core)
        let payload = state.tokens.accessPayload(user: user, id: id, now: start, life: length)
        let end = start.flooredToSecond + length
        if !order.isOffline, !order.isNeverTaken {
            state.issuedAccess.insert(
                IssuedAccess(
                    id: id,
                    userId: user.id,
                    expiresAt: order.statedEnd(end),
                    endedAt: order.state == .revoked ? now : nil
                )
            )
        }
        return state.tokens.signer.mint(payload, order, expiresAt: end)
    }

    private static func mintRefresh(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ now: Instant
    ) -> MintedToken {
        let (start, length) = order.life(usual: TokenIssuer.refreshLife, now: now)
        let id = newID(order, state, &core)
        let payload = state.tokens.refreshPayload(user: user, id: id, now: start, life: length)
        let end = start.flooredToSecond + length
        // A revoked token is not stored, which its answer reflects.
        if !order.isOffline, order.state == .valid || order.state == .expired {
            state.refreshSessions.insert(RefreshSession(id: id, userId: user.id, expiresAt: end))
        }
        return state.tokens.signer.mint(payload, order, expiresAt: end)
    }

    private static func mintIdentity(
        _ order: TokenOrder,
        _ user: User,
        _ state: OmniChatState,
        _ core: inout WorldCore,
        _ now: Instant
    ) -> MintedToken {
        state.tokens.apple.mint(
            order,
            subject: state.identity(ofEmail: user.email).subject,
            email: user.email,
            audience: state.settings.appleClientID,
            more: ["jti": .string(newID(order, state, &core))],
            now: now
        )
    }

    private static func newID(_ order: TokenOrder, _ state: OmniChatState, _ core: inout WorldCore) -> String {
        // The `jti` in the order is the session's too, so that such a token is stored like any other.
        if !order.isOffline, let id = order.claims["jti"]?.stringValue { return id }
        let purpose: OmniChatState.IDPurpose =
            switch order.kind {
            case .access: .access
            case .refresh: .refresh
            case .appleIdentity: .identity
            }
        let id = OmniChatState.newID(purpose, &core) {
            switch order.kind {
            case .access: state.issuedAccess.contains($0)
            case .refresh: state.refreshSessions.contains($0)
            case .appleIdentity: false
            }
        }
        return order.isOffline ? TokenOrder.offlineIDPrefix + String(id.prefix(17)) : id
    }

    package static func endTokens(_ order: TokenEnding, state: inout OmniChatState, core: inout WorldCore) -> Bool {
        guard let user = state.user(order.user) else { return false }
        if order.scope != .refresh {
            for row in state.issuedAccess.rows(in: user.id) where row.expiresAt > order.at {
                state.issuedAccess.update(row.id) { $0.endedAt = min($0.endedAt ?? order.at, order.at) }
            }
        }
        if order.scope != .access {
            for row in state.refreshSessions.rows(in: user.id) {
                switch order.manner {
                case .expire: state.refreshSessions.update(row.id) { $0.expiresAt = min($0.expiresAt, order.at) }
                case .revoke where order.at <= core.now: state.refreshSessions.remove(row.id)
                case .revoke: state.refreshSessions.update(row.id) { $0.revokedAt = order.at }
                }
            }
        }
        return true
    }
}
