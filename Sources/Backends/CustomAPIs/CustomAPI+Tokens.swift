import Backend
import CivilTime
import HTTPMessage
import JSON
import Worlds

/// Tokens of the control API, faults and the journal (own-API contract, section 15).
extension CustomAPI {
    func user(_ credential: String, _ state: CustomAPIState, _ now: Instant) -> CallUser? {
        guard let signIn = definition.signIn else { return nil }
        var state = state
        let credential = String(credential.drop { $0 == " " })
        guard let id = signIn.user(of: credential, &state, now: now) else { return nil }
        return state.tables[signIn.users].rows[id].map { signIn.user(of: $0) }
    }

    func credentialReader(_ world: World, _ index: Int) -> CredentialReader? {
        guard let signIn = home(world, index).definition.signIn, signIn.format == .opaque else { return nil }
        // The keys follow from the world's secret: nothing of the state is copied, or made for a part without one.
        let tokens = CustomTokens(signIn, core: world.core, keys: HMACKeys())
        return { token in tokens.credential(of: token) }
    }

    /// Returns the refusal of a request that a stub is about to answer: for its token, or by the operation of its
    /// route.
    func admitStub(_ world: inout World, _ index: Int, _ call: inout Call, _ isOpen: Bool) -> Response? {
        let home = home(world, index)
        guard home === self else { return home.admitStub(&world, index, &call, isOpen) }
        let keys = definition.idempotency.map { IdempotencyCheck(keys: $0) }
        guard definition.signIn != nil || hasOperations || keys != nil else { return nil }
        var route: CustomRoute?
        var parameters: [String] = []
        let match = router.match(call.method, call.path)
        if case .endpoint(let place, let found) = match {
            route = definition.routes[place]
            parameters = found
        }
        guard definition.signIn != nil || route?.operation != nil || keys != nil else { return nil }
        return world.with(index, CustomAPIState.self) { (state, core) -> Response? in
            do throws(CustomAPIFailure) {
                if let signIn = definition.signIn {
                    let needsToken = signIn.needsToken(stubOver: route, isOpen: isOpen, call)
                    try signIn.admit(&call, &state, needsToken: needsToken)
                }
                try keys?.check(call)
                if let route, route.operation != nil {
                    try OperationCheck.check(route, parameters, state, &call, isOpen: isOpen)
                }
                return nil
            } catch {
                return answer(error, match, state, &core, call)
            }
        }
    }

    /// Returns the row of the user who has signed in, without its write-only members.
    func templateUser(_ world: World, _ index: Int, _ call: Call) -> JSON? {
        let definition = home(world, index).definition
        guard let signIn = definition.signIn, let user = call.user else { return nil }
        let table = definition.tables[signIn.users]
        return world.state(index, CustomAPIState.self).user(user.id, signIn.users, table, call.epoch)
    }

    func mint(
        _ order: TokenOrder,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ epoch: Epoch
    ) throws(Problem) -> MintedToken {
        guard let signIn = definition.signIn else {
            throw Problem(.invalidBody, "\(definition.name) has no sign-in, so it has no tokens.")
        }
        let claims = definition.claims(of: order.user, state, &core, epoch)
        return try signIn.mint(order, claims, &state, &core, title: definition.name)
    }

    func endTokens(_ ending: TokenEnding, _ state: inout CustomAPIState, _ core: inout WorldCore) -> Bool {
        guard let signIn = definition.signIn, let user = signIn.user(ending.user, state) else { return false }
        signIn.end(ending.scope, of: user, ending.manner, at: ending.at, &state)
        return true
    }

    func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore
    ) -> Bool {
        definition.signIn?.end(credential: credential, manner, &state, now: core.now) ?? false
    }
}
