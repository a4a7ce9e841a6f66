/// Bytes to bitmaps: JPEG (baseline and progressive; grey, colour and ink) and PNG (all colour types and depths).
package enum ImageDecoder {
    /// Pixels times the scans of a JPEG, or the passes of a PNG: a few bytes can ask for a hundred walks over the picture.
    package static let maximumWork = 200_000_000

    /// Decodes a picture and applies a JPEG's orientation.
    ///
    /// A picture of more than `maximumPixels`, or a side over `Bitmap.maximumSide`, is refused by its header, before memory
    /// for it is taken; so is one of more than `maximumWork`. Bytes after the picture's end are ignored. It may take a
    /// second and 640 MiB for the largest pictures: call it from an endpoint's preparation, one at a time.
    package static func decode(_ bytes: [UInt8], maximumPixels: Int) throws(ImageDecodingError) -> Bitmap {
        switch ImageFormat.of(bytes) {
        case .jpeg: try JPEGCodec.decode(bytes, maximumPixels: maximumPixels)
        case .png: try PNGCodec.decode(bytes, maximumPixels: maximumPixels)
        case nil: throw .unknownFormat
        }
    }

    /// Format and size as the header tells them, after orientation; nil when there is no readable header.
    package static func size(of bytes: [UInt8]) -> (format: ImageFormat, width: Int, height: Int)? {
        switch ImageFormat.of(bytes) {
        case .jpeg:
            guard let size = JPEGStructure(bytes, whole: false)?.shownSize else { return nil }
            return (.jpeg, size.width, size.height)
        case .png:
            guard let structure = PNGStructure(bytes) else { return nil }
            return (.png, structure.width, structure.height)
        case nil:
            return nil
        }
    }

    static func check(width: Int, height: Int, maximumPixels: Int) throws(ImageDecodingError) {
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixels <= maximumPixels, max(width, height) <= Bitmap.maximumSide else {
            throw .tooLarge(width: width, height: height)
        }
    }

    static func check(width: Int, height: Int, passes: Int) throws(ImageDecodingError) {
        let (work, overflows) = (width * height).multipliedReportingOverflow(by: passes)
        guard !overflows, work <= maximumWork else { throw .tooMuchWork(pixels: width * height, passes: passes) }
    }
}
