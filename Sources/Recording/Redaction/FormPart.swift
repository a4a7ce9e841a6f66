import HTTPMessage

/// One part of form data, even of a form that a strict reader refuses.
///
/// A recorder sees requests for other servers: more parts than ours accept, a part without a name, bare line feeds, no
/// boundary in the type, a missing end. Their secrets must be found all the same.
struct FormPart {
    /// Empty when the part has none.
    let name: String
    let filename: String?
    let contentType: String?
    /// A view of the body.
    let content: ArraySlice<UInt8>

    /// Returns the parts of a body in order; nil when it is not form data.
    static func parts(of body: [UInt8], _ type: String) -> [FormPart]? {
        if let parts = try? MultipartParser.parse(body: body, contentType: type) {
            return parts.map {
                FormPart(name: $0.name, filename: $0.filename, contentType: $0.contentType, content: $0.content)
            }
        }
        guard type.lowercased().hasPrefix("multipart/form-data"), let delimiter = delimiter(body, type) else {
            return nil
        }
        let parts = loose(body, delimiter)
        return parts.isEmpty ? nil : parts
    }

    /// Returns two hyphens and the boundary, from the type or else from the first line.
    private static func delimiter(_ body: [UInt8], _ type: String) -> [UInt8]? {
        if let boundary = MediaType(type)?.parameter("boundary"), !boundary.isEmpty {
            return Array("--".utf8) + Array(boundary.utf8)
        }
        let line = Array(body.prefix(256).prefix { $0 != 0x0D && $0 != 0x0A })
        return line.count > 2 && line.starts(with: [0x2D, 0x2D]) ? line : nil
    }

    /// Splits a body leniently, with a fixed number of steps for each byte.
    private static func loose(_ body: [UInt8], _ delimiter: [UInt8]) -> [FormPart] {
        var parts: [FormPart] = []
        // The start of the present part.
        var start: Int?
        var line = 0
        while line < body.count {
            let end = body[line...].firstIndex(of: 0x0A) ?? body.count
            let next = min(end + 1, body.count)
            defer { line = next }
            guard body[line..<end].starts(with: delimiter) else { continue }
            let rest = body[(line + delimiter.count)..<end]
            guard rest.allSatisfy({ [0x20, 0x09, 0x0D, 0x2D].contains($0) }) else { continue }
            if let start { parts.append(part(body[start..<line], isCut: false)) }
            start = rest.starts(with: [0x2D, 0x2D]) ? nil : next
        }
        if let start { parts.append(part(body[start...], isCut: true)) }
        return parts
    }

    private static func part(_ whole: ArraySlice<UInt8>, isCut: Bool) -> FormPart {
        var name: String?
        var filename: String?
        var type: String?
        var place = whole.startIndex
        while place < whole.endIndex {
            let end = whole[place...].firstIndex(of: 0x0A) ?? whole.endIndex
            let bytes = whole[place..<end]
            place = min(end + 1, whole.endIndex)
            let line = bytes.last == 0x0D ? bytes.dropLast() : bytes
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            let value = String(decoding: line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "content-type": type = value
            case "content-disposition":
                name = parameter("name=", of: value)
                filename = parameter("filename=", of: value) ?? parameter("filename*=", of: value)
            default: break
            }
        }
        var end = whole.endIndex
        // The line end before a delimiter belongs to the delimiter.
        if !isCut, end > place, whole[end - 1] == 0x0A {
            end -= 1
            if end > place, whole[end - 1] == 0x0D { end -= 1 }
        }
        return FormPart(name: name ?? "", filename: filename, contentType: type, content: whole[place..<end])
    }

    private static func parameter(_ mark: String, of value: String) -> String? {
        for piece in value.split(separator: ";") {
            let text = piece.drop { $0 == " " || $0 == "\t" }
            guard text.lowercased().hasPrefix(mark) else { continue }
            return String(text.dropFirst(mark.count).filter { $0 != "\"" })
        }
        return nil
    }
}
