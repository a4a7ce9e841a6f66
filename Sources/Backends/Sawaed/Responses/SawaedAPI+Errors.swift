package import Backend
package import HTTPMessage
import JSON

/// The forms of errors, and the answers to requests that no endpoint takes.
extension SawaedAPI {
    package static func render(_ failure: APIError, state: SawaedState, call: Call) -> Response {
        let metadata = metadata(of: call)
        var failure = failure
        if let metadata, metadata.area == .v1, state.settings.validation == .backend, isLegacyServerError(failure) {
            failure = serverError(metadata.failure)
        }
        return rendered(failure, metadata, call)
    }

    /// A failure in the form of the route.
    static func rendered(_ failure: APIError, _ metadata: EndpointMetadata?, _ call: Call) -> Response {
        var fields = failure.fields
        switch metadata?.area {
        case .chatSend where failure.code != APIError.unauthorized.code:
            return ChatResponses.refusedSend(failure.status)
        case .chatStatus:
            return ChatResponses.refusedStatus(failure.status, call)
        default:
            fields.append(.contentType, "application/json")
            let body = APIError.envelope(code: failure.code, message: failure.message)
            return Response(status: failure.status, fields: fields, body: .bytes(body.serialized()))
        }
    }

    static func serverError(_ code: String) -> APIError {
        APIError(.internalServerError, code: code, "Something went wrong on our side.")
    }

    /// Tells whether the current backend answers a failure with 500: bodies, ids and phones of `/v1` (D4).
    private static func isLegacyServerError(_ failure: APIError) -> Bool {
        guard failure.status == .badRequest || failure.status == .notFound else { return false }
        // A query is refused with 400 there too, the draft is the user's own state, and a redacted conflict remains a
        // conflict.
        return failure.code != APIError.invalidDraft.code && failure.code != APIError.redactedConflict.code
            && !failure.details.contains { $0.field == queryMark }
    }

    /// Marks a failure of the query.
    static let queryMark = "query"

    /// The metadata of the route that took a call; nil if none did.
    static func metadata(of call: Call) -> EndpointMetadata? {
        call.route.flatMap { route in
            let method = call.method == .head ? HTTPMethod.get : call.method
            return traits["\(method.rawValue) \(route)"]
        }
    }

    private static let traits = Dictionary(
        uniqueKeysWithValues: endpoints.map { ("\($0.method.rawValue) \($0.template)", $0.metadata) }
    )

    // MARK: Paths that no endpoint has

    package static func otherMethod(
        state: SawaedState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        let fields = Fields(allowing: allowed)
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
