/// The value of a part's Content-ResponseDecision: `form-data; name="…"; filename="…"` (RFC 7578 section 4.2).
struct FormDataDisposition: Sendable {
    let name: String?
    /// From `filename*` if that is there and well-formed, else from `filename`.
    let filename: String?

    /// Nil when it is not form-data with well-formed parameters.
    init?(_ value: ArraySlice<UInt8>) {
        let end = value.firstIndex { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 } ?? value.endIndex
        guard value[..<end].lazy.map(\.asciiLowercased).elementsEqual("form-data".utf8),
            let parameters = FieldParameters(parsing: value[end...], backslash: .quotesQuotes)
        else { return nil }
        name = parameters["name"].map(Self.unescaped)
        filename =
            parameters["filename*"].flatMap { Self.extended($0[...]) } ?? parameters["filename"].map(Self.unescaped)
    }

    /// Browsers write a quote, CR and LF as `%22`, `%0D` and `%0A` (HTML, multipart form data) and nothing else as an
    /// escape, so nothing else is undone: `100%25.txt` is what the file was called.
    private static func unescaped(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = bytes[position + 1].hexDigitValue, let low = bytes[position + 2].hexDigitValue,
                [0x22, 0x0D, 0x0A].contains(high << 4 | low)
            {
                text.append(high << 4 | low)
                position += 3
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `charset'language'escaped` (RFC 8187 section 3.2, before it RFC 5987), in UTF-8 or ISO-8859-1.
    ///
    /// RFC 7578 forbids senders to use it here; those that do put a poorer name into `filename`.
    private static func extended(_ bytes: ArraySlice<UInt8>) -> String? {
        let pieces = bytes.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        guard pieces.count == 3 else { return nil }
        var decoded: [UInt8] = []
        var position = pieces[2].startIndex
        while position < pieces[2].endIndex {
            let byte = bytes[position]
            if byte == UInt8(ascii: "%") {
                guard position + 2 < pieces[2].endIndex, let high = bytes[position + 1].hexDigitValue,
                    let low = bytes[position + 2].hexDigitValue
                else { return nil }
                decoded.append(high << 4 | low)
                position += 3
            } else {
                decoded.append(byte)
                position += 1
            }
        }
        switch String(decoding: pieces[0].map(\.asciiLowercased), as: UTF8.self) {
        case "utf-8": return String(validating: decoded, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(decoded.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
