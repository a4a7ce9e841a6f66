package import Emulation
import JSON
import Locking
import Signing

/// The stand-ins of one recording: equal values get equal ones, and nothing leads back from a stand-in to its value.
///
/// They are numbered in the order in which the values first appear. Only digests of the values are kept. May be shared
/// among threads.
package final class Pseudonyms: Sendable {
    private struct State {
        var numbers: [[UInt8]: UInt64] = [:]
        var last: [SecretKind: UInt64] = [:]
        /// Opaque secrets seen under a telling name or issued by Understudy, looked for everywhere.
        var known: Set<String> = []
        /// Everything that Understudy has issued.
        var issued: IssuedSecrets?
        /// Prints of others.
        var prints: Set<SecretPrint> = []
    }

    /// Values that are remembered; those after them get a number of their own each time.
    private static let capacity = 1_000_000
    private static let knownCapacity = 200_000

    private let state = Locked(State())

    /// - Parameter first: the number of the first stand-in of each kind, for a recording that is continued.
    package init(from first: UInt64 = 1) {
        state.withLock { state in
            for kind in SecretKind.allCases { state.last[kind] = max(first, 1) - 1 }
        }
    }

    /// Makes an opaque secret known: it is replaced wherever it stands, under whatever name.
    package func learn(_ secret: String) {
        guard Self.isTelling(secret), !Self.isStandIn(secret) else { return }
        state.withLock { if $0.known.count < Self.knownCapacity { $0.known.insert(secret) } }
    }

    /// Makes everything known that Understudy has issued, and what it issues from now on.
    package func learn(from issued: IssuedSecrets) { state.withLock { $0.issued = issued } }

    /// Makes secrets known of which only the prints are there.
    package func learn(_ prints: Set<SecretPrint>) {
        state.withLock { state in
            if state.prints.isEmpty { state.prints = prints } else { state.prints.formUnion(prints) }
        }
    }

    /// Whether a text is one that may be looked for everywhere.
    private static func isTelling(_ secret: String) -> Bool {
        guard secret.utf8.count >= 8, secret.utf8.count <= 8_192 else { return false }
        // Short runs of digits are too common to be looked for in other places.
        return secret.utf8.count > 10 || secret.utf8.contains { !(0x30...0x39).contains($0) }
    }

    package func isKnown(_ text: String) -> Bool {
        let (isKnown, prints, issued) = state.withLock { ($0.known.contains(text), $0.prints, $0.issued) }
        if !isKnown, let issued, issued.holds(credential: text), !Self.isStandIn(text) { return true }
        guard !isKnown, !prints.isEmpty, Self.isTelling(text) else { return isKnown }
        return prints.contains(SecretPrint(text)) && !Self.isStandIn(text)
    }

    /// How many there are.
    var knownCount: Int { state.withLock { $0.known.count + $0.prints.count } }

    package var hasKnown: Bool {
        state.withLock { !$0.known.isEmpty || !$0.prints.isEmpty || $0.issued?.hasIssued == true }
    }

    /// The stand-in of a value.
    package func standIn(for value: String, _ kind: SecretKind) -> String {
        guard !value.isEmpty, !Self.isStandIn(value) else { return value }
        switch kind {
        case .jwt: return jwt(value)
        case .token where Self.looksLikeJWT(value): return jwt(value)
        case .email: return "redacted-email-\(number(value, .email))@example.invalid"
        case .token, .cookie: return "redacted-\(kind.rawValue)-\(number(value, kind))"
        case .basic:
            return Base64.encode(Array("redacted-user-\(number(value, .basic)):redacted".utf8))
        case .phone, .person, .code:
            // Letters would stay where they are, and a code of letters and digits is a secret as a whole.
            guard value.utf8.contains(where: { $0 &- 0x30 < 10 }),
                !value.utf8.contains(where: { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 })
            else { return "redacted-\(kind.rawValue)-\(number(value, kind))" }
            return digits(of: value, replacedBy: number(value, kind), keepsFirst: kind == .phone ? 1 : 0)
        }
    }

    /// Whether a text is one of our own stand-ins already.
    package static func isStandIn(_ text: String) -> Bool {
        if text.hasPrefix("redacted-") { return true }
        guard text.hasPrefix("ey"), let parts = try? JWT.Parts(parsing: text) else { return false }
        return String(decoding: parts.signature, as: UTF8.self).hasPrefix("redacted-jwt-")
    }

    private func number(_ value: String, _ kind: SecretKind) -> UInt64 {
        // Digits alone are compared, so that a number is the same with and without its separators.
        let isNumber = (kind == .phone || kind == .person) && !value.utf8.contains { ($0 | 0x20) &- 0x61 < 26 }
        let digits = isNumber ? value.utf8.filter { $0 &- 0x30 < 10 } : []
        let key = SHA256.digest(Array(kind.rawValue.utf8) + [0] + (digits.isEmpty ? Array(value.utf8) : digits))
        return state.withLock { state in
            if let number = state.numbers[key] { return number }
            let number = (state.last[kind] ?? 0) + 1
            state.last[kind] = number
            if state.numbers.count < Self.capacity { state.numbers[key] = number }
            return number
        }
    }

    /// The text with its digits replaced by those of a number, zeros in front; everything else stays where it is.
    private func digits(of value: String, replacedBy number: UInt64, keepsFirst: Int) -> String {
        let count = value.utf8.count { (0x30...0x39).contains($0) }
        var digits = Array("\(number)".utf8)
        // More numbers than places: the last digits tell them apart as far as they can.
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
        value.hasPrefix("ey") && SecretScanner.isJWT(Array(value.utf8)[...])
    }

    /// A token that still reads as one: the algorithm and the times are kept, the rest is gone.
    private func jwt(_ value: String) -> String {
        let number = number(value, .jwt)
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        func object(_ place: Int) -> JSONObject? {
            guard place < parts.count, let bytes = Base64URL.decode(Array(parts[place].utf8)) else { return nil }
            return (try? JSONReader.read(bytes))?.objectValue
        }
        var header: JSONObject = [:]
        header.append("alg", .string(object(0)?["alg"]?.stringValue ?? "none"))
        header.append("typ", "JWT")
        var payload: JSONObject = ["sub": .string("redacted-jwt-\(number)")]
        for name in ["iat", "nbf", "exp"] {
            if let time = object(1)?[name], time.doubleValue != nil { payload.append(name, time) }
        }
        return [
            Base64URL.encode(JSON.object(header).serialized()), Base64URL.encode(JSON.object(payload).serialized()),
            Base64URL.encode(Array("redacted-jwt-\(number)".utf8)),
        ].joined(separator: ".")
    }
}
