/// Something kept in a table.
package protocol Row: Sendable {
    /// Unique in its table.
    var id: String { get }
    /// What rows are looked up together by, such as their owner; the empty text if nothing.
    var group: String { get }
}

extension Row {
    package var group: String { "" }
}

/// Rows in order of insertion with an index by id and one by group. Copies share everything; the first write to a copy
/// costs a chunk of rows and a shard of each index, however many rows there are.
package struct Table<Element: Row>: Sendable {
    private static var chunkSize: Int { 32 }

    private var chunks: [[Element?]] = []
    private var places = ShardedMap<Int>()
    private var groups = ShardedMap<[Int]>()
    private var nextPlace = 0
    /// How many rows there are.
    package private(set) var count = 0

    package init() {}

    package init(_ rows: [Element]) {
        for row in rows { insert(row) }
    }

    package var isEmpty: Bool { count == 0 }

    package subscript(id: String) -> Element? { places[id].flatMap { row(at: $0) } }

    package func contains(_ id: String) -> Bool { places[id] != nil }

    /// Adds a row at the end. A row of the same id is replaced where it stands.
    package mutating func insert(_ row: Element) {
        if let place = places[row.id] {
            let former = self.row(at: place)?.group
            chunks[place / Self.chunkSize][place % Self.chunkSize] = row
            if let former, former != row.group {
                groups[former]?.removeAll { $0 == place }
                groups.update(row.group, default: []) { $0.append(place) }
            }
            return
        }
        if nextPlace % Self.chunkSize == 0 {
            var chunk: [Element?] = []
            chunk.reserveCapacity(Self.chunkSize)
            chunks.append(chunk)
        }
        chunks[nextPlace / Self.chunkSize].append(row)
        places[row.id] = nextPlace
        if !row.group.isEmpty { groups.update(row.group, default: []) { $0.append(nextPlace) } }
        nextPlace += 1
        count += 1
    }

    /// Changes a row in place; nil if there is none. Its id and group must stay.
    @discardableResult
    package mutating func update<Result>(_ id: String, _ change: (inout Element) -> Result) -> Result? {
        guard let place = places[id], var row = row(at: place) else { return nil }
        let result = change(&row)
        chunks[place / Self.chunkSize][place % Self.chunkSize] = row
        return result
    }

    /// Takes a row out.
    @discardableResult
    package mutating func remove(_ id: String) -> Element? {
        guard let place = places[id], let row = row(at: place) else { return nil }
        chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        places[id] = nil
        if !row.group.isEmpty { groups.update(row.group, default: []) { $0.removeAll { $0 == place } } }
        count -= 1
        compactIfSparse()
        return row
    }

    /// The rows of a group in order of insertion.
    package func rows(in group: String) -> [Element] {
        guard let members = groups[group] else { return [] }
        var found: [Element] = []
        found.reserveCapacity(members.count)
        for place in members {
            if let row = row(at: place) { found.append(row) }
        }
        return found
    }

    /// How many rows a group has.
    package func count(in group: String) -> Int { groups[group]?.count ?? 0 }

    /// Every row in order of insertion.
    package var rows: [Element] {
        var found: [Element] = []
        found.reserveCapacity(count)
        for chunk in chunks {
            for case .some(let row) in chunk { found.append(row) }
        }
        return found
    }

    private func row(at place: Int) -> Element? { chunks[place / Self.chunkSize][place % Self.chunkSize] }

    /// Removed rows leave gaps; when most of a large table is gaps it is written anew.
    private mutating func compactIfSparse() {
        guard nextPlace > 1_024, count < nextPlace / 4 else { return }
        self = Table(rows)
    }
}
