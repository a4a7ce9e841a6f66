package import Backend
package import HTTPMessage
import JSON

/// The forms of errors, and the answers to requests that no endpoint takes.
extension TrafikskolaAPI {
    package static func render(_ failure: APIError, state: TrafikskolaState, call: Call) -> Response {
        var fields = failure.fields
        fields.append(contentsOf: crossOrigin)
        // The response to OPTIONS on a path without an endpoint.
        if failure.status == .noContent { return Response(status: .noContent, fields: fields) }
        if failure.code == APIError.pageCode { return page(failure.status, failure.message, fields) }
        return envelopeAnswer(failure, state.settings)
    }

    /// The error envelope in the form that the setting `errors` selects.
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

    /// The literal segments that are not the id of a booking.
    private static let bookingViews = ["lesson-types", "available-slots", "available-sessions"]

    /// Tells whether a path occurs only in the app's companion notes (section 1).
    ///
    /// Such a path gets the plain 404, although a template of another method matches it.
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
            fields: Fields(allowing: allowed)
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

    /// The fields of every response (section 2.7).
    static let crossOrigin: Fields = [
        "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Retry-After",
    ]

    private static let preflight: Fields = [
        "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept, If-None-Match, X-App-Secret",
    ]
}
