import CivilTime
import ConductKit
import HTTPMessage

/// The words of `Cache-Control`, and what of a request selects an answer (RFC 9111).
enum CacheWords {
    /// The directives of an answer, in lower case.
    static func directives(_ fields: Fields) -> [String] {
        fields.listElements(.cacheControl).map { $0.lowercased() }
    }

    /// The seconds for which an answer is fresh from its origin on; nil if a cache has to ask each time.
    static func lifetime(_ fields: Fields) -> Int64? {
        let words = directives(fields)
        guard !words.isEmpty, !words.contains("no-store"), !words.contains("no-cache") else { return nil }
        let ages = words.filter { $0.hasPrefix("max-age=") }.map {
            Int64($0.dropFirst("max-age=".count).filter { $0 != "\"" }) ?? 0
        }
        // Where there are several, caches may take any of them.
        guard let life = ages.min() ?? (words.contains("immutable") ? 31_536_000 : nil), life > 0 else { return nil }
        return min(life, 1_000_000_000)
    }

    /// The seconds that an answer spent in caches on its way; nil where it does not say so.
    static func age(_ fields: Fields) -> Int64? {
        fields["Age"].flatMap { Int64($0) }.map { min(max(0, $0), 1_000_000_000) }
    }

    /// The seconds that an answer was under way by the clock of the device that got it, which may not be the server's;
    /// `date` is its `Date` (RFC 9111, section 4.2.3).
    static func apparentAge(_ date: Instant?, at row: Row) -> Int64 {
        date.map { min(max(0, row.end / 1_000_000 - $0.seconds), 1_000_000_000) } ?? 0
    }

    /// The date of an answer.
    static func date(_ fields: Fields) -> Instant? { fields[.date].flatMap { Instant(httpDate: $0) } }

    /// The longest time in microseconds for which a client may take an answer for fresh, by `Expires` too where there is
    /// nothing in `Cache-Control`; nil if a cache has to ask each time.
    static func freshFor(_ x: JudgedExchange) -> Int64? {
        let fields = x.exchange.responseFields
        if let life = lifetime(fields) {
            let left = life - (age(fields) ?? 0)
            return left > 0 ? left * 1_000_000 : nil
        }
        guard directives(fields).allSatisfy({ $0 == "public" || $0 == "private" || $0 == "must-revalidate" }),
            let end = fields["Expires"].flatMap({ Instant(httpDate: $0) })
        else { return nil }
        let left = end.microseconds - min(x.row.end, date(fields)?.microseconds ?? x.row.end)
        return left > 0 ? left : nil
    }

    /// Tells whether a request asks for an answer from the server itself, or for a part of one.
    static func isUnusual(_ x: JudgedExchange) -> Bool {
        x.field(.cacheControl) != nil || x.field(.pragma) != nil || x.field(.range) != nil
    }

    /// The same number for requests that select the same answer by `Vary`; nil if no cache can tell.
    static func selection(_ names: [FieldName], _ fields: Fields) -> UInt64 {
        var text = ""
        for name in names { text += (fields[name] ?? "\u{0}") + "\n" }
        return Content.fold(Array(text.utf8), 1)
    }

    /// The fields that an answer names in `Vary`; nil for `*`.
    static func vary(_ fields: Fields) -> [FieldName]? {
        let names = fields.listElements(.vary)
        guard !names.contains("*") else { return nil }
        return names.compactMap { FieldName($0) }
    }
}

/// A request with the credential that it had; cookies that differ are those of different users.
struct CredentialedRequest: Hashable {
    var request: Int32
    var authorization: Int32
    var cookies: UInt64

    init(_ x: JudgedExchange) {
        request = x.row.request
        authorization = x.row.authorization
        cookies = Content.fold(Array(x.exchange.fields.values("Cookie").joined(separator: "; ").utf8), 0)
    }

    /// The same request of one user: the tokens of a session that is known are all that user's.
    init(ofUser x: JudgedExchange) {
        self.init(x)
        if x.bearer >= 0 { authorization = 0 }
    }
}
