/// A body as it comes in: in pieces, so that no byte is moved when more come.
///
/// Memory grows with what has come, by at most as much again or `largest`.
package struct BodyPieces: Sendable {
    /// The room of the first piece, and the most of any.
    private static let smallest = 16 * 1024
    private static let largest = 256 * 1024

    private var full: [[UInt8]] = []
    private var last: [UInt8] = []
    /// Bytes that still fit into the last piece.
    private var room = 0
    package private(set) var count = 0
    /// Bytes of memory that are held.
    package private(set) var capacity = 0

    package init() {}

    /// Adds bytes: no more than `expected` are to come in all, these among them.
    package mutating func append(_ bytes: ArraySlice<UInt8>, expected: Int) {
        var rest = bytes
        while !rest.isEmpty {
            if room == 0 { begin(atLeast: rest.count, expected: expected - (bytes.count - rest.count)) }
            let next = rest.prefix(room)
            last.append(contentsOf: next)
            room -= next.count
            count += next.count
            rest = rest.dropFirst(next.count)
        }
    }

    private mutating func begin(atLeast wanted: Int, expected: Int) {
        if !last.isEmpty { full.append(last) }
        last = []
        room = max(min(max(wanted, count, Self.smallest), Self.largest, max(expected, wanted)), 1)
        last.reserveCapacity(room)
        capacity += room
    }

    /// Returns the first bytes.
    package func prefix(_ most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in full where bytes.count < most { bytes += piece.prefix(most - bytes.count) }
        if bytes.count < most { bytes += last.prefix(most - bytes.count) }
        return bytes
    }

    /// True if the bytes are contiguous already.
    package var isWhole: Bool { full.isEmpty }

    /// The bytes in one piece; each piece is let go as soon as it has been copied.
    package consuming func joined() -> [UInt8] {
        guard !full.isEmpty else { return last }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for place in full.indices {
            bytes.append(contentsOf: full[place])
            full[place] = []
        }
        bytes.append(contentsOf: last)
        return bytes
    }
}
