package import Backend
package import CivilTime
package import HTTPMessage
import JSON

/// The forms of errors, and the answers to requests that no endpoint takes.
extension CarbScanAPI {
    package static func render(_ failure: APIError, state: CarbScanState, call: Call) -> Response {
        var fields = failure.fields
        fields.append(contentsOf: jsonFields)
        let isBare = failure.code == Code.notFound && state.settings.notFoundShape == .bare
        let isCompanion =
            state.settings.deviceMode == .companion && call.route?.hasPrefix(base + "/devices/") == true
        if isBare || isCompanion {
            return finished(
                failure.status,
                fields,
                JSON.object(["error": .string(failure.message)]).serialized(),
                state
            )
        }
        let answer = Envelope.failure(failure, at: state.settings.omitsMeta ? nil : call.now)
        return finished(failure.status, fields, answer.serialized(), state)
    }

    package static func otherMethod(
        state: CarbScanState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        var fields = Fields(allowing: allowed)
        guard call.method == .options else {
            throw APIError(
                .methodNotAllowed,
                code: Code.methodNotAllowed,
                "This path takes other methods",
                fields: fields
            )
        }
        var methods = allowed + [.options]
        if allowed.contains(.get), !allowed.contains(.head) { methods.append(.head) }
        fields.append("Access-Control-Allow-Origin", "*")
        fields.append("Access-Control-Allow-Methods", methods.map(\.rawValue).joined(separator: ", "))
        // The fields that a page asks to send; a star would not cover `Authorization`.
        let usual = "Authorization, Content-Type, X-Request-Id, X-Understudy-World"
        fields.append("Access-Control-Allow-Headers", call.fields["Access-Control-Request-Headers"] ?? usual)
        fields.append("Access-Control-Max-Age", "86400")
        return Response(status: .noContent, fields: fields)
    }

    package static func refusal(_ status: Status, detail: String, now: Instant?) -> Response {
        let failure =
            switch status {
            case .contentTooLarge: APIError.tooLarge
            case .notFound: APIError.notFound
            default: APIError(status, code: Code.of(status), status.reasonPhrase)
            }
        return Response(
            status: status,
            fields: jsonFields,
            body: .bytes(Envelope.failure(failure, at: now).serialized())
        )
    }
}
