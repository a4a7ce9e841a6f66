import JSON
import TestSupport

/// A server of one custom API that a document describes.
struct DocumentServer {
    let served: Served
    let folder: Folder

    /// `document` is in YAML, below the members `openapi` and `info`.
    init(
        _ document: String,
        version: String = "3.1.0",
        api: String = #"{"validation":"enforce"}"#,
        _ files: [String: String] = [:]
    ) throws {
        let whole = "openapi: \(version)\ninfo: {title: T, version: '1'}\n" + document
        folder = try Folder(["apis/shop/api.json": api, "apis/shop/openapi.yaml": whole])
        for file in files { try folder.write("apis/shop/" + file.key, file.value) }
        served = try Served(Served.frozen + ["--api", "shop"], in: folder)
    }

    /// Asks the API.
    func ask(
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String = "application/json",
        _ fields: [String] = []
    ) throws -> WireAnswer {
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request(method, "/shop" + target, body: Array(body.utf8), type: type, fields: fields))
        return try wire.answer(toHead: method == "HEAD")
    }

    /// Asks the API, and returns the status with the paths of what did not fit: `201`, `422 $.name ?limit`.
    func verdict(
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String = "application/json",
        _ fields: [String] = []
    ) throws -> String {
        let answer = try ask(method, target, body, type: type, fields)
        let details = answer.json["error"]?["details"]?.arrayValue ?? []
        return (["\(answer.status)"] + details.map { $0["path"]?.stringValue ?? "" }).joined(separator: " ")
    }

    /// The violations of the newest entry of the journal, as `path: reason`.
    func violations() throws -> [String] {
        let entry = try served.control("GET", "/requests?api=shop&limit=1").json["items"]?[0]
        return (entry?["violations"]?.arrayValue ?? []).map { violation in
            "\(violation["path"]?.stringValue ?? ""): \(violation["reason"]?.stringValue ?? "")"
        }
    }
}
