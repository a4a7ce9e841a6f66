import CivilTime
import HTTPMessage
package import JSON
import Signing

/// A request reduced to what has to be equal for a recorded one to be its like.
///
/// What changes by nature is replaced by its kind, on both sides alike: dates, trace ids, boundaries, credentials, and
/// whatever redaction takes out. The replaced values are kept beside it, to choose among several that fit.
package struct Fingerprint: Sendable, Equatable {
    package var method: String
    /// Normal form, with personal data replaced.
    package var path: String
    package var query: [HARPair]
    package var body: Body
    /// The values that were replaced, in order, each behind its kind and a colon.
    package var replaced: [String]

    /// Those of them that tell one person from another.
    package var identity: [String] {
        replaced.filter { $0.hasPrefix("email:") || $0.hasPrefix("phone:") || $0.hasPrefix("person:") }
    }

    /// The digest of all values that were replaced: equal when nothing changed at all.
    package var exactKey: [UInt8] {
        Array(SHA256.digest(Array(replaced.joined(separator: "\u{1}").utf8)).prefix(8))
    }

    package enum Body: Sendable, Equatable {
        case none
        case json(JSON)
        case form([HARPair])
        case parts([HARPair])
        /// Other text, or the digest of bytes.
        case text(String)
    }

    /// The digest by which equal fingerprints are found.
    package var key: [UInt8] {
        var text = method + "\n" + path + "\n"
        for pair in query { text += pair.name + "\u{1}" + pair.value + "\u{2}" }
        switch body {
        case .none: text += "\n-"
        case .json(let json): text += "\nj" + json.text
        case .form(let pairs): text += "\nf" + pairs.map { $0.name + "\u{1}" + $0.value }.joined(separator: "\u{2}")
        case .parts(let pairs): text += "\np" + pairs.map { $0.name + "\u{1}" + $0.value }.joined(separator: "\u{2}")
        case .text(let content): text += "\nt" + content
        }
        return Array(SHA256.digest(Array(text.utf8)).prefix(16))
    }
}

/// Makes fingerprints by the rules of one replay.
package struct Fingerprinter: Sendable {
    package let rules: MatchRules
    /// Of values that were replaced, at most this many are kept.
    private static let mostReplaced = 64

    package init(_ rules: MatchRules = MatchRules()) { self.rules = rules }

    package func fingerprint(
        method: String,
        path: String,
        query: String?,
        contentType: String,
        body: [UInt8]
    ) -> Fingerprint {
        var replaced: [String] = []
        let segments = Path(raw: path)
        let text = segments.map { normal(path: $0, &replaced) } ?? path
        var pairs: [HARPair] = []
        for item in QueryItems(query).items where !rules.query.contains(item.name) {
            pairs.append(HARPair(item.name, value(item.value, under: item.name, &replaced)))
        }
        pairs = sorted(pairs)
        let content = self.body(body, contentType, &replaced)
        return Fingerprint(
            method: method,
            path: text,
            query: pairs,
            body: content,
            replaced: Array(replaced.prefix(Self.mostReplaced))
        )
    }

    /// By name; those of one name stay in their order.
    private func sorted(_ pairs: [HARPair]) -> [HARPair] {
        pairs.enumerated().sorted {
            $0.element.name == $1.element.name ? $0.offset < $1.offset : $0.element.name < $1.element.name
        }.map(\.element)
    }

    private func normal(path: Path, _ replaced: inout [String]) -> String {
        var segments = path.segments
        for place in segments.indices {
            let isNamed =
                place > 0 && SecretNames.kind(of: segments[place - 1]) != nil && segments[place].utf8.count >= 16
            segments[place] =
                isNamed ? Self.kind("token", segments[place], &replaced) : found(segments[place], &replaced)
        }
        return Path(segments: segments, hasTrailingSlash: path.hasTrailingSlash).text
    }

    // MARK: Values

    private static func kind(_ name: String, _ value: String, _ replaced: inout [String]) -> String {
        replaced.append("\(name):\(value)")
        return "<\(name)>"
    }

    private func value(_ value: String, under name: String, _ replaced: inout [String]) -> String {
        if SecretNames.kind(of: name) != nil { return value.isEmpty ? "" : Self.kind("secret", value, &replaced) }
        if SecretNames.isCodeName(name), value.utf8.count >= 4, isCode(value) {
            return Self.kind("secret", value, &replaced)
        }
        if VolatileNames.contains(name) { return Self.kind("volatile", value, &replaced) }
        if let kind = Self.timeKind(value) { return Self.kind(kind, value, &replaced) }
        return found(value, &replaced)
    }

    private func isCode(_ value: String) -> Bool {
        value.hasPrefix("redacted-") || value.utf8.contains { $0 &- 0x30 < 10 }
    }

    static func timeKind(_ value: String) -> String? {
        guard (10...40).contains(value.utf8.count), let first = value.utf8.first else { return nil }
        if first &- 0x30 < 10 { return Instant(isoDayOrDateTime: value) != nil ? "date" : nil }
        return Instant(httpDate: value) != nil ? "date" : nil
    }

    /// Secrets found in a text become their kinds.
    private func found(_ text: String, _ replaced: inout [String]) -> String {
        guard text.utf8.count >= 6 else { return text }
        let bytes = Array(text.utf8)
        let findings = SecretScanner.find(bytes, Self.unknowing)
        guard !findings.isEmpty else {
            return text.hasPrefix("redacted-") ? Self.kind("token", text, &replaced) : text
        }
        var output = ""
        var place = 0
        for finding in findings {
            output += String(decoding: bytes[place..<finding.range.lowerBound], as: UTF8.self)
            let value = String(decoding: bytes[finding.range], as: UTF8.self)
            output += Self.kind(finding.kind.rawValue, value, &replaced)
            place = finding.range.upperBound
        }
        return output + String(decoding: bytes[place...], as: UTF8.self)
    }

    /// Knows no particular secrets: what is found must be found on both sides.
    private static let unknowing = Pseudonyms()

    // MARK: Content

    private func body(_ bytes: [UInt8], _ contentType: String, _ replaced: inout [String]) -> Fingerprint.Body {
        guard !bytes.isEmpty else { return .none }
        let options = JSONReader.Options(maxDepth: 512, allowBOM: true)
        if bytes[0] == 0x7B || bytes[0] == 0x5B, let json = try? JSONReader.read(bytes, options: options) {
            return .json(normal(json, [], &replaced))
        }
        switch MediaType(contentType)?.essence {
        case "application/x-www-form-urlencoded"?:
            let items = QueryItems(bytes: bytes[...]).items
            return .form(sorted(items.map { HARPair($0.name, value($0.value, under: $0.name, &replaced)) }))
        case "multipart/form-data"?:
            if let parts = try? MultipartParser.parse(body: bytes, contentType: contentType) {
                return .parts(parts.map { HARPair($0.name, self.part($0, &replaced)) })
            }
        default: break
        }
        if let json = try? JSONReader.read(bytes, options: options) {
            return .json(normal(json, [], &replaced))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .text("<bytes \(Hex.encode(SHA256.digest(bytes)))>")
        }
        return .text(found(text, &replaced))
    }

    private func part(_ part: MultipartPart, _ replaced: inout [String]) -> String {
        if part.filename == nil, let text = String(validating: part.content, as: UTF8.self) {
            return value(text, under: part.name, &replaced)
        }
        let name = part.filename ?? ""
        return "\(found(name, &replaced)) <bytes \(Hex.encode(SHA256.digest(part.content)))>"
    }

    /// The value with its members sorted, without what is ignored.
    private func normal(_ json: JSON, _ path: [String], _ replaced: inout [String]) -> JSON {
        switch json {
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members.sorted(by: { $0.name < $1.name }) {
                let inner = path + [member.name]
                guard !rules.body.contains(inner) else { continue }
                members.append(JSONObject.Member(name: member.name, value: normal(member.value, inner, &replaced)))
            }
            return .object(JSONObject(members))
        case .array(let items): return .array(items.map { normal($0, path, &replaced) })
        case .string(let text): return .string(value(text, under: path.last ?? "", &replaced))
        case .integer, .number:
            guard let name = path.last else { return json }
            if VolatileNames.contains(name) || SecretNames.kind(of: name) != nil || DateShift.isTime(json, under: name)
            {
                return .string(Self.kind("number", json.text, &replaced))
            }
            return json
        case .null, .bool: return json
        }
    }
}
