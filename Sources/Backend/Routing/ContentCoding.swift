import Compression
package import HTTPMessage

/// Codings of content (RFC 9110 section 8.4).
package enum ContentCoding {
    /// Returns the content without its codings, of which the last named was applied last; nil if one can't be decoded.
    ///
    /// `limit` applies to the content of each step.
    package static func decoded(_ content: [UInt8], _ codings: [String], limit: Int) -> [UInt8]? {
        var content = content
        for coding in codings.reversed() where coding.lowercased() != "identity" {
            guard let kind = CodingName(named: coding)?.kind,
                let plain = try? Inflater.inflate(content, kind, limit: limit)
            else { return nil }
            content = plain
        }
        return content
    }

    /// Returns content in codings that `decoded` knows; nil in any other.
    package static func encoded(_ content: [UInt8], _ codings: [String]) -> [UInt8]? {
        var content = content
        for coding in codings where coding.lowercased() != "identity" {
            guard let kind = CodingName(named: coding)?.kind, let coded = Deflate.compress(content, kind) else {
                return nil
            }
            content = coded
        }
        return content
    }

    /// Returns what can be decoded of the beginning of content in a coding, up to a limit.
    package static func beginning(of content: [UInt8], _ coding: CodingName, limit: Int) -> [UInt8] {
        let inflater = Inflater(coding.kind, limit: limit)
        var output: [UInt8] = []
        try? inflater.feed(content, into: &output)
        return output
    }
}

extension CodingName {
    fileprivate var kind: Inflater.Coding {
        switch self {
        case .gzip: .gzip
        case .deflate: .deflate
        }
    }
}

extension HTTPRequest {
    /// The bytes that are kept of content over the limit.
    private static let longestBeginning = 64 * 1_024

    /// The request as APIs, stubs and matchers see it: its content without its coding, or the reason why that can't be
    /// taken off, in `coded` (wire contract, section 3).
    ///
    /// One coding is taken; content that was coded several times is like that in an unknown one. `limit` is that of both
    /// lengths.
    package func withoutCoding(limit: Int) -> HTTPRequest {
        guard coded == nil, isCoded, !body.exceedsLimit, !body.isCounted else { return self }
        let names = contentCodings
        guard !names.isEmpty else { return self }
        var plain = self
        let bytes = body.bytes
        var outcome = CodedContent.Outcome.unknown
        if names.count == 1, let coding = CodingName(named: names[0]) {
            var content: [UInt8] = []
            let inflater = Inflater(coding.kind, limit: limit)
            do throws(InflateError) {
                try inflater.feed(bytes, into: &content)
                try inflater.finish()
                // What stands behind the end would be lost.
                outcome = inflater.unread == 0 ? .decoded : .broken
            } catch {
                switch error {
                case .damaged: outcome = .broken
                case .incomplete: outcome = .incomplete
                case .tooLarge: outcome = .tooLong
                }
            }
            if outcome == .decoded || outcome == .tooLong {
                let isTooLong = outcome == .tooLong
                plain.body = RequestBody(
                    bytes: isTooLong ? Array(content.prefix(Self.longestBeginning)) : content,
                    length: isTooLong ? limit + 1 : content.count,
                    exceedsLimit: isTooLong
                )
            }
        }
        plain.coded = CodedContent(name: names.joined(separator: ", "), bytes: bytes, outcome: outcome)
        return plain
    }
}
