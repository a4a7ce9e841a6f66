import Compression

/// The content codings that can be decoded (RFC 9110, section 8.4.1).
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

    /// Returns the content of a request for comparison, decoded as far as possible.
    ///
    /// Tools keep the field and write decoded content, so content that is not encoded is taken as it is.
    static func compared(_ content: [UInt8], _ codings: String?) -> [UInt8] {
        guard let codings, !codings.isEmpty, !content.isEmpty else { return content }
        let list = codings.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        return decoded(content, list, limit: CapturedExchange.bodyLimit) ?? content
    }
}
