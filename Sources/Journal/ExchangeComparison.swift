import CivilTime
import Crypto
import HTTPMessage
package import JSON

/// The differences between two exchanges of the journal (console contract, section 9).
package struct ExchangeComparison {
    /// The number of differences that are listed.
    static let most = 1_000

    package private(set) var differences: [JSON] = []
    package private(set) var ignored: [String] = []
    package private(set) var isTruncated = false

    /// Fields whose values change by nature, or are credentials.
    private static let ignoredFields: Set<String> = [
        "date", "age", "x-request-id", "user-agent", "authorization", "proxy-authorization", "cookie", "set-cookie",
    ]

    /// Compares two exchanges.
    ///
    /// `leftOut` are names of request fields, in lower case, that are not compared.
    package init(_ a: JournalEntry, _ b: JournalEntry, leavingOut leftOut: Set<String> = []) {
        differ("method", .string(a.method.rawValue), .string(b.method.rawValue))
        differ("path", .string(a.path), .string(b.path))
        differ("query", .string(a.query ?? ""), .string(b.query ?? ""))
        differ("status", .integer(Int64(a.status.code)), .integer(Int64(b.status.code)))
        compare(a.headers, b.headers, at: "request.headers", leavingOut: leftOut)
        compare(a.body, b.body, at: "request.body")
        compare(a.sentFields, b.sentFields, at: "response.headers")
        compare(a.responseBody, b.responseBody, at: "response.body")
    }

    package var isSame: Bool { differences.isEmpty }

    package var json: JSON {
        var object: JSONObject = ["same": .bool(isSame), "differences": .array(differences)]
        if isTruncated { object.append("truncated", true) }
        object.append("ignored", .array(ignored.map { .string($0) }))
        return .object(object)
    }

    private mutating func differ(_ path: String, _ a: JSON?, _ b: JSON?) {
        guard a != b else { return }
        guard differences.count < Self.most else {
            isTruncated = true
            return
        }
        var object: JSONObject = ["path": .string(path)]
        if let a { object.append("a", a) }
        if let b { object.append("b", b) }
        differences.append(.object(object))
    }

    // MARK: Fields

    private mutating func compare(_ a: Fields, _ b: Fields, at path: String, leavingOut leftOut: Set<String> = []) {
        let (left, right) = (Self.byName(a), Self.byName(b))
        var names = left.names
        for name in right.names where !names.contains(name) { names.append(name) }
        for name in names {
            let (one, other) = (left.values[name], right.values[name])
            guard one != other, !leftOut.contains(name) else { continue }
            guard !Self.ignoredFields.contains(name) else {
                ignored.append("\(path).\(name)")
                continue
            }
            differ("\(path).\(name)", one.map { .string($0) }, other.map { .string($0) })
        }
    }

    /// Returns the values by their names in lower case; several values of one name are one, with commas.
    private static func byName(_ fields: Fields) -> (names: [String], values: [String: String]) {
        var names: [String] = []
        var values: [String: String] = [:]
        for pair in fields.pairs {
            let name = pair.name.lowercased()
            if let former = values[name] {
                values[name] = "\(former), \(pair.value)"
            } else {
                names.append(name)
                values[name] = pair.value
            }
        }
        return (names, values)
    }

    // MARK: Content

    private mutating func compare(_ a: JournalEntry.Body, _ b: JournalEntry.Body, at path: String) {
        guard a.kept != b.kept || a.length != b.length else { return }
        if let one = Self.json(a), let other = Self.json(b) {
            compare(one, other, at: path)
            return
        }
        differ(path, Self.digest(a), Self.digest(b))
    }

    private static func json(_ body: JournalEntry.Body) -> JSON? {
        guard !body.isTruncated, !body.kept.isEmpty else { return nil }
        return try? JSONReader.read(body.kept, options: JSONReader.Options(maxDepth: 512))
    }

    /// Returns a digest; nil for a body that is not there.
    private static func digest(_ body: JournalEntry.Body) -> JSON? {
        guard body.length > 0 else { return nil }
        let digest = body.digest ?? (body.isTruncated ? nil : SHA256.digest(body.kept))
        return .string(digest.map { "sha256:\(Hex.encode($0))" } ?? "\(body.length) bytes")
    }

    private mutating func compare(_ a: JSON, _ b: JSON, at path: String) {
        guard !isTruncated, a != b else { return }
        switch (a, b) {
        case (.object(let one), .object(let other)):
            for member in one.members {
                let inner = "\(path).\(member.name)"
                if let value = other[member.name] {
                    compare(member.value, value, at: inner)
                } else {
                    differ(inner, member.value, nil)
                }
            }
            for member in other.members where one[member.name] == nil {
                differ("\(path).\(member.name)", nil, member.value)
            }
        case (.array(let one), .array(let other)):
            for place in 0..<max(one.count, other.count) {
                let inner = "\(path)[\(place)]"
                if place < one.count, place < other.count {
                    compare(one[place], other[place], at: inner)
                } else {
                    differ(inner, place < one.count ? one[place] : nil, place < other.count ? other[place] : nil)
                }
            }
        case (.string(let one), .string(let other)) where Self.areAlike(one, other): ignored.append(path)
        // Two spellings of one number are no difference.
        case (.integer, .number), (.number, .integer), (.number, .number):
            if a.doubleValue != b.doubleValue { differ(path, a, b) }
        default: differ(path, a, b)
        }
    }

    /// Tells whether two texts are of a kind that changes by nature: instants, UUIDs or JWTs.
    private static func areAlike(_ a: String, _ b: String) -> Bool {
        [isInstant, isUUID, isJWT].contains { $0(a) && $0(b) }
    }

    private static func isInstant(_ text: String) -> Bool { Instant(iso8601: text) != nil }

    private static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place) ? byte == 0x2D : Hex.decode("0" + String(UnicodeScalar(byte))) != nil
        }
    }

    private static func isJWT(_ text: String) -> Bool {
        guard let parts = try? JWT.Parts(parsing: text) else { return false }
        return (try? JSONReader.read(parts.headerBytes))?["alg"] != nil
    }
}
