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

    /// The time in microseconds for which an answer is fresh; nil if a cache has to ask each time.
    static func freshFor(_ x: Judged) -> Int64? {
        let fields = x.exchange.responseFields
        guard let life = lifetime(fields) else { return nil }
        let left = life - (age(fields) ?? 0)
        return left > 0 ? left * 1_000_000 : nil
    }

    /// Tells whether a request asks for an answer from the server itself, or for a part of one.
    static func isUnusual(_ x: Judged) -> Bool {
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

/// A request with the credential that it had.
struct CredentialedRequest: Hashable {
    var request: Int32
    var authorization: Int32

    init(_ x: Judged) {
        request = x.row.request
        authorization = x.row.authorization
    }
}
