import Compression
import Crypto
import HTTPMessage

/// A file of the console, compressed and plain.
struct ConsoleFile: Sendable {
    /// The path below `/__admin/console/`.
    let name: String
    private let content: Representations

    /// Unpacks an embedded file.
    init(name: String, gzip: String) {
        let packed = Base64.decode(gzip) ?? []
        guard let plain = try? Inflater.inflate(packed, .gzip, limit: Self.longest) else {
            preconditionFailure("\(name) is not embedded as it should be: scripts/embed-console")
        }
        self.name = name
        content = Representations(plain: plain, gzip: packed)
    }

    /// The most bytes of a file.
    private static let longest = 1 << 20

    /// The content as text.
    var text: String { String(decoding: content.plain, as: UTF8.self) }

    func response(_ head: RequestHead) -> Response {
        content.response(
            head,
            fields: [
                .contentType: Self.mediaType(name),
                "X-Content-Type-Options": "nosniff",
                "Cross-Origin-Resource-Policy": "same-origin",
            ]
        )
    }

    static func mediaType(_ name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/html; charset=utf-8"
        }
    }
}
