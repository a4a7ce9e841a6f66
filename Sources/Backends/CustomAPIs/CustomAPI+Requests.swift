import Backend
import CivilTime
import Conditions
import HTTPMessage
import JSON
import OpenAPI
import Repeats
import Worlds

extension CustomAPI {
    func preparation(
        of call: inout Call,
        _ match: RouteMatch,
        in world: inout World,
        _ index: Int
    ) -> CallPreparation? {
        let home = home(world, index)
        let match = home === self ? match : home.router.match(call.method, call.path)
        guard case .endpoint(let place, let parameters) = match else { return nil }
        return KnownOperation.preparation(
            of: call,
            home.definition.routes[place],
            parameters,
            world.read(index, CustomAPIState.self) { $0.settings.validation },
            seed: world.core.seed,
            omitsBrokenExamples: home.definition.omitsBrokenExamples,
            shared: home.sharedRefusal
        ) { home.shown($0, match) }
    }

    func respond(
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ match: RouteMatch
    ) -> Response {
        do throws(CustomAPIFailure) {
            call.answeredBy = nil
            switch match {
            case .unknownPath: throw CustomAPIFailure(.unmatched, call.nearestEntry.map { Self.words($0) })
            case .otherMethod(let methods): return try other(methods, call)
            case .endpoint(let place, let parameters):
                let route = definition.routes[place]
                call.route = route.template
                call.parameters = parameters
                call.source = route.source.answers
                if let redirect = redirect(to: route, call) { return redirect }
                // The folder may have been read again since.
                if call.knownOperation?.route !== route { call.prepared = nil }
                for check in definition.checks { try check.check(route, &state, &core, &call) }
                guard !call.isTrial else {
                    call.isLetIn = true
                    return Response(status: .ok)
                }
                var response = try handler(of: route, &call)(&state, &core, &call)
                if call.source != .openapi { Self.giveType(to: &response, as: route.operation, call) }
                noteAnswerer(match, in: &call)
                OperationCheck.noteIgnored(of: route.operation, state, &call)
                OperationCheck.inspect(response, of: route.operation, state, &call)
                return response
            }
        } catch {
            noteAnswerer(match, in: &call)
            let response = answer(error, match, state, &core, call)
            if case .endpoint(let place, _) = match, !error.isProblem, !call.isTrial {
                OperationCheck.inspect(response, of: definition.routes[place].operation, state, &call)
            }
            return response
        }
    }

    /// Returns an answer with what each has at an address of uploads (wire contract, section 8).
    func completed(_ response: Response, to call: Call) -> Response {
        // No route has a method without a name.
        guard !definition.uploads.isEmpty, case .endpoint(let place, _) = router.match(.options, call.path),
            definition.routes[place].upload != nil,
            case .otherMethod(let methods) = router.match(HTTPMethod(rawValue: ""), call.path)
        else { return response }
        return UploadProtocol.completed(response, to: call, allowing: Self.allowed(methods))
    }

    /// Gives the JSON of a row or of a sign-in the media type that is declared for it: `application/vnd.shop+json`.
    private static func giveType(to response: inout Response, as operation: OpenAPIOperation?, _ call: Call) {
        guard response.fields[.contentType] == "application/json",
            let declared = operation?.response(for: Int(response.status.code)),
            let type = OpenAPIOperation.json(of: declared, call.fields)?.type,
            MediaType(type)?.essence != "application/json"
        else { return }
        response.fields.set(.contentType, type)
    }

    /// Notes what answers a call that no row and no sample was chosen for, such as a refusal.
    private func noteAnswerer(_ match: RouteMatch, in call: inout Call) {
        guard call.answeredBy == nil, case .endpoint(let place, _) = match else { return }
        call.answeredBy = definition.routes[place].words(for: call.source)
    }

    /// Leads a client to the path with the slash at its end, or without it, as the route's was declared.
    private func redirect(to route: CustomRoute, _ call: Call) -> Response? {
        guard definition.slashes == .redirect, !route.ends(as: call.path) else { return nil }
        return call.redirect(toSlash: route.endsInSlash)
    }

    /// Returns what answers a request that a route takes: its source, or the document's response with the status that
    /// the client wishes for.
    private func handler(of route: CustomRoute, _ call: inout Call) -> CustomRoute.Handler {
        guard route.source != .openapi, let operation = route.operation,
            OpenAPIPreferences(fields: call.request.head.fields, query: call.request.head.rawQuery).status != nil
        else { return route.handle }
        call.source = .openapi
        let handler = OperationHandler(operation: operation, omitsBrokenExamples: definition.omitsBrokenExamples)
        return { (state, core, call) throws(CustomAPIFailure) in try handler.respond(&state, &core, &call) }
    }

    /// Answers a refusal: in the form that the operation declares for it, unless `api.json` has one, else in the API's.
    func answer(
        _ failure: CustomAPIFailure,
        _ match: RouteMatch,
        _ state: CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) -> Response {
        guard let shown = shown(failure, match),
            var refusal = declared(shown, by: match, state, core: core, call)
        else { return errors.answer(fitted(failure, match), state, &core, call) }
        for field in errors.fields(of: failure, shown, call).pairs {
            guard let name = FieldName(field.name), !refusal.fields.contains(name) else { continue }
            refusal.fields.append(name, field.value)
        }
        return refusal
    }

    /// Answers an injected status likewise; one with a code or a message says itself what it shows.
    func answer(to order: InjectedStatus, _ state: CustomAPIState, _ core: WorldCore, _ call: Call) -> Response {
        // The world is only looked at: what is drawn here is drawn again by the next.
        var core = core
        let usual = errors.answer(order, state, &core, call)
        let match = router.match(call.method, call.path)
        guard hasOperations, definition.errors.isUsual, order.code == nil, order.message == nil else { return usual }
        var call = call
        if case .endpoint(_, let parameters) = match { call.parameters = parameters }
        guard var refusal = declared(ErrorForm.shown(order), by: match, state, core: core, call) else { return usual }
        if let challenge = usual.fields["WWW-Authenticate"], !refusal.fields.contains("WWW-Authenticate") {
            refusal.fields.append("WWW-Authenticate", challenge)
        }
        return refusal
    }

    /// Returns a refusal in the form that the operation of its route declares for its status, or that most refusals of the
    /// document have; nil if there is none.
    private func declared(
        _ shown: ErrorForm.Shown,
        by match: RouteMatch,
        _ state: CustomAPIState,
        core: WorldCore,
        _ call: Call
    ) -> Response? {
        guard !shown.status.forbidsBody else { return nil }
        var route: CustomRoute?
        if case .endpoint(let place, _) = match { route = definition.routes[place] }
        return OperationHandler.refusal(shown, of: route, sharedRefusal, state, seed: core.seed, call)
    }

    /// Returns what a refusal shows in a form that the operation may declare for it; nil where the API's own counts.
    private func shown(_ failure: CustomAPIFailure, _ match: RouteMatch) -> ErrorForm.Shown? {
        guard definition.errors.isUsual, !failure.isProblem else { return nil }
        return definition.errors.shown(fitted(failure, match))
    }

    /// Returns a refusal with the status that the operation declares in place of its own: 400 for 422, or 422 for 400.
    func fitted(_ failure: CustomAPIFailure, _ match: RouteMatch) -> CustomAPIFailure {
        guard failure.status == nil, case .endpoint(let place, _) = match,
            let operation = definition.routes[place].operation,
            let status = OperationCheck.status(of: failure, operation)
        else { return failure }
        var failure = failure
        failure.status = status
        return failure
    }

    private static func words(_ near: NearRoute) -> String {
        let differs = near.differs.isEmpty ? "" : ": \(near.differs)"
        return "\(Cause.unmatched.message) The nearest is \(near.method.rawValue) \(near.template)\(differs)."
    }

    /// The methods of a path as a list, OPTIONS last.
    private static func allowed(_ methods: [HTTPMethod]) -> String {
        let head = methods.contains(.get) && !methods.contains(.head) ? [HTTPMethod.head] : []
        return (methods.filter { $0 != .options } + head + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    /// Answers OPTIONS, and refuses other methods of a path that has routes.
    private func other(_ methods: [HTTPMethod], _ call: Call) throws(CustomAPIFailure) -> Response {
        let list = Self.allowed(methods)
        guard call.method != .options else { return Response(status: .noContent, fields: [.allow: list]) }
        let text = "The path does not allow this method; it allows \(list)."
        throw CustomAPIFailure(.methodNotAllowed, text, fields: [.allow: list])
    }
}

extension ErrorAnswers {
    /// Returns the response to a request that the wire refuses.
    func refusal(_ status: Status, _ detail: String) -> Response {
        let cause = Cause.allCases.first { $0.status == status && $0 != .answerTooLarge } ?? .badRequest
        return answer(CustomAPIFailure(cause, detail, status: status))
    }
}
