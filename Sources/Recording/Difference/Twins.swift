package import HTTPMessage
import JSON

/// Pairs of values that stand for the same thing in two backends: what one of them issued and what the other did in
/// its place (tokens, identifiers).
///
/// So that a client that talks to one of them can be followed in the other.
package struct Twins: Sendable {
    /// Pairs that are remembered.
    private static let capacity = 20_000

    private var upstreamOf: [String: String] = [:]
    private var emulatedOf: [String: String] = [:]

    package init() {}

    /// Learns from two answers to the same request.
    package mutating func learn(emulated: [UInt8], upstream: [UInt8]) {
        guard let left = try? JSONReader.read(emulated), let right = try? JSONReader.read(upstream) else { return }
        learn(left, right, "")
    }

    private mutating func learn(_ left: JSON, _ right: JSON, _ name: String) {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            for member in left.members {
                if let other = right[member.name] { learn(member.value, other, member.name) }
            }
        case (.array(let left), .array(let right)):
            for pair in zip(left, right) { learn(pair.0, pair.1, name) }
        case (.string(let left), .string(let right)):
            guard left != right, left.utf8.count >= 8, right.utf8.count >= 8, upstreamOf.count < Self.capacity,
                !left.utf8.contains(0x20), !right.utf8.contains(0x20), Fingerprinter.timeKind(left) == nil
            else { return }
            upstreamOf[left] = right
            emulatedOf[right] = left
        default: break
        }
    }

    /// Notes a pair whatever it looks like.
    package mutating func pair(emulated: String, upstream: String) {
        upstreamOf[emulated] = upstream
        emulatedOf[upstream] = emulated
    }

    package func upstream(of text: String) -> String? { upstreamOf[text] }

    package func emulated(of text: String) -> String? { emulatedOf[text] }

    /// The request as the emulation would have got it.
    package func emulatedRequest(_ request: Request) -> Request { translated(request) { emulatedOf[$0] } }

    /// The request as the real backend would have got it.
    package func upstreamRequest(_ request: Request) -> Request { translated(request) { upstreamOf[$0] } }

    private func translated(_ request: Request, _ other: (String) -> String?) -> Request {
        guard !upstreamOf.isEmpty else { return request }
        return RequestRewriter.rewritten(request) { other($0) ?? $0 }
    }
}

/// Rewrites the values of a request where they stand: path segments, query and form values, cookies and credentials,
/// and the texts of a JSON body.
package enum RequestRewriter {
    /// The request with each value as the closure answers.
    package static func rewritten(_ request: Request, _ value: (String) -> String) -> Request {
        var copy = request
        let segments = request.head.target.rawPath.split(separator: "/", omittingEmptySubsequences: false)
        copy.head.target.rawPath = segments.map { segment -> String in
            guard let decoded = Path(raw: "/" + segment)?.segments.first else { return String(segment) }
            let other = value(decoded)
            return other == decoded ? String(segment) : other.percentEncodedSegment
        }.joined(separator: "/")
        copy.head.target.rawQuery = request.head.target.rawQuery.map { form($0, value) }
        var fields = Fields()
        for place in 0..<request.head.fields.count {
            let name = String(decoding: request.head.fields.nameBytes(at: place), as: UTF8.self)
            guard let field = FieldName(name) else { continue }
            let text = String(decoding: request.head.fields.valueBytes(at: place), as: UTF8.self)
            let isPlain =
                !SecretNames.isAuthorization(name) && SecretNames.kind(of: name) == nil && name.lowercased() != "cookie"
            fields.append(field, isPlain ? text : credential(text, value))
        }
        copy.head.fields = fields
        let bytes = request.body.bytes
        guard !bytes.isEmpty, !request.body.exceedsLimit else { return copy }
        let isJSON = (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512))) != nil
        let isForm = MediaType(fields[.contentType] ?? "")?.essence == "application/x-www-form-urlencoded"
        if isForm, !isJSON {
            copy.body = RequestBody(Array(form(String(decoding: bytes, as: UTF8.self), value).utf8))
        } else if isJSON {
            var rewriter = JSONRewriter(bytes)
            copy.body = RequestBody(rewriter.rewritten(string: { text, _ in value(text) }, number: { text, _ in text }))
        }
        return copy
    }

    private static func form(_ text: String, _ value: (String) -> String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { piece -> String in
            guard let item = QueryItems(String(piece), limit: 1).items.first, let equals = piece.firstIndex(of: "=")
            else {
                return String(piece)
            }
            let other = value(item.value)
            return other == item.value ? String(piece) : piece[...equals] + other.percentEncodedComponent
        }.joined(separator: "&")
    }

    /// The words of a credential or the values of cookies.
    private static func credential(_ text: String, _ value: (String) -> String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            guard let equals = word.firstIndex(of: "="), word.index(after: equals) < word.endIndex else {
                return value(String(word))
            }
            let end = word.hasSuffix(";") ? word.index(before: word.endIndex) : word.endIndex
            let start = word.index(after: equals)
            guard start < end, value(String(word)) == word else { return value(String(word)) }
            return word[...equals] + value(String(word[start..<end])) + word[end...]
        }.joined(separator: " ")
    }
}
