import Backend
import Compression
import Crypto
import HTTPMessage
import JSON

/// The form in which a tool wrote the content of a response with a content coding.
///
/// Most tools decode it and keep the field.
package struct RecordedCoding {
    private let codings: [String]
    private let type: MediaType?
    private let length: Int?

    package init(_ headers: [HARPair], type: String) {
        let fields = headers.filter { $0.name.lowercased() == "content-encoding" }
        codings = fields.flatMap { field in
            field.value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }.filter { !$0.isEmpty && $0 != "identity" }
        self.type = MediaType(type)
        length = headers.value("content-length").flatMap { Int($0) }
    }

    package var names: String { codings.joined(separator: ", ") }

    /// Returns true if bytes are as they came over the wire.
    package func isCoded(_ bytes: [UInt8]) -> Bool {
        guard let last = codings.last, ContentCoding.isApplied(last, to: bytes) else { return false }
        switch last {
        case "gzip", "x-gzip": return true
        case "deflate": return Self.isDeflated(bytes)
        case "zstd": return bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        case "br", "compress", "x-compress", "dcb", "dcz": return isText ? !hasCharset(bytes) : length == bytes.count
        default: return false
        }
    }

    /// Returns true for the form of zlib, and for what can be inflated to its end without one.
    private static func isDeflated(_ bytes: [UInt8]) -> Bool {
        if bytes.count > 1, bytes[0] == 0x78, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 { return true }
        return ContentCoding.decoded(bytes, ["deflate"], limit: CapturedExchange.bodyLimit) != nil
    }

    /// Returns content without its codings; nil if one can't be decoded.
    package func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        ContentCoding.original(bytes, codings, limit: CapturedExchange.bodyLimit)
    }

    private var isText: Bool {
        guard let essence = type?.essence, !essence.isEmpty else { return true }
        return essence.hasPrefix("text/")
            || ["json", "xml", "javascript", "form-urlencoded", "graphql"].contains { essence.hasSuffix($0) }
    }

    /// Returns true if bytes are text in the charset that the type names.
    private func hasCharset(_ bytes: [UInt8]) -> Bool {
        let charset = type?.parameter("charset")?.lowercased() ?? ""
        if ["", "utf-8", "utf8"].contains(charset) { return UTF16Text(bytes, type: "") != nil }
        if charset.hasPrefix("utf-") { return true }
        return !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    }

    // MARK: Pieces

    /// The content of a text that is a list of pieces in hex or in Base64, as Polly.js writes coded content.
    enum Pieces {
        case decoded([UInt8])
        /// It is still coded.
        case coded([UInt8])
        /// It may be such a list.
        case unclear
    }

    /// Returns the content of a list of pieces; nil for any other text.
    ///
    /// `isMarked` tells that the tool says that the text is no text, or that it is Polly.js; `size` is the recorded size
    /// of the content.
    func pieces(_ text: String, isMarked: Bool, size: Int) -> Pieces? {
        guard let last = codings.last, text.utf8.first(where: { $0 > 0x20 }) == 0x5B,
            let items = (try? JSONReader.read(text: text))?.arrayValue, !items.isEmpty
        else { return nil }
        let texts = items.compactMap(\.stringValue)
        guard texts.count == items.count, texts.allSatisfy({ !$0.isEmpty }) else { return nil }
        var isUnclear = false
        for joined in [Self.joined(texts, Hex.decode), Self.joined(texts) { Base64.decode($0) }] {
            guard let joined, ContentCoding.isApplied(last, to: joined), last != "deflate" || Self.isDeflated(joined)
            else { continue }
            if let plain = ContentCoding.decoded(joined, codings, limit: CapturedExchange.bodyLimit) {
                return .decoded(plain)
            }
            if joined.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || isMarked || [length, size].contains(joined.count) {
                return .coded(joined)
            }
            isUnclear = true
        }
        return isUnclear ? .unclear : nil
    }

    private static func joined(_ texts: [String], _ decode: (String) -> [UInt8]?) -> [UInt8]? {
        var bytes: [UInt8] = []
        for text in texts {
            guard let piece = decode(text) else { return nil }
            bytes += piece
        }
        return bytes
    }
}
