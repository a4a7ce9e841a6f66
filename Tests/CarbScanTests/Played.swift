import EngineTesting
import HTTPMessage
import JSON

extension Played {
    /// The data of a success in the exact envelope; null for anything else.
    var data: JSON {
        guard status == 200, keys == ["success", "data", "meta"], json["success"] == true,
            json["meta"]?.keys == ["timestamp", "version"], json["meta"]?["version"] == "v1",
            fields.values(.contentType) == ["application/json; charset=utf-8"]
        else { return .null }
        return json["data"] ?? .null
    }

    /// Status, code and details of a failure in the exact envelope; the whole answer if it is none.
    var error: String {
        guard keys == ["success", "error", "meta"], json["success"] == false,
            json["meta"]?.keys == ["timestamp", "version"],
            fields.values(.contentType) == ["application/json; charset=utf-8"], let error = json["error"],
            error.keys == ["code", "message"] || error.keys == ["code", "message", "details"],
            !error.string("message").isEmpty
        else { return "\(status) and not the envelope: \(text)" }
        let details = error["details"].map { " " + $0.text } ?? ""
        return "\(status) \(error.string("code"))\(details)"
    }

    /// The value at a place of the data, such as `user.id` or `meals.0.name`.
    func at(_ path: String) -> JSON { data.at(path) }
}
