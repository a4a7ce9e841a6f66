package import Backend
package import HTTPMessage
package import JSON
package import Worlds

/// Tokens of the control API, faults and the journal (own-API contract, section 15).
extension OwnAPI {
    package func user(_ world: World, _ index: Int, _ credential: String) -> CallUser? {
        guard let signIn = home(world, index).definition.signIn else { return nil }
        var state = world.state(index, OwnState.self)
        let credential = String(credential.drop { $0 == " " })
        guard let id = signIn.user(of: credential, &state, now: world.core.now) else { return nil }
        return state.tables[signIn.users].rows[id].map { signIn.user(of: $0) }
    }

    package func credentialReader(_ world: World, _ index: Int) -> CredentialReader? {
        guard let signIn = home(world, index).definition.signIn, signIn.format == .opaque else { return nil }
        // The keys follow from the world's secret: nothing of the state is copied, or made for a part without one.
        let tokens = OwnTokens(signIn, core: world.core, keys: HMACKeys())
        return { token in tokens.credential(of: token) }
    }

    /// Returns the refusal of a request that a stub is about to answer: for its token, or by the operation of its
    /// route.
    package func admitStub(_ world: inout World, _ index: Int, _ call: inout Call, isOpen: Bool) -> Response? {
        let home = home(world, index)
        guard home === self else { return home.admitStub(&world, index, &call, isOpen: isOpen) }
        var route: OwnRoute?
        var parameters: [String] = []
        let match = match(call.method, call.path)
        if case .endpoint(let place, let found) = match {
            route = definition.routes[place]
            parameters = found
        }
        guard definition.signIn != nil || route?.operation != nil else { return nil }
        return world.with(index, OwnState.self) { (state, core) -> Response? in
            do throws(OwnFailure) {
                if let signIn = definition.signIn {
                    let needsToken = signIn.needsToken(stubOver: route, isOpen: isOpen, call)
                    try signIn.admit(&call, &state, needsToken: needsToken)
                }
                if let route, route.operation != nil {
                    try OperationCheck.check(route, parameters, state, &call)
                }
                return nil
            } catch {
                return answer(error, match, state, &core, call)
            }
        }
    }

    /// Returns the row of the user who has signed in, without its write-only members.
    package func templateUser(_ world: World, _ index: Int, _ call: Call) -> JSON? {
        let definition = home(world, index).definition
        guard let signIn = definition.signIn, let user = call.user else { return nil }
        let table = definition.tables[signIn.users]
        return world.state(index, OwnState.self).user(user.id, signIn.users, table, call.epoch)
    }

    package func mint(_ world: inout World, _ index: Int, _ order: TokenOrder) -> Result<MintedToken, Problem> {
        let definition = home(world, index).definition
        guard let signIn = definition.signIn else {
            return .failure(Problem(.invalidBody, "\(identity.name) has no sign-in, so it has no tokens."))
        }
        let epoch = world.parts[index].epoch
        return world.with(index, OwnState.self) { state, core in
            // Every run of the command line starts at the same state, so its ids and sessions need a salt of their own.
            if order.isOffline { core.randomness.salt = order.distinction(at: core.now) }
            defer { core.randomness.salt = 0 }
            do throws(Problem) {
                let claims = definition.claims(of: order.user, state, &core, epoch)
                return .success(try signIn.mint(order, claims, &state, &core, title: identity.name))
            } catch {
                return .failure(error)
            }
        }
    }

    package func endTokens(_ world: inout World, _ index: Int, _ ending: TokenEnding) -> Bool {
        guard let signIn = home(world, index).definition.signIn else { return false }
        return world.with(index, OwnState.self) { state, _ in
            guard let user = signIn.user(ending.user, state) else { return false }
            signIn.end(ending.scope, of: user, ending.manner, at: ending.at, &state)
            return true
        }
    }

    package func endCredential(
        _ world: inout World,
        _ index: Int,
        _ credential: String,
        _ manner: TokenEnding.Manner
    ) -> Bool {
        guard let signIn = home(world, index).definition.signIn else { return false }
        return world.with(index, OwnState.self) { state, core in
            signIn.end(credential: credential, manner, &state, now: core.now)
        }
    }

    package func appleKeys(_ world: World, _ index: Int) -> JSON { ["keys": []] }

    package func qrPayload(_ world: inout World, _ index: Int, _ order: QROrder) -> Result<QRPayload?, Problem> {
        .success(nil)
    }

    package func qrOffers(_ world: World, _ index: Int) -> [QROffer] { [] }
}
