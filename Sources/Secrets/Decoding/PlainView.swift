/// A text as a reader sees it: without its escapes of URLs and HTML, with plain digits, blanks and hyphens.
///
/// Findings in it are replaced in the text itself.
package struct PlainView {
    /// The number of layers of escapes that are decoded.
    private static let mostLayers = 3
    private static let signs = ByteRoles.Sign.percent | ByteRoles.Sign.ampersand | ByteRoles.Sign.lookAlike

    package let bytes: [UInt8]
    /// The start of each byte in the text, and the text's length at the end.
    private let starts: [Int32]

    /// Returns the views of a text, one for each layer; none if it is plain already.
    package static func layers(of text: [UInt8]) -> [PlainView] {
        var views: [PlainView] = []
        var last = text
        while views.count < mostLayers, let next = PlainView(last, inside: views.last) {
            views.append(next)
            last = next.bytes
        }
        return views
    }

    /// Creates a view; nil if it equals the text.
    private init?(_ text: [UInt8], inside outer: PlainView?) {
        let roles = ByteRoles.signs
        guard text.count < Int(Int32.max), text.contains(where: { roles[Int($0)] & Self.signs != 0 }) else {
            return nil
        }
        var plain: [UInt8] = []
        var starts: [Int32] = []
        plain.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var place = 0
        while place < text.count {
            let meaning = roles[Int(text[place])] & Self.signs == 0 ? nil : Self.meaning(text, place)
            if let byte = meaning.map(\.byte) ?? text[place] {
                plain.append(byte)
                starts.append(Int32(place))
            }
            place += meaning?.length ?? 1
        }
        guard plain.count < text.count else { return nil }
        starts.append(Int32(text.count))
        bytes = plain
        self.starts = outer.map { outer in starts.map { outer.starts[Int($0)] } } ?? starts
    }

    /// Returns the meaning of an escape that stands for a byte of a text, or for a letter of ASCII.
    private static func meaning(_ text: [UInt8], _ place: Int) -> Escape.Meaning? {
        guard let meaning = Escape.meaning(in: text, at: place) else { return nil }
        let isPlain = meaning.byte.map { (0x20...0x7E).contains($0) } ?? true
        return isPlain || text[place] == 0x25 && meaning.length == 3 ? meaning : nil
    }

    /// Returns the place of a part in the text.
    package func place(of range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }
}
