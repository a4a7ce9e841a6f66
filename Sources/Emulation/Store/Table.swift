/// Something kept in a table.
public protocol Row: Sendable {
    /// Unique in its table.
    var id: String { get }
    /// What rows are looked up together by, such as their owner; the empty text if nothing.
    var group: String { get }
}

extension Row {
    /// Not grouped unless the type says so.
    @inlinable public var group: String { "" }
}

/// Rows in order of insertion with an index by id and one by group.
///
/// Copies share everything; the first write to a copy costs a chunk of rows and a shard of each index, however many
/// rows there are.
public struct Table<Element: Row>: Sendable {
    @inlinable static var chunkSize: Int { 32 }

    @usableFromInline var chunks: [[Element?]] = []
    @usableFromInline var places = ShardedMap<Int>()
    @usableFromInline var groups = ShardedMap<[Int]>()
    @usableFromInline var nextPlace = 0
    /// Counts every change, so that what was derived from the rows can be told to be out of date.
    ///
    /// Only meaningful within one table and the copies made of it up to now.
    public var version: UInt64 = 0
    /// How many rows there are.
    public var count = 0
    /// What has changed since somebody last took note; nil while nobody does.
    public var changes: RowChanges?

    /// An empty table.
    @inlinable public init() {}

    /// A table of those rows; of two with the same id the later one counts.
    @inlinable public init(_ rows: [Element]) {
        for row in rows { insert(row) }
    }

    /// Whether there is no row.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The row of that id.
    @inlinable public subscript(id: String) -> Element? { places[id].flatMap { row(at: $0) } }

    /// Whether there is a row of that id.
    @inlinable public func contains(_ id: String) -> Bool { places[id] != nil }

    /// Adds a row at the end.
    ///
    /// A row of the same id is replaced where it stands.
    @inlinable public mutating func insert(_ row: Element) {
        version &+= 1
        changes?.note(row.id)
        if let place = places[row.id] {
            let former = self.row(at: place)?.group
            chunks[place / Self.chunkSize][place % Self.chunkSize] = row
            if let former, former != row.group {
                leave(former, place)
                join(row.group, place)
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
        join(row.group, nextPlace)
        nextPlace += 1
        count += 1
    }

    /// Changes a row in place; nil if there is none.
    ///
    /// Its id must stay.
    @discardableResult
    @inlinable public mutating func update<Result>(_ id: String, _ change: (inout Element) -> Result) -> Result? {
        guard let place = places[id], var row = row(at: place) else { return nil }
        version &+= 1
        changes?.note(id)
        let former = row.group
        // Taken out meanwhile, so that what the row refers to is written in place.
        chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        let result = change(&row)
        let present = row.group
        chunks[place / Self.chunkSize][place % Self.chunkSize] = row
        if present != former {
            leave(former, place)
            join(present, place)
        }
        return result
    }

    /// Takes a row out.
    @discardableResult
    @inlinable public mutating func remove(_ id: String) -> Element? {
        guard let place = places[id], let row = row(at: place) else { return nil }
        version &+= 1
        changes?.note(id)
        chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        places[id] = nil
        leave(row.group, place)
        count -= 1
        compactIfSparse()
        return row
    }

    /// The rows of a group in order of insertion.
    @inlinable public func rows(in group: String) -> [Element] {
        guard let members = groups[group] else { return [] }
        var found: [Element] = []
        found.reserveCapacity(members.count)
        for place in members {
            if let row = row(at: place) { found.append(row) }
        }
        return found
    }

    /// The places of a group's rows in order of insertion, for `read(_:_:)`.
    @inlinable public func places(in group: String) -> [Int] { groups[group] ?? [] }

    /// Looks at a row where it lies, without copying it.
    @inlinable public func read<Value>(_ place: Int, _ body: (Element) -> Value) -> Value? {
        switch chunks[place / Self.chunkSize][place % Self.chunkSize] {
        case .some(let row): body(row)
        case nil: nil
        }
    }

    /// The row at a place.
    @inlinable public subscript(place place: Int) -> Element? { row(at: place) }

    /// How many rows a group has.
    @inlinable public func count(in group: String) -> Int { groups[group]?.count ?? 0 }

    /// Every row in order of insertion.
    @inlinable public var rows: [Element] {
        var found: [Element] = []
        found.reserveCapacity(count)
        for chunk in chunks {
            for case .some(let row) in chunk { found.append(row) }
        }
        return found
    }

    /// Enters a place into a group, in order of places.
    @inlinable mutating func join(_ group: String, _ place: Int) {
        guard !group.isEmpty else { return }
        groups.update(group, default: []) { places in
            guard let last = places.last, last > place else { return places.append(place) }
            places.insert(place, at: Self.position(of: place, in: places))
        }
    }

    @inlinable mutating func leave(_ group: String, _ place: Int) {
        guard !group.isEmpty else { return }
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

    @inlinable func row(at place: Int) -> Element? { chunks[place / Self.chunkSize][place % Self.chunkSize] }

    /// Removed rows leave gaps; when most of a large table is gaps it is written anew.
    @inlinable mutating func compactIfSparse() {
        guard nextPlace > 1_024, count < nextPlace / 4 else { return }
        let present = version
        let tracked = changes
        self = Table(rows)
        version = present &+ 1
        // Every row has another place now.
        if tracked != nil { changes = RowChanges(isWhole: true) }
    }
}
