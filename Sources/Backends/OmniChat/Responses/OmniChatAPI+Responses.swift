import Backend
import HTTPMessage
import JSON

/// The forms of successful responses.
extension OmniChatAPI {
    /// A JSON response in the forms of the world's settings.
    static func json(_ value: some ResponseModel, _ state: OmniChatState, _ call: Call) -> Response {
        json(text(value, state, call))
    }

    /// The JSON text of a value in the forms of the world's settings.
    static func text(_ value: some ResponseModel, _ state: OmniChatState, _ call: Call) -> [UInt8] {
        var writer = ResponseWriter(
            epoch: call.epoch,
            dates: state.settings.dates == .whole ? .seconds : .milliseconds
        )
        writer.write(value)
        return writer.json.bytes
    }

    /// A JSON answer that is already written.
    static func json(_ bytes: [UInt8]) -> Response {
        var fields = Fields()
        // Reserved for the fields that the limiter and the request id add.
        fields.reserve(bytes: 256, lines: 8)
        fields.append(contentsOf: jsonFields)
        return Response(status: .ok, fields: fields, body: .bytes(bytes))
    }

    /// `application/json` without parameters, since the SDK's validator compares the exact value (section 2.2).
    static let jsonFields: Fields = [.contentType: "application/json"]
}
