import HTTPMessage
import JSON

extension Redactor {
    /// Content of a message, by its type; what the type does not say is looked at as text.
    package func content(_ bytes: [UInt8], type: String) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        let essence = MediaType(type)?.essence ?? ""
        // Many a client sends JSON and calls it a form.
        if looksLikeJSON(bytes), isJSON(bytes) { return JSONRedactor.redacted(bytes, by: self) }
        if essence == "application/x-www-form-urlencoded", let text = String(validating: bytes, as: UTF8.self) {
            return Array(form(text).utf8)
        }
        if essence.hasPrefix("multipart/"), let redacted = multipart(bytes, type) { return redacted }
        if essence == "text/event-stream" { return EventRedactor.redacted(bytes, by: self) }
        let isLines = essence.contains("ndjson") || essence.contains("jsonl")
        if isLines || looksLikeJSON(bytes) { return lines(bytes, isStream: isLines) }
        return self.bytes(bytes, isText: String(validating: bytes, as: UTF8.self) != nil)
    }

    /// The first bytes of content that is too long to be looked through as a whole.
    ///
    /// More than them is looked through, since what is cut at their end may be half a secret.
    package func head(of content: [UInt8], type: String, count: Int) -> [UInt8] {
        let enough = Array(content.prefix(max(count * 16, 64 * 1_024)))
        let clean = looksLikeJSON(enough) ? JSONRedactor.redacted(enough, by: self) : self.content(enough, type: type)
        return Array(clean.prefix(count))
    }

    private func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.prefix(64).first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first == 0x7B || first == 0x5B || first == 0x22
    }

    /// JSON line by line; lines that are none are text.
    ///
    /// `isStream`: a text may begin in one line and end in a later one, as in server-sent events.
    private func lines(_ bytes: [UInt8], isStream: Bool) -> [UInt8] {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> [UInt8] in
            let line = Array(line)
            return looksLikeJSON(line) && isJSON(line)
                ? JSONRedactor.redacted(line, by: self) : self.bytes(line, isText: isText)
        }
        if isStream, isText { EventRedactor.joinPieces(&lines, self) { $0.isEmpty ? nil : 0 } }
        return Array(lines.joined(separator: [0x0A]))
    }

    /// The parts' contents, each by its own type; nil when the content is not multipart after all.
    private func multipart(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
        guard let parts = try? MultipartParser.parse(body: bytes, contentType: type) else { return nil }
        var output: [UInt8] = []
        var place = 0
        for part in parts {
            // Between the parts stand their header sections and the boundaries.
            let head = Array(bytes[place..<part.content.startIndex])
            output += replaced(head, SecretScanner.find(head, pseudonyms, findsNumbers: false))
            output += self.part(part)
            place = part.content.endIndex
        }
        return output + bytes[place...]
    }

    private func part(_ part: MultipartPart) -> [UInt8] {
        let content = Array(part.content)
        if part.filename == nil, let text = String(validating: content, as: UTF8.self) {
            let value = value(text, under: part.name)
            if value != text { return Array(value.utf8) }
        }
        return self.content(content, type: part.contentType ?? "")
    }
}

/// Takes secrets out of server-sent events, also those that begin in one event and end in a later one.
enum EventRedactor {
    /// A text in the stream: which line it is, and where in that line's JSON it stands.
    private struct Piece {
        var line: Int
        /// The path of the member; empty for a line that is no JSON.
        var path: String
        var text: String
    }

    static func redacted(_ bytes: [UInt8], by redactor: Redactor) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        for place in lines.indices {
            guard let start = dataStart(lines[place]) else {
                lines[place] = redactor.bytes(lines[place], isText: true)
                continue
            }
            let hasReturn = lines[place].last == 0x0D
            let data = Array(lines[place][start..<lines[place].count - (hasReturn ? 1 : 0)])
            let clean: [UInt8]
            if let json = try? JSONReader.read(data, options: JSONReader.Options(maxDepth: 512)),
                json.doubleValue == nil
            {
                clean = JSONRedactor.redacted(data, by: redactor)
            } else {
                clean = redactor.bytes(data, isText: true)
            }
            lines[place] = lines[place][..<start] + clean + (hasReturn ? [0x0D] : [])
        }
        joinPieces(&lines, redactor, dataStart)
        return Array(lines.joined(separator: [0x0A]))
    }

    /// Where the value of a `data` line begins.
    private static func dataStart(_ line: [UInt8]) -> Int? {
        guard line.starts(with: Array("data:".utf8)) else { return nil }
        return line.count > 5 && line[5] == 0x20 ? 6 : 5
    }

    /// Looks at what each member says over all events, and takes out what only becomes a secret when it is joined.
    ///
    /// `dataStart` says where the data of a line begins; nil where it has none.
    static func joinPieces(_ lines: inout [[UInt8]], _ redactor: Redactor, _ dataStart: ([UInt8]) -> Int?) {
        var order: [String] = []
        var pieces: [String: [Piece]] = [:]
        for place in lines.indices {
            guard let start = dataStart(lines[place]) else { continue }
            let data = Array(lines[place][start...].filter { $0 != 0x0D })
            func add(_ path: String, _ text: String) {
                if pieces[path] == nil, order.count < 256 {
                    order.append(path)
                    pieces[path] = []
                }
                pieces[path]?.append(Piece(line: place, path: path, text: text))
            }
            if let json = try? JSONReader.read(data, options: JSONReader.Options(maxDepth: 512)) {
                leaves(json, "", add)
            } else {
                add("", String(decoding: data, as: UTF8.self))
            }
        }
        var changed: [Int: [String: String]] = [:]
        for path in order {
            guard let run = pieces[path], run.count > 1 else { continue }
            let texts = PieceRedactor.redacted(run.map(\.text), by: redactor)
            for (piece, text) in zip(run, texts) where piece.text != text {
                changed[piece.line, default: [:]][path] = text
            }
        }
        for place in lines.indices {
            guard let texts = changed[place], let start = dataStart(lines[place]) else { continue }
            let hasReturn = lines[place].last == 0x0D
            let data = Array(lines[place][start...].filter { $0 != 0x0D })
            let rewritten: [UInt8]
            if let json = try? JSONReader.read(data, options: JSONReader.Options(maxDepth: 512)) {
                rewritten = replacing(json, "", texts).serialized()
            } else {
                rewritten = Array((texts[""] ?? "").utf8)
            }
            lines[place] = lines[place][..<start] + rewritten + (hasReturn ? [0x0D] : [])
        }
    }

    /// The texts of a value with their paths; members of one path in several elements count as one.
    private static func leaves(_ json: JSON, _ path: String, _ add: (String, String) -> Void) {
        switch json {
        case .string(let text): add(path + "$", text)
        case .array(let items): for item in items { leaves(item, path + "[]", add) }
        case .object(let object): for member in object.members { leaves(member.value, path + "/" + member.name, add) }
        case .null, .bool, .integer, .number: break
        }
    }

    private static func replacing(_ json: JSON, _ path: String, _ texts: [String: String]) -> JSON {
        switch json {
        case .string: texts[path + "$"].map { .string($0) } ?? json
        case .array(let items): .array(items.map { replacing($0, path + "[]", texts) })
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map {
                        JSONObject.Member(name: $0.name, value: replacing($0.value, path + "/" + $0.name, texts))
                    }
                )
            )
        case .null, .bool, .integer, .number: json
        }
    }
}

/// Takes out secrets that are cut over several pieces of one text.
enum PieceRedactor {
    /// The pieces again; a secret's stand-in lies where the secret began.
    static func redacted(_ pieces: [String], by redactor: Redactor) -> [String] {
        let joined = pieces.flatMap { Array($0.utf8) }
        let findings = SecretScanner.find(joined, redactor.pseudonyms)
        guard !findings.isEmpty else { return pieces }
        var output: [String] = []
        output.reserveCapacity(pieces.count)
        var start = 0
        var next = 0
        for piece in pieces {
            let end = start + piece.utf8.count
            var text: [UInt8] = []
            var place = start
            while place < end {
                while next < findings.count, findings[next].range.upperBound <= place { next += 1 }
                guard next < findings.count, findings[next].range.lowerBound < end else {
                    text += joined[place..<end]
                    place = end
                    continue
                }
                let finding = findings[next]
                if place < finding.range.lowerBound { text += joined[place..<finding.range.lowerBound] }
                if finding.range.lowerBound >= place { text += redactor.standIn(joined[finding.range], finding.kind) }
                place = min(finding.range.upperBound, end)
            }
            output.append(String(decoding: text, as: UTF8.self))
            start = end
        }
        return output
    }
}
