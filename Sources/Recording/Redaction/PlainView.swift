/// A text as a reader sees it: without its escapes, with plain digits, blanks and hyphens.
///
/// Findings in it are replaced in the text itself.
struct PlainView {
    /// The number of layers of escapes that are decoded.
    private static let mostLayers = 3

    let bytes: [UInt8]
    /// The start of each byte in the text, and the text's length at the end.
    private let starts: [Int32]

    /// Returns the views of a text, one for each layer; none if it is plain already.
    static func layers(of text: [UInt8]) -> [PlainView] {
        guard text.count < Int(Int32.max), mayDiffer(text), let first = PlainView(text) else { return [] }
        var views = [first]
        while views.count < mostLayers, let last = views.last, mayDiffer(last.bytes), let next = PlainView(last.bytes) {
            views.append(
                PlainView(bytes: next.bytes, starts: next.starts.map { last.starts[Int($0)] })
            )
        }
        return views
    }

    private init(bytes: [UInt8], starts: [Int32]) {
        self.bytes = bytes
        self.starts = starts
    }

    /// Creates a view; nil if it equals the text.
    private init?(_ text: [UInt8]) {
        var plain: [UInt8] = []
        var starts: [Int32] = []
        plain.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var place = 0
        while place < text.count {
            if let (byte, length) = Self.escape(text, place) {
                if let byte {
                    plain.append(byte)
                    starts.append(Int32(place))
                }
                place += length
            } else {
                plain.append(text[place])
                starts.append(Int32(place))
                place += 1
            }
        }
        guard plain.count < text.count else { return nil }
        starts.append(Int32(text.count))
        self.init(bytes: plain, starts: starts)
    }

    /// Returns the place of a part in the text.
    func place(of range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }

    /// Returns false quickly if there is nothing to decode.
    private static func mayDiffer(_ text: [UInt8]) -> Bool {
        text.contains { byte in
            switch byte {
            case 0x25, 0x26, 0xC2, 0xD9, 0xDB, 0xE2, 0xEF: true
            default: false
            }
        }
    }

    /// Returns the byte that an escape at a place means (nil for none) and its length.
    private static func escape(_ text: [UInt8], _ place: Int) -> (byte: UInt8?, length: Int)? {
        func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }
        switch text[place] {
        case 0x25:
            guard let high = hex(byte(1)), let low = hex(byte(2)) else { return nil }
            return (high << 4 | low, 3)
        case 0x26: return reference(text, place)
        // No-break blank, soft hyphen.
        case 0xC2: return byte(1) == 0xA0 ? (0x20, 2) : byte(1) == 0xAD ? (nil, 2) : nil
        // Arabic digits, and those of Persian and Urdu.
        case 0xD9: return byte(1) &- 0xA0 < 10 ? (byte(1) - 0xA0 + 0x30, 2) : nil
        case 0xDB: return byte(1) &- 0xB0 < 10 ? (byte(1) - 0xB0 + 0x30, 2) : nil
        case 0xE2:
            switch (byte(1), byte(2)) {
            // Blanks of other widths.
            case (0x80, 0x80...0x8A), (0x80, 0xAF), (0x81, 0x9F): return (0x20, 3)
            // Marks without width, and marks of direction.
            case (0x80, 0x8B...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA0), (0x81, 0xA6...0xA9): return (nil, 3)
            // Quotes.
            case (0x80, 0x98...0x9B): return (0x27, 3)
            case (0x80, 0x9C...0x9F): return (0x22, 3)
            // Hyphens, dashes and the minus sign.
            case (0x80, 0x90...0x95), (0x88, 0x92): return (0x2D, 3)
            default: return nil
            }
        case 0xEF:
            switch (byte(1), byte(2)) {
            case (0xBB, 0xBF): return (nil, 3)
            // Letters of full width, `！` to `＿`, and `ａ` to `～`.
            case (0xBC, 0x81...0xBF): return (byte(2) - 0x60, 3)
            case (0xBD, 0x80...0x9E): return (byte(2) - 0x20, 3)
            default: return nil
            }
        default: return nil
        }
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static let names: [(name: [UInt8], byte: UInt8)] = [
        ("amp;", 0x26), ("commat;", 0x40), ("plus;", 0x2B), ("period;", 0x2E), ("lowbar;", 0x5F), ("hyphen;", 0x2D),
        ("nbsp;", 0x20), ("quot;", 0x22), ("apos;", 0x27), ("lt;", 0x3C), ("gt;", 0x3E), ("colon;", 0x3A),
        ("equals;", 0x3D), ("sol;", 0x2F), ("verbar;", 0x7C), ("lpar;", 0x28), ("rpar;", 0x29),
    ].map { (Array($0.0.utf8), $0.1) }

    /// Returns a character reference of HTML and XML that stands for an ASCII letter.
    private static func reference(_ text: [UInt8], _ place: Int) -> (byte: UInt8?, length: Int)? {
        var next = place + 1
        guard next < text.count else { return nil }
        guard text[next] == 0x23 else {
            return names.first { text[next...].starts(with: $0.name) }.map { ($0.byte, $0.name.count + 1) }
        }
        next += 1
        let isHex = next < text.count && text[next] | 0x20 == 0x78
        if isHex { next += 1 }
        var value = 0
        let first = next
        while next < text.count, next - first < 7, let digit = hex(text[next]), isHex || digit < 10 {
            value = value * (isHex ? 16 : 10) + Int(digit)
            next += 1
        }
        guard next > first, (0x20...0x7E).contains(value) else { return nil }
        if next < text.count, text[next] == 0x3B { next += 1 }
        return (UInt8(value), next - place)
    }
}
