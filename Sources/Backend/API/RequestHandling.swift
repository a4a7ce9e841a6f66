package import CivilTime
package import HTTPMessage

/// The endpoints of an API, and what answers their requests.
package struct RequestHandling<State: Sendable>: Sendable {
    /// Returns the response to a request, which works on the state of a world in place.
    package typealias Responder = @Sendable (inout State, inout WorldCore, inout Call, RouteMatch) -> Response
    package typealias UserReader = @Sendable (_ credential: String, State, _ now: Instant) -> CallUser?
    package typealias Preflight = @Sendable (inout State, inout WorldCore, inout Call) throws(APIError) -> Response?
    package typealias Renderer = @Sendable (APIError, State, Call) -> Response
    package typealias OtherMethod = @Sendable (State, Call, [HTTPMethod]) throws(APIError) -> Response

    /// Makes the table of the endpoints, with the first request for the API.
    package let make: @Sendable (_ acceptsTrailingSlash: Bool) -> (table: EndpointTable, respond: Responder)
    /// Returns the user that a bearer credential belongs to, valid or expired.
    package let user: UserReader

    /// Creates the handling of an API whose responses one function makes.
    package init(_ table: EndpointTable, user: @escaping UserReader, respond: @escaping Responder) {
        make = { _ in (table, respond) }
        self.user = user
    }

    /// Creates the handling of declared endpoints.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints, made with the first request for the API.
    ///   - unsupportedMediaCode: The API's error code for content that it can't read.
    ///   - preflight: Runs before the route is examined, for unknown paths and methods too. Returns a response that
    ///     ends the request, such as that to a preflight, or nil. `call.route` already names the route that would take
    ///     the request.
    ///   - precheck: Runs before every endpoint: rate limits, credentials and switches, in the API's own order.
    ///   - render: Renders a failure in the API's error form.
    ///   - unknownPath: Returns the failure for a request that no route takes.
    ///   - otherMethod: Returns the response of a known path to another method. The methods of the path are in the
    ///     order of declaration.
    ///   - user: Returns the user that a bearer credential belongs to, valid or expired.
    package init<Metadata: Sendable>(
        _ endpoints: @autoclosure @escaping @Sendable () -> [Endpoint<State, Metadata>],
        unsupportedMediaCode: String = "unsupported_media_type",
        preflight: @escaping Preflight = { (_, _, _) throws(APIError) in nil },
        precheck: @escaping Endpoint<State, Metadata>.Precheck,
        render: @escaping Renderer,
        unknownPath: @escaping @Sendable (State, Call) -> APIError,
        otherMethod: @escaping OtherMethod,
        user: @escaping UserReader
    ) {
        self.user = user
        make = { acceptsTrailingSlash in
            let handler = EndpointHandler(
                endpoints: endpoints(),
                unsupportedMediaCode: unsupportedMediaCode,
                preflight: preflight,
                precheck: precheck,
                render: render,
                unknownPath: unknownPath,
                otherMethod: otherMethod,
                user: user
            )
            // Closures, since a key path of a generic type is put together anew at each use.
            let table = EndpointTable(
                handler.endpoints.map { RouteSummary($0) },
                handler.endpoints.map { $0.traits },
                acceptsTrailingSlash: acceptsTrailingSlash
            )
            return (table, { handler.respond(&$0, &$1, &$2, $3) })
        }
    }
}

/// The endpoints of one API, with its functions before and behind them.
///
/// An object, which knows its type parameters: those of a struct would be looked up at each request.
private final class EndpointHandler<State: Sendable, Metadata: Sendable>: Sendable {
    let endpoints: [Endpoint<State, Metadata>]
    let unsupportedMediaCode: String
    let preflight: RequestHandling<State>.Preflight
    let precheck: Endpoint<State, Metadata>.Precheck
    let render: RequestHandling<State>.Renderer
    let unknownPath: @Sendable (State, Call) -> APIError
    let otherMethod: RequestHandling<State>.OtherMethod
    let user: RequestHandling<State>.UserReader

    init(
        endpoints: [Endpoint<State, Metadata>],
        unsupportedMediaCode: String,
        preflight: @escaping RequestHandling<State>.Preflight,
        precheck: @escaping Endpoint<State, Metadata>.Precheck,
        render: @escaping RequestHandling<State>.Renderer,
        unknownPath: @escaping @Sendable (State, Call) -> APIError,
        otherMethod: @escaping RequestHandling<State>.OtherMethod,
        user: @escaping RequestHandling<State>.UserReader
    ) {
        self.endpoints = endpoints
        self.unsupportedMediaCode = unsupportedMediaCode
        self.preflight = preflight
        self.precheck = precheck
        self.render = render
        self.unknownPath = unknownPath
        self.otherMethod = otherMethod
        self.user = user
    }

    func respond(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ match: RouteMatch
    ) -> Response {
        var response: Response
        work: do throws(APIError) {
            var endpoint: Endpoint<State, Metadata>?
            if case .endpoint(let index, let parameters) = match {
                let found = endpoints[index]
                endpoint = found
                call.route = found.template
                call.parameters = parameters
            }
            if let answer = try preflight(&state, &core, &call) {
                response = answer
                break work
            }
            guard let endpoint else {
                guard case .otherMethod(let allowed) = match else { throw unknownPath(state, call) }
                response = try otherMethod(state, call, allowed)
                break work
            }
            try precheck(&state, &core, &call, endpoint)
            guard !call.isTrial else {
                call.isLetIn = true
                response = Response(status: .ok)
                break work
            }
            if endpoint.body.isDeclared, let coding = call.request.contentCodings.first {
                var failure = APIError.coded(coding)
                failure.code = unsupportedMediaCode
                response = render(failure, state, call)
                response.fields.append("Accept-Encoding", APIError.codings)
                break work
            }
            if let prepare = endpoint.traits.prepare, call.prepared == nil {
                call.prepared = prepare(call.request)
            }
            response = try endpoint.handle(&state, &core, &call)
        } catch {
            response = render(error, state, call)
        }
        // Room for the id as well, which every answer gets later.
        response.fields.reserveMore(bytes: call.answerFields.wire.count + 48, lines: call.answerFields.count + 1)
        response.fields.append(contentsOf: call.answerFields)
        if call.user == nil, let credential = call.bearerToken { call.user = user(credential, state, core.now) }
        return response
    }
}

extension Fields {
    /// The field of the usual 405 and OPTIONS responses: 204 with `Allow`, or a failure with `Allow`.
    package init(allowing methods: [HTTPMethod]) {
        self.init()
        append(.allow, methods.map(\.rawValue).joined(separator: ", "))
    }
}
