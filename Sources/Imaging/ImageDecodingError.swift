/// Why bytes did not become a bitmap.
package enum ImageDecodingError: Error, Sendable, Equatable {
    /// The bytes begin neither like a JPEG nor like a PNG.
    case unknownFormat
    /// The bytes begin right but are cut short or broken; the text says what is wrong, for a log.
    case damaged(String)
    /// The header announces more pixels than the caller takes, or a side over `Bitmap.maximumSide`.
    case tooLarge(width: Int, height: Int)
    /// So many pixels, gone over so many times, are more work than `ImageDecoder.maximumWork`.
    case tooMuchWork(pixels: Int, passes: Int)
}
