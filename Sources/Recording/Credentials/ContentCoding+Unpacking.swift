package import Backend
import Compression

extension ContentCoding {
    /// The content that could be unpacked, even from damaged or incomplete data.
    package struct Unpacked: Sendable {
        package var bytes: [UInt8] = []
        /// The decoded content exceeds the limit.
        package var isTooLarge = false
        /// The length of the compressed content, if it is complete.
        package var consumed = 0
    }

    /// Unpacks content of at most that length, which begins with the mark of gzip or of zlib; `piece` returns parts of
    /// it.
    package static func unpacked(
        _ count: Int,
        isGzip: Bool,
        limit: Int,
        _ piece: (Range<Int>) -> [UInt8]
    ) -> Unpacked {
        var unpacked = Unpacked()
        let inflater = Inflater(isGzip ? .gzip : .deflate, limit: limit)
        var place = 0
        // The first piece is short, because most content with such a beginning is not compressed.
        var length = 1_024
        do throws(InflateError) {
            // In pieces, so that the end of a short member in a long content is found soon.
            while place < count {
                let end = min(place + length, count)
                try inflater.feed(piece(place..<end), into: &unpacked.bytes)
                place = end
                length = 65_536
                guard !(inflater.isComplete && (!isGzip || inflater.unread > 0)) else { break }
            }
            if inflater.isComplete { unpacked.consumed = place - inflater.unread }
        } catch {
            unpacked.isTooLarge = error == .tooLarge
        }
        return unpacked
    }
}
