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

    /// The status and the text of the plain form (section 7.1), if that is all there is.
    var plain: String {
        guard keys == ["error"], fields.values(.contentType) == ["application/json; charset=utf-8"] else {
            return "\(status) and not the plain form: \(text)"
        }
        return "\(status) \(text(at: "error"))"
    }

    /// The status and the kind of the problem form (section 7.2), if that is what it is.
    var problem: String {
        guard fields.values(.contentType) == ["application/problem+json"],
            Array(keys.prefix(5)) == ["type", "title", "status", "detail", "request_id"],
            json["status"]?.intValue == Int64(status), text(at: "request_id") == self["X-Request-ID"]
        else { return "\(status) and no problem document: \(text)" }
        return "\(status) \(text(at: "type").replacing("urn:trendy:error:", with: ""))"
    }

    /// The status and the code of the auth server's form for a client that asked for the modern one (section 9.2).
    var auth: String {
        guard self["X-Supabase-Api-Version"] == "2024-01-01", fields.values(.contentType) == ["application/json"],
            Array(keys.prefix(2)) == ["code", "message"], self["x-sb-error-code"] == text(at: "code")
        else { return "\(status) and not the auth form: \(text)" }
        return "\(status) \(text(at: "code"))"
    }
}

extension JSON {
    /// The names of the members in order.
    var keys: [String] { objectValue?.members.map(\.name) ?? [] }

    /// The text of a member; the empty text if there is none.
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }
}
