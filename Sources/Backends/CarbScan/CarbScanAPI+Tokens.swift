package import Backend
import CivilTime
import JSON

/// Tokens that the control API mints and ends (control contract, section 12).
extension CarbScanAPI {
    package static func mintToken(
        _ order: TokenOrder,
        state: inout CarbScanState,
        core: inout WorldCore,
        epoch: Epoch
    ) throws(Problem) -> MintedToken {
        state.settle(epoch)
        guard let user = state.user(order.user) else {
            throw Problem(.unknownUser, "CarbScan has no user \"\(order.user)\" in the world \(core.name).")
        }
        switch order.kind {
        case .access: return mint(.access, order, user, &state, core, usual: state.accessLife)
        case .refresh: return mint(.refresh, order, user, &state, core, usual: TokenIssuer.refreshLife)
        case .appleIdentity: return mintIdentity(order, user, state, &core)
        }
    }

    private static func mint(
        _ kind: TokenIssuer.Kind,
        _ order: TokenOrder,
        _ user: User,
        _ state: inout CarbScanState,
        _ core: WorldCore,
        usual: Interval
    ) -> MintedToken {
        let (start, length) = order.life(usual: usual, now: core.now)
        let number = state.nextTokenID()
        // Every run of the command line counts from 1, so a salt keeps the sessions of different runs apart.
        let offline = TokenOrder.offlineIDPrefix + user.id + "." + String(core.randomness.salt, radix: 16)
        let id = order.isOffline ? offline : number
        let payload = state.tokens.payload(kind, subject: user.id, id: id, session: id, now: start, life: length)
        let end = start.flooredToSecond + length
        if !order.isOffline, order.state == .valid {
            state.note(kind, of: user.id, id: id, session: id, issuedAt: start.seconds, until: order.statedEnd(end))
        }
        return state.tokens.signer.mint(payload, order, expiresAt: end)
    }

    private static func mintIdentity(
        _ order: TokenOrder,
        _ user: User,
        _ state: CarbScanState,
        _ core: inout WorldCore
    ) -> MintedToken {
        let known = state.identities.rows.first { $0.userId == user.id }?.id
        let isRelay = user.email.map(AppleIdentityToken.isRelay) ?? false
        return state.tokens.apple.mint(
            order,
            subject: known ?? AppleIdentityToken.subject(ofOpaque: "understudy:\(user.id)"),
            email: user.email,
            audience: state.settings.appleClientID,
            more: isRelay ? ["is_private_email": true] : [:],
            now: core.now
        )
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
}
