import Secrets

extension Redactor {
    /// Returns a `Cookie` or `Set-Cookie` field without the values of its cookies.
    func cookies(_ field: String, hasAttributes: Bool) -> String {
        CookieText(field, hasAttributes: hasAttributes).pieces.map { piece in
            piece.separator + (piece.isAttribute ? attribute(piece.text) : pair(piece.text))
        }.joined()
    }

    private func pair(_ text: Substring) -> String {
        // A cookie without a name is its value.
        let start = text.utf8.firstIndex(of: 0x3D).map { text.utf8.index(after: $0) } ?? text.startIndex
        let end = text.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { text.utf8.index(after: $0) }
        let value = text[start..<max(end ?? start, start)]
        let name = String(text[..<start])
        return self.name(name) + secret(String(value), .cookie, of: name) + text[value.endIndex...]
    }

    private static let attributes: Set<String> = [
        "path", "domain", "expires", "max-age", "samesite", "priority", "version",
    ]

    /// Redacts an attribute of a cookie; the value of an unknown one is replaced.
    private func attribute(_ attribute: Substring) -> String {
        guard let equals = attribute.utf8.firstIndex(of: 0x3D) else { return text(String(attribute)) }
        let name = attribute[..<equals].filter { $0 != " " }.lowercased()
        let value = String(attribute[attribute.utf8.index(after: equals)...])
        guard !Self.attributes.contains(name), !value.isEmpty else { return text(String(attribute)) }
        return self.name(String(attribute[..<equals])) + "="
            + (Self.isOpaque(value) ? secret(value, .cookie) : pseudonyms.pseudonym(for: value, .cookie))
    }

    /// Returns a cookie of an archive's list without its value.
    ///
    /// Where a tool has joined several, the others stand in an attribute of the first.
    func cookie(_ cookie: HARCookie) -> HARCookie {
        func attribute(_ name: String, _ value: String?) -> String? {
            let start = "=; \(name)="
            return value.map { String(cookies(start + $0, hasAttributes: true).dropFirst(start.count)) }
        }
        var copy = cookie
        copy.name = name(cookie.name)
        copy.value = secret(cookie.value, .cookie, of: cookie.name)
        copy.path = attribute("path", cookie.path)
        copy.domain = attribute("domain", cookie.domain)
        copy.expires = attribute("expires", cookie.expires)
        return copy
    }
}
