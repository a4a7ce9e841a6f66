import Backend
import HTTPMessage

/// The responses of an API's endpoints, without the API's type.
protocol RequestHandling: AnyObject, Sendable {
    /// Returns the response of an endpoint, which works on the state of a world in place.
    func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response
}

/// The endpoints of one API, with its hooks before and behind them.
final class EndpointHandlers<API: EmulatedAPI>: RequestHandling {
    private let endpoints: [Endpoint<API>]

    init(_ endpoints: [Endpoint<API>]) { self.endpoints = endpoints }

    func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response {
        world.with(index, API.State.self) { state, core in respond(&state, &core, &call, match) }
    }

    private func respond(
        _ state: inout API.State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ match: RouteMatch
    ) -> Response {
        var response: Response
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
                if endpoint.body.isDeclared, let coding = call.request.contentCodings.first {
                    var failure = APIError.coded(coding)
                    failure.code = API.unsupportedMediaCode
                    response = API.render(failure, state: state, call: call)
                    response.fields.append("Accept-Encoding", APIError.codings)
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
}
