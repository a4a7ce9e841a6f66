import Imaging
import TestSupport

extension SeededGenerator {
    /// A bitmap of up to `side` pixels each way, of one of the kinds an encoder tells apart.
    mutating func bitmap(upTo side: Int) -> Bitmap? {
        let width = Int.random(in: 1...side, using: &self)
        let height = Int.random(in: 1...side, using: &self)
        let isGrey = Bool.random(using: &self)
        let isOpaque = Bool.random(using: &self)
        let levels = [2, 3, 5, 17, 256].randomElement(using: &self) ?? 2
        var pixels: [UInt8] = []
        for _ in 0..<(width * height) {
            let red = level(levels)
            pixels += isGrey ? [red, red, red] : [red, level(levels), level(levels)]
            pixels.append(isOpaque ? 255 : level(levels))
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    private mutating func level(_ count: Int) -> UInt8 {
        UInt8(Int.random(in: 0..<count, using: &self) * 255 / (count - 1))
    }
}

extension Bitmap {
    /// A bitmap of one colour.
    static func plain(_ width: Int, _ height: Int, _ colour: [UInt8]) -> Bitmap? {
        Bitmap(
            width: width,
            height: height,
            pixels: Array([[UInt8]](repeating: colour, count: width * height).joined())
        )
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let base = 4 * (y * width + x)
        return Array(pixels[base..<(base + 4)])
    }

    /// The largest difference of any sample from the other's, or nil when the sizes differ.
    func distance(to other: Bitmap) -> Int? {
        guard width == other.width, height == other.height else { return nil }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max()
    }
}
