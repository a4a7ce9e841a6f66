/// An entity tag (RFC 9110 section 8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The characters between the quotes.
    package let opaque: String
    package let isWeak: Bool

    /// Creates a tag; nil when the text holds a character that is not allowed between the quotes.
    package init?(opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy(\.isEntityTagByte) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// A tag from outside, `"…"` or `W/"…"`; nil when it is neither.
    ///
    /// The `W` is compared with case.
    package init?(parsing text: String) {
        let bytes = Array(text.utf8)
        guard let parsed = Self.parse(bytes[...]), parsed.end == bytes.endIndex else { return nil }
        self = parsed.tag
    }

    /// The tag as it is in a field.
    package var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Returns true if both are strong and their characters equal (RFC 9110 section 8.8.3.2): for If-Match and ranges.
    package func stronglyMatches(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Returns true if their characters are equal, weak or not: for If-None-Match.
    package func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tag at the start of the bytes, and where it ends.
    static func parse(_ bytes: ArraySlice<UInt8>) -> (tag: EntityTag, end: Int)? {
        let isWeak = bytes.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")])
        let quoted = bytes.dropFirst(isWeak ? 2 : 0)
        guard quoted.first == UInt8(ascii: "\"") else { return nil }
        let content = quoted.dropFirst()
        guard let end = content.firstIndex(of: UInt8(ascii: "\"")),
            content[..<end].allSatisfy(\.isEntityTagByte),
            let opaque = String(validating: content[..<end], as: UTF8.self),
            let tag = EntityTag(opaque: opaque, isWeak: isWeak)
        else { return nil }
        return (tag, end + 1)
    }
}

extension UInt8 {
    /// A byte between an entity tag's quotes (`etagc`): visible but not a quote, or above ASCII.
    fileprivate var isEntityTagByte: Bool { self == 0x21 || (0x23...0x7E).contains(self) || self >= 0x80 }
}
