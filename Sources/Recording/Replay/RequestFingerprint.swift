import Backend
import Basics
import CivilTime
import Crypto
import HTTPMessage
package import JSON
package import Secrets

/// A request reduced to the parts in which a recorded one must be equal.
///
/// Values that change by nature are replaced by their kinds, on both sides alike: dates, trace ids, boundaries,
/// credentials, and everything that redaction replaces. The replaced values are kept too, to choose among several
/// matches.
package struct RequestFingerprint: Sendable, Equatable {
    package let method: String
    /// The path in normal form, with personal data replaced.
    package let path: String
    package let query: [HARPair]
    package let body: Body
    /// The replaced values in order, each after its kind and a colon.
    package let replaced: [String]
    /// The host that the request was sent to, with its port; empty if unknown.
    ///
    /// It does not count as a difference.
    package let host: String

    /// The values among them that identify a person, or one of several hosts.
    package var identity: [String] {
        replaced.filter { $0.hasPrefix("email:") || $0.hasPrefix("person:") || $0.hasPrefix("host:") }
    }

    /// The values that are a credential or stand for one.
    package var secrets: [String] {
        replaced.compactMap { $0.hasPrefix("secret:") ? String($0.dropFirst("secret:".utf8.count)) : nil }
    }

    /// The digest by which equal fingerprints are found; computed once, because a body may be long.
    package let key: [UInt8]
    /// The digest of all replaced values but links, which is equal when nothing changed at all.
    package let exactKey: [UInt8]
    /// The digest of the texts whose addresses of the backend were replaced; empty if there are none.
    let linkKey: [UInt8]

    init(method: String, path: String, query: [HARPair], body: Body, replaced: [String], host: String) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.replaced = replaced
        self.host = host
        key = Self.key(method, path, query, body)
        exactKey = Self.digest(replaced.filter { !$0.hasPrefix("link:") })
        let links = replaced.filter { $0.hasPrefix("link:") }
        linkKey = links.isEmpty ? [] : Self.digest(links)
    }

    private static func digest(_ values: [String]) -> [UInt8] {
        Array(SHA256.digest(Array(values.joined(separator: "\u{1}").utf8)).prefix(8))
    }

    package enum Body: Sendable, Equatable {
        case none
        case json(JSON)
        case form([HARPair])
        case parts([Part])
        /// Other text, or the digest of bytes.
        case text(String)
        /// Content of which the archive knows no more than that there was some.
        case unknown
    }

    /// A part of form data.
    package struct Part: Sendable, Equatable {
        package let name: String
        /// The text, or the digest of a file; nil for a file that the archive does not have.
        package let value: String?
        package let isFile: Bool
        /// Tells that the archive does not have the file, unless that is known to be as it stands there.
        var isLost = false
    }

    /// Tells for each file of a form whether it counts as unknown.
    var lostFiles: [Bool] {
        guard case .parts(let parts) = body else { return [] }
        return parts.filter(\.isFile).map(\.isLost)
    }

    /// Returns the fingerprint of the same form in which some files may be any; nil if it has another number of them.
    func without(_ lost: [Bool]) -> RequestFingerprint? {
        guard case .parts(var parts) = body, lost.contains(true) else { return nil }
        let files = parts.indices.filter { parts[$0].isFile }
        guard files.count == lost.count else { return nil }
        for (place, isLost) in zip(files, lost) where isLost {
            parts[place] = Part(name: parts[place].name, value: nil, isFile: true, isLost: true)
        }
        return with(.parts(parts))
    }

    /// Returns the fingerprint of the same request with other content.
    func with(_ body: Body) -> RequestFingerprint {
        RequestFingerprint(method: method, path: path, query: query, body: body, replaced: replaced, host: host)
    }

    /// Returns the fingerprint of the same request to the path with the slash at its end, or without it; nil for `/`.
    package func withOtherSlash(as method: String? = nil) -> RequestFingerprint? {
        guard path.utf8.count > 1 else { return nil }
        return RequestFingerprint(
            method: method ?? self.method,
            path: path.hasSuffix("/") ? String(path.dropLast()) : path + "/",
            query: query,
            body: body,
            replaced: replaced,
            host: host
        )
    }

    private static func key(_ method: String, _ path: String, _ query: [HARPair], _ body: Body) -> [UInt8] {
        var text = method + "\n" + path + "\n"
        for pair in query { text += pair.name + "\u{1}" + pair.value + "\u{2}" }
        switch body {
        case .none: text += "\n-"
        case .json(let json): text += "\nj" + json.text
        case .form(let pairs): text += "\nf" + pairs.map { $0.name + "\u{1}" + $0.value }.joined(separator: "\u{2}")
        case .parts(let parts):
            text +=
                "\np"
                + parts.map { $0.name + ($0.isFile ? "\u{3}" : "\u{1}") + ($0.value ?? "") }
                .joined(separator: "\u{2}")
        case .text(let content): text += "\nt" + content
        case .unknown: text += "\nu"
        }
        return Array(SHA256.digest(Array(text.utf8)).prefix(16))
    }
}

/// Makes fingerprints by the rules of one replay.
package struct Fingerprinter: Sendable {
    package let rules: MatchRules
    /// The origin of the recorded or live backend: addresses in it are equal wherever it is.
    private var home: LinkRewriter?
    /// The host that the requests are sent to, with its port.
    private var host = ""
    /// The maximum number of replaced values that are kept.
    private static let mostReplaced = 64
    /// The values that a client has sent under telltale names, which redaction has replaced wherever else they were.
    private var known = Fingerprinter.unknowing

    package init(_ rules: MatchRules = MatchRules()) { self.rules = rules }

    /// Returns a fingerprinter for requests to a backend at one of these authorities, with a path that precedes its
    /// own.
    package func at(_ authorities: [String], prefix: String = "") -> Fingerprinter {
        var copy = self
        copy.home = LinkRewriter(authorities, to: "http://backend.invalid", dropping: prefix)
        return copy
    }

    /// Returns a fingerprinter for requests that are sent to this host.
    package func sent(to authority: String) -> Fingerprinter {
        var copy = self
        copy.host = LinkRewriter.normal(authority)
        return copy
    }

    /// Counts one more authority as the backend's.
    mutating func add(_ authority: String) { home?.add(authority) }

    /// Returns a fingerprinter for a client that has sent these values under telltale names.
    package func knowing(_ secrets: Pseudonyms) -> Fingerprinter {
        var copy = self
        copy.known = secrets
        return copy
    }

    package func fingerprint(
        method: String,
        path: String,
        query: String?,
        contentType: String,
        coding: String? = nil,
        body: [UInt8]
    ) -> RequestFingerprint {
        var replaced: [String] = []
        let segments = Path(raw: path)
        let text = segments.map { normal(path: $0, &replaced) } ?? path
        let items = PlusSign.pairs(rules.ignoresQuery ? nil : query).filter { !rules.query.contains($0.name) }
        let pairs = normal(items, &replaced)
        let content =
            rules.ignoresBody ? .none : self.body(ContentCoding.compared(body, coding), contentType, &replaced)
        return RequestFingerprint(
            method: method,
            path: text,
            query: pairs,
            body: content,
            replaced: Array(replaced.prefix(Self.mostReplaced)),
            host: host
        )
    }

    /// Returns the pairs of a query or a form in normal form, by name.
    private func normal(_ pairs: [HARPair], _ replaced: inout [String]) -> [HARPair] {
        let isSignIn = VolatileNames.isSignIn(pairs.lazy.map { ($0.name, $0.value) })
        return sorted(
            pairs.map {
                let text = value($0.value, under: $0.name, isSignIn: isSignIn, &replaced)
                return HARPair(found(name: $0.name, &replaced), text)
            }
        )
    }

    /// Returns the pairs by name; those of one name stay in their order.
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
                isNamed ? Self.kind("secret", segments[place], &replaced) : found(segments[place], &replaced)
        }
        return Path(segments: segments, hasTrailingSlash: path.hasTrailingSlash).text
    }

    // MARK: Values

    private static func kind(_ name: String, _ value: String, _ replaced: inout [String]) -> String {
        replaced.append("\(name):\(value)")
        return "<\(name)>"
    }

    /// Returns a value in normal form.
    ///
    /// `isInherited` tells that an outer name makes everything a secret, `isSignIn` that the values beside it are those
    /// of a sign-in.
    private func value(
        _ value: String,
        under name: String,
        isInherited: Bool = false,
        isSignIn: Bool = false,
        _ replaced: inout [String]
    ) -> String {
        guard !value.isEmpty else { return "" }
        if isInherited || isSecret(value, under: name) { return Self.kind("secret", value, &replaced) }
        if VolatileNames.contains(name) || VolatileNames.isState(name) && (isSignIn || Redactor.isOpaque(value)) {
            return Self.kind("volatile", value, &replaced)
        }
        if let kind = Self.timeKind(value) { return Self.kind(kind, value, &replaced) }
        if (10...13).contains(value.utf8.count), let number = Int64(value),
            DateShift.isTime(.integer(number), under: name)
        {
            return Self.kind("date", value, &replaced)
        }
        if known.isKnown(value) { return Self.kind("secret", value, &replaced) }
        if home?.names(value) == true { return Self.kind("host", value, &replaced) }
        // A text may contain JSON, which is compared as JSON.
        if let first = value.utf8.first, first == 0x7B || first == 0x5B,
            let json = try? JSONReader.read(Array(value.utf8), options: Self.options)
        {
            return normal(json, [], &replaced).text
        }
        if let inner = Redactor.packedJSON(value), let json = try? JSONReader.read(inner, options: Self.options) {
            return normal(json, [], &replaced).text
        }
        if let inner = unpacked(Array(value.utf8), &replaced) { return inner }
        return found(led(value, &replaced), &replaced)
    }

    /// Returns a text whose addresses of the backend are the same wherever it is.
    private func led(_ text: String, _ replaced: inout [String]) -> String {
        guard let led = home?.text(text), led != text else { return text }
        // Secrets beside the addresses differ by nature.
        var others: [String] = []
        replaced.append("link:\(found(text, &others))")
        return led
    }

    /// Returns the decoded form of a Base64 text that redaction would change; nil for any other text.
    private func unpacked(_ text: [UInt8], _ replaced: inout [String]) -> String? {
        guard let inner = Redactor.packedText(text) else { return nil }
        var changed: [String] = []
        let plain = value(inner, under: "", &changed)
        guard !changed.isEmpty else { return nil }
        replaced += changed
        return "<base64>" + plain
    }

    /// Returns true if redaction replaces the whole of a value under a name, or has done so.
    private func isSecret(_ value: String, under name: String) -> Bool {
        if SecretNames.kind(of: name) != nil { return true }
        if SecretNames.isCodeName(name) { return value.utf8.count >= 4 && isCode(value) }
        if SecretNames.mayName(name), Redactor.isOpaque(value) { return true }
        guard SecretNames.isAuthorization(name), let credential = value.split(separator: " ").last else { return false }
        return Redactor.isOpaque(String(credential))
    }

    private func isCode(_ value: String) -> Bool {
        guard !value.utf8.contains(0x40) else { return false }
        return RedactionMark.begins(value) || value.utf8.contains { $0 &- 0x30 < 10 }
    }

    package static func timeKind(_ value: String) -> String? {
        guard (10...40).contains(value.utf8.count), let first = value.utf8.first else { return nil }
        if first &- 0x30 < 10 { return Instant(isoDayOrDateTime: value) != nil ? "date" : nil }
        return Instant(httpDate: value) != nil ? "date" : nil
    }

    /// Does the same with a name, which words are no secret in.
    private func found(name: String, _ replaced: inout [String]) -> String { found(name, takesWords: false, &replaced) }

    /// Replaces secrets in a text, and pseudonyms, by their kinds.
    private func found(_ text: String, takesWords: Bool = true, _ replaced: inout [String]) -> String {
        guard text.utf8.count >= 6 else { return text }
        let bytes = Array(text.utf8)
        let findings = SecretScanner.find(bytes, known, takesWords: takesWords, takesPseudonyms: true)
        guard !findings.isEmpty else { return text }
        return String(decoding: withKinds(bytes, findings, &replaced), as: UTF8.self)
    }

    private func withKinds(
        _ bytes: [UInt8],
        _ findings: [SecretScanner.Finding],
        _ replaced: inout [String]
    ) -> [UInt8] {
        var output: [UInt8] = []
        var place = 0
        for finding in findings {
            output += bytes[place..<finding.range.lowerBound]
            let value = String(decoding: bytes[finding.range], as: UTF8.self)
            output += Self.kind(Self.name(of: finding.kind), value, &replaced).utf8
            place = finding.range.upperBound
        }
        return output + bytes[place...]
    }

    /// Returns a kind's name.
    ///
    /// A pseudonym does not always show its kind, so only kinds that identify people have one.
    private static func name(of kind: SecretKind) -> String {
        switch kind {
        case .email: "email"
        case .phone, .person: "person"
        case .jwt, .code, .token, .basic, .cookie: "secret"
        }
    }

    /// Pseudonyms without known secrets, so that both sides find the same.
    private static let unknowing = Pseudonyms()

    // MARK: Content

    private static let options = JSONReader.Options(maxDepth: 512, allowBOM: true)

    private func body(_ bytes: [UInt8], _ contentType: String, _ replaced: inout [String]) -> RequestFingerprint.Body {
        guard !bytes.isEmpty else { return .none }
        // Redaction searches it, so its decoded form is compared, too.
        if case .packed(let plain, _) = PackedContent(bytes) { return body(plain, "", &replaced) }
        if let wide = UTF16Text(bytes, type: contentType) {
            return body(wide.plain, MediaType(contentType)?.essence ?? "", &replaced)
        }
        let looksLikeJSON = bytes[0] == 0x7B || bytes[0] == 0x5B
        if looksLikeJSON, let json = try? JSONReader.read(bytes, options: Self.options) {
            return .json(normal(json, [], &replaced))
        }
        let essence = MediaType(contentType)?.essence ?? ""
        switch essence {
        case "application/x-www-form-urlencoded":
            let items = PlusSign.pairs(String(decoding: bytes, as: UTF8.self)).filter { !isIgnored($0.name) }
            return .form(normal(items, &replaced))
        case "multipart/form-data":
            if let parts = FormPart.parts(of: bytes, contentType) {
                return .parts(parts.filter { !isIgnored($0.name) }.map { self.part($0, &replaced) })
            }
        default: break
        }
        if let json = try? JSONReader.read(bytes, options: Self.options),
            json.doubleValue == nil || SecretScanner.find(bytes, known, takesPseudonyms: true).isEmpty
        {
            return .json(normal(json, [], &replaced))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let findings = SecretScanner.find(bytes, known, isBinary: true, takesPseudonyms: true)
            let plain = findings.isEmpty ? bytes : withKinds(bytes, findings, &replaced)
            return .text("<bytes \(Hex.encode(SHA256.digest(plain)))>")
        }
        let cells = TableScanner.find(bytes, type: essence)
        if !cells.isEmpty {
            let findings = cells + SecretScanner.find(bytes, known, takesPseudonyms: true)
            return .text(String(decoding: withKinds(bytes, SecretScanner.settled(findings), &replaced), as: UTF8.self))
        }
        if let inner = unpacked(bytes, &replaced) { return .text(inner) }
        if looksLikeJSON || essence.contains("ndjson") || essence.contains("jsonl") {
            return .text(lines(bytes, &replaced))
        }
        return .text(found(led(text, &replaced), &replaced))
    }

    /// Returns JSON in normal form line by line; other lines are text.
    private func lines(_ bytes: [UInt8], _ replaced: inout [String]) -> String {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> String in
            if let json = try? JSONReader.read(Array(line), options: Self.options) {
                return normal(json, [], &replaced).text
            }
            let text = String(decoding: line, as: UTF8.self)
            return found(led(text, &replaced), &replaced)
        }.joined(separator: "\n")
    }

    /// Tells whether a field of a form does not count.
    private func isIgnored(_ name: String) -> Bool {
        !rules.body.isEmpty && rules.body.contains(MatchRules.path(name))
    }

    /// Returns a part in normal form; clients make up the names of files.
    private func part(_ part: FormPart, _ replaced: inout [String]) -> RequestFingerprint.Part {
        if part.filename == nil, let text = String(validating: part.content, as: UTF8.self) {
            return RequestFingerprint.Part(
                name: part.name,
                value: value(text, under: part.name, &replaced),
                isFile: false
            )
        }
        if let name = part.filename { _ = Self.kind("file", found(name, &replaced), &replaced) }
        // Redaction searches files, too.
        let content: String =
            switch body(Array(part.content), part.contentType ?? "", &replaced) {
            case .none, .unknown: ""
            case .json(let json): json.text
            case .form(let pairs): pairs.map { $0.name + "\u{1}" + $0.value }.joined(separator: "\u{2}")
            case .parts(let parts): parts.map { $0.name + "\u{1}" + ($0.value ?? "") }.joined(separator: "\u{2}")
            case .text(let text): text
            }
        let digest = Hex.encode(SHA256.digest(Array(content.utf8)))
        return RequestFingerprint.Part(name: part.name, value: "<bytes \(digest)>", isFile: true, isLost: part.isLost)
    }

    /// Returns the value with its members sorted and without ignored ones.
    ///
    /// `isInherited` tells that an outer name makes everything a secret.
    private func normal(
        _ json: JSON,
        _ path: [String],
        isInherited: Bool = false,
        isSignIn: Bool = false,
        _ replaced: inout [String]
    ) -> JSON {
        switch json {
        case .object(let object):
            var members: [JSONObject.Member] = []
            let isSignIn = VolatileNames.isSignIn(
                object.members.lazy.map { ($0.name, $0.value.stringValue ?? "") }
            )
            let label = object.members.first { member in
                member.value.stringValue.map { SecretNames.isLabel(member.name, of: $0) } ?? false
            }?.value.stringValue
            for member in object.members.sorted(by: { $0.name < $1.name }) {
                let inner = path + [member.name]
                guard !rules.body.contains(inner) else { continue }
                if let label, SecretNames.isLabelled(member.name), let text = member.value.stringValue {
                    let named = value(text, under: label, isInherited: isInherited, &replaced)
                    members.append(JSONObject.Member(name: member.name, value: .string(named)))
                    continue
                }
                let isBelow = isInherited || SecretNames.kind(of: member.name) != nil
                let value = normal(
                    member.value,
                    named(inner, member),
                    isInherited: isBelow,
                    isSignIn: isSignIn,
                    &replaced
                )
                members.append(JSONObject.Member(name: found(name: member.name, &replaced), value: value))
            }
            return .object(JSONObject(members))
        case .array(let items):
            return .array(items.map { normal($0, path, isInherited: isInherited, &replaced) })
        case .string(let text):
            return .string(
                value(text, under: path.last ?? "", isInherited: isInherited, isSignIn: isSignIn, &replaced)
            )
        case .integer, .number:
            let json = NumberText.of(json)
            let digits = Array(json.text.utf8)
            let isPerson = digits.allSatisfy { $0 &- 0x30 < 10 } && isPersonalNumber(digits)
            guard let name = path.last else { return isPerson ? person(json, &replaced) : json }
            let isCode = SecretNames.isCodeName(name) && (5...8).contains(digits.count)
            let isBelow = isInherited && digits.count >= 6 && digits.allSatisfy { $0 &- 0x30 < 10 }
            if isCode || isBelow || VolatileNames.contains(name) || SecretNames.kind(of: name) != nil
                || DateShift.isTime(json, under: name)
            {
                return .string(Self.kind("number", json.text, &replaced))
            }
            return isPerson ? person(json, &replaced) : json
        case .null, .bool: return json
        }
    }

    /// Returns the path of a member, whose name decides about its text: `session.id` counts as `session`.
    private func named(_ path: [String], _ member: JSONObject.Member) -> [String] {
        guard path.count > 1, case .string = member.value, SecretNames.isSubstance(member.name),
            SecretNames.mayName(path[path.count - 2])
        else { return path }
        return path.dropLast()
    }

    private func isPersonalNumber(_ digits: [UInt8]) -> Bool {
        NumberScanner.isPersonalNumber(digits[...])
            || (digits.count == 10 || digits.count == 12) && NumberScanner.isPseudonym(digits)
    }

    private func person(_ json: JSON, _ replaced: inout [String]) -> JSON {
        .string(Self.kind("person", json.text, &replaced))
    }
}
