import Backend
import HTTPMessage
import JSON

/// The rules of answers that are written out (console contract, section 6): statuses, fields, media types.
///
/// Stubs and the effect `respond` share them.
enum AnswerRules {
    /// The statuses that may be chosen.
    static let statuses: ClosedRange<Int64> = 200...599
    /// Fields that frame the content, and so are ours.
    private static let ownFields = ["content-length", "transfer-encoding", "connection"]

    /// A field as it was written, with its place in the order.
    struct Line: Sendable {
        let name: FieldName
        let value: String
        let path: [JSONPathElement]
    }

    /// Tells whether an answer of that status has no content.
    static func forbidsContent(_ status: Status) -> Bool { status.forbidsBody || status.code == 205 }

    /// Reads the fields: a list of pairs, or an object whose values are texts or lists of texts.
    static func lines(_ check: inout BodyCheck) -> [Line] {
        guard let value = check.value("headers") else { return [] }
        var lines: [Line] = []
        switch value {
        case .array(let pairs):
            guard pairs.count <= mostLines else {
                check.fault("headers", "must have at most \(mostLines) lines")
                return []
            }
            for (place, pair) in pairs.enumerated() {
                guard let pair = pair.arrayValue, pair.count == 2, let name = pair[0].stringValue else {
                    check.fault("headers[\(place)]", "must be a pair of strings, a name and a value")
                    continue
                }
                let path: [JSONPathElement] = ["headers", .index(place), 1]
                add(name, pair[1], path, "headers[\(place)]", &lines, &check)
            }
        case .object(let object):
            guard object.count <= mostLines else {
                check.fault("headers", "must have at most \(mostLines) lines")
                return []
            }
            for member in object.members {
                let path: [JSONPathElement] = ["headers", .key(member.name)]
                let place = "headers.\(member.name.cut)"
                guard let values = member.value.arrayValue else {
                    add(member.name, member.value, path, place, &lines, &check)
                    continue
                }
                for (index, value) in values.prefix(mostLines).enumerated() {
                    add(member.name, value, path + [.index(index)], "\(place)[\(index)]", &lines, &check)
                }
            }
        default: check.fault("headers", "must be a list of pairs, or an object")
        }
        return lines
    }

    /// The maximum number of fields of an answer.
    static let mostLines = 100

    private static func add(
        _ name: String,
        _ value: JSON,
        _ path: [JSONPathElement],
        _ place: String,
        _ lines: inout [Line],
        _ check: inout BodyCheck
    ) {
        guard let field = FieldName(name) else { return check.fault(place, "is not the name of a header field") }
        guard !ownFields.contains(name.lowercased()) else {
            return check.fault(place, "is set by the server itself")
        }
        guard let text = value.stringValue else { return check.fault(place, "must be a string") }
        var scratch = Fields()
        let blanks: [UInt8?] = [0x20, 0x09]
        let isPadded = blanks.contains(text.utf8.first) || blanks.contains(text.utf8.last)
        guard !isPadded, scratch.append(field, text) else {
            return check.fault(place, "has characters that a header field value can't have")
        }
        lines.append(Line(name: field, value: text, path: path))
    }

    /// The media type of a file, by the ending of its name.
    static func mediaType(ofFile path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "application/octet-stream" }
        return mediaTypes[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8", "gif": "image/gif",
        "gz": "application/gzip", "heic": "image/heic", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ics": "text/calendar; charset=utf-8", "ico": "image/x-icon",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown; charset=utf-8", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "mp4": "video/mp4", "ndjson": "application/x-ndjson", "otf": "font/otf",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "ttf": "font/ttf",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "wav": "audio/wav", "webp": "image/webp",
        "woff": "font/woff", "woff2": "font/woff2", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml", "zip": "application/zip",
    ]
}
