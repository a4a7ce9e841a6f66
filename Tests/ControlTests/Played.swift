import Backend
import HTTPMessage
import JSON

/// An answer as it was played.
struct Played {
    struct Chunk {
        /// Milliseconds since the request.
        var at: Int64
        var bytes: [UInt8]
    }

    enum Ending { case unfinished, ended, closed, held }

    var status: Int
    var fields: Fields
    var chunks: [Chunk] = []
    var ending = Ending.unfinished

    init(status: Int, fields: Fields) {
        self.status = status
        self.fields = fields
    }

    /// A control answer, which is always ready at once.
    init(immediate response: Response) {
        self.init(status: response.status.code, fields: response.fields)
        switch response.body {
        case .empty: break
        case .bytes(let bytes): chunks = [Chunk(at: 0, bytes: bytes)]
        case .steps: chunks = [Chunk(at: 0, bytes: response.body.content)]
        }
        ending = response.isImmediate ? .ended : .unfinished
    }

    var bytes: [UInt8] { chunks.flatMap(\.bytes) }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSON { (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 1_000))) ?? .null }
    var contentType: String { fields[.contentType] ?? "" }

    subscript(name: FieldName) -> String? { fields[name] }

    /// The text of the error envelope behind the status: `401 Invalid or expired token`.
    var error: String { "\(status) \(json["error"]?.stringValue ?? "and no envelope: \(text)")" }

    /// Status and slug of a problem document: `404 unknown-world`.
    var problem: String {
        guard contentType == "application/problem+json", let type = json["type"]?.stringValue,
            json["status"]?.intValue == Int64(status)
        else { return "\(status) and no problem document: \(text)" }
        return "\(status) \(type.split(separator: "/").last ?? "")"
    }

    var detail: String { json["detail"]?.stringValue ?? "" }

    /// The faults of a problem document as `path: reason`.
    var faults: [String] {
        (json["errors"]?.arrayValue ?? []).map {
            "\($0["path"]?.stringValue ?? ""): \($0["reason"]?.stringValue ?? "")"
        }
    }

    /// The paths of the faults.
    var faultPaths: [String] { (json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue } }

    /// The items of a list.
    var items: [JSON] { json["items"]?.arrayValue ?? [] }

    /// The payloads of server-sent events.
    var events: [String] {
        text.split(separator: "\n\n").map { $0.hasPrefix("data: ") ? String($0.dropFirst(6)) : "NOT DATA: \($0)" }
    }

    /// The types of server-sent events; the payload itself where it has none.
    var eventTypes: [String] { events.map { (try? JSONReader.read(text: $0))?["type"]?.stringValue ?? $0 } }

    /// The time at which the first event of a type was sent, in milliseconds.
    func time(ofEvent type: String) -> Int64? { chunks.first { Played.text($0.bytes).contains("\"\(type)\"") }?.at }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension JSON {
    /// The names of the members in order.
    var keys: [String] { objectValue?.members.map(\.name) ?? [] }

    /// The text of a member; the empty text if there is none.
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }
}
