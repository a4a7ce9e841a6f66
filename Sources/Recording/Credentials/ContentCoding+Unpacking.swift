import Compression

extension ContentCoding {
    /// As much of a compressed content as comes out of it, damaged or cut short or not.
    package struct Unpacked: Sendable {
        package var bytes: [UInt8] = []
        /// The decoded content exceeds the limit.
        package var isTooLarge = false
        /// The length of the compressed content, if it is whole.
        package var consumed = 0
    }

    /// Unpacks content of at most that length, which begins with the mark of gzip, or of zlib; `piece` gives parts of it.
    package static func unpacked(
        _ count: Int,
        isGzip: Bool,
        limit: Int,
        _ piece: (Range<Int>) -> [UInt8]
    ) -> Unpacked {
        var unpacked = Unpacked()
        let inflater = Inflater(isGzip ? .gzip : .deflate, limit: limit)
        var place = 0
        // The first piece is short, since most content with such a beginning is not compressed.
        var length = 1_024
        do throws(InflateError) {
            // In pieces, so that the end of a short member in a long content is soon seen.
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
