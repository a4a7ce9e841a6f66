/// The content of a table that has been written.
@usableFromInline struct TableContent<Element: Row>: Sendable {
    @usableFromInline var chunks = SharedList<[Element?]>()
    /// One index, or none while there are few rows.
    @usableFromInline var index: [TableIndex] = []
    @usableFromInline var nextPlace = 0
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var count = 0
    @usableFromInline var changes: RowChanges?

    @inlinable init() {}

    /// Adds a row, or a gap, at the next place.
    mutating func append(_ row: Element?) {
        if nextPlace % Table<Element>.chunkSize == 0 { chunks.append([]) }
        chunks[nextPlace / Table<Element>.chunkSize].append(row)
        nextPlace += 1
    }

    /// Returns whether the row at a place of the first chunk has that id, byte by byte.
    @inlinable func isRow(_ place: Int, _ id: String) -> Bool {
        // A pattern looks at the row where it lies; an optional chain would copy it.
        switch chunks[0][place] {
        case .some(let row): row.id.hasSameBytes(as: id)
        case nil: false
        }
    }

    /// Returns whether the row at a place of the first chunk belongs to that group.
    @inlinable func isMember(_ place: Int, of group: String) -> Bool {
        switch chunks[0][place] {
        case .some(let row): row.group.hasSameBytes(as: group)
        case nil: false
        }
    }

    /// Builds an index of every row.
    mutating func makeIndex() {
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
    @usableFromInline var groups = ShardedMap<PlaceList>()

    @inlinable init() {}

    /// Adds a place to a group, in ascending order.
    mutating func join(_ group: String, _ place: Int) {
        groups.update(group, default: PlaceList()) { $0.insert(place) }
    }

    mutating func leave(_ group: String, _ place: Int) {
        let isEmpty = groups.update(group, default: PlaceList()) { places in
            places.remove(place)
            return places.isEmpty
        }
        if isEmpty { groups[group] = nil }
    }
}
