/// An element of a table.
public protocol Row: Sendable {
    /// The id, unique in its table.
    var id: String { get }
    /// The key by which rows are looked up together, such as their owner; empty if there is none.
    var group: String { get }
}

extension Row {
    /// The default is no group.
    @inlinable public var group: String { "" }
}

/// Rows in order of insertion with an index by id and one by group.
///
/// Copies share everything. The first write to a copy costs a chunk of rows, a shard of each index and the short lists
/// of these, however many rows there are. An unwritten table takes one reference, and one with few rows has no index:
/// there may be ten thousand worlds with a dozen tables each.
///
/// Reads are inlinable, so that a module specialises them for its rows. Writes are not: their copies for thirty types of rows
/// cost the compiler a tenth of an API.
public struct Table<Element: Row>: Sendable {
    @inlinable static var chunkSize: Int { 16 }
    /// The number of places up to which a table is searched linearly.
    @inlinable static var unindexed: Int { 8 }

    /// An array of one, or of none before the first write; the array is what copies share.
    @usableFromInline var contents: [TableContent<Element>] = []

    /// Creates an empty table.
    @inlinable public init() {}

    /// Creates a table of those rows; of two with the same id the later one counts.
    public init(_ rows: [Element]) {
        for row in rows { insert(row) }
    }

    /// The number of rows.
    @inlinable public var count: Int { contents.isEmpty ? 0 : contents[0].count }

    /// Tells whether there are no rows.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The number of changes, which shows that data derived from the rows is out of date.
    ///
    /// It is only meaningful within one table and the copies made of it up to now.
    @inlinable public var version: UInt64 { contents.isEmpty ? 0 : contents[0].version }

    /// The changes since they were last taken; nil while they are not tracked.
    @inlinable public var changes: RowChanges? {
        get { contents.isEmpty ? nil : contents[0].changes }
        set {
            guard newValue != nil || !contents.isEmpty else { return }
            begin()
            contents[0].changes = newValue
        }
    }

    /// Tells whether changes are tracked and there are none.
    var isUntouched: Bool {
        !contents.isEmpty && contents[0].changes?.isEmpty == true
    }

    /// The row of that id; nil if there is none.
    @inlinable public subscript(id: String) -> Element? { place(of: id).flatMap { row(at: $0) } }

    /// Returns whether there is a row of that id.
    @inlinable public func contains(_ id: String) -> Bool { place(of: id) != nil }

    /// Adds a row at the end.
    ///
    /// A row of the same id is replaced in its place.
    public mutating func insert(_ row: Element) {
        begin()
        contents[0].version &+= 1
        contents[0].changes?.note(row.id)
        if let place = place(of: row.id) {
            let former = self.row(at: place)?.group
            contents[0].chunks[place / Self.chunkSize][place % Self.chunkSize] = row
            if let former, former != row.group {
                leave(former, place)
                join(row.group, place)
            }
            return
        }
        if nextPlace == Self.unindexed { contents[0].makeIndex() }
        let place = nextPlace
        contents[0].append(row)
        if !contents[0].index.isEmpty { contents[0].index[0].places[row.id] = place }
        join(row.group, place)
        contents[0].count += 1
    }

    /// Changes a row in place; returns nil if there is none.
    ///
    /// Its id must stay.
    @discardableResult
    @inlinable public mutating func update<Result>(_ id: String, _ change: (inout Element) -> Result) -> Result? {
        guard let place = place(of: id), var row = row(at: place) else { return nil }
        contents[0].version &+= 1
        contents[0].changes?.note(id)
        let former = row.group
        // The row is out of the table meanwhile, so that its references are unique and written in place.
        contents[0].chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        let result = change(&row)
        let present = row.group
        contents[0].chunks[place / Self.chunkSize][place % Self.chunkSize] = row
        if present != former {
            leave(former, place)
            join(present, place)
        }
        return result
    }

    /// Removes a row.
    @discardableResult
    public mutating func remove(_ id: String) -> Element? {
        guard let place = place(of: id), let row = row(at: place) else { return nil }
        contents[0].version &+= 1
        contents[0].changes?.note(id)
        contents[0].chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        if !contents[0].index.isEmpty { contents[0].index[0].places[id] = nil }
        leave(row.group, place)
        contents[0].count -= 1
        compactIfSparse()
        return row
    }

    /// Returns the rows of a group in order of insertion.
    @inlinable public func rows(in group: String) -> [Element] {
        let members = places(in: group)
        guard !members.isEmpty else { return [] }
        var found: [Element] = []
        found.reserveCapacity(members.count)
        for place in members {
            if let row = row(at: place) { found.append(row) }
        }
        return found
    }

    /// Returns the places of a group's rows in order of insertion, for `read(_:_:)`.
    @inlinable public func places(in group: String) -> [Int] {
        guard !contents.isEmpty, !group.isEmpty else { return [] }
        guard contents[0].index.isEmpty else { return contents[0].index[0].groups[group]?.all ?? [] }
        return (0..<nextPlace).filter { contents[0].isMember($0, of: group) }
    }

    /// Reads a row in place, without copying it.
    @inlinable public func read<Value>(_ place: Int, _ body: (Element) -> Value) -> Value? {
        guard !contents.isEmpty else { return nil }
        return switch contents[0].chunks[place / Self.chunkSize][place % Self.chunkSize] {
        case .some(let row): body(row)
        case nil: nil
        }
    }

    /// Looks at the row of that id where it lies, without copying it; nil if there is none.
    @inlinable public func read<Value>(id: String, _ body: (Element) -> Value) -> Value? {
        place(of: id).flatMap { read($0, body) }
    }

    /// The row at a place.
    @inlinable public subscript(place place: Int) -> Element? { row(at: place) }

    /// Returns the number of rows in a group.
    @inlinable public func count(in group: String) -> Int {
        guard !contents.isEmpty, !group.isEmpty else { return 0 }
        guard contents[0].index.isEmpty else { return contents[0].index[0].groups[group]?.count ?? 0 }
        var count = 0
        for place in 0..<nextPlace where contents[0].isMember(place, of: group) { count += 1 }
        return count
    }

    /// Every row in order of insertion.
    @inlinable public var rows: [Element] {
        guard !contents.isEmpty else { return [] }
        var found: [Element] = []
        found.reserveCapacity(count)
        for piece in contents[0].chunks.pieces {
            for chunk in piece {
                for case .some(let row) in chunk { found.append(row) }
            }
        }
        return found
    }

    // MARK: Places

    /// The first place that no row has had.
    @inlinable public var nextPlace: Int { contents.isEmpty ? 0 : contents[0].nextPlace }

    @inlinable func row(at place: Int) -> Element? {
        contents.isEmpty ? nil : contents[0].chunks[place / Self.chunkSize][place % Self.chunkSize]
    }

    /// Returns the place of the row of that id.
    @inlinable public func place(of id: String) -> Int? {
        guard !contents.isEmpty else { return nil }
        guard contents[0].index.isEmpty else { return contents[0].index[0].places[id] }
        for place in 0..<contents[0].nextPlace where contents[0].isRow(place, id) { return place }
        return nil
    }

    @usableFromInline mutating func begin() {
        if contents.isEmpty { contents.append(TableContent()) }
    }

    /// Leaves a gap.
    mutating func skipPlace() {
        begin()
        if nextPlace == Self.unindexed { contents[0].makeIndex() }
        contents[0].append(nil)
    }

    @usableFromInline mutating func join(_ group: String, _ place: Int) {
        guard !group.isEmpty, !contents[0].index.isEmpty else { return }
        contents[0].index[0].join(group, place)
    }

    @usableFromInline mutating func leave(_ group: String, _ place: Int) {
        guard !group.isEmpty, !contents[0].index.isEmpty else { return }
        contents[0].index[0].leave(group, place)
    }

    /// Rewrites a large table that is mostly gaps, which removed rows leave.
    mutating func compactIfSparse() {
        guard nextPlace > 1_024, count < nextPlace / 4 else { return }
        replaceAll(with: rows)
    }

    /// Replaces every row.
    ///
    /// Changes stay tracked; a table assigned in this one's place would not track them.
    public mutating func replaceAll(with rows: [Element]) {
        let present = version
        let tracked = changes
        self = Table(rows)
        begin()
        contents[0].version = present &+ 1
        // Every row has another place now.
        if var tracked {
            tracked.noteAll()
            contents[0].changes = tracked
        }
    }
}
