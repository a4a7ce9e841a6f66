import Basics
import CTurboJPEG

/// libjpeg-turbo, through its TurboJPEG interface: return codes, no jumps over Swift frames.
enum JPEGCodec {
    /// More scans than any encoder writes; each one walks over the whole picture, so thousands would take minutes.
    static let maximumScans = 100

    static func decode(_ bytes: [UInt8], maximumPixels: Int) throws(ImageDecodingError) -> Bitmap {
        guard let structure = JPEGStructure(bytes, whole: true) else { throw .damaged("no frame header") }
        let shown = structure.shownSize
        try ImageDecoder.check(width: shown.width, height: shown.height, maximumPixels: maximumPixels)
        guard structure.isComplete else { throw .damaged("no end of image: cut short") }
        guard structure.scans <= maximumScans else { throw .damaged("more than \(maximumScans) scans") }
        try ImageDecoder.check(width: shown.width, height: shown.height, passes: structure.scans)
        guard !structure.hasEmptyScan else { throw .damaged("a scan without data") }
        let stored = try pixels(of: bytes, structure)
        return Bitmap(checkedWidth: structure.width, height: structure.height, pixels: stored)
            .turned(structure.orientation)
    }

    private static func pixels(
        of bytes: [UInt8],
        _ structure: JPEGStructure
    ) throws(ImageDecodingError) -> [UInt8] {
        guard let handle = tjInitDecompress() else { throw .damaged("no memory for a decoder") }
        defer { tjDestroy(handle) }
        let isInk = structure.components == 4
        let count = 4 * structure.width * structure.height
        var code: Int32 = -1
        var result = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            // The size is passed, not asked for: should the library read another one from the same bytes, it scales to
            // ours or refuses, and cannot write past the end.
            code = tjDecompress2(
                handle,
                bytes,
                UInt(bytes.count),
                target.baseAddress,
                Int32(structure.width),
                Int32(4 * structure.width),
                Int32(structure.height),
                isInk ? Int32(TJPF_CMYK.rawValue) : Int32(TJPF_RGBA.rawValue),
                TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
            )
            initialized = code == 0 || isHarmless(handle) ? count : 0
        }
        guard result.count == count else { throw .damaged(message(handle)) }
        if isInk { convertInk(&result, inverted: structure.hasAdobeSegment) }
        return result
    }

    /// Returns true if the first warning leaves the picture whole.
    ///
    /// The library names its first warning only. Cut-off data is found by the walk over the markers besides.
    private static func isHarmless(_ handle: tjhandle) -> Bool {
        guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return false }
        let text = message(handle)
        return [
            "extraneous bytes before marker", "unknown JFIF revision", "Unknown Adobe color transform",
            "Invalid SOS parameters for sequential", "bad ICC marker",
        ].contains { text.contains($0) }
    }

    private static func message(_ handle: tjhandle) -> String {
        guard let text = tjGetErrorStr2(handle) else { return "the decoder gave no reason" }
        return String(cString: text)
    }

    /// Cyan, magenta, yellow and black to red, green, blue and a full alpha; Adobe's files hold the inverse of each ink.
    private static func convertInk(_ pixels: inout [UInt8], inverted: Bool) {
        let mask: UInt8 = inverted ? 0 : 0xFF
        pixels.withUnsafeMutableBufferPointer { pixels in
            for base in stride(from: 0, to: pixels.count, by: 4) {
                let white = UInt32(pixels[base + 3] ^ mask)
                for channel in 0..<3 {
                    pixels[base + channel] = UInt8((UInt32(pixels[base + channel] ^ mask) * white + 127) / 255)
                }
                pixels[base + 3] = 255
            }
        }
    }

    /// Baseline JPEG of an opaque copy; empty only when there is no memory for an encoder.
    static func encode(_ bitmap: Bitmap, quality: Int) -> [UInt8] {
        guard let handle = tjInitCompress() else { return [] }
        defer { tjDestroy(handle) }
        let survey = PixelSurvey(bitmap.pixels)
        let opaque = survey.isOpaque ? bitmap.pixels : bitmap.overWhite()
        let sampling = survey.isGrey ? TJSAMP_GRAY : TJSAMP_420
        let capacity = tjBufSize(Int32(bitmap.width), Int32(bitmap.height), Int32(sampling.rawValue))
        guard capacity > 0, capacity < UInt(Int.max) else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(capacity)) { target, count in
            var address = target.baseAddress
            var size = capacity
            let code = tjCompress2(
                handle,
                opaque,
                Int32(bitmap.width),
                0,
                Int32(bitmap.height),
                Int32(TJPF_RGBX.rawValue),
                &address,
                &size,
                Int32(sampling.rawValue),
                Int32(min(max(quality, 1), 100)),
                TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC
            )
            count = code == 0 ? Int(size) : 0
        }
    }
}
