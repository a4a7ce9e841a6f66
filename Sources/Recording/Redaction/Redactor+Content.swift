import Basics
import Compression
import Crypto
import HTTPMessage
import JSON
import Secrets

extension Redactor {
    /// Returns the content of a message, redacted by its type; content of an unknown type is searched as text.
    package func content(_ bytes: [UInt8], type: String) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        switch PackedContent(bytes) {
        case .plain: break
        case .closed: return []
        case .packed(let plain, let coding):
            let clean = content(plain, type: "")
            return clean == plain ? bytes : Deflate.compress(clean, coding) ?? []
        }
        if let wide = UTF16Text(bytes, type: type) {
            let clean = content(wide.plain, type: MediaType(type)?.essence ?? "")
            return clean == wide.plain ? bytes : wide.encoded(clean)
        }
        let essence = MediaType(type)?.essence ?? ""
        // Many clients send JSON with the type of a form.
        if looksLikeJSON(bytes), isJSON(bytes) {
            pseudonyms.noteClaims(of: bytes)
            return JSONRedactor.redacted(bytes, by: self)
        }
        if essence == "application/x-www-form-urlencoded", let text = String(validating: bytes, as: UTF8.self) {
            return Array(form(text).utf8)
        }
        if essence.hasPrefix("multipart/"), let redacted = multipart(bytes, type) { return redacted }
        if essence == "text/event-stream" { return EventRedactor.redacted(bytes, by: self) }
        let isLines = essence.contains("ndjson") || essence.contains("jsonl")
        if isLines || looksLikeJSON(bytes) { return lines(bytes, isStream: isLines) }
        guard String(validating: bytes, as: UTF8.self) != nil else { return self.bytes(bytes, isText: false) }
        let schemas = schemas(in: bytes, essence)
        guard schemas.isEmpty else { return self.bytes(bytes, withSchemas: schemas) }
        let cells = TableScanner.find(bytes, type: essence)
        if !cells.isEmpty {
            for cell in cells { pseudonyms.learn(String(decoding: bytes[cell.range], as: UTF8.self)) }
            return replaced(bytes, SecretScanner.settled(cells + SecretScanner.find(bytes, pseudonyms)))
        }
        if let inner = Self.packedText(bytes) {
            let clean = value(inner, under: "")
            if clean != inner { return Array(Base64.encode(Array(clean.utf8)).utf8) }
        }
        return self.bytes(bytes, isText: true)
    }

    /// Returns the parts of a response in YAML that are schemas.
    private func schemas(in bytes: [UInt8], _ essence: String) -> [Range<Int>] {
        let isYAML = ["yaml", "yml", "openapi"].contains { essence.contains($0) }
        guard isAnswer, isYAML || ["", "text/plain", "application/octet-stream"].contains(essence) else { return [] }
        return YAMLSchemas.ranges(in: bytes, isYAML: isYAML)
    }

    /// Redacts text of which some parts are schemas, whose texts describe values.
    private func bytes(_ bytes: [UInt8], withSchemas schemas: [Range<Int>]) -> [UInt8] {
        func findings(_ wording: Wording, inSchemas: Bool) -> [SecretScanner.Finding] {
            var place = 0
            return SecretScanner.find(bytes, pseudonyms, wording: wording).filter { finding in
                while place < schemas.count, schemas[place].upperBound <= finding.range.lowerBound { place += 1 }
                return (place < schemas.count && schemas[place].overlaps(finding.range)) == inSchemas
            }
        }
        let all = findings(wording, inSchemas: false) + findings(.label, inSchemas: true)
        return replaced(bytes, SecretScanner.settled(all))
    }

    /// Returns the first bytes of content that is too long to be searched as a whole.
    ///
    /// More than these are searched, because a secret may be cut at their end.
    package func head(of content: [UInt8], type: String, count: Int) -> [UInt8] {
        let enough = Array(content.prefix(max(count * 16, 64 * 1_024)))
        // Packed content can't be shown.
        guard case .plain = PackedContent(enough) else { return [] }
        let clean = looksLikeJSON(enough) ? JSONRedactor.redacted(enough, by: self) : self.content(enough, type: type)
        return Array(clean.prefix(count))
    }

    private func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.prefix(64).first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first == 0x7B || first == 0x5B || first == 0x22
    }

    /// Redacts JSON line by line; other lines are text.
    ///
    /// `isStream` tells that a text may begin in one line and end in a later one, as in server-sent events.
    private func lines(_ bytes: [UInt8], isStream: Bool) -> [UInt8] {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var lines: [[UInt8]] = []
        // Lines of text belong together, as those of a private key do.
        var text: [[UInt8]] = []
        func addText() {
            guard !text.isEmpty else { return }
            lines.append(self.bytes(Array(text.joined(separator: [0x0A])), isText: isText))
            text = []
        }
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = Array(line)
            let isJSON = looksLikeJSON(line) && isJSON(line)
            if isJSON || isStream { addText() }
            if isJSON { lines.append(JSONRedactor.redacted(line, by: self)) } else { text.append(line) }
        }
        addText()
        if isStream, isText { EventRedactor.joinPieces(&lines, self) { $0.isEmpty ? nil : 0 } }
        return Array(lines.joined(separator: [0x0A]))
    }

    /// Redacts the contents of the parts, each by its own type; nil when the content is not multipart.
    private func multipart(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
        guard let parts = FormPart.parts(of: bytes, type) else { return nil }
        var output: [UInt8] = []
        var place = 0
        for part in parts {
            // The header sections and the boundaries are between the parts.
            let head = Array(bytes[place..<part.content.startIndex])
            output += replaced(head, SecretScanner.find(head, pseudonyms, findsNumbers: false, takesWords: false))
            output += self.part(part)
            place = part.content.endIndex
        }
        let rest = Array(bytes[place...])
        return output + replaced(rest, SecretScanner.find(rest, pseudonyms, findsNumbers: false))
    }

    private func part(_ part: FormPart) -> [UInt8] {
        let content = Array(part.content)
        if part.filename == nil, let text = String(validating: content, as: UTF8.self) {
            let value = value(text, under: part.name)
            if value != text { return Array(value.utf8) }
        }
        return self.content(content, type: part.contentType ?? "")
    }
}
