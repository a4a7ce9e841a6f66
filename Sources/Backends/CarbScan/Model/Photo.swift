import Backend
import Crypto
import HTTPMessage
import JSON

/// The body of an analysis, read and decoded; a pure value, so that a worker can make it for large photos.
struct Photo: Sendable {
    /// Decoded bytes.
    var length = 0
    var isImage = false
    var estimate = Estimate.nothing
    var isDecodable = false

    init() {}

    init(base64 text: String) {
        guard let bytes = Self.decode(text) else { return }
        isDecodable = true
        length = bytes.count
        isImage = Self.beginsLikeImage(bytes)
        if isImage, length <= CarbScanAPI.imageLimit { estimate = Estimate(image: bytes) }
    }

    /// Decodes the standard alphabet with padding; skips ASCII white space and a leading `data:image/…;base64,`.
    static func decode(_ text: String) -> [UInt8]? {
        var content = Array(text.utf8)
        if content.contains(where: isSpace) { content.removeAll(where: isSpace) }
        var rest = content[...]
        let scheme = Array("data:image/".utf8)
        if rest.count > scheme.count, zip(rest, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
            let head = rest.prefix(256)
            guard let comma = head.firstIndex(of: UInt8(ascii: ",")) else { return nil }
            let ending = Array(";base64".utf8)
            let media = rest[..<comma]
            guard media.count > ending.count,
                zip(media.suffix(ending.count), ending).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            else { return nil }
            rest = rest[(comma + 1)...]
        }
        return Base64.decode(rest)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func beginsLikeImage(_ bytes: [UInt8]) -> Bool {
        func has(_ text: String, at place: Int) -> Bool {
            bytes.count >= place + text.utf8.count && bytes[place...].starts(with: text.utf8)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF])
            || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            || has("GIF8", at: 0) || has("RIFF", at: 0) && has("WEBP", at: 8)
        {
            return true
        }
        return has("ftyp", at: 4) && ["heic", "heix", "hevc", "mif1", "msf1", "avif"].contains { has($0, at: 8) }
    }
}
