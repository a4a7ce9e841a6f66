import Basics
import Crypto
import HTTPMessage
import JSON
package import Secrets

/// Replaces every secret in data that is going to be kept (control contract, section 13).
///
/// There is one for each recording, so that equal values get equal pseudonyms. May be shared among threads.
package struct Redactor: Sendable {
    package let pseudonyms: Pseudonyms
    /// Tells whether the content is that of a response, in which a telltale name may be that of a label.
    private(set) var isAnswer = false
    /// The sense that a text of the content may have under a telltale name, beside a secret.
    private(set) var wording = Wording.none

    package init(_ pseudonyms: Pseudonyms = Pseudonyms()) { self.pseudonyms = pseudonyms }

    /// Returns the redactor for the content of the response of an address.
    package func answering(_ url: String, status: Int) -> Redactor {
        var copy = self
        copy.isAnswer = true
        copy.wording = TextCatalogue.isAddress(url) ? .label : status >= 400 ? .message : .none
        return copy
    }

    // MARK: Texts

    /// Replaces everything with the form of a secret in running text.
    package func text(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let findings = SecretScanner.find(bytes, pseudonyms)
        guard !findings.isEmpty else { return text }
        return String(decoding: replaced(bytes, findings), as: UTF8.self)
    }

    /// Redacts a name, which words are no secret in: a password may be `description`.
    func name(_ name: String) -> String {
        let bytes = Array(name.utf8)
        let findings = SecretScanner.find(bytes, pseudonyms, takesWords: false)
        return findings.isEmpty ? name : String(decoding: replaced(bytes, findings), as: UTF8.self)
    }

    /// Redacts running text as bytes; in binary content only matches that can't be coincidence are replaced.
    func bytes(_ bytes: [UInt8], isText: Bool) -> [UInt8] {
        let findings = SecretScanner.find(bytes, pseudonyms, isBinary: !isText, wording: wording)
        return findings.isEmpty ? bytes : replaced(bytes, findings)
    }

    func replaced(_ bytes: [UInt8], _ findings: [SecretScanner.Finding]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var place = 0
        for finding in findings {
            output += bytes[place..<finding.range.lowerBound]
            output += pseudonym(bytes, finding)
            place = finding.range.upperBound
        }
        return output + bytes[place...]
    }

    /// Returns the pseudonym of a finding in a text; a percent-encoded finding gets a percent-encoded one.
    func pseudonym(_ bytes: [UInt8], _ finding: SecretScanner.Finding) -> [UInt8] {
        guard let plain = finding.plain else { return pseudonym(bytes[finding.range], finding.kind) }
        let text = pseudonyms.pseudonym(for: String(decoding: plain, as: UTF8.self), finding.kind)
        return Array((bytes[finding.range].contains(0x25) ? text.percentEncodedComponent : text).utf8)
    }

    private func pseudonym(_ bytes: ArraySlice<UInt8>, _ kind: SecretKind) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        if kind == .phone || kind == .person, text.utf8.contains(0x25) {
            // The digits of an escape do not belong to the number.
            let decoded = Path(raw: "/" + text)?.segments.first ?? text
            return Array(pseudonyms.pseudonym(for: decoded, kind).percentEncodedComponent.utf8)
        }
        guard kind == .email, text.contains("%40") else { return Array(pseudonyms.pseudonym(for: text, kind).utf8) }
        let decoded = QueryItems("v=" + text.split(separator: "+").joined(separator: "%2B")).first("v") ?? text
        return Array(pseudonyms.pseudonym(for: decoded, .email).percentEncodedComponent.utf8)
    }

    // MARK: Named values

    /// Replaces a value under a name: all of it if the name is telltale, else the secrets in it.
    ///
    /// `wording` is the sense that a text under a telltale name may have, beside a secret.
    package func value(
        _ value: String,
        under name: String,
        inherited: SecretKind? = nil,
        wording: Wording = .none
    ) -> String {
        guard !value.isEmpty else { return value }
        if let kind = kind(of: value, under: name) ?? inherited, !isText(value, under: name, wording) {
            // A password that is its own name would be found wherever that stands.
            return SecretNames.isLabel(value, named: name)
                ? pseudonyms.pseudonym(for: value, kind) : secret(value, kind, of: name)
        }
        // A password of letters that occurred under its name.
        if pseudonyms.isKnown(value) { return pseudonyms.pseudonym(for: value, .token) }
        // A credential after a scheme word, in any place that has such a field.
        if SecretNames.isAuthorization(name), let space = value.utf8.firstIndex(of: 0x20),
            Self.isOpaque(String(value[value.index(after: space)...]))
        {
            return authorization(value)
        }
        // A text may contain JSON, which is redacted as JSON.
        if let first = value.utf8.first, first == 0x7B || first == 0x5B, isJSON(Array(value.utf8)) {
            return String(decoding: JSONRedactor.redacted(Array(value.utf8), by: self), as: UTF8.self)
        }
        if let inner = Self.packedJSON(value) {
            let clean = JSONRedactor.redacted(inner, by: self)
            if clean != inner { return Base64.encode(clean) }
        }
        if let inner = Self.packedText(Array(value.utf8)) {
            let clean = self.value(inner, under: "")
            if clean != inner { return Base64.encode(Array(clean.utf8)) }
        }
        return text(value)
    }

    /// Returns true for a value that is a text to be read, although its name is telltale.
    private func isText(_ value: String, under name: String, _ wording: Wording) -> Bool {
        wording.takes(value, pseudonyms) || isAnswer && SecretNames.isLabel(value, named: name)
            || SecretNames.isWording(value, under: name)
    }

    /// Returns the text in a Base64 text; nil for any other text.
    static func packedText(_ text: [UInt8]) -> String? {
        var bare = text
        while let last = bare.last, last == 0x0A || last == 0x0D || last == 0x3D { bare.removeLast() }
        // The beginning of long content decides if it is text.
        guard bare.count >= 12, bare.allSatisfy({ isBase64($0) }) else { return nil }
        bare.removeAll { $0 == 0x0A || $0 == 0x0D }
        let padding = [UInt8](repeating: 0x3D, count: (4 - bare.count % 4) % 4)
        guard padding.count < 3, let inner = Base64.decode(bare + padding) ?? Base64URL.decode(bare),
            !inner.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F })
        else { return nil }
        return String(validating: inner, as: UTF8.self)
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || [0x2B, 0x2F, 0x2D, 0x5F, 0x0A, 0x0D].contains(byte)
    }

    /// Returns the JSON in a Base64 text; nil for any other text.
    static func packedJSON(_ text: String) -> [UInt8]? {
        // A brace, then a quote, a blank or a line end.
        guard text.utf8.count >= 12, ["ey", "ew", "W3", "Wy"].contains(where: { text.hasPrefix($0) }),
            !text.utf8.contains(0x2E)
        else { return nil }
        let bare = text.utf8.prefix { $0 != 0x3D }
        let padding = [UInt8](repeating: 0x3D, count: (4 - bare.count % 4) % 4)
        guard let inner = Base64.decode(Array(bare) + padding) ?? Base64URL.decode(Array(bare)),
            (try? JSONReader.read(inner, options: JSONReader.Options(maxDepth: 512))) != nil
        else { return nil }
        return inner
    }

    private func kind(of value: String, under name: String) -> SecretKind? {
        if let kind = SecretNames.kind(of: name) {
            // A value called `key` is no credential if it is short or made of words.
            if name.lowercased() == "key" { return Self.isOpaque(value) ? .token : nil }
            return kind
        }
        if SecretNames.mayName(name) { return Self.isOpaque(value) ? .token : nil }
        guard SecretNames.isCodeName(name) else { return nil }
        let isDigits = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isDigits { return (4...8).contains(value.utf8.count) ? .code : nil }
        return Self.isOpaque(value) ? .token : nil
    }

    /// Returns true for a long text with letters and digits, which is machine-made and not an e-mail address.
    static func isOpaque(_ value: String) -> Bool {
        value.utf8.count >= 16 && value.utf8.contains { (0x30...0x39).contains($0) }
            && value.utf8.contains { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
            && !value.utf8.contains { $0 == 0x20 || $0 == 0x40 }
    }

    /// Returns the pseudonym of a value that is a secret as a whole.
    ///
    /// A cookie with a word for its value, such as `consent=accepted`, is a choice, and the word stays elsewhere.
    func secret(_ value: String, _ kind: SecretKind, of name: String = "") -> String {
        if kind == .token || kind == .cookie && (SecretNames.isSession(name) || !WordForm.isWord(value)) {
            pseudonyms.learn(value)
        }
        return pseudonyms.pseudonym(for: value, kind)
    }

    /// Redacts a number in JSON: one under a telltale name loses its digits.
    ///
    /// So does a long one below the name of a number, as in `"phone":{"countryCode":46,"number":701234599}`; counts and
    /// times below other names stay.
    func number(_ literal: ArraySlice<UInt8>, under name: String, inherited: SecretKind? = nil) -> [UInt8] {
        let text = String(decoding: literal, as: UTF8.self)
        var kind = SecretNames.kind(of: name)
        if kind == nil, inherited == .phone || inherited == .person, text.utf8.count >= 6,
            !DateShift.isTime(Int64(text).map(JSON.integer) ?? JSON.null, under: name)
        {
            kind = inherited
        }
        let isWhole = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isWhole else { return Array(literal) }
        if kind == nil, NumberScanner.isPersonalNumber(literal) {
            var digits = Array(pseudonyms.pseudonym(for: text, .person).utf8)
            if digits.first == 0x30 { digits[0] = 0x39 }
            return digits
        }
        let isCode = kind == nil && SecretNames.isCodeName(name) && (5...8).contains(text.utf8.count)
        let isDigits = kind == .phone || kind == .person || kind == .code || isCode
        // Names of tokens have counts as values, too; names of passwords do not.
        let isSecret = kind != nil && (SecretNames.isPassword(name) || text.utf8.count >= 12)
        guard isDigits || isSecret, text.utf8.count > 2 else { return Array(literal) }
        var digits = Array(pseudonyms.pseudonym(for: text, isDigits ? kind ?? .code : .code).utf8)
        if digits.first == 0x30 { digits[0] = 0x39 }
        return digits
    }

    func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512, allowBOM: true))) != nil
    }

    // MARK: Header fields

    /// Redacts a header field, whose name may contain secrets too.
    package func field(_ field: HARPair) -> HARPair {
        var clean = field.with(header(field.name, field.value))
        clean.name = name(field.name)
        return clean
    }

    /// Redacts a header field's value; scheme words and attributes of cookies stay.
    package func header(_ name: String, _ value: String) -> String {
        let lower = name.lowercased()
        if SecretNames.isAuthorization(name) { return authorization(value) }
        switch lower {
        case "cookie": return cookies(value, hasAttributes: false)
        case "set-cookie", "set-cookie2": return cookies(value, hasAttributes: true)
        case "authentication-info", "proxy-authentication-info": return secret(value, .token)
        case "sec-websocket-protocol":
            // Browsers can send a token to a web socket in no other field.
            return value.split(separator: ",", omittingEmptySubsequences: false).map { element -> String in
                let word = element.drop { $0 == " " }
                return Self.isOpaque(String(word))
                    ? element.prefix { $0 == " " } + secret(String(word), .token) : text(String(element))
            }.joined(separator: ",")
        case "etag", "if-none-match", "if-match", "sec-websocket-key", "sec-websocket-accept", "www-authenticate",
            "access-control-allow-headers", "access-control-expose-headers", "access-control-request-headers", "vary":
            return text(value)
        case "location", "content-location", "referer", "link", "origin": return url(value)
        default: return self.value(value, under: name)
        }
    }

    private func authorization(_ value: String) -> String {
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return secret(value, .token) }
        let scheme = parts[0].lowercased()
        return "\(parts[0]) " + secret(String(parts[1]), scheme == "basic" ? .basic : .token)
    }

    // MARK: Addresses

    /// Redacts an address, or a path with a query.
    package func url(_ url: String) -> String {
        guard let mark = url.utf8.firstIndex(of: 0x3F) else { return path(url) }
        return path(String(url[..<mark])) + "?" + form(String(url[url.index(after: mark)...]))
    }

    /// Redacts the segments of a path, using the segments before them as names.
    package func path(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var kept = segments
        for place in segments.indices {
            // A long random segment after one such as `token` or `magic-link`.
            if place > 0, SecretNames.kind(of: segments[place - 1]) != nil, Self.isOpaque(segments[place]) {
                kept[place] = secret(segments[place], .token)
            }
        }
        return text(kept.joined(separator: "/"))
    }

    /// Redacts a query or form: the values of telltale names, and the secrets in the others.
    package func form(_ form: String) -> String {
        form.split(separator: "&", omittingEmptySubsequences: false).map { piece -> String in
            let text = String(piece)
            guard let item = QueryItems(text, limit: 1).items.first, let equals = text.firstIndex(of: "=") else {
                return self.text(text)
            }
            let sent = PlusSign.value(of: item, in: text)
            let redacted = value(sent, under: item.name)
            let name = self.name(String(text[..<equals]))
            guard redacted != sent else { return name + text[equals...] }
            return name + "=" + redacted.percentEncodedComponent
        }.joined(separator: "&")
    }
}
