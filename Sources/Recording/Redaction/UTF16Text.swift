import HTTPMessage

/// Text of two bytes per letter (UTF-16), which has to be decoded to be searched.
struct UTF16Text {
    /// The text in UTF-8.
    let plain: [UInt8]
    private let isBig: Bool
    private let hasMark: Bool

    /// Decodes the content; nil for content without a byte order mark or a declared charset of UTF-16.
    init?(_ bytes: [UInt8], type: String) {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return nil }
        let charset = MediaType(type)?.parameter("charset")?.lowercased() ?? ""
        let mark: Bool? = bytes.starts(with: [0xFE, 0xFF]) ? true : bytes.starts(with: [0xFF, 0xFE]) ? false : nil
        guard mark != nil || charset.hasPrefix("utf-16") else { return nil }
        let isBig = mark ?? (charset != "utf-16le")
        let start = mark == nil ? 0 : 2
        let units = stride(from: start, to: bytes.count, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        plain = Array(text.utf8)
        self.isBig = isBig
        hasMark = mark != nil
    }

    /// Returns other text in the same encoding.
    func encoded(_ plain: [UInt8]) -> [UInt8] {
        let units = (hasMark ? [0xFEFF] : []) + Array(String(decoding: plain, as: UTF8.self).utf16)
        return units.flatMap { unit in
            let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isBig ? [high, low] : [low, high]
        }
    }
}
