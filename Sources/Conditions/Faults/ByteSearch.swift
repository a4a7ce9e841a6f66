/// A byte sequence to search for, in time linear in both lengths (Knuth, Morris and Pratt).
struct ByteSearch: Sendable, Equatable {
    let bytes: [UInt8]
    /// The length of the prefix that is still matched when the byte after that many differs.
    private let fallbacks: [Int32]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var fallbacks = [Int32](repeating: 0, count: bytes.count)
        var matched = 0
        for place in bytes.indices.dropFirst() {
            while matched > 0, bytes[place] != bytes[matched] { matched = Int(fallbacks[matched - 1]) }
            if bytes[place] == bytes[matched] { matched += 1 }
            fallbacks[place] = Int32(matched)
        }
        self.fallbacks = fallbacks
    }

    /// Returns the end of the first occurrence within a range; nil if there is none.
    func end(in text: [UInt8], _ range: Range<Int>) -> Int? {
        guard !bytes.isEmpty else { return range.lowerBound }
        guard bytes.count <= range.count else { return nil }
        var matched = 0
        for place in range {
            while matched > 0, text[place] != bytes[matched] { matched = Int(fallbacks[matched - 1]) }
            if text[place] == bytes[matched] { matched += 1 }
            if matched == bytes.count { return place + 1 }
        }
        return nil
    }
}
