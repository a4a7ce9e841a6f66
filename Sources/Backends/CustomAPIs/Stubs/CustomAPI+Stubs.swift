import Backend
import Conditions
import HTTPMessage
import OpenAPI
import Worlds

/// The stubs and states of a custom API (own-API contract, sections 7 and 10).
extension CustomAPI {
    func state(named name: String, _ world: World, _ index: Int) -> String? {
        home(world, index).definition.value(ofState: name, in: world.state(index, CustomAPIState.self))
    }

    func setState(named name: String, to value: String, _ world: inout World, _ index: Int) {
        let states = home(world, index).definition.states
        guard let place = states.firstIndex(where: { $0.name == name }),
            let number = states[place].values.firstIndex(of: value)
        else { return }
        world.with(index, CustomAPIState.self) { state, _ in
            guard state.settings.states[place] != number else { return }
            state.settings.states[place] = number
            state.settings.changes += 1
        }
    }

    /// Requests that a recording answers are held against the operation of their route, as those of every source; no
    /// token is asked for (own-API contract, sections 15 and 16).
    func admitRecording(_ world: inout World, _ index: Int, _ call: inout Call) -> Response? {
        let home = home(world, index)
        guard home === self else { return home.admitRecording(&world, index, &call) }
        let match = router.match(call.method, call.path)
        let keys = definition.idempotency.map { IdempotencyCheck(keys: $0) }
        var route: CustomRoute?
        var parameters: [String] = []
        if case .endpoint(let place, let found) = match, definition.routes[place].operation != nil {
            route = definition.routes[place]
            parameters = found
        }
        guard route != nil || keys != nil else { return nil }
        return world.with(index, CustomAPIState.self) { (state, core) -> Response? in
            do throws(CustomAPIFailure) {
                try keys?.check(call)
                if let route { try OperationCheck.check(route, parameters, state, &call, isOpen: true) }
                return nil
            } catch {
                return answer(error, match, state, &core, call)
            }
        }
    }

    func inspect(_ response: Response, _ world: World, _ index: Int, _ call: inout Call) {
        let home = home(world, index)
        guard home.hasOperations, case .endpoint(let place, _) = home.router.match(call.method, call.path) else {
            return
        }
        let operation = home.definition.routes[place].operation
        OperationCheck.inspect(response, of: operation, world.state(index, CustomAPIState.self), &call)
    }

    func judge(of call: Call, _ world: World, _ index: Int) -> ExchangeJudge? {
        let home = home(world, index)
        guard world.state(index, CustomAPIState.self).settings.validation != .off,
            case .endpoint(let place, let parameters) = home.router.match(call.method, call.path),
            let operation = home.definition.routes[place].operation
        else { return nil }
        let request = OpenAPIRequest(call.request, parameters)
        return { content, answer in
            var found: [OpenAPIViolation] = []
            if let content {
                var request = request
                request.body = content
                let result = operation.check(request)
                found = result.missing + result.violations
            }
            if let answer {
                found += operation.violations(
                    ofResponse: answer.status,
                    fields: answer.fields,
                    content: answer.content
                )
            }
            return found.map { ($0.path, $0.reason) }
        }
    }
}

extension CustomAPIDefinition {
    /// Returns the value of a named state; nil if there is no such state.
    func value(ofState name: String, in state: CustomAPIState) -> String? {
        guard let place = states.firstIndex(where: { $0.name == name }) else { return nil }
        return states[place].values[state.settings.states[place]]
    }
}
