/// Finds the orientation in an APP1 segment (Exif 2.3, section 4.5; TIFF 6.0, section 2).
struct ExifReader {
    private let bytes: ArraySlice<UInt8>
    private let isLittleEndian: Bool

    /// The orientation that the payload of an APP1 segment tells, or nil when it tells none that makes sense.
    static func orientation(in payload: ArraySlice<UInt8>) -> Orientation? {
        guard payload.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
        return ExifReader(tiff: payload.dropFirst(6))?.orientation()
    }

    private init?(tiff: ArraySlice<UInt8>) {
        bytes = tiff
        if tiff.starts(with: [0x49, 0x49]) {
            isLittleEndian = true
        } else if tiff.starts(with: [0x4D, 0x4D]) {
            isLittleEndian = false
        } else {
            return nil
        }
        guard short(at: 2) == 42 else { return nil }
    }

    private func orientation() -> Orientation? {
        guard let directory = long(at: 4), let entries = short(at: Int(directory)) else { return nil }
        for index in 0..<Int(entries) {
            let entry = Int(directory) + 2 + 12 * index
            guard let tag = short(at: entry) else { return nil }
            guard tag == 274 else { continue }
            // One SHORT, which lies in the first half of the value field.
            guard short(at: entry + 2) == 3, long(at: entry + 4) == 1, let value = short(at: entry + 8) else {
                return nil
            }
            return Orientation(rawValue: value)
        }
        return nil
    }

    private func short(at offset: Int) -> UInt16? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        let first = UInt16(bytes[bytes.startIndex + offset])
        let second = UInt16(bytes[bytes.startIndex + offset + 1])
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    private func long(at offset: Int) -> UInt32? {
        guard let first = short(at: offset), let second = short(at: offset + 2) else { return nil }
        return isLittleEndian ? UInt32(second) << 16 | UInt32(first) : UInt32(first) << 16 | UInt32(second)
    }
}
