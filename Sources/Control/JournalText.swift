import HTTPMessage
import Journal

/// A text that is searched for in the journal: in path, query, headers and bodies, ASCII letters in either case
/// (console contract, section 1).
///
/// A full journal is searched in a fraction of a second, so the search skips ahead by the length of the text where it can
/// (Horspool).
struct JournalText: Sendable {
    private let bytes: [UInt8]
    /// The distance to skip for each byte under the text's end.
    private let skips: [Int]
    /// Tells whether the fields that the connection adds to a response may have it.
    private let mayBeAdded: Bool

    /// Each byte in lower case.
    private static let folded: [UInt8] = (0...255).map { (0x41...0x5A).contains($0) ? UInt8($0 + 0x20) : UInt8($0) }

    init(_ text: String) {
        let bytes = text.utf8.map { Self.folded[Int($0)] }
        var skips = [Int](repeating: max(bytes.count, 1), count: 256)
        for (place, byte) in bytes.enumerated().dropLast() {
            let skip = bytes.count - 1 - place
            skips[Int(byte)] = skip
            if (0x61...0x7A).contains(byte) { skips[Int(byte) - 0x20] = skip }
        }
        self.bytes = bytes
        self.skips = skips
        let known = Set("content-length transfer-encoding chunked date 0123456789 ,: gmt".utf8)
            .union("montuewedthufrisatsunjanfebmaraprmayjunjulaugsepoctnovdec".utf8)
        mayBeAdded = bytes.count <= 29 && bytes.allSatisfy(known.contains)
    }

    /// Returns whether an entry has the text where the journal keeps text.
    func isIn(_ entry: JournalEntry) -> Bool {
        if isIn(Array(entry.path.utf8)) { return true }
        if let query = entry.query, isIn(Array(query.utf8)) { return true }
        if isIn(entry.headers) || isIn(mayBeAdded ? entry.sentFields : entry.responseHeaders) { return true }
        return isIn(entry.body) || isIn(entry.responseBody)
    }

    private func isIn(_ body: JournalEntry.Body) -> Bool {
        guard isIn(body.kept) else { return false }
        return String(validating: body.kept, as: UTF8.self) != nil
    }

    private func isIn(_ fields: Fields) -> Bool {
        // The lines together first: most entries don't have the text.
        guard isIn(fields.wire) else { return false }
        return (0..<fields.count).contains { isIn(fields.nameBytes(at: $0)) || isIn(fields.valueBytes(at: $0)) }
    }

    func isIn(_ text: [UInt8]) -> Bool { isIn(text[...]) }

    private func isIn(_ text: ArraySlice<UInt8>) -> Bool {
        let last = bytes.count - 1
        guard last >= 0 else { return true }
        let (bytes, skips, folded) = (bytes, skips, Self.folded)
        var end = text.startIndex + last
        while end < text.endIndex {
            let byte = text[end]
            if folded[Int(byte)] == bytes[last] {
                var back = 1
                while back <= last, folded[Int(text[end - back])] == bytes[last - back] { back += 1 }
                if back > last { return true }
            }
            end += skips[Int(byte)]
        }
        return false
    }
}
