import HTTPMessage
import JSON

/// An answer as it was played: what came, and when.
struct Played {
    struct Chunk {
        /// Milliseconds since the request.
        var at: Int64
        var bytes: [UInt8]
    }

    enum Ending { case unfinished, ended, closed, aborted, held, left }

    var status: Int
    var fields: Fields
    var chunks: [Chunk] = []
    var headAt: Int64 = -1
    var duration: Int64 = 0
    var ending = Ending.unfinished

    init(status: Int, fields: Fields) {
        self.status = status
        self.fields = fields
    }

    var bytes: [UInt8] { chunks.flatMap(\.bytes) }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSON { (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 1_000))) ?? .null }

    subscript(name: FieldName) -> String? { fields[name] }

    /// The names of the top-level members in order.
    var keys: [String] { json.keys }

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

extension JSON {
    /// The names of the members in order.
    var keys: [String] { objectValue?.members.map(\.name) ?? [] }

    /// The text of a member; the empty text if there is none.
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }

    func at(_ path: String) -> JSON {
        path.split(separator: ".").reduce(self) { value, part in
            (Int(part).flatMap { value[$0] } ?? value[String(part)]) ?? .null
        }
    }

    var count: Int { arrayValue?.count ?? objectValue?.count ?? 0 }
}
