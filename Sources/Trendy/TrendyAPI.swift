import CivilTime
package import Emulation
package import HTTPMessage
import JSON

/// Trendy: onboarding status, sign-in by Supabase Auth, events with their types and places, insights.
package enum TrendyAPI: EmulatedAPI {
    package typealias State = TrendyState

    /// What the engine can't know of an endpoint.
    package struct EndpointMetadata: Sendable {
        /// Which server answers: each has rules and error forms of its own.
        enum Server: Sendable { case backend, auth, tables }

        var server: Server

        static let backend = EndpointMetadata(server: .backend)
        static let auth = EndpointMetadata(server: .auth)
        static let tables = EndpointMetadata(server: .tables)
    }

    package static let identity = APIIdentity(
        name: "trendy",
        title: "Trendy",
        version: "1.0",
        description: "Event tracking: onboarding status, Supabase sign-in, events, geofences, insights.",
        portOffset: 5
    )

    package static var bodyReading: BodyReading { BodyReading(depth: bodyDepth) }

    package static let acceptsTrailingSlash = false

    package static let settings = TrendySettings.declarations

    package static let endpoints: [Endpoint<TrendyAPI>] =
        onboardingEndpoints + signInEndpoints + sessionEndpoints + healthEndpoints + backendAuthEndpoints
        + syncEndpoints + eventEndpoints + eventTypeEndpoints + propertyEndpoints + geofenceEndpoints
        + insightEndpoints + analyticsEndpoints + profileEndpoints

    /// JSON bodies (sections 2 and 9.2).
    static let bodyLimit = 1_048_576

    package static func bind(_ state: inout TrendyState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("trendy tokens"),
            issuer: core.issuer,
            keySeed: core.seed ^ "trendy keys".fnv1a64,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
        guard !state.variants.isEmpty else { return }
        let variant = state.variants[core.now.civilDate.weekday.rawValue - 1]
        state.events = variant.events
        state.changes = variant.changes
        state.lastChange = variant.lastChange
        state.variants = []
    }

    package static func secrets(in state: TrendyState) -> [String] {
        state.refreshTokens.rows.map(\.id) + state.sessions.rows.map(\.id)
    }

    package static func dropCaches(_ state: inout TrendyState) { state.tokens.forget() }

    // MARK: Before every endpoint

    /// Step 4 of section 2; the steps before it are those of `arrive`.
    package static func precheck(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: Endpoint<TrendyAPI>
    ) throws(APIError) {
        guard endpoint.authentication == .bearer else { return }
        switch endpoint.trait.server {
        case .backend:
            guard let token = strictBearer(call),
                case .admitted(let account, _) = state.admit(token, at: call.now, in: call.epoch)
            else { throw .unauthorized }
            call.user = CallUser(id: account.id, email: account.email)
        case .auth: _ = try signedIn(&state, &call)
        case .tables:
            guard let token = call.bearerToken,
                case .admitted(let account, _) = state.admit(token, at: call.now, in: call.epoch)
            else { throw TableError.badToken }
            call.user = CallUser(id: account.id, email: account.email)
        }
    }

    /// The word `Bearer` in this case, one space, one token without spaces (section 2).
    private static func strictBearer(_ call: Call) -> String? {
        guard let value = call.fields[.authorization], value.utf8.starts(with: "Bearer ".utf8) else { return nil }
        let token = value.utf8.dropFirst(7)
        guard !token.isEmpty, !token.contains(where: { $0 == 0x20 || $0 == 0x09 }) else { return nil }
        return String(token)
    }

    /// The caller of the auth server, or its errors (sections 9.1 and 9.2).
    static func signedIn(_ state: inout TrendyState, _ call: inout Call) throws(APIError) -> (Account, Session) {
        guard let token = call.bearerToken, !token.isEmpty, !token.utf8.contains(0x20) else {
            throw .auth(.unauthorized, .noAuthorization, "This endpoint requires a valid Bearer token")
        }
        switch state.admit(token, at: call.now, in: call.epoch) {
        case .admitted(let account, let session):
            call.user = CallUser(id: account.id, email: account.email)
            return (account, session)
        case .badToken(let reason): throw .auth(.forbidden, .badJWT, "invalid JWT: \(reason)")
        case .userGone: throw .auth(.forbidden, .userNotFound, "User from sub claim in JWT does not exist")
        case .sessionGone:
            throw .auth(.forbidden, .sessionNotFound, "Session from session_id claim in JWT does not exist")
        }
    }

    // MARK: Answers

    static let jsonType = "application/json; charset=utf-8"
    /// `<`, `>` and `&` are escaped (section 2).
    static let writing = JSONWriter.Options(escapeHTML: true)

    /// A writer in the world's present forms.
    static func writer(_ state: TrendyState, _ call: Call) -> ResponseWriter {
        let isFractional = state.settings.isDeployed || state.settings.dates == .fractional
        return ResponseWriter(epoch: call.epoch, dates: isFractional ? .microseconds : .seconds, options: writing)
    }

    /// A JSON answer of the backend.
    static func json(_ value: some ResponseModel, _ state: TrendyState, _ call: Call, status: Status = .ok) -> Response
    {
        var writer = writer(state, call)
        writer.write(value)
        return json(writer.json.bytes, status: status)
    }

    /// A list as a JSON answer of the backend.
    static func json(list: [some ResponseModel], _ state: TrendyState, _ call: Call) -> Response {
        var writer = writer(state, call)
        writer.write(list)
        return json(writer.json.bytes)
    }

    /// A JSON answer that is already written.
    static func json(_ bytes: [UInt8], status: Status = .ok, type: String = jsonType) -> Response {
        Response(status: status, fields: [.contentType: type], body: .bytes(bytes))
    }

    static func json(_ value: JSON, status: Status = .ok) -> Response {
        json(value.serialized(options: writing), status: status)
    }

    /// The caller's id; empty on open routes.
    static func user(_ call: Call) -> String { call.user?.id ?? "" }

    // MARK: Errors

    package static func render(_ failure: APIError, state: State, call: Call) -> Response {
        form(of: failure, call: call)
    }

    /// The form that a failure takes at the server that was called.
    static func form(of failure: APIError, call: Call) -> Response {
        if failure.code == APIError.routerCode {
            var fields = failure.fields
            fields.append(.contentType, "text/plain")
            return Response(status: failure.status, fields: fields, body: .bytes(Array(failure.message.utf8)))
        }
        switch call.path.segments.first {
        case "auth": return AuthError.response(failure, call: call)
        case "rest": return TableError.response(failure)
        default: break
        }
        var fields = failure.fields
        guard let kind = ProblemDetails.Kind(rawValue: failure.code) else {
            fields.append(.contentType, jsonType)
            let body: JSON = ["error": .string(failure.message)]
            return Response(status: failure.status, fields: fields, body: .bytes(body.serialized(options: writing)))
        }
        fields.append(.contentType, ProblemDetails.contentType)
        return Response(
            status: failure.status,
            fields: fields,
            body: .bytes(ProblemDetails.body(failure, kind, requestID: requestID(call)))
        )
    }

    /// 404 as text, everywhere (sections 7.3 and 9.2); a table that is not there in the form of its server.
    package static func unknownPath(state: TrendyState, call: Call) -> APIError {
        call.path.segments.starts(with: ["rest", "v1"]) ? TableError.unknownTable(call.path) : .noRoute
    }

    /// There is no 405 at the backend (D9).
    package static func otherMethod(
        state: TrendyState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        switch call.path.segments.first {
        case "auth": return Response(status: .methodNotAllowed, fields: allowField(allowed))
        case "rest": throw TableError.otherMethod(call.method, allowField(allowed))
        default: throw .noRoute
        }
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        let message = status == .contentTooLarge ? APIError.tooLarge.message : status.reasonPhrase
        let body: JSON = ["error": .string(message)]
        return Response(status: status, fields: [.contentType: jsonType], body: .bytes(body.serialized()))
    }
}
