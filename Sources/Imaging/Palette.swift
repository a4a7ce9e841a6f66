/// The colours of a picture that has at most 256 of them, and which one each pixel has.
struct Palette {
    /// Red, green, blue and alpha of each colour, in the order of their first pixels.
    private(set) var colours: [UInt8] = []
    /// One number a pixel.
    private(set) var indices: [UInt8] = []

    /// The number of colours: 1…256.
    var count: Int { colours.count / 4 }

    init(colours: [UInt8], indices: [UInt8]) {
        self.colours = colours
        self.indices = indices
    }

    /// Nil when there are more than 256 colours.
    init?(_ pixels: [UInt8]) {
        var numbers: [UInt32: UInt8] = [:]
        indices.reserveCapacity(pixels.count / 4)
        var last: (pixel: UInt32, number: UInt8)?
        for base in stride(from: 0, to: pixels.count, by: 4) {
            let pixel =
                UInt32(pixels[base]) << 24 | UInt32(pixels[base + 1]) << 16 | UInt32(pixels[base + 2]) << 8
                | UInt32(pixels[base + 3])
            if let last, last.pixel == pixel {
                indices.append(last.number)
                continue
            }
            let number: UInt8
            if let known = numbers[pixel] {
                number = known
            } else {
                guard numbers.count < 256 else { return nil }
                number = UInt8(numbers.count)
                numbers[pixel] = number
                colours += pixels[base..<(base + 4)]
            }
            last = (pixel, number)
            indices.append(number)
        }
    }
}
