/// A path in its one normal form: decoded segments, dot segments resolved, empty segments dropped.
///
/// The text is cut at `/` before anything is decoded, so an encoded slash stays inside its segment; a dot segment is
/// recognised however it is spelled (`%2e%2e`). Control contract, section 1.
package struct Path: Sendable, Hashable {
    package var segments: [String]
    /// Whether the path, other than `/` itself, ended in a slash.
    package var hasTrailingSlash: Bool

    package init(segments: [String], hasTrailingSlash: Bool = false) {
        self.segments = segments
        self.hasTrailingSlash = hasTrailingSlash
    }

    /// Normalises a raw path.
    ///
    /// Nil when an escape is broken, or a segment does not decode to UTF-8 or holds a NUL.
    package init?(raw: String) {
        var found: [String] = []
        found.reserveCapacity(6)
        var segment: [UInt8] = []
        var isPlain = true
        var lastWasDirectory = false
        let bytes = Array(raw.utf8)
        var position = 0
        func isDots(_ count: Int) -> Bool { segment.count == count && segment.allSatisfy { $0 == 0x2E } }
        while position <= bytes.count {
            if position == bytes.count || bytes[position] == 0x2F {
                let isLast = position == bytes.count
                if segment.isEmpty || isDots(1) {
                    if isLast { lastWasDirectory = true }
                } else if isDots(2) {
                    if !found.isEmpty { found.removeLast() }
                    if isLast { lastWasDirectory = true }
                } else {
                    let decoded =
                        isPlain
                        ? String(decoding: segment, as: UTF8.self) : String(validating: segment, as: UTF8.self)
                    guard let text = decoded else { return nil }
                    found.append(text)
                }
                segment.removeAll(keepingCapacity: true)
                isPlain = true
                position += 1
                continue
            }
            if bytes[position] == 0x25 {
                guard position + 2 < bytes.count, let high = bytes[position + 1].hexDigitValue,
                    let low = bytes[position + 2].hexDigitValue, high | low != 0
                else { return nil }
                segment.append(high << 4 | low)
                isPlain = false
                position += 3
            } else {
                guard bytes[position] != 0 else { return nil }
                segment.append(bytes[position])
                position += 1
            }
        }
        segments = found
        hasTrailingSlash = lastWasDirectory && !found.isEmpty
    }

    /// The path written out again, each segment percent-encoded where it must be.
    package var text: String {
        var written = ""
        for segment in segments {
            written += "/"
            written += segment.percentEncodedSegment
        }
        if hasTrailingSlash || segments.isEmpty { written += "/" }
        return written
    }

    /// The path without its first segments.
    package func dropping(_ count: Int) -> Path {
        Path(segments: Array(segments.dropFirst(count)), hasTrailingSlash: hasTrailingSlash && segments.count > count)
    }
}

extension String {
    /// Percent-encoded so that it is one path segment: letters, digits and `-._~!$&'()*+,;=:@` stay (RFC 3986 pchar).
    package var percentEncodedSegment: String { percentEncoded(keeping: "-._~!$&'()*+,;=:@") }

    /// Percent-encoded as JavaScript's `encodeURIComponent` does: letters, digits and `-_.!~*'()` stay.
    package var percentEncodedComponent: String { percentEncoded(keeping: "-_.!~*'()") }

    private func percentEncoded(keeping kept: StaticString) -> String {
        if utf8.allSatisfy(\.isUnreserved) { return self }
        let allowed = Array("\(kept)".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var written: [UInt8] = []
        written.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: written.append(byte)
            case _ where allowed.contains(byte): written.append(byte)
            default:
                written.append(0x25)
                written.append(digits[Int(byte >> 4)])
                written.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: written, as: UTF8.self)
    }
}

extension UInt8 {
    /// A letter, a digit or one of `-._~` (RFC 3986 section 2.3): never encoded.
    fileprivate var isUnreserved: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
