/// What runs of Base64 say, decoded from each of the four places where a group can begin: so that it does not matter what
/// stands before a coded text.
final class Base64Lanes {
    /// More characters than this are decoded in pieces.
    static let piece = 512 * 1_024
    /// How much of a piece the next one repeats.
    static let overlap = 16 * 1_024

    private let lanes: [UnsafeMutablePointer<UInt8>]
    private var counts = [0, 0, 0, 0]
    private let capacity: Int
    private(set) var characters = 0

    /// - Parameter length: of the text whose runs are decoded.
    init(for length: Int) {
        let capacity = min(length, Self.piece) + 128
        self.capacity = capacity
        lanes = (0..<4).map { _ in .allocate(capacity: capacity) }
    }

    deinit { for lane in lanes { lane.deallocate() } }

    /// Whether a run of that length still fits.
    func fits(_ count: Int) -> Bool { counts[0] + count * 3 / 4 + 16 <= capacity }

    /// Decodes a run, line ends already taken out.
    func add(_ run: UnsafePointer<UInt8>, _ count: Int) {
        let sextets = ByteTables.shared.sextets
        var ends = (lanes[0] + counts[0], lanes[1] + counts[1], lanes[2] + counts[2], lanes[3] + counts[3])
        var group: UInt32 = 0
        @inline(__always)
        func put(_ end: inout UnsafeMutablePointer<UInt8>) {
            UnsafeMutableRawPointer(end).storeBytes(of: (group << 8).bigEndian, as: UInt32.self)
            end += 3
        }
        var place = 0
        for _ in 0..<min(3, count) {
            group = group << 6 | UInt32(sextets[Int(run[place])])
            place += 1
        }
        while place + 4 <= count {
            group = group << 6 | UInt32(sextets[Int(run[place])])
            put(&ends.0)
            group = group << 6 | UInt32(sextets[Int(run[place + 1])])
            put(&ends.1)
            group = group << 6 | UInt32(sextets[Int(run[place + 2])])
            put(&ends.2)
            group = group << 6 | UInt32(sextets[Int(run[place + 3])])
            put(&ends.3)
            place += 4
        }
        counts[0] = ends.0 - lanes[0]
        counts[1] = ends.1 - lanes[1]
        counts[2] = ends.2 - lanes[2]
        counts[3] = ends.3 - lanes[3]
        while place < count {
            group = group << 6 | UInt32(sextets[Int(run[place])])
            let lane = (place + 1) & 3
            append(UInt8(truncatingIfNeeded: group >> 16), lane)
            append(UInt8(truncatingIfNeeded: group >> 8), lane)
            append(UInt8(truncatingIfNeeded: group), lane)
            place += 1
        }
        for lane in 0..<4 where count >= lane + 2 {
            // What is left at the end is a byte or two.
            switch (count - lane) & 3 {
            case 2: append(UInt8(truncatingIfNeeded: group >> 4), lane)
            case 3:
                append(UInt8(truncatingIfNeeded: group >> 10), lane)
                append(UInt8(truncatingIfNeeded: group >> 2), lane)
            default: break
            }
            append(0x01, lane)
        }
        characters += count
    }

    private func append(_ byte: UInt8, _ lane: Int) {
        lanes[lane][counts[lane]] = byte
        counts[lane] += 1
    }

    /// What came out from one of the places.
    func text(_ lane: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: lanes[lane], count: counts[lane])
    }

    func removeAll() {
        counts = [0, 0, 0, 0]
        characters = 0
    }

    /// A run decoded from one place.
    static func decoded(_ run: UnsafePointer<UInt8>, _ count: Int, from start: Int) -> [UInt8] {
        let sextets = ByteTables.shared.sextets
        var bytes: [UInt8] = []
        bytes.reserveCapacity((count - start) * 3 / 4 + 3)
        var group: UInt32 = 0
        var bits = 0
        for place in start..<max(count, start) {
            group = group << 6 | UInt32(sextets[Int(run[place])])
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return bytes
    }
}
