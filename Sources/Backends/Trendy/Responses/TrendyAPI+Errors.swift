package import Backend
package import HTTPMessage
import JSON

/// The forms of errors, and the answers to requests that no endpoint takes.
extension TrendyAPI {
    package static func render(_ failure: APIError, state: TrendyState, call: Call) -> Response {
        form(of: failure, call: call)
    }

    /// The form of a failure at the server that was called.
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

    /// The response to an unknown path: 404 as text (sections 7.3 and 9.2), or for an unknown table the form of its
    /// server.
    package static func unknownPath(state: TrendyState, call: Call) -> APIError {
        call.path.segments.starts(with: ["rest", "v1"]) ? TableError.unknownTable(call.path) : .noRoute
    }

    /// The response to another method; the backend has no 405 (D9).
    package static func otherMethod(
        state: TrendyState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        switch call.path.segments.first {
        case "auth": return Response(status: .methodNotAllowed, fields: Fields(allowing: allowed))
        case "rest": throw TableError.otherMethod(call.method, Fields(allowing: allowed))
        default: throw .noRoute
        }
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        let message = status == .contentTooLarge ? APIError.tooLarge.message : status.reasonPhrase
        let body: JSON = ["error": .string(message)]
        return Response(status: status, fields: [.contentType: jsonType], body: .bytes(body.serialized()))
    }
}
