/// What a table holds once it has been written.
@usableFromInline struct TableContent<Element: Row>: Sendable {
    @usableFromInline var chunks: [[Element?]] = []
    /// One, or none as long as the rows are few.
    @usableFromInline var index: [TableIndex] = []
    @usableFromInline var nextPlace = 0
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var count = 0
    @usableFromInline var changes: RowChanges?

    @inlinable init() {}

    /// Puts a row, or a gap, at the next place.
    @inlinable mutating func append(_ row: Element?) {
        if nextPlace % Table<Element>.chunkSize == 0 { chunks.append([]) }
        chunks[nextPlace / Table<Element>.chunkSize].append(row)
        nextPlace += 1
    }

    /// Whether the row at a place of the first chunk has that id, byte by byte.
    @inlinable func isRow(_ place: Int, _ id: String) -> Bool {
        chunks[0][place]?.id.hasSameBytes(as: id) == true
    }

    /// Whether the row at a place of the first chunk belongs to that group.
    @inlinable func isMember(_ place: Int, of group: String) -> Bool {
        chunks[0][place]?.group.hasSameBytes(as: group) == true
    }

    /// Enters every row into an index.
    @inlinable mutating func makeIndex() {
        var made = TableIndex()
        for place in 0..<nextPlace {
            guard let row = chunks[place / Table<Element>.chunkSize][place % Table<Element>.chunkSize] else { continue }
            made.places[row.id] = place
            if !row.group.isEmpty { made.join(row.group, place) }
        }
        index = [made]
    }
}

/// The places of rows by id and by group.
@usableFromInline struct TableIndex: Sendable {
    @usableFromInline var places = ShardedMap<Int>()
    @usableFromInline var groups = ShardedMap<[Int]>()

    @inlinable init() {}

    /// Enters a place into a group, in order of places.
    @inlinable mutating func join(_ group: String, _ place: Int) {
        groups.update(group, default: []) { places in
            guard let last = places.last, last > place else { return places.append(place) }
            places.insert(place, at: Self.position(of: place, in: places))
        }
    }

    @inlinable mutating func leave(_ group: String, _ place: Int) {
        let isEmpty = groups.update(group, default: []) { places in
            let position = Self.position(of: place, in: places)
            if position < places.count, places[position] == place { places.remove(at: position) }
            return places.isEmpty
        }
        if isEmpty { groups[group] = nil }
    }

    /// The first position of a place that is not before that one.
    @inlinable static func position(of place: Int, in places: [Int]) -> Int {
        var range = 0..<places.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = places[middle] < place ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
