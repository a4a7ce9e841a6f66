/// The properties of a picture's pixels that an encoder needs, found in one pass.
struct PixelSurvey {
    /// True if every alpha is 255.
    private(set) var isOpaque = true
    /// True if red, green and blue agree everywhere.
    private(set) var isGrey = true

    init(_ pixels: [UInt8]) {
        pixels.withUnsafeBufferPointer { pixels in
            for base in stride(from: 0, to: pixels.count, by: 4) {
                if pixels[base + 3] != 255 { isOpaque = false }
                if pixels[base] != pixels[base + 1] || pixels[base] != pixels[base + 2] { isGrey = false }
                if !isOpaque, !isGrey { return }
            }
        }
    }
}
