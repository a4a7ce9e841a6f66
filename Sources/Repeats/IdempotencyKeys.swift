package import APIFolders
package import Backend
package import CivilTime
import Crypto
package import HTTPMessage
import JSON

/// The idempotency keys of an API as `api.json` declares them (wire contract, section 8).
package struct IdempotencyKeys: Sendable {
    /// The key in a request.
    package enum Key: Sendable, Equatable {
        case none
        case unusable(reason: String)
        case usable(String)
    }

    /// The answer to a repetition.
    package enum Finding: Sendable {
        case answer(Response, source: AnswerSource?, route: String?)
        /// The content is another one.
        case mismatch
    }

    package private(set) var header: FieldName = "Idempotency-Key"
    package private(set) var headerName = "Idempotency-Key"
    /// The time of the world for which an answer is kept.
    package private(set) var lifetime = Interval.hours(24)
    package private(set) var isRequired = false

    /// Answers that a world keeps of an API.
    package static let most = 16_384
    /// The bytes of their contents.
    package static let mostBytes = 64 << 20
    /// Characters of a key.
    package static let longestKey = 255
    /// The longest lifetime: a hundred years.
    private static let longestLifetime = Interval.seconds(3_155_760_000)

    package init() {}

    // MARK: Reading

    /// Reads `idempotency`; nil where it is absent, or false.
    package init?(_ check: inout FileCheck) {
        guard let value = check.value("idempotency") else { return nil }
        if let isOn = value.boolValue {
            guard isOn else { return nil }
            return
        }
        guard value.objectValue != nil, var inner = check.object("idempotency") else {
            if value.objectValue == nil { check.error("idempotency", "must be true, false or an object") }
            return nil
        }
        if let text = inner.name("header") {
            if let name = FieldName(text) {
                (header, headerName) = (name, text)
            } else {
                inner.error("header", "is not the name of a header field")
            }
        }
        if let text = inner.string("lifetime") {
            do throws(DurationError) {
                lifetime = try Interval(iso8601Duration: text)
                if lifetime <= .zero || lifetime > Self.longestLifetime {
                    inner.error("lifetime", "must be longer than PT0S, and at most P36525D")
                }
            } catch {
                inner.error("lifetime", "\(error)")
            }
        }
        isRequired = inner.boolean("required") ?? false
        inner.refuseUnknown()
    }

    // MARK: Keys

    /// Returns the key of a request.
    package func key(of call: Call) -> Key {
        let values = call.fields.values(header)
        guard let first = values.first else {
            return isRequired ? .unusable(reason: "The request needs the header \(headerName).") : .none
        }
        guard values.allSatisfy({ $0 == first }) else {
            return .unusable(reason: "The request has several values of \(headerName).")
        }
        guard !first.isEmpty else { return .unusable(reason: "\(headerName) is empty.") }
        guard first.unicodeScalars.count <= Self.longestKey else {
            return .unusable(reason: "\(headerName) has more than \(Self.longestKey) characters.")
        }
        return .usable(first)
    }

    /// Returns what all repetitions of a request have in common; nil for one without a usable key.
    package func identity(of call: Call, user: String?) -> String? {
        guard case .usable(let key) = key(of: call) else { return nil }
        // No method, path or user has a NUL in it.
        let text = [call.method.rawValue, call.path.text, user.map { "u" + $0 } ?? "", key].joined(separator: "\0")
        return Hex.encode(SHA256.digest(text.utf8))
    }

    // MARK: Answers

    /// Returns what is kept for a repetition; nil where nothing is.
    package func found(_ identity: String, for call: Call, in kept: Table<KeptAnswer>) -> Finding? {
        guard let answer = kept[identity], call.now - answer.keptAt < lifetime else { return nil }
        guard answer.request == Self.digest(of: call) else { return .mismatch }
        return .answer(answer.response, source: AnswerSource(rawValue: answer.source), route: answer.route)
    }

    /// Keeps the first success.
    ///
    /// Of too many answers the oldest go first.
    package func keep(_ response: Response, under identity: String, for call: Call, in kept: inout Table<KeptAnswer>) {
        guard (200..<300).contains(response.status.code), case .usable(let key) = key(of: call) else { return }
        if let former = kept[identity] {
            guard call.now - former.keptAt >= lifetime else { return }
            kept.remove(identity)
        }
        let answer = KeptAnswer(
            response,
            under: identity,
            key: key,
            request: Self.digest(of: call),
            to: call,
            after: Self.total(of: kept)
        )
        while let oldest = Self.oldest(in: kept),
            kept.count >= Self.most || answer.bytes(from: oldest) > Self.mostBytes
        {
            kept.remove(oldest.id)
        }
        kept.insert(answer)
    }

    private static func oldest(in kept: Table<KeptAnswer>) -> KeptAnswer? {
        (0..<kept.nextPlace).lazy.compactMap { kept.read($0) { $0 } }.first
    }

    /// The bytes of all contents that were ever kept.
    private static func total(of kept: Table<KeptAnswer>) -> Int {
        (0..<kept.nextPlace).lazy.reversed().compactMap { kept.read($0) { $0.total ?? 0 } }.first ?? 0
    }

    private static func digest(of call: Call) -> [UInt8] { call.request.digest ?? digest(call.request.body.bytes) }

    /// Returns the digest by which contents are compared.
    package static func digest(_ content: [UInt8]) -> [UInt8] { SHA256.digest(content) }
}
