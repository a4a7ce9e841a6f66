import HTTPMessage
import JSON

/// An answer as it was played: what came, and when.
struct Played {
    struct Chunk {
        /// Milliseconds since the request.
        var at: Int64
        var bytes: [UInt8]
    }

    struct Event {
        /// When its last byte came, in milliseconds since the request.
        var at: Int64
        /// What follows `data: `.
        var payload: String

        var json: JSON { (try? JSONReader.read(text: payload)) ?? .null }
        var type: String { json["type"]?.stringValue ?? payload }
        var content: String { json["content"]?.stringValue ?? "" }
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

    /// The status and the text of the error envelope, if that is all there is.
    var error: String {
        guard keys == ["error"], fields.values(.contentType) == ["application/json"] else {
            return "\(status) and not the envelope: \(text)"
        }
        return "\(status) \(text(at: "error"))"
    }

    var remaining: String? { self["X-RateLimit-Remaining"] }

    /// The server-sent events, each of which must be one `data: ` line; anything else shows as an event of its own.
    var events: [Event] {
        var found: [Event] = []
        var line: [UInt8] = []
        var blank = false
        for chunk in chunks {
            for byte in chunk.bytes {
                guard byte == 0x0A else {
                    line.append(byte)
                    blank = false
                    continue
                }
                if blank || line.isEmpty {
                    blank = false
                    continue
                }
                let text = String(decoding: line, as: UTF8.self)
                let isData = text.hasPrefix("data: ")
                found.append(Event(at: chunk.at, payload: isData ? String(text.dropFirst(6)) : "NOT DATA: \(text)"))
                line = []
                blank = true
            }
        }
        if !line.isEmpty { found.append(Event(at: duration, payload: "CUT: \(String(decoding: line, as: UTF8.self))")) }
        return found
    }
}

extension JSON {
    /// The names of the members in order.
    var keys: [String] { objectValue?.members.map(\.name) ?? [] }

    /// The text of a member; the empty text if there is none.
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }
}
