import CivilTime
import Crypto
package import Emulation
package import HTTPMessage
import JSON

/// Sawaed: a youth-opportunities service with e-mail codes, onboarding, a profile, an AI assessment and events.
package enum SawaedAPI: EmulatedAPI {
    package typealias State = SawaedState

    /// What the engine can't know of an endpoint.
    package struct EndpointMetadata: Sendable {
        /// Which part of the service a route belongs to: what stands before it, and how it answers errors.
        enum Area: Sendable { case auth, v1, chatSend, chatStatus, storage, documents }

        /// A limiter whose attempts count before validation (section 10).
        enum Bucket: Sendable { case basics, register, cancel }

        /// How a body that does not fit is answered (section 2.2).
        enum BodyFailure: Sendable {
            /// The generic codes of `/v1`.
            case generic
            /// 400 with the route's own failure code.
            case own
            /// 401 `invalid_credentials`.
            case credentials
        }

        var area: Area
        /// The route's code of section 2.6, for 500 and for the auth routes' 400.
        var failure: String
        var bucket: Bucket?
        var bodyFailure = BodyFailure.generic
        /// What a conflict injected by a fault is called.
        var conflict = "conflict"
        /// Whether an expired token is 401 whatever `expiredToken` says.
        var isAlways401 = false
    }

    package static let identity = APIIdentity(
        name: "sawaed",
        title: "Sawaed Mobile API",
        version: "1.0.0",
        description:
            "Youth opportunities: sign-in by code, onboarding, profile, AI assessment, learning paths, events.",
        portOffset: 1
    )

    package static var bodyReading: BodyReading { BodyReading(isMended: true, allowsBOM: true) }

    package static let acceptsTrailingSlash = false

    package static let settings = SawaedSettings.declarations

    package static let endpoints: [Endpoint<SawaedAPI>] =
        authEndpoints + onboardingEndpoints + locationEndpoints + profileEndpoints + listEndpoints + aiEndpoints
        + chatEndpoints + eventEndpoints + documentEndpoints + aliasEndpoints + optionalEndpoints + storageEndpoints

    /// The general limit of `control.md`: these routes have no smaller one that answers 413.
    static let bodyLimit = 20 * 1024 * 1024
    /// The longest body that is read, in UTF-16 code units (section 2.2).
    static let bodyUnits = 262_144
    /// The largest picture (section 6.7).
    static let uploadLimit = 5 * 1024 * 1024

    package static func bind(_ state: inout SawaedState, core: WorldCore) {
        state.tokens = TokenIssuer(
            seed: core.seed,
            issuer: core.issuer,
            secret: core.secret("sawaed offline tokens"),
            keys: state.tokens.keys,
            issued: core.issued
        )
    }

    package static func secrets(in state: SawaedState) -> [String] {
        state.refreshTokens.rows.map(\.id) + state.uploadTokens.rows.map(\.id)
            + state.chatSessions.rows.map { WorldTag.secret(of: $0.id) }
    }

    package static func dropCaches(_ state: inout SawaedState) { state.tokens.forget() }

    // MARK: Answers

    /// A JSON answer in the plan's form.
    static func json(_ value: some ResponseModel, _ call: Call) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.write(value)
        return json(writer.json.bytes)
    }

    /// A JSON answer that is already written.
    static func json(_ bytes: [UInt8]) -> Response { Response(status: .ok, fields: jsonFields, body: .bytes(bytes)) }

    static let jsonFields: Fields = [.contentType: "application/json"]

    package static func render(_ failure: APIError, state: SawaedState, call: Call) -> Response {
        let trait = trait(of: call)
        var failure = failure
        if let trait, trait.area == .v1, state.settings.validation == .backend, isLegacyServerError(failure) {
            failure = serverError(trait.failure)
        }
        return rendered(failure, trait, call)
    }

    /// A failure in the form of the route.
    static func rendered(_ failure: APIError, _ trait: EndpointMetadata?, _ call: Call) -> Response {
        var fields = failure.fields
        switch trait?.area {
        case .chatSend where failure.code != APIError.unauthorized.code:
            return ChatAnswers.refusedSend(failure.status)
        case .chatStatus:
            return ChatAnswers.refusedStatus(failure.status, call)
        default:
            fields.append(.contentType, "application/json")
            let body = APIError.envelope(code: failure.code, message: failure.message)
            return Response(status: failure.status, fields: fields, body: .bytes(body.serialized()))
        }
    }

    static func serverError(_ code: String) -> APIError {
        APIError(.internalServerError, code: code, "Something went wrong on our side.")
    }

    /// What today's backend answers with 500: bodies, ids and phones of `/v1` (D4).
    private static func isLegacyServerError(_ failure: APIError) -> Bool {
        guard failure.status == .badRequest || failure.status == .notFound else { return false }
        // A query is refused with 400 there too, the draft is the user's own state, and a redacted conflict is a conflict.
        return failure.code != APIError.invalidDraft.code && failure.code != APIError.redactedConflict.code
            && !failure.details.contains { $0.field == queryMark }
    }

    /// Marks a failure of the query.
    static let queryMark = "query"

    /// The trait of the route that took a call; nil when none did.
    static func trait(of call: Call) -> EndpointMetadata? {
        call.route.flatMap { route in
            let method = call.method == .head ? HTTPMethod.get : call.method
            return traits["\(method.rawValue) \(route)"]
        }
    }

    private static let traits = Dictionary(
        uniqueKeysWithValues: endpoints.map { ("\($0.method.rawValue) \($0.template)", $0.trait) }
    )

    // MARK: Paths that no endpoint has

    package static func unknownPath(state: SawaedState, call: Call) -> APIError { .notFound }

    package static func otherMethod(
        state: SawaedState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        let fields = allowField(allowed)
        guard call.method == .options else {
            throw APIError(
                .methodNotAllowed,
                code: "method_not_allowed",
                "This path takes other methods.",
                fields: fields
            )
        }
        return Response(status: .noContent, fields: fields)
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        let code =
            switch status {
            case .contentTooLarge: APIError.tooLarge.code
            case .notFound: APIError.notFound.code
            case .methodNotAllowed: "method_not_allowed"
            default: "validation_error"
            }
        let message = detail.isEmpty ? status.reasonPhrase : detail
        let body = APIError.envelope(code: code, message: message)
        return Response(status: status, fields: jsonFields, body: .bytes(body.serialized()))
    }
}
