/// The reason why bytes did not become a bitmap.
package enum ImageDecodingError: Error, Sendable, Equatable {
    /// The bytes begin neither like a JPEG nor like a PNG.
    case unknownFormat
    /// The bytes begin correctly but are cut short or broken; the text names the defect, for a log.
    case damaged(String)
    /// The header announces more pixels than the caller accepts, or a side over `Bitmap.maximumSide`.
    case tooLarge(width: Int, height: Int)
    /// A number of pixels and passes that is more work than `ImageDecoder.maximumWork`.
    case tooMuchWork(pixels: Int, passes: Int)
}
