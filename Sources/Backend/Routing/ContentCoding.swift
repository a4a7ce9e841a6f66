import Compression

/// Codings of content (RFC 9110 section 8.4).
package enum ContentCoding {
    /// Returns the content without its codings, of which the last named was applied last; nil if one can't be decoded.
    ///
    /// `limit` applies to the content of each step.
    package static func decoded(_ content: [UInt8], _ codings: [String], limit: Int) -> [UInt8]? {
        var content = content
        for coding in codings.reversed() {
            let kind: Inflater.Coding
            switch coding.lowercased() {
            case "gzip", "x-gzip": kind = .gzip
            case "deflate": kind = .deflate
            case "identity": continue
            default: return nil
            }
            guard let plain = try? Inflater.inflate(content, kind, limit: limit) else { return nil }
            content = plain
        }
        return content
    }
}
