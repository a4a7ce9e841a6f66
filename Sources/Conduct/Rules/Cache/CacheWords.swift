import HTTPMessage

/// The words of `Cache-Control`, and what of a request selects an answer (RFC 9111).
enum CacheWords {
    /// The directives of an answer, in lower case.
    static func directives(_ fields: Fields) -> [String] {
        fields.listElements(.cacheControl).map { $0.lowercased() }
    }

    /// The time in microseconds for which an answer is fresh; nil if a cache has to ask each time.
    static func freshFor(_ x: Judged) -> Int64? {
        let words = directives(x.exchange.responseFields)
        guard !words.isEmpty, !words.contains("no-store"), !words.contains("no-cache") else { return nil }
        var life: Int64?
        for word in words where word.hasPrefix("max-age=") {
            life = Int64(word.dropFirst("max-age=".count).filter { $0 != "\"" })
        }
        if life == nil, words.contains("immutable") { life = 31_536_000 }
        guard let life, life > 0 else { return nil }
        let age = x.exchange.responseFields["Age"].flatMap { Int64($0) } ?? 0
        let left = min(life, 1_000_000_000) - max(0, age)
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
