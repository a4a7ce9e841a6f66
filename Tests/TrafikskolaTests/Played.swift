import HTTPMessage
import JSON

/// An answer, with its content in one piece.
struct Played {
    var response: Response
    var status: Int
    var bytes: [UInt8]

    init(response: Response) {
        self.response = response
        status = response.status.code
        if case .bytes(let content) = response.body { bytes = content } else { bytes = [] }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSON { (try? JSONReader.read(bytes)) ?? .null }
    var data: JSON { json["data"] ?? .null }

    subscript(name: FieldName) -> String? { response.fields[name] }

    /// The names of an object's members in order; of the whole answer without a place.
    func keys(_ path: String = "") -> [String] { value(at: path)?.objectValue?.members.map(\.name) ?? [] }

    func value(at path: String) -> JSON? {
        path.split(separator: ".").reduce(json as JSON?) { found, name in
            Int(name).map { found?[$0] } ?? found?[String(name)]
        }
    }

    func text(at path: String) -> String { value(at: path)?.stringValue ?? "" }

    /// The status and the code of the error envelope, if that is all there is.
    var error: String {
        let isEnvelope =
            [["success", "error", "errorCode"], ["success", "error", "errorCode", "details"]].contains(keys())
            && json["success"] == false && json["error"]?.stringValue?.isEmpty == false
            && self[.contentType] == "application/json; charset=utf-8"
        return isEnvelope ? "\(status) \(text(at: "errorCode"))" : "\(status) and not the envelope: \(text)"
    }

    /// The field named by a VALIDATION_ERROR.
    var faulty: [String] { keys("details") }
}
