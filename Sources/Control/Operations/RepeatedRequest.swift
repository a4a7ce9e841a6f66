import Backend
import Crypto
import HTTPMessage
import Journal

/// A request of the journal as it is sent again.
struct RepeatedRequest {
    /// Fields that belong to the new connection, or that a replay itself sets; their values are no difference.
    static let ownFields: Set<String> = [
        "host", "content-length", "x-request-id", "connection", "transfer-encoding", "expect", "x-understudy-world",
    ]

    let entry: JournalEntry
    var way: ReplayWay
    /// The bearer token that takes the place of the entry's; nil for its own.
    let token: String?

    /// The request as the emulator receives it.
    var received: HTTPRequest {
        HTTPRequest(
            head: RequestHead(
                method: entry.method,
                target: RequestTarget(
                    form: way.authority.map { .absolute(authority: $0) } ?? .origin,
                    rawPath: Self.visible(path),
                    rawQuery: entry.query.map(Self.visible)
                ),
                fields: Fields(wire: lines) ?? Fields()
            ),
            body: RequestBody(content)
        )
    }

    /// The bytes of the request.
    var bytes: [UInt8] {
        var target = path
        if let authority = way.authority { target = "http://" + authority + target }
        if let query = entry.query { target += "?" + query }
        // Only HTTP/1.0 has requests without the field.
        let version = way.host == nil ? "HTTP/1.0" : "HTTP/1.1"
        let line = "\(entry.method.rawValue) \(Self.visible(target)) \(version)\r\n"
        return Array(line.utf8) + lines + [0x0D, 0x0A] + content
    }

    /// The content, in the coding in which it came.
    private var content: [UInt8] {
        guard let coded = entry.body.coded else { return entry.body.kept }
        return ContentCoding.encoded(entry.body.kept, [coded.coding]) ?? entry.body.kept
    }

    private var path: String { way.prefix + (entry.way?.path ?? entry.path) }

    /// The field lines: those of the entry in their order, each with what takes its place.
    private var lines: [UInt8] {
        var lines: [UInt8] = []
        func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
            lines += name
            lines += [0x3A, 0x20]
            lines += value
            lines += [0x0D, 0x0A]
        }
        if let host = way.host, !entry.headers.contains(.host) { append("Host".utf8, host.utf8) }
        for place in 0..<entry.headers.count {
            let name = entry.headers.nameBytes(at: place)
            switch String(decoding: name, as: UTF8.self).lowercased() {
            case "host": if let host = way.host { append(name, host.utf8) }
            case "x-understudy-world": if let world = way.world { append(name, world.utf8) }
            case "authorization" where token != nil: break
            case let own where Self.ownFields.contains(own): break
            default: append(name, entry.headers.valueBytes(at: place))
            }
        }
        if let token { append("Authorization".utf8, "Bearer \(token)".utf8) }
        if entry.body.length > 0 || [.post, .put, .patch].contains(entry.method) {
            append("Content-Length".utf8, "\(content.count)".utf8)
        }
        return lines
    }

    /// Returns a text whose other bytes than those of visible ASCII are escaped, as a target needs it.
    private static func visible(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte) {
                bytes.append(byte)
            } else {
                bytes += Array("%\(Hex.encode([byte]).uppercased())".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
