/// What the markers of a JPEG say, read without decoding anything (ITU-T T.81, annex B).
struct JPEGStructure {
    /// The stored size, before the orientation.
    private(set) var width = 0
    private(set) var height = 0
    /// 1 grey, 3 colour, 4 ink.
    private(set) var components = 0
    /// From the first Exif segment that tells one.
    private(set) var orientation = Orientation.upright
    /// Whether Adobe's segment is there: such files store inks inverted.
    private(set) var hasAdobeSegment = false
    /// Start-of-scan markers seen.
    private(set) var scans = 0
    /// Whether the end marker was reached.
    private(set) var isComplete = false

    /// The size as it is seen.
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
            // What stands behind the first scan's marker says nothing about the picture as a whole.
            if scans == 0 { note(marker, bytes[(position + 2)..<(position + length)]) }
            position += length
            if marker == 0xDA {
                scans += 1
                guard whole else { break }
                Self.skipScan(bytes, &position)
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
        case 0xE1:
            guard orientation == .upright, let told = ExifReader.orientation(in: payload) else { return }
            orientation = told
        case 0xEE:
            hasAdobeSegment = hasAdobeSegment || (payload.count >= 12 && payload.starts(with: Array("Adobe".utf8)))
        default:
            return
        }
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
