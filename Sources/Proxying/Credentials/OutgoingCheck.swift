import Backend
import Crypto
import HTTPMessage
import Recording
import Secrets
import Transport

/// The last check of a request before it goes to a real backend: it must not hold any of the emulator's own credentials
/// (control contract, section 13).
package struct OutgoingCheck: Sendable {
    /// The place of a credential, in words that reveal nothing of its value.
    package enum Place: Sendable, Equatable {
        case method, path, query
        case fieldName
        case field(String)
        case head
        case content
        /// The content can't be decoded and may hold a credential.
        case hidden(String)

        var words: String {
            switch self {
            case .method: "in its method"
            case .path: "in its path"
            case .query: "in its query"
            case .fieldName: "in the name of a header field"
            case .field(let name): "in the header field \(name)"
            case .head: "in its head, spread over several values"
            case .content: "in its content"
            case .hidden: "in its content"
            }
        }

        /// The place in the form of a problem's `errors`.
        var path: String {
            switch self {
            case .method: "method"
            case .path: "path"
            case .query: "?"
            case .fieldName, .head: "headers"
            case .field(let name): name
            case .content, .hidden: "$"
            }
        }
    }

    /// The separator between the parts of a head, across which no credential continues.
    private static let gap: UInt8 = 0x01

    let issued: IssuedSecrets
    let filter: IssuedSecrets.Filter
    /// Prints of the credentials that the real backend of this mode has issued in the emulator's form.
    let foreign: Set<UInt64>

    init(_ issued: IssuedSecrets, foreign: Set<UInt64> = []) {
        self.issued = issued
        filter = issued.filter
        self.foreign = foreign
    }

    private func search() -> IssuedSearch { IssuedSearch(issued, filter, IssuedForms(filter, foreign: foreign)) }

    // MARK: The request

    /// The place of one of the emulator's own credentials in a request; nil if there is none.
    func place(in request: UpstreamRequest) -> Place? {
        if holds(head(of: request)) { return headPlace(request) ?? .head }
        let body = request.body
        guard !body.isEmpty else { return nil }
        var search = search()
        if search.finds(in: body) { return .content }
        if holds(partsOf: body, request.fields, &search) { return .content }
        let codings = request.fields.listElements("Content-Encoding").map { $0.lowercased() }
            .filter { $0 != "identity" }
        if !codings.isEmpty {
            let limit = SecretDecoder.unpackedLimit
            if let plain = ContentCoding.decoded(body, codings, limit: limit) {
                if search.finds(in: plain) || holds(partsOf: plain, request.fields, &search) { return .content }
            } else if filter.hasIssued, !Self.isPlain(body, codings) {
                return .hidden("its content has a coding that can't be decoded")
            }
        }
        guard search.isUnreadable, filter.hasIssued else { return nil }
        return .hidden("its content decompresses to more than can be searched")
    }

    /// Tells whether a text holds one of the emulator's own credentials.
    func holds(_ bytes: [UInt8]) -> Bool {
        var search = search()
        return search.finds(in: bytes)
    }

    /// Tells whether a body that is declared as compressed is not.
    private static func isPlain(_ body: [UInt8], _ codings: [String]) -> Bool {
        guard codings.allSatisfy({ ["gzip", "x-gzip"].contains($0) }) else { return false }
        return !body.starts(with: [0x1F, 0x8B])
    }

    /// Tells whether a credential is split over parts of a multipart body, or over items of a form.
    private func holds(partsOf content: [UInt8], _ fields: Fields, _ search: inout IssuedSearch) -> Bool {
        for joined in RepeatedItems.joined(content, fields) where search.finds(in: joined) { return true }
        guard let type = fields[.contentType], type.lowercased().hasPrefix("multipart/") else { return false }
        let seams = MultipartSeams.text(of: content, type)
        return !seams.isEmpty && search.finds(in: seams)
    }

    /// Everything before the content, followed by the joined values that belong together.
    private func head(of request: UpstreamRequest) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(request.fields.wire.count * 2 + request.target.utf8.count + 64)
        head += request.method.utf8
        head.append(Self.gap)
        head += request.target.utf8
        for line in 0..<request.fields.count {
            head.append(Self.gap)
            head += request.fields.nameBytes(at: line)
            head.append(Self.gap)
            head += request.fields.valueBytes(at: line)
        }
        for joined in Self.joined(request.fields).map(\.value) + RepeatedItems.joined(queryOf: request.target) {
            head.append(Self.gap)
            head += joined
        }
        return head
    }

    /// The joined values of fields of the same name and of numbered cookies.
    private static func joined(_ fields: Fields) -> [(name: String, value: [UInt8])] {
        var values: [(name: String, key: String, value: [UInt8], count: Int)] = []
        var cookies: [(base: String, number: Int, value: [UInt8])] = []
        for line in 0..<fields.count {
            let name = String(decoding: fields.nameBytes(at: line), as: UTF8.self)
            let key = name.lowercased()
            let value = fields.valueBytes(at: line)
            if let known = values.firstIndex(where: { $0.key == key }) {
                values[known].value += value
                values[known].count += 1
            } else {
                values.append((name, key, Array(value), 1))
            }
            guard key == "cookie" else { continue }
            for pair in value.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == 0x20 || $0 == 0x09 }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
                    let dot = pair[..<equals].lastIndex(where: { !(0x30...0x39).contains($0) }),
                    let number = Int(String(decoding: pair[(dot + 1)..<equals], as: UTF8.self))
                else { continue }
                let base = String(decoding: pair[..<dot], as: UTF8.self)
                cookies.append((base, number, Array(pair[(equals + 1)...])))
            }
        }
        var joined = values.filter { $0.count > 1 }.map { (name: $0.name, value: $0.value) }
        for base in Set(cookies.map(\.base)).sorted() {
            let parts = cookies.filter { $0.base == base }.sorted { $0.number < $1.number }
            if parts.count > 1 { joined.append(("Cookie", parts.flatMap(\.value))) }
        }
        return joined
    }

    private func headPlace(_ request: UpstreamRequest) -> Place? {
        let target = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if holds(Array(target[0].utf8)) { return .path }
        if target.count > 1, holds(Array(target[1].utf8)) || holds(Array(request.target.utf8)) { return .query }
        if RepeatedItems.joined(queryOf: request.target).contains(where: holds) { return .query }
        if holds(Array(request.method.utf8)) { return .method }
        for line in 0..<request.fields.count {
            if holds(Array(request.fields.nameBytes(at: line))) { return .fieldName }
            if holds(Array(request.fields.valueBytes(at: line))) {
                return .field(String(decoding: request.fields.nameBytes(at: line), as: UTF8.self))
            }
        }
        for joined in Self.joined(request.fields) where holds(joined.value) { return .field(joined.name) }
        return nil
    }

    // MARK: Authorization

    /// The fields without each `Authorization` whose value is one of the emulator's own credentials.
    func withoutOwnAuthorization(_ fields: Fields) -> Fields {
        guard fields.contains(.authorization) else { return fields }
        var rest = Fields()
        for line in 0..<fields.count {
            let name = String(decoding: fields.nameBytes(at: line), as: UTF8.self)
            let value = fields.valueBytes(at: line)
            if name.lowercased() == "authorization", isOwnAuthorization(value) { continue }
            if let field = FieldName(name) { rest.append(field, value) }
        }
        return rest
    }

    private func isOwnAuthorization(_ value: ArraySlice<UInt8>) -> Bool {
        let words = value.split(separator: 0x20)
        guard let last = words.last, words.count <= 2 else { return false }
        if words.count == 2 {
            guard words[0].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }) else {
                return false
            }
        }
        return isOwn(Array(last))
    }

    /// Tells whether a whole text is one of the emulator's own credentials.
    func isOwn(_ text: [UInt8]) -> Bool {
        guard !text.isEmpty, text.count <= 16_384 else { return false }
        if issued.holds(text) { return true }
        let string = String(decoding: text, as: UTF8.self)
        if Pseudonyms.isPseudonym(string) { return true }
        if let plain = Base64.decode(text), plain.starts(with: Array("redacted-user-".utf8)) { return true }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        if parts.count == 3, text.starts(with: Array("eyJ".utf8)) {
            guard text.allSatisfy({ $0 == 0x2E || Base64Run.isCharacter($0) }) else { return false }
            // The signature is unique to a token; if it was not noted, its length and the issuer decide.
            if issued.holds(parts[2]) { return true }
            return Self.signatureLengths.contains(parts[2].count)
                && IssuedForms(filter, foreign: foreign).isOwnPayload(parts[1], issued)
        }
        return isOwnOpaque(text)
    }

    /// Lengths of a signature with HS256 and with RS256, in characters.
    private static let signatureLengths = [43, 342]
    /// The prefixes of the secret in an opaque credential.
    private static let prefixes = ["sess", "ses", "qlt", "sqr"]

    /// Tells whether a text is an opaque credential of the emulator: a prefix, a secret, and a session or a time.
    private func isOwnOpaque(_ text: [UInt8]) -> Bool {
        func isWord(_ bytes: some Sequence<UInt8>) -> Bool {
            bytes.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2D }
        }
        let halves = text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map(Array.init)
        guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty && isWord($0) }) else { return false }
        // The second half identifies a session by its number, or by a secret of its own.
        let number = Array("session_".utf8)
        if halves.count == 2, halves[1].starts(with: number),
            !halves[1].dropFirst(number.count).allSatisfy({ $0 &- 0x30 < 10 })
        {
            return false
        }
        if issued.holds(halves[0]) { return true }
        let parts = halves[0].split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).map(Array.init)
        let isTimed = parts.count == 3 && !parts[2].isEmpty && parts[2].allSatisfy { $0 &- 0x30 < 10 }
        if parts.count == 2 || isTimed, Self.prefixes.contains(String(decoding: parts[0], as: UTF8.self)),
            issued.holds(parts[1])
        {
            return true
        }
        return IssuedForms(filter, foreign: foreign).isWhole(halves[0])
    }

    // MARK: Answers

    /// The prints of the credentials in a real backend's response that have the emulator's form.
    func forms(in texts: [[UInt8]]) -> [UInt64] {
        let forms = IssuedForms(filter, foreign: [], collects: true)
        var search = IssuedSearch(issued, filter, forms)
        for text in texts { _ = search.finds(in: text) }
        return forms.collected
    }
}
