/// A `Cookie` or `Set-Cookie` field cut into its cookies and their attributes.
///
/// Tools join repeated fields by line ends or by commas, so that another cookie may begin behind either.
struct CookieText {
    struct Piece {
        /// The text before the piece: a semicolon, a comma or line ends, with the blanks behind it.
        let separator: Substring
        let text: Substring
        /// Tells whether the piece belongs to the cookie before it, as `Path=/` does.
        let isAttribute: Bool
    }

    let pieces: [Piece]

    init(_ value: String, hasAttributes: Bool) {
        var pieces: [Piece] = []
        var isAttribute = false
        let bytes = value.utf8
        var separator = bytes.startIndex
        var start = bytes.startIndex
        var place = bytes.startIndex
        func add(to end: String.Index) {
            pieces.append(
                Piece(separator: value[separator..<start], text: value[start..<end], isAttribute: isAttribute)
            )
        }
        while place < bytes.endIndex {
            let byte = bytes[place]
            let isEnd =
                byte == 0x3B || Self.isLineEnd(byte)
                || byte == 0x2C && Self.separates(bytes[place...].dropFirst(), bytes[start..<place], isAttribute)
            guard isEnd else {
                place = bytes.index(after: place)
                continue
            }
            add(to: place)
            isAttribute = hasAttributes && byte == 0x3B
            separator = place
            place = bytes.index(after: place)
            // A line end ends the cookie even behind a semicolon.
            while place < bytes.endIndex, Self.isBlank(bytes[place]) || Self.isLineEnd(bytes[place]) {
                if Self.isLineEnd(bytes[place]) { isAttribute = false }
                place = bytes.index(after: place)
            }
            start = place
        }
        add(to: bytes.endIndex)
        self.pieces = pieces
    }

    /// The cookies of a `Set-Cookie` field.
    ///
    /// A comma belongs to the value of a cookie, unless an attribute precedes it and the name of another cookie follows.
    static func cookies(_ value: String) -> [String] {
        var cookies: [String] = []
        var isBehindAttribute = false
        for piece in CookieText(value, hasAttributes: true).pieces {
            let isLine = piece.separator.utf8.contains(where: isLineEnd)
            let isNext = isLine || isBehindAttribute && piece.text.utf8.contains(0x3D)
            if cookies.isEmpty || !piece.isAttribute && isNext {
                cookies.append(String(piece.text))
            } else {
                cookies[cookies.count - 1] += piece.separator + piece.text
            }
            isBehindAttribute = piece.isAttribute
        }
        return cookies.filter { !$0.isEmpty }
    }

    /// Returns true for a comma behind which another cookie begins.
    private static func separates(_ rest: Substring.UTF8View, _ before: Substring.UTF8View, _ isAttribute: Bool) -> Bool
    {
        if begins(rest) { return true }
        guard isAttribute else { return false }
        // The day of the week in a date.
        let value = before.drop { $0 != 0x3D }.dropFirst().drop(while: isBlank)
        return !(isExpiry(before) && value.allSatisfy { ($0 | 0x20) &- 0x61 < 26 })
    }

    private static func isExpiry(_ attribute: Substring.UTF8View) -> Bool {
        attribute.prefix { $0 != 0x3D && !isBlank($0) }.map { $0 | 0x20 } == Array("expires".utf8)
    }

    /// Returns true if a text begins with the name of a cookie and an equals sign.
    private static func begins(_ text: Substring.UTF8View) -> Bool {
        let bare = text.drop { isBlank($0) || isLineEnd($0) }
        let rest = bare.drop { $0 > 0x20 && $0 != 0x3B && $0 != 0x2C && $0 != 0x3D && $0 != 0x22 }
        return rest.startIndex > bare.startIndex && rest.drop(while: isBlank).first == 0x3D
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
