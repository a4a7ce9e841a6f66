/// Pixels in memory, eight bits each of red, green, blue and alpha (not premultiplied), rows from the top.
package struct Bitmap: Sendable, Equatable {
    /// The maximum length of a side in pixels, which is the limit of JPEG.
    package static let maximumSide = 65_500

    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Four bytes a pixel: red, green, blue, alpha; `4 * width * height` in all.
    package let pixels: [UInt8]

    /// A bitmap of these pixels, or nil when a side is not in 1…`maximumSide` or the count does not fit.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height),
            pixels.count == 4 * width * height
        else { return nil }
        self.init(checkedWidth: width, height: height, pixels: pixels)
    }

    /// For callers in this target that have made sure of the rules above.
    init(checkedWidth width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
