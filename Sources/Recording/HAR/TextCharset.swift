import HTTPMessage

/// The charset that the type of a text names.
enum TextCharset {
    /// Returns the type with UTF-8 for its charset; nil if it names that one or none.
    static func asUTF8(_ type: String) -> String? {
        guard let charset = MediaType(type)?.parameter("charset")?.lowercased(), !charset.isEmpty,
            !["utf-8", "utf8"].contains(charset)
        else { return nil }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false)
        return parts.map { part -> String in
            let blanks = part.prefix { $0 == " " || $0 == "\t" }
            let isCharset = part.dropFirst(blanks.count).lowercased().hasPrefix("charset")
            return isCharset ? blanks + "charset=utf-8" : String(part)
        }.joined(separator: ";")
    }
}
