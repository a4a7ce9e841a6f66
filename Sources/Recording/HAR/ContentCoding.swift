import Backend

extension ContentCoding {
    /// Returns the content that a message had, however its field describes it; nil if it can't be decoded.
    ///
    /// Backends name codings that they don't apply, and words that are none: `none`, or a charset.
    package static func original(_ content: [UInt8], _ codings: [String], limit: Int) -> [UInt8]? {
        var content = content
        for coding in codings.reversed() where isApplied(coding, to: content) {
            guard let plain = decoded(content, [coding], limit: limit) else { return nil }
            content = plain
        }
        return content
    }

    /// Returns false for content that is plain, although a field names a coding.
    static func isApplied(_ coding: String, to content: [UInt8]) -> Bool {
        switch coding.lowercased() {
        case "gzip", "x-gzip": content.starts(with: [0x1F, 0x8B])
        case "none", "identity", "binary", "7bit", "8bit", "null", "utf-8", "utf8", "us-ascii", "ascii": false
        case let name where ["iso-8859-", "windows-", "utf-"].contains { name.hasPrefix($0) }: false
        default: !isText(content)
        }
    }

    /// Returns true for text in UTF-8; coded content has control characters.
    static func isText(_ content: [UInt8]) -> Bool {
        !content.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }
            && String(validating: content, as: UTF8.self) != nil
    }

    /// Returns the content of a request for comparison, decoded as far as possible.
    ///
    /// Tools keep the field and write decoded content, so content that is not encoded is taken as it is.
    static func compared(_ content: [UInt8], _ codings: String?) -> [UInt8] {
        guard let codings, !codings.isEmpty, !content.isEmpty else { return content }
        let list = codings.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        return decoded(content, list, limit: CapturedExchange.bodyLimit) ?? content
    }
}
