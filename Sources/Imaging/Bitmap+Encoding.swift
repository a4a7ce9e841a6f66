extension Bitmap {
    /// The bitmap as a PNG that loses nothing.
    ///
    /// With a palette up to 256 colours, grey where all is grey, without alpha where all is opaque. The same bitmap gives
    /// the same bytes.
    package func png() -> [UInt8] { PNGCodec.encode(self) }

    /// Encodes the bitmap as a baseline JPEG; transparent parts are laid over white.
    ///
    /// `quality` is taken into 1…100. Grey pictures get one component, others 4:2:0. The same bitmap gives the same bytes.
    package func jpeg(quality: Int) -> [UInt8] { JPEGCodec.encode(self, quality: quality) }

    /// The pixels over white, their alpha full.
    func overWhite() -> [UInt8] {
        var result = pixels
        result.withUnsafeMutableBufferPointer { pixels in
            for base in stride(from: 0, to: pixels.count, by: 4) {
                let alpha = UInt32(pixels[base + 3])
                for channel in 0..<3 {
                    let blended = UInt32(pixels[base + channel]) * alpha + 255 * (255 - alpha)
                    pixels[base + channel] = UInt8((blended + 127) / 255)
                }
                pixels[base + 3] = 255
            }
        }
        return result
    }
}
