/// The parameters after the first word of a field such as Content-Type: `; name=value; name="quoted value"`
/// (RFC 9110 section 5.6.6).
struct FieldParameters: Sendable {
    /// The interpretation of a backslash in a quoted string.
    enum Backslash: Sendable {
        /// As the grammar has it: it takes the next character literally.
        case quotesAnything
        /// Only before `"` and `\`. In multipart file names browsers send `C:\dir\file` without doubling.
        case quotesQuotes
    }

    /// Names in lower case, values without their quotes, in order; names are unique.
    private(set) var pairs: [(name: String, value: [UInt8])] = []

    /// The parameters of a text that begins at the first semicolon, or is empty.
    ///
    /// Nil when it is not of that form, or a name occurs twice. Empty parameters (`;;`) are allowed, white space around
    /// `=` is not.
    init?(parsing bytes: ArraySlice<UInt8>, backslash: Backslash) {
        var position = bytes.startIndex
        func skipSpace() {
            while position < bytes.endIndex, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        }
        func token() -> ArraySlice<UInt8> {
            let start = position
            while position < bytes.endIndex, bytes[position].isTokenByte { position += 1 }
            return bytes[start..<position]
        }
        skipSpace()
        while position < bytes.endIndex {
            guard bytes[position] == UInt8(ascii: ";") else { return nil }
            position += 1
            skipSpace()
            let name = String(decoding: token().map(\.asciiLowercased), as: UTF8.self)
            if name.isEmpty {
                if position == bytes.endIndex || bytes[position] == UInt8(ascii: ";") { continue }
                return nil
            }
            guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "=") else { return nil }
            position += 1
            let value: [UInt8]
            if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\"") {
                guard let quoted = Self.quotedString(bytes[position...], backslash) else { return nil }
                value = quoted.value
                position = quoted.end
            } else {
                value = Array(token())
                if value.isEmpty { return nil }
            }
            guard pairs.count < Self.limit, self[name] == nil else { return nil }
            pairs.append((name, value))
            skipSpace()
        }
    }

    /// The value of a parameter, its name in lower case.
    subscript(name: String) -> [UInt8]? { pairs.first { $0.name == name }?.value }

    /// More parameters than any field has: a flood of them is refused before it costs time.
    private static let limit = 32

    private static func quotedString(
        _ bytes: ArraySlice<UInt8>,
        _ backslash: Backslash
    ) -> (value: [UInt8], end: Int)? {
        var value: [UInt8] = []
        var position = bytes.startIndex + 1
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return (value, position)
            case UInt8(ascii: "\\"):
                guard position < bytes.endIndex, bytes[position].isFieldValueByte else { return nil }
                let next = bytes[position]
                if backslash == .quotesAnything || next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
                    value.append(next)
                    position += 1
                } else {
                    value.append(byte)
                }
            case _ where byte.isFieldValueByte: value.append(byte)
            default: return nil
            }
        }
        return nil
    }
}
