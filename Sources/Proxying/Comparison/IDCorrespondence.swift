import Basics
package import HTTPMessage
import JSON
package import Recording
import Secrets

/// Pairs of values that stand for the same thing in two backends: tokens and identifiers that one issued, with those
/// that the other issued in their place.
///
/// They translate the requests of a client of one backend for the other. Texts that people write are never changed: an
/// identifier is translated under the member where it was found and in a path, a credential where credentials are.
package struct IDCorrespondence: Sendable {
    /// The places where a value may be translated.
    fileprivate enum Reach: Equatable {
        /// Under members and parameters of that name, and in a path.
        case name(String)
        case credential
        case everywhere
    }

    private struct Counterpart: Equatable {
        var other: String
        var reach: Reach
        /// True if both are JSON numbers.
        var isNumber: Bool
    }

    /// One value of a request that was replaced.
    package struct Translation: Sendable, Equatable {
        /// `path[2]`, `query.name`, `headers.name`, or a path into the body such as `$.event.id`.
        package var path: String
        package var emulated: String
        package var upstream: String
        package var isSecret: Bool
    }

    /// The maximum number of remembered values.
    private static let capacity = 20_000
    /// The maximum number of names under which one value is remembered.
    private static let mostNames = 16
    private static let longest = 8_192

    private var upstreamOf: [String: [Counterpart]] = [:]
    private var emulatedOf: [String: [Counterpart]] = [:]
    /// Maps the pseudonyms of redaction, whatever they stand for.
    private let followsPseudonyms: Bool

    /// Creates an empty correspondence.
    ///
    /// - Parameter followsPseudonyms: Maps pseudonyms, for a recording in which people have only these.
    package init(followsPseudonyms: Bool = false) { self.followsPseudonyms = followsPseudonyms }

    // MARK: Learning

    /// A value of the emulation, with the one that another backend answered in its place.
    package struct Pair: Sendable {
        fileprivate var emulated: String
        fileprivate var upstream: String
        fileprivate var reach: Reach
        fileprivate var isNumber = false
    }

    /// Learns from two responses to the same request.
    package mutating func learn(emulated: [UInt8], upstream: [UInt8]) {
        learn(pairs(emulated: emulated, upstream: upstream))
    }

    /// Learns pairs that were found before.
    package mutating func learn(_ pairs: some Sequence<Pair>) { for pair in pairs { add(pair) } }

    /// Finds the pairs of two responses to the same request.
    package func pairs(emulated: [UInt8], upstream: [UInt8]) -> [Pair] {
        guard let left = try? JSONReader.read(emulated), let right = try? JSONReader.read(upstream) else { return [] }
        var found: [Pair] = []
        find(left, right, "", &found)
        return found
    }

    private func find(_ left: JSON, _ right: JSON, _ name: String, _ found: inout [Pair]) {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            for member in left.members {
                if let other = right[member.name] { find(member.value, other, member.name, &found) }
            }
        case (.array(let left), .array(let right)):
            for pair in zip(left, right) { find(pair.0, pair.1, name, &found) }
        case (.string(let left), .string(let right)):
            guard let reach = reach(left, right, name) else { return }
            found.append(Pair(emulated: left, upstream: right, reach: reach))
        case (.integer(let left), .integer(let right)):
            guard left != right, IdentifierForm.isName(name) else { return }
            found.append(Pair(emulated: "\(left)", upstream: "\(right)", reach: .name(name), isNumber: true))
        default: break
        }
    }

    private func reach(_ left: String, _ right: String, _ name: String) -> Reach? {
        guard left != right, !left.isEmpty, !right.isEmpty, left.utf8.count <= Self.longest,
            right.utf8.count <= Self.longest
        else { return nil }
        if followsPseudonyms, Pseudonyms.isPseudonym(right) { return .everywhere }
        if let kind = SecretNames.kind(of: name), [.token, .jwt, .cookie].contains(kind) {
            return left.utf8.count >= 8 && right.utf8.count >= 8 ? .credential : nil
        }
        if IdentifierForm.isName(name) {
            return IdentifierForm.mayBe(left) && IdentifierForm.mayBe(right) ? .name(name) : nil
        }
        return IdentifierForm.isOpaque(left) && IdentifierForm.isOpaque(right) ? .name(name) : nil
    }

    private mutating func add(_ pair: Pair) {
        guard upstreamOf.count < Self.capacity, emulatedOf.count < Self.capacity else { return }
        Self.put(
            Counterpart(other: pair.upstream, reach: pair.reach, isNumber: pair.isNumber),
            into: &upstreamOf[pair.emulated, default: []]
        )
        Self.put(
            Counterpart(other: pair.emulated, reach: pair.reach, isNumber: pair.isNumber),
            into: &emulatedOf[pair.upstream, default: []]
        )
    }

    private static func put(_ counterpart: Counterpart, into counterparts: inout [Counterpart]) {
        if let place = counterparts.firstIndex(where: { $0.reach == counterpart.reach }) {
            counterparts[place] = counterpart
        } else if counterparts.count < mostNames {
            counterparts.append(counterpart)
        }
    }

    /// Adds a pair of any form.
    package mutating func pair(emulated: String, upstream: String) {
        Self.put(
            Counterpart(other: upstream, reach: .everywhere, isNumber: false),
            into: &upstreamOf[emulated, default: []]
        )
        Self.put(
            Counterpart(other: emulated, reach: .everywhere, isNumber: false),
            into: &emulatedOf[upstream, default: []]
        )
    }

    /// Returns the text of the emulation that stands for a text of the real backend.
    package func emulated(of text: String) -> String? { emulatedOf[text]?.last?.other }

    // MARK: Translating

    /// Returns the request in the form for the emulation.
    package func emulatedRequest(_ request: HTTPRequest) -> HTTPRequest {
        guard !emulatedOf.isEmpty else { return request }
        return RequestRewriter.rewritten(request) { Self.other($0, $1, emulatedOf)?.other }
    }

    /// Returns the request in the form for the real backend.
    package func upstreamRequest(_ request: HTTPRequest) -> HTTPRequest {
        guard !upstreamOf.isEmpty else { return request }
        return RequestRewriter.rewritten(request) { Self.other($0, $1, upstreamOf)?.other }
    }

    /// Returns the changes that `upstreamRequest` makes.
    package func translations(of request: HTTPRequest) -> [Translation] {
        guard !upstreamOf.isEmpty else { return [] }
        var list: [Translation] = []
        _ = RequestRewriter.rewritten(request) { value, place in
            guard let counterpart = Self.other(value, place, upstreamOf) else { return nil }
            let path = place.text
            let isSecret = counterpart.reach == .credential || counterpart.reach == .everywhere
            list.append(Translation(path: path, emulated: value, upstream: counterpart.other, isSecret: isSecret))
            return counterpart.other
        }
        return list
    }

    private static func other(_ value: String, _ place: RequestPlace, _ counterparts: [String: [Counterpart]])
        -> Counterpart?
    {
        guard let candidates = counterparts[value] else { return nil }
        if let any = candidates.first(where: { $0.reach == .everywhere }) { return any }
        switch place {
        case .path:
            // Two values with one name here and two there can't be distinguished.
            guard let first = candidates.first, candidates.allSatisfy({ $0.other == first.other }) else { return nil }
            return first
        case .field: return candidates.first { $0.reach == .credential }
        case .query(let name), .member(let name, _, _):
            let isNumber = if case .member(_, _, true) = place { true } else { false }
            let fitting = candidates.filter { $0.isNumber == isNumber || !place.isMember }
            if let same = fitting.first(where: { $0.reach == .name(name) }) { return same }
            return SecretNames.kind(of: name) == nil ? nil : fitting.first { $0.reach == .credential }
        }
    }
}

/// The form of identifiers.
enum IdentifierForm {
    /// Returns true if a member is called `id`, or ends in `Id`, `_id`, or the plural of one.
    static func isName(_ name: String) -> Bool {
        var name = Substring(name)
        if name.hasSuffix("ids") || name.hasSuffix("Ids") || name.hasSuffix("IDs") { name = name.dropLast() }
        if ["id", "ID", "Id", "_id", "uuid", "guid", "UUID"].contains(String(name)) { return true }
        return ["Id", "ID", "_id", "-id", "_uuid", "Uuid", "UUID", "_guid", "Guid"].contains { name.hasSuffix($0) }
    }

    /// Returns true if a text under such a name can be one: no address of any kind, and no words.
    static func mayBe(_ text: String) -> Bool {
        text.utf8.count <= 512 && !text.utf8.contains { $0 <= 0x20 || $0 == 0x40 } && !text.contains("://")
            && Fingerprinter.timeKind(text) == nil
    }

    /// Returns true for a UUID, or a text that is machine-made throughout and so has no meaning.
    ///
    /// Joined words stay words (`figure.run`, `premium_monthly_2024`); an opaque text has a part with alternating
    /// letters and digits.
    static func isOpaque(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, mayBe(text) else { return false }
        if isUUID(bytes) { return true }
        func isPart(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }
        let isPlain = bytes.allSatisfy {
            isPart($0) || [0x2D, 0x5F, 0x2E, 0x7E, 0x2B, 0x2F, 0x3D, 0x3A, 0x7C].contains($0)
        }
        guard isPlain else { return false }
        return bytes.split(whereSeparator: { !isPart($0) }).contains { part in
            guard part.count >= 12 else { return false }
            var turns = 0
            var last: Bool?
            for byte in part {
                let isDigit = byte &- 0x30 < 10
                if let last, last != isDigit { turns += 1 }
                last = isDigit
            }
            return turns >= 3
        }
    }

    private static func isUUID(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place) ? byte == 0x2D : byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
        }
    }
}

/// The place of a value in a request.
package enum RequestPlace {
    /// A segment of the path, from 0.
    case path(Int)
    /// A parameter of the query.
    case query(String)
    /// A word of a credential in a header field, or a cookie's value.
    case field(String)
    /// A member of the body, or a parameter of a form, with its path; and whether it is a number.
    case member(String, JSONRewriter.Place?, Bool)

    var isMember: Bool { if case .member(_, .some, _) = self { true } else { false } }

    var name: String {
        switch self {
        case .path: ""
        case .query(let name), .field(let name), .member(let name, _, _): name
        }
    }

    /// The form in the journal.
    var text: String {
        switch self {
        case .path(let place): "path[\(place)]"
        case .query(let name): "query.\(name)"
        case .field(let name): "headers.\(name.lowercased())"
        case .member(let name, let place, _): place?.text ?? "form.\(name)"
        }
    }
}

/// Rewrites the values of a request in place: path segments, query and form values, cookies and credentials, and the
/// texts and numbers of a JSON body.
package enum RequestRewriter {
    /// Returns the request with each text replaced by the closure's result, wherever it is.
    package static func rewritten(_ request: HTTPRequest, _ value: (String) -> String) -> HTTPRequest {
        rewritten(request) { text, place -> String? in
            if case .member(_, _, true) = place { nil } else { value(text) }
        }
    }

    /// Returns the request with each value replaced by the closure's result; nil keeps the value.
    package static func rewritten(_ request: HTTPRequest, _ value: (String, RequestPlace) -> String?) -> HTTPRequest {
        var copy = request
        let segments = request.head.target.rawPath.split(separator: "/", omittingEmptySubsequences: false)
        copy.head.target.rawPath = segments.enumerated().map { place, segment -> String in
            guard let decoded = Path(raw: "/" + segment)?.segments.first, let other = value(decoded, .path(place - 1)),
                other != decoded
            else { return String(segment) }
            return other.percentEncodedSegment
        }.joined(separator: "/")
        copy.head.target.rawQuery = request.head.target.rawQuery.map { form($0) { value($1, .query($0)) } }
        var fields = Fields()
        for place in 0..<request.head.fields.count {
            let name = String(decoding: request.head.fields.nameBytes(at: place), as: UTF8.self)
            guard let field = FieldName(name) else { continue }
            let text = String(decoding: request.head.fields.valueBytes(at: place), as: UTF8.self)
            let isPlain =
                !SecretNames.isAuthorization(name) && SecretNames.kind(of: name) == nil && name.lowercased() != "cookie"
            fields.append(field, isPlain ? text : credential(text) { value($0, .field(name)) ?? $0 })
        }
        copy.head.fields = fields
        let bytes = request.body.bytes
        guard !bytes.isEmpty, !request.body.exceedsLimit else { return copy }
        let isJSON = (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512))) != nil
        let isForm = MediaType(fields[.contentType] ?? "")?.essence == "application/x-www-form-urlencoded"
        if isForm, !isJSON {
            let text = form(String(decoding: bytes, as: UTF8.self)) { value($1, .member($0, nil, false)) }
            copy.body = RequestBody(Array(text.utf8))
        } else if isJSON {
            var rewriter = JSONRewriter(bytes)
            copy.body = RequestBody(
                rewriter.rewrittenByPlace(
                    string: { value($0, .member($1.name, $1, false)) ?? $0 },
                    number: { value($0, .member($1.name, $1, true)) ?? $0 }
                )
            )
        }
        return copy
    }

    private static func form(_ text: String, _ value: (String, String) -> String?) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { piece -> String in
            guard let item = QueryItems(String(piece), limit: 1).items.first, let equals = piece.firstIndex(of: "="),
                let other = value(item.name, item.value), other != item.value
            else { return String(piece) }
            return piece[...equals] + other.percentEncodedComponent
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
