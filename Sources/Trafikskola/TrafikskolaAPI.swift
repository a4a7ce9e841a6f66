import CivilTime
import Crypto
package import Emulation
package import HTTPMessage
import JSON

/// Trafikskola: a driving school's app with per-device sessions, refresh rotation, configuration, profile and bookings.
package enum TrafikskolaAPI: EmulatedAPI {
    package typealias State = TrafikskolaState

    /// What the engine can't know of an endpoint.
    package struct EndpointMetadata: Sendable {
        enum Audience: Sendable { case anyone, students, staff }

        /// Whether strict mode asks for the app's secret (section 2.3).
        var needsSecret = true
        var audience = Audience.anyone
        /// What a scenario may answer before anything is checked.
        var disturbance: Disturbance?
    }

    /// Endpoints that settings can answer for.
    enum Disturbance: Sendable { case config, refresh, quickLogin }

    package static let identity = APIIdentity(
        name: "trafikskola",
        title: "Trafikskola",
        version: "1.0",
        description:
            "A driving school: sessions per device, refresh rotation, configuration, profile, bookings, lessons.",
        portOffset: 4
    )

    package static let acceptsTrailingSlash = false

    package static let settings = TrafikskolaSettings.declarations

    package static let endpoints: [Endpoint<TrafikskolaAPI>] =
        authEndpoints + loginEndpoints + configurationEndpoints + pictureEndpoints + profileEndpoints
        + translationEndpoints + deviceEndpoints + notificationEndpoints + bookingEndpoints + invoiceEndpoints
        + readinessEndpoints + courseEndpoints + quizEndpoints + practiceEndpoints + syncEndpoints + adminEndpoints
        + websiteEndpoints

    /// JSON bodies (section 2.2).
    static let jsonLimit = 1_048_576
    /// Multipart bodies (section 2.2).
    static let multipartLimit = 20 * 1_048_576
    /// An uploaded picture (decision 15).
    static let avatarLimit = 5_242_880
    static let secretPrefix = "sk_trafikskola_"
    static let rateWindow = Interval.seconds(2)

    package static func bind(_ state: inout TrafikskolaState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("trafikskola tokens"),
            issuer: core.issuer,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
    }

    package static func secrets(in state: TrafikskolaState) -> [String] {
        state.quickLogins.rows.map { WorldTag.secret(of: $0.id) } + state.payments.rows.map(\.token)
            + state.sessions.rows.map { WorldTag.secretPart(of: $0.id) }
    }

    package static func dropCaches(_ state: inout TrafikskolaState) { state.tokens.forget() }

    // MARK: Before every endpoint

    /// The order of section 2.2 from the scenario to the body's size; the engine has found path and method before.
    package static func precheck(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: Endpoint<TrafikskolaAPI>
    ) throws(APIError) {
        if let failure = disturbance(state, call) ?? disturbance(state, endpoint) { throw failure }
        if endpoint.trait.needsSecret, state.settings.appSecret == .required {
            guard call.fields[appSecretField]?.hasPrefix(secretPrefix) == true else { throw .invalidAppSecret }
        }
        if endpoint.authentication == .bearer {
            let user = try signedIn(&state, &call).user
            switch endpoint.trait.audience {
            case .anyone: break
            case .students: guard user.role == .student else { throw .forbidden }
            case .staff: guard user.isStaff else { throw .forbidden }
            }
        }
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
    }

    static let appSecretField: FieldName = "X-App-Secret"

    /// What a scenario answers to a whole range of paths, known or not.
    private static func disturbance(_ state: TrafikskolaState, _ call: Call) -> APIError? {
        if state.settings.server == .badGateway { return .page(Status(502), "502 Bad Gateway") }
        guard call.path.segments.starts(with: mobile), call.method != .options else { return nil }
        if state.settings.maintenance == .unavailable, call.path.segments != mobile + ["config"] {
            return .maintenance
        }
        if let start = state.rateWindowsFrom?.instant, state.settings.rateLimits == .on,
            (call.now - start).microseconds.flooredQuotient(rateWindow.microseconds).isMultiple(of: 2)
        {
            return .rateLimited(seconds: rateWindow.wholeSeconds)
        }
        return nil
    }

    private static let mobile = ["api", "mobile"]
    /// The literal segments that are no booking's id.
    private static let bookingViews = ["lesson-types", "available-slots", "available-sessions"]

    /// What a setting answers for one endpoint.
    private static func disturbance(_ state: TrafikskolaState, _ endpoint: Endpoint<TrafikskolaAPI>) -> APIError? {
        switch endpoint.trait.disturbance {
        case .config:
            switch state.settings.config {
            case .ok: nil
            case .error500: .internalError
            case .html: .page(.ok, "Din Trafikskola HLM")
            }
        case .refresh: state.settings.refreshAnswer == .error500 ? .internalError : nil
        case .quickLogin: state.settings.quickLogin == .html ? .page(.ok, "Din Trafikskola HLM") : nil
        case nil: nil
        }
    }

    /// User and session behind the bearer token, or 401.
    @discardableResult
    static func signedIn(
        _ state: inout TrafikskolaState,
        _ call: inout Call
    ) throws(APIError) -> (user: User, session: Session) {
        let found = try state.authenticate(call.bearerToken, now: call.now)
        call.user = CallUser(id: found.user.id, email: found.user.email)
        return found
    }

    // MARK: Errors

    package static func render(_ failure: APIError, state: TrafikskolaState, call: Call) -> Response {
        var fields = failure.fields
        fields.append(contentsOf: crossOrigin)
        // The answer to OPTIONS on a path that has no endpoint.
        if failure.status == .noContent { return Response(status: .noContent, fields: fields) }
        if failure.code == APIError.pageCode { return page(failure.status, failure.message, fields) }
        return envelopeAnswer(failure, state.settings)
    }

    /// The error envelope, or what the setting `errors` makes of it.
    static func envelopeAnswer(_ failure: APIError, _ settings: TrafikskolaSettings) -> Response {
        var fields = failure.fields
        fields.append(contentsOf: crossOrigin)
        switch settings.errors {
        case .html where failure.status == .notFound || failure.status == .internalServerError:
            let title = "\(failure.status.code) \(failure.status.reasonPhrase)"
            return page(failure.status, APIError.page(failure.status, title).message, fields)
        case .json, .html: return json(failure.envelope, status: failure.status, fields)
        case .object:
            guard case .object(var object) = failure.envelope else { break }
            object["error"] = ["code": object["errorCode"] ?? .null, "message": .string(failure.message)]
            return json(.object(object), status: failure.status, fields)
        }
        return json(failure.envelope, status: failure.status, fields)
    }

    private static func json(_ value: JSON, status: Status, _ fields: Fields) -> Response {
        var fields = fields
        fields.append(.contentType, jsonType)
        return Response(status: status, fields: fields, body: .bytes(value.serialized()))
    }

    static func page(_ status: Status, _ text: String, _ fields: Fields) -> Response {
        var fields = fields
        fields.append(.contentType, "text/html; charset=utf-8")
        return Response(status: status, fields: fields, body: .bytes(Array(text.utf8)))
    }

    /// Paths that only the app's companion notes have (section 1): the plain 404, although a template of another
    /// method takes them in.
    private static func isOnlyInNotes(_ call: Call) -> Bool {
        let bookings = mobile + ["bookings"]
        guard call.path.segments.count == 4, call.path.segments.starts(with: bookings) else { return false }
        let name = call.path.segments[3]
        return name == "today" || (call.method == .put && !bookingViews.contains(name))
    }

    package static func unknownPath(state: TrafikskolaState, call: Call) -> APIError {
        if let failure = disturbance(state, call) { return failure }
        return call.method == .options ? APIError(.noContent, "", fields: preflight) : .notFound
    }

    package static func otherMethod(
        state: TrafikskolaState,
        call: Call,
        allowed: [HTTPMethod]
    ) throws(APIError) -> Response {
        if let failure = disturbance(state, call) { throw failure }
        guard call.method != .options else { throw APIError(.noContent, "", fields: preflight) }
        if isOnlyInNotes(call) { throw .notFound }
        throw APIError(
            .methodNotAllowed,
            code: "METHOD_NOT_ALLOWED",
            "This path does not take \(call.method.rawValue)",
            fields: allowField(allowed)
        )
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        let message =
            switch status {
            case .contentTooLarge: APIError.tooLarge.message
            case .notFound: APIError.notFound.message
            default: status.reasonPhrase
            }
        var fields = crossOrigin
        fields.append(.contentType, jsonType)
        return Response(
            status: status,
            fields: fields,
            body: .bytes(APIError(status, message).envelope.serialized())
        )
    }

    // MARK: Fields

    static let jsonType = "application/json; charset=utf-8"

    /// On every answer (section 2.7).
    static let crossOrigin: Fields = [
        "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Retry-After",
    ]

    private static let preflight: Fields = [
        "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept, If-None-Match, X-App-Secret",
    ]
}
