package import Backend
import CivilTime
import JSON

/// Tokens that the control API mints and ends (control contract, section 12).
extension TrafikskolaAPI {
    package static func mintToken(
        _ order: TokenOrder,
        state: inout TrafikskolaState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken {
        guard let user = state.user(order.user) else {
            throw Problem(.unknownUser, "Trafikskola has no user \"\(order.user)\" in the world \(core.name).")
        }
        guard order.kind != .appleIdentity else {
            throw Problem(
                .invalidBody,
                "Trafikskola has no sign-in with Apple.",
                items: [Problem.Item(path: "$.kind", reason: "must be access or refresh")]
            )
        }
        let isAccess = order.kind == .access
        let now = core.now
        let usual = isAccess ? state.settings.accessLifetimeSeconds : state.settings.refreshLifetimeSeconds
        let (start, length) = order.life(usual: .seconds(Int64(usual)), now: now.flooredToSecond)
        let end = start + length
        var id = order.isOffline ? nil : order.claims["jti"]?.stringValue
        if order.isOffline { id = TokenOrder.offlineIDPrefix + TrafikskolaState.newID("cli", &core) { _ in false } }
        let sessionID = TrafikskolaState.newID("ses", &core) { state.sessions.contains($0) }
        core.issued.note(WorldTag.secretPart(of: sessionID))
        let tokenID =
            id
            ?? TrafikskolaState.newID(isAccess ? "at" : "rt", &core) {
                isAccess ? state.accessTokens.contains($0) : state.refreshTokens.contains($0)
            }
        let payload = state.tokens.payload(
            user: user.id,
            session: order.isOffline ? TokenOrder.offlineIDPrefix + sessionID : sessionID,
            id: tokenID,
            isAccess: isAccess,
            issuedAt: start,
            expiresAt: end
        )
        // A world stores which of its tokens are revoked.
        let minted = state.tokens.signer.mint(payload, order, expiresAt: end, marksRevoked: order.isOffline)
        if !order.isOffline, !order.isNeverTaken {
            store(order, minted.token, tokenID, sessionID, user, start, order.statedEnd(end), &state, now)
        }
        return minted
    }

    /// Stores the session of a minted token, so that it can be refreshed, listed and revoked.
    private static func store(
        _ order: TokenOrder,
        _ token: String,
        _ tokenID: String,
        _ sessionID: String,
        _ user: User,
        _ start: Instant,
        _ end: Instant,
        _ state: inout TrafikskolaState,
        _ now: Instant
    ) {
        var session = Session(
            id: sessionID,
            userId: user.id,
            device: DeviceInfo(),
            createdAt: Moment(now),
            lastActiveAt: Moment(now)
        )
        if order.kind == .access {
            session.accessEnd = Moment(end)
            state.accessTokens.insert(
                AccessToken(id: tokenID, userId: user.id, sessionId: sessionID, expiresAt: Moment(end))
            )
        } else {
            session.refreshId = tokenID
            state.refreshTokens.insert(
                RefreshToken(
                    id: tokenID,
                    userId: user.id,
                    tokenHash: TrafikskolaState.hash(token),
                    sessionId: sessionID,
                    issuedAt: Moment(start),
                    expiresAt: Moment(end)
                )
            )
        }
        state.sessions.insert(session)
        if order.state == .revoked { state.endSession(sessionID, .admin, now: now) }
    }

    package static func endTokens(
        _ order: TokenEnding,
        state: inout TrafikskolaState,
        core: inout WorldCore
    ) -> Bool {
        guard let user = state.user(order.user) else { return false }
        let at = Moment(order.at)
        if order.scope != .refresh {
            for row in state.accessTokens.rows(in: user.id) where row.expiresAt > at {
                state.accessTokens.update(row.id) { $0.endedAt = min($0.endedAt ?? at, at) }
            }
        }
        for session in state.sessions.rows(in: user.id) where order.scope != .access {
            for row in state.refreshTokens.rows(in: session.id) where row.revokedAt == nil {
                state.refreshTokens.update(row.id) { row in
                    switch order.manner {
                    case .expire: row.expiresAt = min(row.expiresAt, at)
                    case .revoke:
                        row.revokedAt = at
                        row.revokedBy = .admin
                    }
                }
            }
            if order.scope == .all, order.manner == .revoke, order.at <= core.now {
                state.endSession(session.id, .admin, now: core.now)
            }
        }
        return true
    }
}
