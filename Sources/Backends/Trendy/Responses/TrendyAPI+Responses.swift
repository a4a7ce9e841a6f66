import Backend
import CivilTime
import HTTPMessage
import JSON

/// The forms of successful responses.
extension TrendyAPI {
    static let jsonType = "application/json; charset=utf-8"
    /// The options of the JSON writer: `<`, `>` and `&` are escaped (section 2).
    static let writing = JSONWriter.Options(escapeHTML: true)

    /// A writer for the forms of the world's settings.
    static func writer(_ state: TrendyState, _ call: Call) -> ResponseWriter {
        let isFractional = state.settings.isDeployed || state.settings.dates == .fractional
        return ResponseWriter(epoch: call.epoch, dates: isFractional ? .microseconds : .seconds, options: writing)
    }

    /// A JSON answer of the backend.
    static func json(_ value: some ResponseModel, _ state: TrendyState, _ call: Call, status: Status = .ok) -> Response
    {
        var writer = writer(state, call)
        writer.write(value)
        return json(writer.json.bytes, status: status)
    }

    /// A list as a JSON answer of the backend.
    static func json(list: [some ResponseModel], _ state: TrendyState, _ call: Call) -> Response {
        var writer = writer(state, call)
        writer.write(list)
        return json(writer.json.bytes)
    }

    /// A JSON answer that is already written.
    static func json(_ bytes: [UInt8], status: Status = .ok, type: String = jsonType) -> Response {
        Response(status: status, fields: [.contentType: type], body: .bytes(bytes))
    }

    static func json(_ value: JSON, status: Status = .ok) -> Response {
        json(value.serialized(options: writing), status: status)
    }

    /// The caller's id; empty on open routes.
    static func user(_ call: Call) -> String { call.user?.id ?? "" }
}
