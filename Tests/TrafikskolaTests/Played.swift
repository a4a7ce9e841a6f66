import EngineTesting
import HTTPMessage
import JSON

extension Played {
    var data: JSON { json["data"] ?? .null }

    /// The names of an object's members in order; of the whole answer without a place.
    func keys(_ path: String = "") -> [String] { json.at(path).keys }

    /// The value at a place; nil if there is none.
    func value(at path: String) -> JSON? {
        path.split(separator: ".").reduce(json as JSON?) { found, name in
            Int(name).map { found?[$0] } ?? found?[String(name)]
        }
    }

    /// The status and the code of the error envelope, if that is all there is.
    var error: String {
        let isEnvelope =
            [["success", "error", "errorCode"], ["success", "error", "errorCode", "details"]].contains(keys())
            && json["success"] == false && json["error"]?.stringValue?.isEmpty == false
            && fields[.contentType] == "application/json; charset=utf-8"
        return isEnvelope ? "\(status) \(text(at: "errorCode"))" : "\(status) and not the envelope: \(text)"
    }

    /// The field named by a VALIDATION_ERROR.
    var faulty: [String] { keys("details") }
}
