import Backend
import HTTPMessage
import JSON
import Repeats
import Worlds

/// Requests with an idempotency key (wire contract, section 8).
extension CustomAPI {
    /// The functions that keep and repeat answers.
    var repeats: RepeatHooks {
        RepeatHooks(
            identity: { [self] call, world, index in
                guard let keys = home(world, index).definition.idempotency else { return nil }
                return keys.identity(of: call, user: home(world, index).goodUser(of: call, world, index)?.id)
            },
            answer: { [self] identity, isFirstUnderWay, call, world, index in
                home(world, index).repeated(identity, isFirstUnderWay: isFirstUnderWay, &call, in: &world, index)
            },
            keep: { [self] response, identity, call, world, index in
                home(world, index).keep(response, under: identity, call, in: &world, index)
            },
            digest: IdempotencyKeys.digest
        )
    }

    /// The user of a good token.
    private func goodUser(of call: Call, _ world: World, _ index: Int) -> CallUser? {
        guard let signIn = definition.signIn, let token = call.accessToken, !token.isEmpty else { return nil }
        var state = world.state(index, CustomAPIState.self)
        let finding = signIn.find(token, as: .access, &state, now: call.now)
        guard finding.state == .good else { return nil }
        return finding.user.flatMap { state.tables[signIn.users].rows[$0] }.map { signIn.user(of: $0) }
    }

    /// Tells whether a key has no meaning for a request, because its route signs in or has a protocol of its own.
    private func ignoresKey(of call: Call) -> Bool {
        guard case .endpoint(let place, _) = router.match(call.method, call.path) else { return false }
        return !definition.routes[place].takesKeys
    }

    private func repeated(
        _ identity: String,
        isFirstUnderWay: Bool,
        _ call: inout Call,
        in world: inout World,
        _ index: Int
    ) -> Response? {
        guard let keys = definition.idempotency else { return nil }
        let isRefused = isFirstUnderWay && !ignoresKey(of: call)
        let found = isRefused ? nil : keys.found(identity, for: call, in: world.state(index, CustomAPIState.self).kept)
        guard isRefused || found != nil else { return nil }
        let match = router.match(call.method, call.path)
        if case .endpoint(let place, let parameters) = match {
            call.route = definition.routes[place].template
            call.parameters = parameters
        }
        call.user = goodUser(of: call, world, index)
        let cause: Cause
        switch found {
        case .answer(let response, let source, let route)?:
            (call.source, call.route) = (source, route ?? call.route)
            return response
        case .mismatch?: cause = .idempotencyMismatch
        case nil: cause = .idempotencyInProgress
        }
        return world.with(index, CustomAPIState.self) { state, core in
            answer(CustomAPIFailure(cause), match, state, &core, call)
        }
    }

    private func keep(
        _ response: Response,
        under identity: String,
        _ call: Call,
        in world: inout World,
        _ index: Int
    ) {
        guard let keys = definition.idempotency, (200..<300).contains(response.status.code) else { return }
        switch call.source {
        case .stub?, .recording?: break
        case .resource?, .openapi?: if ignoresKey(of: call) { return }
        case .auth?, .emulated?, .upstream?, nil: return
        }
        world.with(index, CustomAPIState.self) { state, _ in
            keys.keep(response, under: identity, for: call, in: &state.kept)
        }
    }
}

/// Refuses requests whose idempotency key is missing or can't be used (wire contract, section 8).
struct IdempotencyCheck: RequestCheck {
    let keys: IdempotencyKeys

    func check(
        _ route: CustomRoute,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure) {
        if route.takesKeys { try check(call) }
    }

    /// Throws the refusal of a request, whatever answers it.
    func check(_ call: Call) throws(CustomAPIFailure) {
        guard call.method == .post || call.method == .patch, case .unusable(let reason) = keys.key(of: call) else {
            return
        }
        throw CustomAPIFailure(.badRequest, reason)
    }
}

extension CustomRoute {
    /// Tells whether an idempotency key means something to it.
    var takesKeys: Bool { source != .auth && upload == nil }
}
