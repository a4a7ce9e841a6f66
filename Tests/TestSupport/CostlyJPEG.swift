/// Writes grey JPEGs that are short and costly to decode, which no encoder produces.
public struct CostlyJPEG {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int

    /// Pictures of that size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    private var blocks: Int { ((width + 7) / 8) * ((height + 7) / 8) }

    /// A baseline picture in one scan: two bits for each block.
    public func plain() -> [UInt8] {
        let data = [UInt8](repeating: 0, count: (2 * blocks + 7) / 8)
        return file(0xC0, endOfBlock: 0x00, scans: scan(from: 0, to: 63, high: 0, low: 0, data))
    }

    /// A progressive picture of that many scans, which all walk over it and change nothing; up to 883 of them.
    ///
    /// The last one ends too early where it `isCut`, which is found when the rest has been walked over.
    public func progressive(scans count: Int, isCut: Bool = false) -> [UInt8] {
        // One bit for each block says that its first coefficient stays.
        var scans = scan(from: 0, to: 0, high: 0, low: 0, [UInt8](repeating: 0, count: (blocks + 7) / 8))
        for number in 0..<(count - 1) {
            let (band, step) = (number / 14, number % 14)
            let data = isCut && number == count - 2 ? [0x00] : Self.runs(over: blocks)
            scans += scan(from: band + 1, to: band + 1, high: step == 0 ? 0 : 14 - step, low: 13 - step, data)
        }
        return file(0xC2, endOfBlock: 0xE0, scans: scans)
    }

    /// A progressive picture with one scan that has no data at all.
    public func empty() -> [UInt8] {
        file(0xC2, endOfBlock: 0xE0, scans: scan(from: 0, to: 0, high: 0, low: 0, []))
    }

    private func file(_ frame: UInt8, endOfBlock: UInt8, scans: [UInt8]) -> [UInt8] {
        let table = [UInt8](repeating: 1, count: 64)
        let size = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        // One code of one bit in each table.
        let codes: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
        return [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + table
            + [0xFF, frame, 0, 11, 8] + size + [1, 1, 0x11, 0]
            + [0xFF, 0xC4, 0, 20, 0x00] + codes + [0]
            + [0xFF, 0xC4, 0, 20, 0x10] + codes + [endOfBlock]
            + scans + [0xFF, 0xD9]
    }

    private func scan(from: Int, to: Int, high: Int, low: Int, _ data: [UInt8]) -> [UInt8] {
        [0xFF, 0xDA, 0, 8, 1, 1, 0, UInt8(from), UInt8(to), UInt8(high << 4 | low)] + data
    }

    /// End-of-band runs of 32,767 blocks: a bit 0 and fourteen bits 1 for each.
    private static func runs(over blocks: Int) -> [UInt8] {
        var bits: [Bool] = []
        for _ in 0..<((blocks + 32_766) / 32_767) { bits += [false] + [Bool](repeating: true, count: 14) }
        while !bits.count.isMultiple(of: 8) { bits.append(true) }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            bytes += byte == 0xFF ? [0xFF, 0x00] : [byte]
        }
        return bytes
    }
}
