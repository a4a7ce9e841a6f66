import EngineTesting
import HTTPMessage
import JSON

extension Played {
    struct Event {
        /// The time of its last byte, in milliseconds since the request.
        var at: Int64
        /// The text after `data: `.
        var payload: String

        var json: JSON { (try? JSONReader.read(text: payload)) ?? .null }
        var type: String { json["type"]?.stringValue ?? payload }
        var content: String { json["content"]?.stringValue ?? "" }
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
