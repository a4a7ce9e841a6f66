/// A strict reader of DER (X.690), as far as name constraints need it.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(Array(bytes)) }

    var isAtEnd: Bool { rest.isEmpty }

    /// The tag of the next element; nil at the end.
    var tag: UInt8? { rest.first }

    /// Takes the next element and returns its content; nil unless it has that tag and is complete and minimal.
    mutating func take(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard rest.first == tag, let first = rest.dropFirst().first else { return nil }
        var place = rest.startIndex + 2
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), rest.endIndex - place >= count, rest[place] != 0 else { return nil }
            length = rest[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { return nil }
            place += count
        }
        guard rest.endIndex - place >= length else { return nil }
        defer { rest = rest[(place + length)...] }
        return rest[place..<place + length]
    }
}
