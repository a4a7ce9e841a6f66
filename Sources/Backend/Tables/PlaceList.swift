/// Ascending places, divided into pieces once there are many: the first write to a copy costs one piece and the list
/// of pieces.
@usableFromInline struct PlaceList: Sendable {
    @inlinable static var pieceSize: Int { 512 }

    /// Full pieces, whose places all come before those of `last`.
    @usableFromInline var pieces: [[Int]] = []
    @usableFromInline var last: [Int] = []
    @usableFromInline var count = 0

    @inlinable init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    /// Every place in order.
    @inlinable var all: [Int] {
        guard !pieces.isEmpty else { return last }
        var found: [Int] = []
        found.reserveCapacity(count)
        for piece in pieces { found += piece }
        return found + last
    }

    /// Inserts a place that is not present.
    @inlinable mutating func insert(_ place: Int) {
        count += 1
        if let piece = piece(for: place) {
            pieces[piece].insert(place, at: Self.position(of: place, in: pieces[piece]))
            guard pieces[piece].count >= 2 * Self.pieceSize else { return }
            let rest = Array(pieces[piece][Self.pieceSize...])
            pieces[piece].removeSubrange(Self.pieceSize...)
            pieces.insert(rest, at: piece + 1)
        } else {
            if let end = last.last, end > place {
                last.insert(place, at: Self.position(of: place, in: last))
            } else {
                last.append(place)
            }
            guard last.count >= Self.pieceSize else { return }
            pieces.append(last)
            last = []
        }
    }

    /// Removes a place if it is present.
    @inlinable mutating func remove(_ place: Int) {
        if let piece = piece(for: place) {
            let position = Self.position(of: place, in: pieces[piece])
            guard position < pieces[piece].count, pieces[piece][position] == place else { return }
            pieces[piece].remove(at: position)
            if pieces[piece].isEmpty { pieces.remove(at: piece) }
        } else {
            let position = Self.position(of: place, in: last)
            guard position < last.count, last[position] == place else { return }
            last.remove(at: position)
        }
        count -= 1
    }

    /// Returns the piece that a place belongs to; nil if that is the last.
    @inlinable func piece(for place: Int) -> Int? {
        guard let end = pieces.last?.last, place <= end else { return nil }
        var range = 0..<pieces.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let isBefore = pieces[middle].last.map { $0 < place } ?? true
            range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// Returns the position of the first place that is not before that one.
    @inlinable static func position(of place: Int, in places: [Int]) -> Int {
        var range = 0..<places.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = places[middle] < place ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
