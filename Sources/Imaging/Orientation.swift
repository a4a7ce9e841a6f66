/// The orientation of a camera: EXIF's tag 274, by its numbers.
enum Orientation: UInt16 {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case upsideDownMirrored = 4
    case leftMirrored = 5
    case left = 6
    case rightMirrored = 7
    case right = 8

    /// True if width and height are swapped.
    var swapsSides: Bool { rawValue >= 5 }

    /// The place in the stored picture of the pixel shown at (x, y); `width` and `height` are the stored ones.
    func source(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .upsideDown: (width - 1 - x, height - 1 - y)
        case .upsideDownMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .left: (y, height - 1 - x)
        case .rightMirrored: (width - 1 - y, height - 1 - x)
        case .right: (width - 1 - y, x)
        }
    }
}

extension Bitmap {
    /// Returns the bitmap in its upright orientation.
    func turned(_ orientation: Orientation) -> Bitmap {
        guard orientation != .upright else { return self }
        let newWidth = orientation.swapsSides ? height : width
        let newHeight = orientation.swapsSides ? width : height
        let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            pixels.withUnsafeBytes { pixels in
                let target = UnsafeMutableRawBufferPointer(target)
                for y in 0..<newHeight {
                    for x in 0..<newWidth {
                        let source = orientation.source(x: x, y: y, width: width, height: height)
                        let pixel = pixels.loadUnaligned(
                            fromByteOffset: 4 * (source.y * width + source.x),
                            as: UInt32.self
                        )
                        target.storeBytes(of: pixel, toByteOffset: 4 * (y * newWidth + x), as: UInt32.self)
                    }
                }
            }
            count = pixels.count
        }
        return Bitmap(checkedWidth: newWidth, height: newHeight, pixels: result)
    }
}
