import HTTPMessage

/// An http or https address, split into its parts.
package struct HARAddress: Sendable, Equatable {
    package var isSecure: Bool
    /// Host and port as written.
    package var authority: String
    /// Begins with a slash, as written.
    package var path: String
    /// The query without its question mark; nil without one.
    package var query: String?

    /// Nil when the scheme is another or there is no host.
    package init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: 0x3A) else { return nil }
        switch text[..<colon].lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        default: return nil
        }
        var rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        rest = rest.dropFirst(2)
        if let hash = rest.utf8.firstIndex(of: 0x23) { rest = rest[..<hash] }
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        authority = String(rest[..<end])
        guard !authority.isEmpty else { return nil }
        rest = rest[end...]
        if let mark = rest.utf8.firstIndex(of: 0x3F) {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        path = rest.isEmpty ? "/" : String(rest)
    }

    /// The query's pairs, decoded.
    package var queryPairs: [HARPair] { QueryItems(query).items.map { HARPair($0.name, $0.value) } }

    /// Returns the address with these parameters in place of its query.
    func with(_ query: [HARPair]) -> HARAddress {
        var copy = self
        copy.query = query.map { "\($0.name.percentEncodedComponent)=\($0.value.percentEncodedComponent)" }
            .joined(separator: "&")
        return copy
    }

    /// The whole address with another path and query.
    package var text: String {
        (isSecure ? "https://" : "http://") + authority + path + (query.map { "?" + $0 } ?? "")
    }
}
