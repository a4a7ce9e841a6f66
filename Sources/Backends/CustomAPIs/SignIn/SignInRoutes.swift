import Backend
import HTTPMessage
import JSON

/// The routes of a sign-in (own-API contract, section 15).
enum SignInRoutes {
    /// Returns the routes in the order of the contract; `place` returns where a member of `auth` is declared.
    static func routes(
        of signIn: SignIn,
        in definition: CustomAPIDefinition,
        place: (_ member: [String]) -> CustomRoute.Place
    ) -> [CustomRoute] {
        let handler = SignInHandler(signIn, in: definition)
        var routes: [CustomRoute] = []
        func add(
            _ method: HTTPMethod,
            _ path: String?,
            _ member: [String],
            _ summary: String,
            body names: [String]? = nil,
            credential: CredentialPlace = .bearer,
            needsToken: Bool = false,
            role: RouteFacts.Role = .ordinary,
            code: String? = nil,
            answers: [AnswerDeclaration],
            _ handle: @escaping CustomRoute.Handler
        ) {
            guard let path else { return }
            routes.append(
                CustomRoute(
                    Self.summary(method, path, summary, names, needsToken, answers, facts(role, code, of: signIn)),
                    source: .auth,
                    place: place(member),
                    bodyLimit: bodyLimit,
                    credential: credential,
                    alwaysNeedsToken: needsToken,
                    endsInSlash: signIn.slashed.contains(path),
                    handle: signIn.routes.issuing.contains(path) ? whole(handle) : handle
                )
            )
        }
        let tokens = answers(.ok, "The tokens")
        let signedIn = answers(signIn.statuses.login, "The tokens")
        let refreshed = answers(signIn.statuses.refresh, "The tokens")
        let refused = answers(.unauthorized, "Invalid credentials")
        let paths = signIn.routes
        add(
            .post,
            paths.login,
            ["login"],
            "Signs in",
            body: [signIn.identifier, signIn.secret],
            role: .signIn,
            answers: signedIn + refused + bodyErrors
        ) { state, core, call throws(CustomAPIFailure) in try handler.login(&state, &core, &call) }
        add(
            .post,
            paths.register,
            ["register"],
            "Creates a user and signs in",
            body: [signIn.identifier],
            role: .signUp,
            answers: answers(.created, "The tokens") + answers(.conflict, "The user already exists") + bodyErrors
        ) { state, core, call throws(CustomAPIFailure) in try handler.register(&state, &core, &call) }
        add(
            .post,
            paths.codeRequest,
            ["code", "request"],
            "Sends a one-time code",
            body: [signIn.identifier],
            role: .requestCode,
            answers: [none] + bodyErrors
        ) { state, core, call throws(CustomAPIFailure) in try handler.sendCode(&state, &core, &call) }
        add(
            .post,
            paths.codeVerify,
            ["code", "verify"],
            "Signs in with a one-time code",
            body: [signIn.identifier, signIn.codeName],
            role: .signIn,
            code: signIn.codeName,
            answers: tokens + refused + bodyErrors
        ) { state, core, call throws(CustomAPIFailure) in try handler.verifyCode(&state, &core, &call) }
        add(
            .post,
            paths.refresh,
            ["refresh"],
            "Exchanges a refresh token",
            body: [signIn.refreshName],
            credential: .body(signIn.refreshName),
            role: .refresh,
            answers: refreshed + refused + bodyErrors
        ) { state, core, call throws(CustomAPIFailure) in try handler.refresh(&state, &core, &call) }
        add(
            .post,
            paths.logout,
            ["logout"],
            "Ends the session",
            needsToken: true,
            role: .signOut,
            answers: [none] + refused
        ) { state, core, call throws(CustomAPIFailure) in try handler.logout(&state, &core, &call) }
        add(
            .get,
            paths.me,
            ["me"],
            "Returns the user",
            needsToken: true,
            answers: answers(.ok, "The user") + refused
        ) { state, core, call throws(CustomAPIFailure) in try handler.me(&state, &core, &call) }
        add(
            .patch,
            paths.me,
            ["me"],
            "Updates the user",
            body: [],
            needsToken: true,
            answers: answers(.ok, "The user") + refused + answers(.conflict, "A value is already in use") + bodyErrors
        ) { state, core, call throws(CustomAPIFailure) in try handler.changeMe(&state, &core, &call) }
        add(
            .post,
            paths.token,
            ["token"],
            "Exchanges a password or a refresh token (RFC 6749)",
            body: ["grant_type"],
            credential: .body("refresh_token"),
            role: .grant,
            answers: tokens + answers(.badRequest, "The grant is rejected")
        ) { state, core, call throws(CustomAPIFailure) in try handler.token(&state, &core, &call) }
        return routes
    }

    /// Returns the same endpoint, of which nothing is done if its answer is too large (own-API contract, section 9).
    private static func whole(_ handle: @escaping CustomRoute.Handler) -> CustomRoute.Handler {
        { (state, core, call) throws(CustomAPIFailure) in
            let former = (state: state, core: core)
            do throws(CustomAPIFailure) {
                return try handle(&state, &core, &call)
            } catch {
                if error.stands(for: .answerTooLarge) { (state, core) = former }
                throw error
            }
        }
    }

    /// Bytes of a body; more is refused.
    private static let bodyLimit = 1024 * 1024

    private static let none = AnswerDeclaration(.noContent, "Done", .none)

    private static let bodyErrors =
        answers(.badRequest, "Malformed request body") + answers(.contentTooLarge, "The body is too large")
        + answers(.unsupportedMediaType, "The body is neither JSON nor a form")
        + answers(.unprocessableContent, "Invalid request body")

    private static func answers(_ status: Status, _ description: String) -> [AnswerDeclaration] {
        [
            AnswerDeclaration(
                status,
                description,
                .json(name: nil, schema: .any, contentType: "application/json")
            )
        ]
    }

    private static func summary(
        _ method: HTTPMethod,
        _ path: String,
        _ text: String,
        _ names: [String]?,
        _ needsToken: Bool,
        _ answers: [AnswerDeclaration],
        _ facts: RouteFacts
    ) -> RouteSummary {
        let parameters = RouteTemplate(path)?.parameterNames ?? []
        let schema = names.map { names in
            JSONSchema.object(
                JSONSchema.Object(names.map { JSONSchema.Property($0, .string()) })
            )
        }
        var summary = RouteSummary(
            method: method,
            template: path,
            summary: text,
            provenance: .documented,
            authentication: needsToken ? .bearer : .none,
            parameters: parameters.map { Parameter($0, in: .path, .string(), required: true, "") },
            body: schema.map { .json(name: text, schema: $0, isRequired: true, example: nil) } ?? .none,
            answers: answers
        )
        summary.facts = facts
        return summary
    }

    private static func facts(_ role: RouteFacts.Role, _ code: String?, of signIn: SignIn) -> RouteFacts {
        var facts = RouteFacts()
        facts.role = role
        facts.codeMember = code
        facts.identifier = signIn.identifier
        facts.refreshMember = role == .grant ? "refresh_token" : signIn.refreshName
        facts.takesSecret = role == .signIn || role == .grant
        return facts
    }
}
