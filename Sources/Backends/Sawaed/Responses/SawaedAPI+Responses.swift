import Backend
import HTTPMessage
import JSON

/// The forms of successful responses.
extension SawaedAPI {
    /// A JSON answer in the plan's form.
    static func json(_ value: some ResponseModel, _ call: Call) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.write(value)
        return json(writer.json.bytes)
    }

    /// A JSON answer that is already written.
    static func json(_ bytes: [UInt8]) -> Response { Response(status: .ok, fields: jsonFields, body: .bytes(bytes)) }

    static let jsonFields: Fields = [.contentType: "application/json"]
}
