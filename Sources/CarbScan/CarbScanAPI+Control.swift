import CivilTime
package import Emulation
package import JSON
import Signing

/// What the control API asks of CarbScan (control contract, section 12).
extension CarbScanAPI {
    package static func user(of credential: String, state: CarbScanState) -> CallUser? {
        func caller(_ id: String) -> CallUser { CallUser(id: id, email: state.users[id]?.email) }
        if let subject = TokenText.payload(of: credential)?["sub"]?.stringValue {
            return caller(state.users.contains(subject) ? subject : state.identities[subject]?.userId ?? subject)
        }
        if let link = state.magicLinks[credential] { return caller(link.userId) }
        if let code = state.browserCodes[credential] { return caller(code.userId) }
        // Apple's identity tokens may be any text.
        if let identity = state.identities[AppleIdentityToken.subject(ofOpaque: credential)] {
            return caller(identity.userId)
        }
        guard credential.hasPrefix(AppleIdentityToken.mockPrefix) else { return nil }
        return state.user(mail: String(credential.dropFirst(AppleIdentityToken.mockPrefix.count)))
            .map { caller($0.id) }
    }

    package static func mintToken(
        _ order: TokenOrder,
        state: inout CarbScanState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(ControlFault) -> MintedToken {
        state.settle(epoch)
        guard let user = state.user(order.user) else {
            throw ControlFault(.unknownUser, "CarbScan has no user \"\(order.user)\" in the world \(core.name).")
        }
        switch order.kind {
        case .access: return mint(.access, order, user, &state, core, usual: state.accessLife)
        case .refresh: return mint(.refresh, order, user, &state, core, usual: TokenDesk.refreshLife)
        case .appleIdentity: return mintIdentity(order, user, state, &core)
        }
    }

    /// Start and length of a token's life: an expired one ended a second ago.
    private static func life(_ order: TokenOrder, usual: Interval, now: Instant) -> (start: Instant, length: Interval) {
        let length = order.life ?? usual
        guard order.state == .expired else { return (now, length) }
        return (now.flooredToSecond - length - .seconds(1), length)
    }

    /// What the state asked for changes in the payload; claims of the caller's come last.
    private static func claims(_ order: TokenOrder) -> JSONObject {
        var claims = JSONObject()
        switch order.state {
        case .wrongAudience: claims["aud"] = .string(TokenDesk.wrongAudience)
        case .wrongIssuer: claims["iss"] = .string(TokenDesk.wrongIssuer)
        case .revoked: claims["revoked"] = true
        case .valid, .expired, .badSignature: break
        }
        return order.claims.members.reduce(into: claims) { $0.append($1.name, $1.value) }
    }

    private static func mint(
        _ kind: TokenDesk.Kind,
        _ order: TokenOrder,
        _ user: User,
        _ state: inout CarbScanState,
        _ core: WorldCore,
        usual: Interval
    ) -> MintedToken {
        let (start, length) = life(order, usual: usual, now: core.now)
        let number = state.nextTokenID()
        // Every run of the command line counts from 1: what it mints must not share a session with what another one does.
        let offline = TokenDesk.offlinePrefix + user.id + "." + String(core.randomness.salt, radix: 16)
        let id = order.isOffline ? offline : number
        let payload = state.tokens.payload(kind, subject: user.id, id: id, session: id, now: start, life: length)
        return MintedToken(
            token: state.tokens.signed(
                payload.overridden(by: claims(order)),
                badSignature: order.state == .badSignature
            ),
            expiresAt: start.flooredToSecond + length
        )
    }

    private static func mintIdentity(
        _ order: TokenOrder,
        _ user: User,
        _ state: CarbScanState,
        _ core: inout WorldCore
    ) -> MintedToken {
        // Apple's own identity tokens last a day.
        let (start, length) = life(order, usual: .days(1), now: core.now)
        let key = state.tokens.identityKey
        let end = start.flooredToSecond + length
        let known = state.identities.rows.first { $0.userId == user.id }?.id
        var payload: JSONObject = [
            "iss": .string(AppleIdentityToken.issuer),
            "aud": .string(state.settings.appleClientID),
            "exp": .integer(end.seconds),
            "iat": .integer(start.seconds),
            "sub": .string(known ?? AppleIdentityToken.subject(ofOpaque: "understudy:\(user.id)")),
        ]
        if let mail = user.email {
            payload["email"] = .string(mail)
            payload["email_verified"] = true
            if AppleIdentityToken.isRelay(mail) { payload["is_private_email"] = true }
        }
        // The way back to this world, since the issuer is Apple's.
        payload["understudy"] = .string(state.tokens.issuer)
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

    package static func endTokens(_ order: TokenEnding, state: inout CarbScanState, core: inout WorldCore) -> Bool {
        guard let user = state.user(order.user) else { return false }
        state.lastEnd += 1
        state.holdingsEnds.insert(
            HoldingsEnd(
                id: "\(state.lastEnd)",
                userId: user.id,
                endsAccess: order.scope != .refresh,
                endsRefresh: order.scope != .access,
                upTo: state.lastToken,
                orderedAt: .at(core.now),
                at: .at(order.at)
            )
        )
        return true
    }

    package static func appleKeys(state: CarbScanState) -> JSON {
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
