package import Backend
import Basics
import Crypto
import HTTPMessage
package import JSON

/// The pseudonyms of one recording: equal values get equal ones, and no pseudonym leads back to its value.
///
/// They are numbered in the order in which the values first appear. Only digests of the values are kept. May be shared
/// among threads.
package final class Pseudonyms: Sendable {
    private struct State {
        var numbers: [[UInt8]: UInt64] = [:]
        /// The claims that the pseudonyms of JWTs keep, by the same keys.
        var claims: [[UInt8]: JSONObject] = [:]
        var last: [SecretKind: UInt64] = [:]
        /// Opaque secrets that occurred under a telltale name or were issued by Understudy, which are searched for
        /// everywhere.
        var known: Set<String> = []
        /// The register of everything that Understudy has issued.
        var issued: IssuedSecrets?
        /// The prints of further secrets.
        var prints: Set<SecretPrint> = []
        /// The known secrets in the order in which they were added.
        var learnt: [String] = []
        /// Finds all of them in texts.
        ///
        /// There are two parts, because a thread that searches a text shares both. Adding to one then copies it, so the
        /// newer one is kept small.
        var older = SecretSearch()
        var newer = SecretSearch()

        mutating func add(_ marks: [SecretSearch.Mark]) {
            newer.add(marks)
            guard newer.count > max(256, older.count / 8) else { return }
            older.add(newer)
            newer = SecretSearch()
        }
    }

    /// The maximum number of remembered values; later ones get a new number each time.
    private static let capacity = 1_000_000
    private static let knownCapacity = 200_000

    private let state = Locked(State())

    /// Creates pseudonyms.
    ///
    /// - Parameter first: The number of the first pseudonym of each kind, for a recording that is continued.
    package init(from first: UInt64 = 1) {
        state.withLock { state in
            for kind in SecretKind.allCases { state.last[kind] = max(first, 1) - 1 }
        }
    }

    /// Adds an opaque secret, which is then replaced wherever it occurs, under whatever name.
    package func learn(_ secret: String) {
        guard Self.isTelling(secret), !SecretNames.isConstant(secret), !Self.isPseudonym(secret) else { return }
        state.withLock { state in
            guard state.known.count < Self.knownCapacity, state.known.insert(secret).inserted else { return }
            state.learnt.append(secret)
            for spelling in Self.spellings(of: secret) { state.add(SecretSearch.marks(of: spelling)) }
        }
    }

    /// The forms of a secret: as it is, in JSON, and in a URL.
    package static func spellings(of secret: String) -> [[UInt8]] {
        let plain = Array(secret.utf8)
        let escaped = Array(JSON.string(secret).serialized().dropFirst().dropLast())
        let coded = Array(secret.percentEncodedComponent.utf8)
        return [plain] + [escaped, coded].filter { $0 != plain }
    }

    /// Adds everything that Understudy has issued, and will issue.
    package func learn(from issued: IssuedSecrets) { state.withLock { $0.issued = issued } }

    /// Returns the secrets that were added after the first `count`.
    package func learnt(after count: Int) -> ArraySlice<String> {
        state.withLock { $0.learnt[min(count, $0.learnt.count)...] }
    }

    /// The number of learnt secrets.
    package var learntCount: Int { state.withLock { $0.learnt.count } }

    /// The searches that find the known secrets in texts, in all of their spellings.
    package var searches: [SecretSearch] { state.withLock { [$0.older, $0.newer] } }

    /// Adds secrets of which only the prints are available.
    package func learn(_ prints: Set<SecretPrint>) {
        state.withLock { state in
            if state.prints.isEmpty { state.prints = prints } else { state.prints.formUnion(prints) }
            // The order does not matter: the same search results.
            for print in prints { if let mark = print.mark { state.older.add([mark]) } }
        }
    }

    /// Returns the places of known secrets in a text, whatever surrounds them.
    ///
    /// Without `takesWords` those that could be a word are not searched for.
    package func places(in bytes: [UInt8], takesWords: Bool = true) -> [Range<Int>] {
        let (older, newer, issued) = state.withLock { ($0.older, $0.newer, $0.issued) }
        // Issued secrets are replaced wherever they are, as in the search of requests to a backend.
        let own =
            issued?.places(in: bytes) { !RedactionMark.begins(bytes[$0...]) && !Self.isInPseudonym($0, bytes) } ?? []
        guard older.count + newer.count > 0 else { return own }
        return own
            + [older, newer].flatMap { search in
                search.find(in: bytes) { isKnown(String(decoding: $0, as: UTF8.self)) }
            }.filter { takesWords ? Self.isWhole($0, bytes) : !Self.isWord(bytes[$0]) }
    }

    /// Returns true if an occurrence counts as the secret.
    ///
    /// A password that is an ordinary word counts only as a whole word of a text, not as a part of others, and not as
    /// a name.
    package static func isWhole(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        !isWord(bytes[range]) || isFree(range, bytes) && !isName(range, bytes)
    }

    /// Returns true for the name of a parameter, of an attribute, of an element, or of a member of JSON, which may stand
    /// in a text.
    private static func isName(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        func byte(_ place: Int) -> UInt8 { bytes.indices.contains(place) ? bytes[place] : 0 }
        let before = byte(range.lowerBound - 1)
        if byte(range.upperBound) == 0x3D || before == 0x3C { return true }
        if before == 0x2F { return byte(range.lowerBound - 2) == 0x3C }
        guard before == 0x22 else { return false }
        var next = range.upperBound
        while byte(next) == 0x5C { next += 1 }
        guard byte(next) == 0x22 else { return false }
        repeat { next += 1 } while byte(next) == 0x20
        return byte(next) == 0x3A
    }

    /// Returns true if a secret could be a word or a number of any text: short, or without letters and digits.
    package static func isWord(_ secret: ArraySlice<UInt8>) -> Bool {
        secret.count < 10 || !secret.contains { $0 &- 0x30 < 10 }
            || secret.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x2E || $0 == 0x20 }
    }

    private static func isFree(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        func isLetter(_ place: Int) -> Bool {
            guard bytes.indices.contains(place) else { return false }
            let byte = bytes[place]
            return byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || [0x2D, 0x5F, 0x7E].contains(byte)
        }
        return !isLetter(range.lowerBound - 1) && !isLetter(range.upperBound)
    }

    /// Returns true if a text is distinctive enough to be searched for everywhere.
    private static func isTelling(_ secret: String) -> Bool {
        guard secret.utf8.count >= 8, secret.utf8.count <= 8_192 else { return false }
        // Short runs of digits are too common to be searched for everywhere.
        return secret.utf8.count > 10 || secret.utf8.contains { !(0x30...0x39).contains($0) }
    }

    package func isKnown(_ text: String) -> Bool {
        let (isKnown, prints, issued) = state.withLock { ($0.known.contains(text), $0.prints, $0.issued) }
        if !isKnown, let issued, issued.holds(credential: text), !Self.isPseudonym(text) { return true }
        guard !isKnown, !prints.isEmpty, Self.isTelling(text) else { return isKnown }
        return prints.contains(SecretPrint(text)) && !Self.isPseudonym(text)
    }

    /// The kinds of secrets that a message may repeat.
    private static let repeated: [SecretKind] = [.token, .code]

    /// Tells whether a value was replaced where it was a secret as a whole.
    package func hasPseudonym(for value: String) -> Bool {
        let keys = Self.repeated.map { Self.key(value, $0) }
        return state.withLock { state in keys.contains { state.numbers[$0] != nil } }
    }

    /// A number that grows with each known secret, and with each that a message may repeat.
    package var secretCount: UInt64 {
        state.withLock { state in
            UInt64(state.known.count + state.prints.count) + Self.repeated.reduce(0) { $0 + (state.last[$1] ?? 0) }
        }
    }

    package var hasKnown: Bool {
        state.withLock { !$0.known.isEmpty || !$0.prints.isEmpty || $0.issued?.hasIssued == true }
    }

    /// Returns the pseudonym of a value.
    package func pseudonym(for value: String, _ kind: SecretKind) -> String {
        guard !value.isEmpty, !Self.isPseudonym(value) else { return value }
        switch kind {
        case .jwt: return jwt(value)
        case .token where Self.looksLikeJWT(value): return jwt(value)
        case .email: return "\(RedactionMark.mark)email-\(number(value, .email))@example.invalid"
        case .token, .cookie: return "\(RedactionMark.mark)\(kind.rawValue)-\(number(value, kind))"
        case .basic:
            return Base64.encode(Array("redacted-user-\(number(value, .basic)):redacted".utf8))
        case .phone, .person, .code:
            // Letters would stay as they are, and a code of letters and digits is a secret as a whole.
            guard value.utf8.contains(where: { $0 &- 0x30 < 10 }),
                !value.utf8.contains(where: { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 })
            else { return "\(RedactionMark.mark)\(kind.rawValue)-\(number(value, kind))" }
            return digits(of: value, replacedBy: number(value, kind), keepsFirst: kind == .phone ? 1 : 0)
        }
    }

    /// Returns true if a text already is one of our pseudonyms.
    package static func isPseudonym(_ text: String) -> Bool {
        if RedactionMark.begins(text) { return true }
        guard text.hasPrefix("ey"), let parts = try? JWT.Parts(parsing: text) else { return false }
        return String(decoding: parts.signature, as: UTF8.self).hasPrefix("redacted-jwt-")
    }

    /// The beginnings, without the first letter, of the pseudonyms of values other than credentials.
    ///
    /// The search of requests to a backend recognises them by these. The first letter is omitted, so that texts which
    /// begin like pseudonyms are left to the search for credentials' pseudonyms. Pseudonyms of digits alone look like
    /// any number.
    package static let marks: [String] = [SecretKind.email, .phone, .person, .code].flatMap { kind in
        (1...9).map { "edacted-\(kind.rawValue)-\($0)" }
    }

    /// Returns true if the text at a place is a pseudonym without its first letter.
    private static func isInPseudonym(_ place: Int, _ bytes: [UInt8]) -> Bool {
        place > 0 && place + RedactionMark.markBytes.count <= bytes.count + 1
            && RedactionMark.isMark { bytes[place - 1 + $0] }
    }

    private static func key(_ value: String, _ kind: SecretKind) -> [UInt8] {
        // Only digits are compared, so that a number is the same with and without separators.
        let isNumber = (kind == .phone || kind == .person) && !value.utf8.contains { ($0 | 0x20) &- 0x61 < 26 }
        let digits = isNumber ? value.utf8.filter { $0 &- 0x30 < 10 } : []
        return SHA256.digest(Array(kind.rawValue.utf8) + [0] + (digits.isEmpty ? Array(value.utf8) : digits))
    }

    private func number(_ value: String, _ kind: SecretKind) -> UInt64 {
        let key = Self.key(value, kind)
        return state.withLock { state in
            if let number = state.numbers[key] { return number }
            let number = (state.last[kind] ?? 0) + 1
            state.last[kind] = number
            if state.numbers.count < Self.capacity { state.numbers[key] = number }
            return number
        }
    }

    /// Returns the text with its digits replaced by those of a number, with leading zeros; everything else stays.
    private func digits(of value: String, replacedBy number: UInt64, keepsFirst: Int) -> String {
        let count = value.utf8.count { (0x30...0x39).contains($0) }
        var digits = Array("\(number)".utf8)
        // There are more numbers than digits, so the last digits distinguish them as far as possible.
        if digits.count > count { digits.removeFirst(digits.count - count) }
        digits = [UInt8](repeating: 0x30, count: count - digits.count) + digits
        // A JSON number and an international phone number don't begin with a zero.
        if keepsFirst > 0, count > 1, digits[0] == 0x30 { digits[0] = 0x39 }
        var place = 0
        let text = value.utf8.map { byte -> UInt8 in
            guard (0x30...0x39).contains(byte) else { return byte }
            place += 1
            return digits[place - 1]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func looksLikeJWT(_ value: String) -> Bool {
        value.hasPrefix("ey") && JWTForm.isToken(Array(value.utf8)[...])
    }

    /// Has the pseudonym of a JWT keep claims, unless it has one already.
    package func keep(_ claims: JSONObject, of token: String) {
        let key = Self.key(token, .jwt)
        state.withLock { state in
            guard state.claims.count < Self.capacity, state.numbers[key] == nil, state.claims[key] == nil else {
                return
            }
            state.claims[key] = claims
        }
    }

    /// Returns a token that is still readable: the algorithm, the times and the claims that stand beside it are kept,
    /// the rest is replaced.
    private func jwt(_ value: String) -> String {
        let number = number(value, .jwt)
        var shared = state.withLock { $0.claims[Self.key(value, .jwt)] } ?? [:]
        // What has turned out to be a secret since is none that may be kept.
        shared = JSONObject(shared.members.filter { !($0.value.stringValue.map(isKnown) ?? false) })
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        func object(_ place: Int) -> JSONObject? {
            guard place < parts.count, let bytes = Base64URL.decode(Array(parts[place].utf8)) else { return nil }
            return (try? JSONReader.read(bytes))?.objectValue
        }
        var header: JSONObject = [:]
        header.append("alg", .string(object(0)?["alg"]?.stringValue ?? "none"))
        header.append("typ", "JWT")
        let claims = object(1) ?? [:]
        var payload: JSONObject = [:]
        payload.append("sub", shared["sub"] ?? Self.id(in: claims) ?? .string("redacted-jwt-\(number)"))
        for name in ["iat", "nbf", "exp"] {
            if let time = claims[name], time.doubleValue != nil { payload.append(name, time) }
        }
        for claim in shared.members where payload[claim.name] == nil { payload.append(claim.name, claim.value) }
        return [
            Base64URL.encode(JSON.object(header).serialized()), Base64URL.encode(JSON.object(payload).serialized()),
            Base64URL.encode(Array("redacted-jwt-\(number)".utf8)),
        ].joined(separator: ".")
    }

    /// Returns the subject of a token, if it is an id that means nothing by itself: a UUID, or long digits.
    private static func id(in claims: JSONObject) -> JSON? {
        guard let subject = claims["sub"], case .string(let text) = subject else { return nil }
        let isHex = text.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 || $0 == 0x2D }
        let isUUID = text.utf8.count == 36 && text.utf8.count { $0 == 0x2D } == 4
        guard isHex, isUUID || text.utf8.count >= 20 && !text.utf8.contains(0x2D) else { return nil }
        return subject
    }
}
