import CivilTime
package import Emulation
package import JSON
import Signing

/// What the control API asks of OmniChat (control contract, section 12).
extension OmniChatAPI {
    package static func user(of credential: String, state: OmniChatState) -> CallUser? {
        TokenDesk.claimedSubject(of: credential).map { CallUser(id: $0, email: state.users[$0]?.email) }
    }

    package static func mintToken(
        _ order: TokenOrder,
        state: inout OmniChatState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(ControlFault) -> MintedToken {
        guard let user = state.user(order.user) else {
            throw ControlFault(.unknownUser, "OmniChat has no user \"\(order.user)\" in the world \(core.name).")
        }
        let now = core.now
        switch order.kind {
        case .access: return mintAccess(order, user, &state, &core, now)
        case .refresh: return mintRefresh(order, user, &state, &core, now)
        case .appleIdentity: return mintIdentity(order, user, state, &core, now)
        }
    }

    /// Start and length of a token's life: an expired one ended a second ago.
    private static func life(_ order: TokenOrder, usual: Interval, now: Instant) -> (start: Instant, length: Interval) {
        let length = order.life ?? usual
        guard order.state == .expired else { return (now, length) }
        return (now.flooredToSecond - length - .seconds(1), length)
    }

    /// What the state asked for changes in the payload.
    ///
    /// Claims of the caller's come last.
    private static func claims(_ order: TokenOrder) -> JSONObject {
        var claims = JSONObject()
        switch order.state {
        case .wrongAudience: claims["aud"] = .string(TokenDesk.wrongAudience)
        case .wrongIssuer: claims["iss"] = .string(TokenDesk.wrongIssuer)
        // A world that has been reset since, or never ran, would not remember it as revoked.
        case .revoked: claims["revoked"] = true
        default: break
        }
        return order.claims.members.reduce(into: claims) { $0.append($1.name, $1.value) }
    }

    private static func mintAccess(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ now: Instant
    ) -> MintedToken {
        let (start, length) = life(order, usual: TokenDesk.accessLife, now: now)
        let id = newID(order, &core)
        let payload = state.tokens.accessPayload(user: user, id: id, now: start, life: length)
        let end = start.flooredToSecond + length
        if !order.isOffline {
            state.issuedAccess.insert(
                IssuedAccess(id: id, userId: user.id, expiresAt: end, endedAt: order.state == .revoked ? now : nil)
            )
        }
        let token = state.tokens.signed(payload, claims: claims(order), badSignature: order.state == .badSignature)
        return MintedToken(token: token, expiresAt: end)
    }

    private static func mintRefresh(
        _ order: TokenOrder,
        _ user: User,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ now: Instant
    ) -> MintedToken {
        let (start, length) = life(order, usual: TokenDesk.refreshLife, now: now)
        let id = newID(order, &core)
        let payload = state.tokens.refreshPayload(user: user, id: id, now: start, life: length)
        let end = start.flooredToSecond + length
        // A revoked one is simply not stored: that is what its answer says.
        if !order.isOffline, order.state == .valid || order.state == .expired {
            state.refreshSessions.insert(RefreshSession(id: id, userId: user.id, expiresAt: end))
        }
        let token = state.tokens.signed(payload, claims: claims(order), badSignature: order.state == .badSignature)
        return MintedToken(token: token, expiresAt: end)
    }

    private static func mintIdentity(
        _ order: TokenOrder,
        _ user: User,
        _ state: OmniChatState,
        _ core: inout WorldCore,
        _ now: Instant
    ) -> MintedToken {
        // Apple's own identity tokens last a day.
        let (start, length) = life(order, usual: .days(1), now: now)
        let key = state.tokens.identityKey
        let end = start.flooredToSecond + length
        var payload: JSONObject = [
            "iss": .string(AppleIdentityToken.issuer),
            "aud": .string(state.settings.appleClientID),
            "exp": .integer(end.seconds),
            "iat": .integer(start.seconds),
            "sub": .string(state.identity(ofEmail: user.email).subject),
            "email": .string(user.email),
            "email_verified": true,
            "jti": .string(newID(order, &core)),
            // The way back to this world, since the issuer is Apple's.
            "understudy": .string(state.tokens.issuer),
        ]
        if order.state == .revoked { payload["revoked"] = true }
        let header: JSONObject = ["alg": "RS256", "kid": .string(key.publicKey.kid)]
        var token = JWT.signed(
            header: JSON.object(header).serialized(),
            payload: JSON.object(payload.overridden(by: claims(order))).serialized(),
            key: .rs256(key)
        )
        if order.state == .badSignature { token = withDamagedSignature(token) }
        return MintedToken(token: token, expiresAt: end)
    }

    /// The same token with the first character of its signature exchanged.
    private static func withDamagedSignature(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."), token.index(after: dot) < token.endIndex else { return token }
        let place = token.index(after: dot)
        return String(token[..<place]) + (token[place] == "A" ? "B" : "A") + token[token.index(after: place)...]
    }

    private static func newID(_ order: TokenOrder, _ core: inout WorldCore) -> String {
        // The caller's own `jti` is the session's too, so that such a token is as real as any other.
        if !order.isOffline, let id = order.claims["jti"]?.stringValue { return id }
        let purpose: OmniChatState.IDPurpose =
            switch order.kind {
            case .access: .access
            case .refresh: .refresh
            case .appleIdentity: .identity
            }
        let id = OmniChatState.newID(purpose, &core)
        return order.isOffline ? TokenDesk.offlinePrefix + String(id.prefix(17)) : id
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

    package static func appleKeys(state: OmniChatState) -> JSON {
        let key = state.tokens.identityKey.publicKey
        return [
            "keys": .array([
                [
                    "kty": "RSA", "kid": .string(key.kid), "use": "sig", "alg": "RS256",
                    "n": .string(Base64URL.encode(key.modulus)), "e": .string(Base64URL.encode(key.exponent)),
                ]
            ])
        ]
    }
}
