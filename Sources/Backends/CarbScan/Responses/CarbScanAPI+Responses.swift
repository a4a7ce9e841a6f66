import Backend
import CivilTime
import HTTPMessage
import JSON

/// The forms of successful responses.
extension CarbScanAPI {
    static let jsonFields: Fields = [.contentType: "application/json; charset=utf-8"]

    /// A success.
    static func json(_ data: some ResponseModel, _ state: CarbScanState, _ call: Call) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.json.beginObject()
        writer.json.name("success")
        writer.json.bool(true)
        writer.json.name("data")
        writer.write(data)
        if !state.settings.omitsMeta {
            writer.json.name("meta")
            writer.json.beginObject()
            writer.json.name("timestamp")
            writer.write(call.now)
            writer.json.name("version")
            writer.json.string(Envelope.version)
            writer.json.endObject()
        }
        writer.json.endObject()
        return finished(.ok, jsonFields, writer.json.bytes, state)
    }

    /// A response with the world's current settings applied.
    static func finished(_ status: Status, _ fields: Fields, _ bytes: [UInt8], _ state: CarbScanState) -> Response {
        var bytes = bytes
        if state.settings.addsUnknownFields, let json = try? JSONReader.read(bytes) {
            bytes = json.withUnknownFields.serialized()
        }
        switch state.settings.answers {
        case .normal: return Response(status: status, fields: fields, body: .bytes(bytes))
        case .htmlGateway:
            let page =
                "<html><head><title>502 Bad Gateway</title></head>"
                + "<body><center><h1>502 Bad Gateway</h1></center></body></html>"
            return Response(
                status: Status(502),
                fields: [.contentType: "text/html; charset=utf-8"],
                body: .bytes(Array(page.utf8))
            )
        case .truncatedJson:
            return Response(status: status, fields: fields, body: .bytes(Array(bytes.prefix(bytes.count / 2))))
        case .empty: return Response(status: status, fields: fields, body: .bytes([]))
        case .reset:
            var response = Response(status: status, fields: fields, body: .bytes(bytes))
            response.prelude = [.abort]
            return response
        }
    }
}

extension JSON {
    /// The value with one more member in each object.
    var withUnknownFields: JSON {
        switch self {
        case .object(let object):
            var members = object.members.map {
                JSONObject.Member(name: $0.name, value: $0.value.withUnknownFields)
            }
            members.append(JSONObject.Member(name: "addedLater", value: "a field that no client knows"))
            return .object(JSONObject(members))
        case .array(let elements): return .array(elements.map(\.withUnknownFields))
        default: return self
        }
    }
}
