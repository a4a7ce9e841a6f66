import CPNG

/// libpng, through its simplified interface: it catches its own jumps.
enum PNGCodec {
    private static let rgba = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)

    static func decode(_ bytes: [UInt8], maximumPixels: Int) throws(ImageDecodingError) -> Bitmap {
        guard let structure = PNGStructure(bytes) else { throw .damaged("no header") }
        try ImageDecoder.check(width: structure.width, height: structure.height, maximumPixels: maximumPixels)
        try ImageDecoder.check(width: structure.width, height: structure.height, passes: structure.passes)
        let essentials = try structure.essentials(of: bytes)
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        let count = 4 * structure.width * structure.height
        let pixels = essentials.withUnsafeBytes { source -> [UInt8]? in
            guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0,
                Int(image.width) == structure.width, Int(image.height) == structure.height
            else { return nil }
            image.format = rgba
            // Other readers do not take sixteen bits without a gamma for linear light either.
            image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
            if structure.isDeepInterlaced { return finishDeep(&image, count: count) }
            let pixels = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
                initialized = png_image_finish_read(&image, nil, target.baseAddress, 0, nil) != 0 ? count : 0
            }
            return pixels.isEmpty ? nil : pixels
        }
        guard let pixels else { throw .damaged(message(image)) }
        return Bitmap(checkedWidth: structure.width, height: structure.height, pixels: pixels)
    }

    /// Reads 16 bits a sample with colours multiplied by their alpha, and undoes both.
    private static func finishDeep(_ image: inout png_image, count: Int) -> [UInt8]? {
        image.format = rgba | UInt32(PNG_FORMAT_FLAG_LINEAR)
        let deep = [UInt16](unsafeUninitializedCapacity: count) { target, initialized in
            initialized = png_image_finish_read(&image, nil, target.baseAddress, 0, nil) != 0 ? count : 0
        }
        guard !deep.isEmpty else { return nil }
        var result = [UInt8](repeating: 0, count: count)
        for base in stride(from: 0, to: count, by: 4) {
            let alpha = UInt32(deep[base + 3])
            result[base + 3] = UInt8((alpha * 255 + 32_767) / 65_535)
            guard alpha > 0 else { continue }
            for channel in 0..<3 {
                let sample = UInt32(min(deep[base + channel], deep[base + 3]))
                result[base + channel] = UInt8((sample * 255 + alpha / 2) / alpha)
            }
        }
        return result
    }

    private static func message(_ image: png_image) -> String {
        let text = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? "the decoder gave no reason" : text
    }

    /// PNG in the smallest form that loses nothing; empty only when there is no memory for an encoder.
    static func encode(_ bitmap: Bitmap) -> [UInt8] {
        guard let palette = Palette(bitmap.pixels) else { return encodeSamples(bitmap) }
        let indexed = encode(palette, width: bitmap.width, height: bitmap.height)
        // Up to 16 colours a pixel takes half a byte at most. Beyond that grey, or the palette's own weight, may decide.
        guard palette.count > 16 else { return indexed }
        let sampled = encodeSamples(bitmap)
        return sampled.count < indexed.count ? sampled : indexed
    }

    private static func encodeSamples(_ bitmap: Bitmap) -> [UInt8] {
        let survey = PixelSurvey(bitmap.pixels)
        var format: UInt32 = 0
        if !survey.isGrey { format |= UInt32(PNG_FORMAT_FLAG_COLOR) }
        if !survey.isOpaque { format |= UInt32(PNG_FORMAT_FLAG_ALPHA) }
        let kept = [true, !survey.isGrey, !survey.isGrey, !survey.isOpaque]
        let channels = kept.count { $0 }
        let samples = channels == 4 ? bitmap.pixels : Self.samples(of: bitmap.pixels, kept: kept, channels: channels)
        return write(samples, width: bitmap.width, height: bitmap.height, format: format, channels: channels)
    }

    /// PNG with a palette: one, two, four or eight bits a pixel.
    static func encode(_ palette: Palette, width: Int, height: Int) -> [UInt8] {
        write(palette.indices, width: width, height: height, format: rgba, channels: 1, palette: palette)
    }

    private static func samples(of pixels: [UInt8], kept: [Bool], channels: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count / 4 * channels)
        for base in stride(from: 0, to: pixels.count, by: 4) {
            for channel in 0..<4 where kept[channel] { result.append(pixels[base + channel]) }
        }
        return result
    }

    private static func write(
        _ samples: [UInt8],
        width: Int,
        height: Int,
        format: UInt32,
        channels: Int,
        palette: Palette? = nil
    ) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(width)
        image.height = UInt32(height)
        image.format = palette == nil ? format : format | UInt32(PNG_FORMAT_FLAG_COLORMAP)
        image.colormap_entries = UInt32(palette?.count ?? 0)
        defer { png_image_free(&image) }
        // Rows with their filter byte, stored at worst, with the chunks' frames around every 8 KiB of them.
        let raw = (width * channels + 1) * height
        let capacity = raw + raw / 250 + 4_096
        return [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            var size = png_alloc_size_t(capacity)
            let code = png_image_write_to_memory(&image, target.baseAddress, &size, 0, samples, 0, palette?.colours)
            count = code == 0 ? 0 : Int(size)
        }
    }
}
