package import Emulation
package import HTTPMessage
import JSON

/// The forms of errors, and what no endpoint takes.
extension TrendyAPI {
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
