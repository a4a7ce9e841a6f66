import Compression

extension ContentCoding {
    /// As much of a compressed content as comes out of it, damaged or cut short or not.
    package struct Unpacked: Sendable {
        package var bytes: [UInt8] = []
        /// More comes out than was asked for.
        package var isTooLarge = false
    }

    /// Unpacks content that begins with the mark of gzip, or of zlib.
    package static func unpacked(_ content: [UInt8], isGzip: Bool, limit: Int) -> Unpacked {
        var unpacked = Unpacked()
        let inflater = Inflater(isGzip ? .gzip : .deflate, limit: limit)
        var place = 0
        do throws(InflateError) {
            // In pieces, so that the end of a short member in a long content is soon seen.
            while place < content.count, !(inflater.isComplete && !isGzip) {
                let end = min(place + 65_536, content.count)
                try inflater.feed(Array(content[place..<end]), into: &unpacked.bytes)
                place = end
            }
        } catch {
            unpacked.isTooLarge = error == .tooLarge
        }
        return unpacked
    }
}
