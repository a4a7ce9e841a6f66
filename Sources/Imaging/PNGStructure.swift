import Compression

/// The structure of a PNG according to its chunks, read without inflating anything (PNG 1.2, section 3).
struct PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// tRNS, the one optional chunk that is needed.
    ///
    /// All others never reach the library: a few bytes of text or profile can inflate to megabytes. Samples are taken as
    /// they are stored; gAMA and iCCP are left out like that.
    private static let transparency: UInt32 = 0x7452_4E53
    /// A gAMA chunk that says "linear light".
    private static let linearGamma: [UInt8] = [
        0, 0, 0, 4, 0x67, 0x41, 0x4D, 0x41, 0, 1, 0x86, 0xA0, 0x31, 0xE8, 0x96, 0x5F,
    ]

    /// Bytes that a picture's data may have behind its pixels; the library would inflate gigabytes of them for nothing.
    private static let slack = 64 * 1_024
    /// The number of bytes inflated at a time, which may become a thousand times as many.
    private static let piece = 4_096

    let width: Int
    let height: Int
    /// True for an interlaced picture with 16 bits a sample.
    ///
    /// Some releases of libpng (1.6.51, and older ones with the same security patch) mix up the rows of such a file when
    /// they are to make 8 bits of it. It is read as 16 bits of linear light instead, and its gamma said to be linear, so
    /// that the samples stay what they are.
    let isDeepInterlaced: Bool
    /// The number of passes over the whole picture that decoding takes.
    let passes: Int
    private let bitsPerPixel: Int

    /// Reads the header alone; nil when it is missing, or a side is zero or over PNG's 2³¹ − 1.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature), bytes.count >= 33,
            Self.number(bytes, 8) == 13, Self.number(bytes, 12) == 0x4948_4452
        else { return nil }
        width = Int(Self.number(bytes, 16))
        height = Int(Self.number(bytes, 20))
        let limit = Int(Int32.max)
        guard (1...limit).contains(width), (1...limit).contains(height) else { return nil }
        let channels: Int
        switch bytes[25] {
        case 2: channels = 3
        case 4: channels = 2
        case 6: channels = 4
        default: channels = 1
        }
        isDeepInterlaced = bytes[24] == 16 && bytes[28] == 1
        passes = bytes[28] == 1 ? 7 : 1
        bitsPerPixel = channels * Int(bytes[24])
    }

    /// The file with nothing but the chunks that make the picture, or why it cannot be one.
    ///
    /// Call it only for a size that is within limits.
    func essentials(of bytes: [UInt8]) throws(ImageDecodingError) -> [UInt8] {
        var result = Self.signature
        result.reserveCapacity(bytes.count)
        var position = Self.signature.count
        var data = 0
        var pieces: [Range<Int>] = []
        while true {
            guard position + 12 <= bytes.count else { throw .damaged("cut short: no end chunk") }
            let length = Int(Self.number(bytes, position))
            guard length <= bytes.count - position - 12 else { throw .damaged("cut short within a chunk") }
            let type = Self.number(bytes, position + 4)
            // The first letter's case says whether a decoder may leave the chunk out.
            if type & 0x2000_0000 == 0 || type == Self.transparency {
                result += bytes[position..<(position + 12 + length)]
            }
            if type == 0x4948_4452, isDeepInterlaced { result += Self.linearGamma }
            if type == 0x4944_4154 {
                data += length
                pieces.append((position + 8)..<(position + 8 + length))
            }
            if type == 0x4945_4E44 { break }
            position += 12 + length
        }
        // Deflate cannot shrink below 1 in 1032; a file with less data than that is cut short, whatever it announces.
        let needed = (width * bitsPerPixel + 7) / 8 * height
        guard data >= needed / 1032 else { throw .damaged("too little data for \(width) × \(height) pixels") }
        guard data * 1032 <= rawBytes + Self.slack || Self.inflates(bytes, pieces, to: rawBytes + Self.slack) else {
            throw .damaged("data beyond \(width) × \(height) pixels")
        }
        return result
    }

    /// The size of the inflated data: the rows of each pass, with a byte for its filter.
    private var rawBytes: Int {
        let grid =
            passes == 1
            ? [(0, 0, 1, 1)]
            : [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        var sum = 0
        for (x, y, across, down) in grid where x < width && y < height {
            let columns = (width - x + across - 1) / across
            let rows = (height - y + down - 1) / down
            sum += rows * (1 + (columns * bitsPerPixel + 7) / 8)
        }
        return sum
    }

    /// Returns true if the inflated data stays within that many bytes; the library reports any other defect.
    private static func inflates(_ bytes: [UInt8], _ pieces: [Range<Int>], to limit: Int) -> Bool {
        let inflater = Inflater(.deflate, limit: limit)
        var output: [UInt8] = []
        for whole in pieces {
            for start in stride(from: whole.lowerBound, to: whole.upperBound, by: piece) {
                do throws(InflateError) {
                    try inflater.feed(Array(bytes[start..<min(start + piece, whole.upperBound)]), into: &output)
                } catch {
                    return error != .tooLarge
                }
                output.removeAll(keepingCapacity: true)
            }
        }
        return true
    }

    private static func number(_ bytes: [UInt8], _ position: Int) -> UInt32 {
        UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16
            | UInt32(bytes[position + 2]) << 8 | UInt32(bytes[position + 3])
    }
}
