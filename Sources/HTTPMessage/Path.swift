/// A path in its one normal form: decoded segments, dot segments resolved, empty segments dropped.
///
/// The text is cut at `/` before anything is decoded, so an encoded slash stays inside its segment; a dot segment is
/// recognised however it is spelled (`%2e%2e`). Control contract, section 1.
package struct Path: Sendable, Hashable {
    package var segments: [String]
    /// True if the path, other than `/` itself, ended in a slash.
    package var hasTrailingSlash: Bool

    package init(segments: [String], hasTrailingSlash: Bool = false) {
        self.segments = segments
        self.hasTrailingSlash = hasTrailingSlash
    }

    /// Normalises a raw path.
    ///
    /// Nil when an escape is broken, or a segment does not decode to UTF-8 or holds a NUL.
    package init?(raw: String) {
        var isSurelyNormal = false
        self.init(raw: raw, isSurelyNormal: &isSurelyNormal)
    }

    /// Normalises a raw path and says what `isSurelyNormal` does, which its bytes tell on the way.
    package init?(raw: String, isSurelyNormal: inout Bool) {
        var found: [String] = []
        found.reserveCapacity(6)
        var lastWasDirectory = false
        let bytes = Array(raw.utf8)
        isSurelyNormal = bytes.first == 0x2F
        var start = 0
        while start <= bytes.count {
            var end = start
            var isPlain = true
            while end < bytes.count, bytes[end] != 0x2F {
                if !bytes[end].isOrdinary {
                    guard bytes[end] != 0 else { return nil }
                    if bytes[end] == 0x25 { isPlain = false }
                    isSurelyNormal = false
                }
                end += 1
            }
            let isLast = end == bytes.count
            if start == end, start > 0, !isLast { isSurelyNormal = false }
            var decoded: [UInt8] = []
            if !isPlain {
                guard let made = Self.decoded(bytes[start..<end]) else { return nil }
                decoded = made
            }
            let count = isPlain ? end - start : decoded.count
            var dots = 0
            while dots < min(count, 2), (isPlain ? bytes[start + dots] : decoded[dots]) == 0x2E { dots += 1 }
            if count == dots {
                if count == 2, !found.isEmpty { found.removeLast() }
                if isLast { lastWasDirectory = true }
            } else {
                // What is not escaped was checked to be ASCII by the parser; what is may be anything.
                let text =
                    isPlain
                    ? String(decoding: bytes[start..<end], as: UTF8.self) : String(validating: decoded, as: UTF8.self)
                guard let text else { return nil }
                found.append(text)
            }
            start = end + 1
        }
        segments = found
        hasTrailingSlash = lastWasDirectory && !found.isEmpty
    }

    /// The bytes of a segment with its escapes undone; nil when one is broken or stands for NUL.
    private static func decoded(_ segment: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(segment.count)
        var position = segment.startIndex
        while position < segment.endIndex {
            guard segment[position] == 0x25 else {
                bytes.append(segment[position])
                position += 1
                continue
            }
            guard position + 2 < segment.endIndex, let high = segment[position + 1].hexDigitValue,
                let low = segment[position + 2].hexDigitValue, high | low != 0
            else { return nil }
            bytes.append(high << 4 | low)
            position += 3
        }
        return bytes
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

    /// Returns true if a raw path is certainly in normal form: letters, digits, `-`, `_` and `~` between single
    /// slashes.
    ///
    /// True for almost every path; a path for which it is false may still be in normal form.
    package static func isSurelyNormal(_ raw: String) -> Bool {
        var isSurelyNormal = false
        return Path(raw: raw, isSurelyNormal: &isSurelyNormal) != nil && isSurelyNormal
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
    /// A letter, a digit or one of `-_~`, looked up in a 128-bit set.
    @inline(__always)
    fileprivate var isOrdinary: Bool {
        let set: UInt64 = self < 64 ? 0x03FF_2000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return self < 128 && (set >> UInt64(self & 63)) & 1 == 1
    }

    /// A letter, a digit or one of `-._~` (RFC 3986 section 2.3): never encoded.
    fileprivate var isUnreserved: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
