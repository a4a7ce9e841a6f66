package import Backend
package import HTTPMessage
import JSON

/// The forms of errors, and the answers to requests that no endpoint takes.
extension OmniChatAPI {
    private static let textFields: Fields = [.contentType: "text/plain;charset=UTF-8"]
    private static let htmlFields: Fields = [.contentType: "text/html; charset=utf-8"]

    package static func render(_ failure: APIError, state: OmniChatState, call: Call) -> Response {
        if failure.code == "text" {
            return Response(status: failure.status, fields: textFields, body: .bytes(Array(failure.message.utf8)))
        }
        if state.settings.errors == .html, let response = frameworkAnswer(failure) { return response }
        var fields = failure.fields
        fields.append(.contentType, "application/json")
        return Response(status: failure.status, fields: fields, body: .bytes(envelope(failure.message)))
    }

    /// The web framework's own response (D24): a page for an unknown path, and no body otherwise.
    private static func frameworkAnswer(_ failure: APIError) -> Response? {
        switch (failure.status, failure.message) {
        case (.notFound, APIError.notFound.message):
            let page =
                "<!DOCTYPE html><html><head><title>404: This page could not be found.</title></head>"
                + "<body><h1>404</h1><h2>This page could not be found.</h2></body></html>"
            return Response(status: .notFound, fields: htmlFields, body: .bytes(Array(page.utf8)))
        case (.methodNotAllowed, _): return Response(status: .methodNotAllowed, fields: failure.fields)
        case (.badRequest, APIError.invalidBody.message): return Response(status: .badRequest)
        default: return nil
        }
    }

    static func envelope(_ message: String) -> [UInt8] {
        JSON.object(["error": .string(message)]).serialized()
    }

    package static func otherMethod(
        state: OmniChatState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        let fields = Fields(allowing: allowed)
        guard call.method == .options else {
            // The backend has other methods on the web list, which are not emulated (section 1).
            if call.path.segments == ["api", "conversations"] { throw .notFound }
            throw APIError(.methodNotAllowed, "Method not allowed", fields: fields)
        }
        return Response(status: .noContent, fields: fields)
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        let message =
            switch status {
            case .contentTooLarge: APIError.tooLarge.message
            case .notFound: APIError.notFound.message
            default: status.reasonPhrase
            }
        return Response(status: status, fields: jsonFields, body: .bytes(envelope(message)))
    }
}
