import JSON

/// JSON as WireMock reads it: with comments and with texts in single quotes (the options `ALLOW_COMMENTS` and
/// `ALLOW_SINGLE_QUOTES` of Jackson), and with anything behind the first value, which is not read.
enum RelaxedJSON {
    /// The most containers inside one another; a stub takes fewer, and says so itself.
    private static let mostDepth = 1_000

    /// A value with the places of its parts.
    struct Document {
        var json: JSON
        var positions: JSONPositions
        /// The line of what follows the value; nil if nothing does.
        var rest: Int?
    }

    /// Reads the value of a file.
    static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> Document {
        let options = JSONReader.Options(maxDepth: mostDepth, allowBOM: true)
        let strict = strict(bytes)
        do throws(JSONSyntaxError) {
            let (json, positions) = try JSONReader.readWithPositions(strict, options: options)
            return Document(json: json, positions: positions)
        } catch {
            guard error.reason == .trailingBytes else { throw error }
            let (json, positions) = try JSONReader.readWithPositions(Array(strict[..<error.offset]), options: options)
            return Document(json: json, positions: positions, rest: error.line)
        }
    }

    /// Reads the value of a text; nil if it is not just one.
    static func value(_ text: String) -> JSON? {
        guard let document = try? read(Array(text.utf8)), document.rest == nil else { return nil }
        return document.json
    }

    /// The same values on the same lines as RFC 8259 writes them.
    private static func strict(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var quote: UInt8?
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch (byte, quote) {
            case (UInt8(ascii: "\\"), .some):
                let escaped = rest.popFirst()
                // Only a text in single quotes needs to escape one.
                if escaped != UInt8(ascii: "'") { output.append(byte) }
                if let escaped { output.append(escaped) }
            case (UInt8(ascii: "\""), UInt8(ascii: "'")): output += [UInt8(ascii: "\\"), byte]
            case (_, .some(let open)):
                output.append(byte == open ? UInt8(ascii: "\"") : byte)
                if byte == open { quote = nil }
            case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil):
                output.append(UInt8(ascii: "\""))
                quote = byte
            case (UInt8(ascii: "/"), nil): output += comment(&rest)
            default: output.append(byte)
            }
        }
        return output
    }

    /// Takes a comment whose first slash has been taken; returns the blanks in its place, or the slash where none begins.
    private static func comment(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        switch rest.first {
        case UInt8(ascii: "/"):
            rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
            return [0x20]
        case UInt8(ascii: "*"):
            var end = rest.startIndex + 1
            while end + 1 < rest.endIndex {
                if rest[end] == UInt8(ascii: "*"), rest[end + 1] == UInt8(ascii: "/") {
                    let lines = rest[..<end].count { $0 == 0x0A }
                    rest = rest[(end + 2)...]
                    return [0x20] + [UInt8](repeating: 0x0A, count: lines)
                }
                end += 1
            }
            return [UInt8(ascii: "/")]
        default: return [UInt8(ascii: "/")]
        }
    }
}
