import Compression

/// Compressed data, even damaged or incomplete.
struct PackedData {
    private(set) var bytes: [UInt8] = []
    /// The decoded data exceeds the limit.
    private(set) var isTooLarge = false
    /// The length of the compressed data, if it is complete.
    private(set) var consumed = 0

    /// Unpacks data of at most that length, which begins with the mark of gzip or of zlib; `piece` returns parts of it.
    init(_ count: Int, isGzip: Bool, limit: Int, _ piece: (Range<Int>) -> [UInt8]) {
        let inflater = Inflater(isGzip ? .gzip : .deflate, limit: limit)
        var place = 0
        // The first piece is short, because most data with such a beginning is not compressed.
        var length = 1_024
        do throws(InflateError) {
            // In pieces, so that the end of a short member in a long content is found soon.
            while place < count {
                let end = min(place + length, count)
                try inflater.feed(piece(place..<end), into: &bytes)
                place = end
                length = 65_536
                guard !(inflater.isComplete && (!isGzip || inflater.unread > 0)) else { break }
            }
            if inflater.isComplete { consumed = place - inflater.unread }
        } catch {
            isTooLarge = error == .tooLarge
        }
    }

    static func isGzip(_ text: [UInt8], at place: Int) -> Bool {
        place + 2 < text.count && text[place] == 0x1F && text[place + 1] == 0x8B && text[place + 2] == 0x08
    }

    /// Recognises the header of zlib, without a dictionary.
    static func isZlib(_ text: [UInt8], at place: Int) -> Bool {
        place + 1 < text.count && text[place] == 0x78 && (0x7800 | Int(text[place + 1])) % 31 == 0
            && text[place + 1] & 0x20 == 0
    }
}
