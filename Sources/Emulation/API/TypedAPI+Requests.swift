package import CivilTime
package import HTTPMessage

extension TypedAPI {
    package func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch {
        RouteMatch(table.router, method, path, acceptsTrailingSlash: acceptsTrailingSlash)
    }

    package func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response {
        world.with(index, API.State.self) { state, core in respond(&state, &core, &call, match) }
    }

    package func answerAside(
        _ box: AnyStateBox,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ match: RouteMatch
    ) -> Response {
        respond(&box.typed(API.State.self).state, &core, &call, match)
    }

    private func respond(
        _ state: inout API.State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ match: RouteMatch
    ) -> Response {
        var response: Response
        let endpoints = table.endpoints
        work: do throws(APIError) {
            if case .endpoint(let index, let parameters) = match {
                call.route = endpoints[index].template
                call.parameters = parameters
            }
            if let answer = try API.preflight(&state, &core, &call) {
                response = answer
                break work
            }
            switch match {
            case .unknownPath: throw API.unknownPath(state: state, call: call)
            case .otherMethod(let allowed):
                response = try API.otherMethod(state: state, call: call, allowed: allowed)
            case .endpoint(let index, _):
                let endpoint = endpoints[index]
                try API.precheck(&state, &core, &call, endpoint)
                guard !call.isTrial else {
                    call.isLetIn = true
                    response = Response(status: .ok)
                    break work
                }
                if call.prepared == nil, let prepare = endpoint.prepare { call.prepared = prepare(call.request) }
                response = try endpoint.handle(&state, &core, &call)
            }
        } catch {
            response = API.render(error, state: state, call: call)
        }
        // Room for the id as well, which every answer gets later.
        response.fields.reserveMore(bytes: call.answerFields.wire.count + 48, lines: call.answerFields.count + 1)
        response.fields.append(contentsOf: call.answerFields)
        if call.user == nil, let credential = call.bearerToken { call.user = API.user(of: credential, state: state) }
        return response
    }

    package func refusal(_ status: Status, _ detail: String) -> Response { API.refusal(status, detail: detail) }

    package func timedRefusal(_ status: Status, _ detail: String, _ now: Instant) -> Response {
        API.refusal(status, detail: detail, now: now)
    }

    package func user(_ world: World, _ index: Int, _ credential: String) -> CallUser? {
        API.user(of: credential, state: world.state(index, API.State.self))
    }

    package func journalled(_ fields: Fields) -> Fields { API.journalled(fields) }

    package func faultAnswer(_ world: World, _ index: Int, _ order: InjectedStatus, _ call: Call) -> Response {
        API.faultAnswer(order, state: world.state(index, API.State.self), call: call)
    }
}
