import HTTPMessage

/// Text that a tool decoded as Latin-1 or Windows-1252 although it was UTF-8 (control contract, section 13, Import).
///
/// Server-sent events and JSON name no charset, and many recorders then decode each byte as one letter. The mistake is
/// recognisable: the letters map back to valid UTF-8, whose length is the recorded size.
struct Mojibake {
    /// The bytes that the tool had.
    let bytes: [UInt8]
    /// The charset that the tool took the bytes for.
    let charset: String

    /// Creates the original of a text; nil if the text is correct.
    ///
    /// `size` is the length of the content in the archive, -1 if it has none.
    init?(_ text: String, type: String, size: Int) {
        guard Self.mayBeUTF8(type), let (bytes, charset) = Self.singleBytes(text),
            size < 0 || size == bytes.count
        else { return nil }
        // Binary content was not UTF-8 either; a matching size proves that each letter was a byte.
        guard String(validating: bytes, as: UTF8.self) != nil || size >= 0 && Self.isBinary(type) else { return nil }
        self.bytes = bytes
        self.charset = charset
    }

    /// Returns true if content of a type was UTF-8 and nothing else.
    private static func mayBeUTF8(_ type: String) -> Bool {
        guard let media = MediaType(type), let charset = media.parameter("charset")?.lowercased(), !charset.isEmpty
        else { return true }
        return isAlwaysUTF8(type) || ["utf-8", "utf8"].contains(charset)
    }

    /// Returns true for a type whose content is UTF-8, whatever charset it names.
    static func isAlwaysUTF8(_ type: String) -> Bool {
        let essence = MediaType(type)?.essence ?? ""
        return essence == "text/event-stream" || essence == "application/json" || essence.hasSuffix("+json")
    }

    private static func isBinary(_ type: String) -> Bool {
        let essence = MediaType(type)?.essence ?? ""
        return ["multipart/", "image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) }
            || ["application/octet-stream", "application/gzip", "application/zip", "application/pdf"].contains(essence)
    }

    /// Returns the byte for each letter; nil if a letter has none, or if no byte is above 7F.
    private static func singleBytes(_ text: String) -> (bytes: [UInt8], charset: String)? {
        // Most texts are ASCII, which is a quick check.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var latin: [UInt8]? = []
        var windows: [UInt8]? = []
        for scalar in text.unicodeScalars {
            let isControl = (0x80...0x9F).contains(scalar.value)
            let byte = UInt8(exactly: scalar.value)
            if let byte { latin?.append(byte) } else { latin = nil }
            if let byte, !isControl || holes.contains(byte) {
                windows?.append(byte)
            } else if let place = specials.firstIndex(of: scalar.value), scalar.value > 0xFF {
                windows?.append(0x80 + UInt8(place))
            } else {
                windows = nil
            }
            if latin == nil, windows == nil { return nil }
        }
        if let latin { return (latin, "Latin-1") }
        return windows.map { ($0, "Windows-1252") }
    }

    /// Bytes that Windows-1252 leaves undefined, and that decoders read as control characters.
    private static let holes: [UInt8] = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

    /// The letters of Windows-1252 from 80 to 9F.
    private static let specials: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
