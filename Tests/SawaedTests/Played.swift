import HTTPMessage
import JSON

/// An answer as it was played: what came, and when.
struct Played {
    struct Chunk {
        /// Milliseconds since the request.
        var at: Int64
        var bytes: [UInt8]
    }

    enum Ending { case unfinished, ended, closed, held, left }

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
    var keys: [String] { json.objectValue?.members.map(\.name) ?? [] }

    /// The text at a place such as `user.id`; the empty text if there is none.
    func text(at path: String) -> String {
        path.split(separator: ".").reduce(json as JSON?) { $0?[String($1)] }?.stringValue ?? ""
    }

    /// Status and code of the error envelope, if that is all there is.
    var error: String {
        guard keys == ["error"], json["error"]?.keys == ["code", "message"], text(at: "error.message") != "",
            self["Content-Type"] == "application/json"
        else { return "\(status) and not the envelope: \(text)" }
        return "\(status) \(text(at: "error.code"))"
    }
}

extension JSON {
    /// The names of the members in order.
    var keys: [String] { objectValue?.members.map(\.name) ?? [] }

    /// The text of a member; the empty text if there is none.
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }
}
