/// The structure of a JPEG according to its markers, read without decoding anything (ITU-T T.81, annex B).
struct JPEGStructure {
    /// The stored size, before the orientation.
    private(set) var width = 0
    private(set) var height = 0
    /// 1 grey, 3 colour, 4 ink.
    private(set) var components = 0
    /// From the first Exif segment that tells one.
    private(set) var orientation = Orientation.upright
    /// True if Adobe's segment is present: such files store inks inverted.
    private(set) var hasAdobeSegment = false
    /// Start-of-scan markers seen.
    private(set) var scans = 0
    /// True if the end marker was reached.
    private(set) var isComplete = false
    /// True if a scan has less data than the minimum of its blocks: a decoder would walk over the whole picture and
    /// fill it with nothing.
    private(set) var hasEmptyScan = false
    /// Id and sampling factors of each component.
    private var sampling: [(id: UInt8, across: Int, down: Int)] = []
    /// True if each block takes a bit or more of a scan that has its first coefficient: with Huffman codes, not with
    /// arithmetic ones.
    private var hasWholeBits = false

    /// The size after orientation.
    var shownSize: (width: Int, height: Int) {
        orientation.swapsSides ? (height, width) : (width, height)
    }

    /// Reads markers up to the first scan, or with `whole` to the end marker; nil without a frame header before the scan.
    init?(_ bytes: [UInt8], whole: Bool) {
        guard ImageFormat.of(bytes) == .jpeg else { return nil }
        var position = 2
        while let marker = Self.nextMarker(bytes, &position) {
            if marker == 0xD9 {
                isComplete = true
                break
            }
            // TEM and stray restart and start markers stand alone.
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard position + 2 <= bytes.count else { break }
            let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
            guard length >= 2, position + length <= bytes.count else { break }
            // Data behind the first scan's marker says nothing about the picture as a whole.
            let payload = bytes[(position + 2)..<(position + length)]
            if scans == 0 { note(marker, payload) }
            position += length
            if marker == 0xDA {
                scans += 1
                guard whole else { break }
                let start = position
                Self.skipScan(bytes, &position)
                if position - start < leastBytes(ofScan: payload) { hasEmptyScan = true }
            }
        }
        guard width > 0, height > 0, components > 0 else { return nil }
    }

    private mutating func note(_ marker: UInt8, _ payload: ArraySlice<UInt8>) {
        let start = payload.startIndex
        switch marker {
        case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
            guard payload.count >= 6, components == 0 else { return }
            height = Int(payload[start + 1]) << 8 | Int(payload[start + 2])
            width = Int(payload[start + 3]) << 8 | Int(payload[start + 4])
            components = Int(payload[start + 5])
            hasWholeBits = (0xC0...0xC2).contains(marker)
            for place in 0..<components where payload.count >= 9 + 3 * place {
                let factors = payload[start + 7 + 3 * place]
                sampling.append((payload[start + 6 + 3 * place], Int(factors >> 4), Int(factors & 15)))
            }
        case 0xE1:
            guard orientation == .upright, let found = ExifReader.orientation(in: payload) else { return }
            orientation = found
        case 0xEE:
            hasAdobeSegment = hasAdobeSegment || (payload.count >= 12 && payload.starts(with: Array("Adobe".utf8)))
        default:
            return
        }
    }

    /// The bytes that the data of a scan can't do without, by its header.
    private func leastBytes(ofScan header: ArraySlice<UInt8>) -> Int {
        let start = header.startIndex
        guard hasWholeBits, let count = header.first.map({ Int($0) }), header.count >= 2 + 2 * count,
            header[start + 1 + 2 * count] == 0
        else { return 1 }
        let across = max(sampling.map(\.across).max() ?? 1, 1)
        let down = max(sampling.map(\.down).max() ?? 1, 1)
        var blocks = 0
        for place in 0..<count {
            guard let own = sampling.first(where: { $0.id == header[start + 1 + 2 * place] }) else { continue }
            let columns = (width * own.across / across + 7) / 8
            let rows = (height * own.down / down + 7) / 8
            blocks += columns * rows
        }
        return max(blocks / 8, 1)
    }

    /// The next marker, over bytes that do not belong there (decoders skip them too) and fill bytes.
    private static func nextMarker(_ bytes: [UInt8], _ position: inout Int) -> UInt8? {
        while position < bytes.count {
            guard bytes[position] == 0xFF else {
                position += 1
                continue
            }
            while position < bytes.count, bytes[position] == 0xFF { position += 1 }
            guard position < bytes.count else { return nil }
            let marker = bytes[position]
            position += 1
            if marker != 0 { return marker }
        }
        return nil
    }

    /// Moves to the marker that ends the entropy-coded data: not a stuffed zero, not a restart.
    private static func skipScan(_ bytes: [UInt8], _ position: inout Int) {
        bytes.withUnsafeBufferPointer { bytes in
            while position + 1 < bytes.count {
                guard bytes[position] == 0xFF else {
                    position += 1
                    continue
                }
                let next = bytes[position + 1]
                if next == 0 || (0xD0...0xD7).contains(next) {
                    position += 2
                } else if next == 0xFF {
                    position += 1
                } else {
                    return
                }
            }
            position = bytes.count
        }
    }
}
