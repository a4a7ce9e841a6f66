package import Basics

/// The rows of a table that have changed since they were last taken.
public struct RowChanges: Sendable, Equatable {
    /// The ids of rows that were added, changed or removed, perhaps repeatedly.
    public var ids: [String] = []
    /// Tells whether every row may have changed or moved.
    public var isWhole: Bool

    /// The counter of all notes, shared with other tables.
    package private(set) var count: ChangeCount?

    /// Creates a record of no change, or of a change of everything.
    public init(isWhole: Bool = false) { self.isWhole = isWhole }

    /// Creates a record of no change, whose notes are counted.
    package init(counting count: ChangeCount?) {
        isWhole = false
        self.count = count
    }

    /// Compares the rows, not the counters.
    public static func == (left: RowChanges, right: RowChanges) -> Bool {
        left.isWhole == right.isWhole && left.ids == right.ids
    }

    /// Tells whether nothing has changed.
    @inlinable public var isEmpty: Bool { ids.isEmpty && !isWhole }

    /// Notes one row.
    public mutating func note(_ id: String) {
        if !isWhole { ids.append(id) }
        count?.raise()
    }

    /// Notes every row.
    public mutating func noteAll() {
        isWhole = true
        ids = []
        count?.raise()
    }
}

extension Table {
    /// The tracked changes, with the table as it was at the end.
    ///
    /// Thousands of rows may have changed at once, so their writer looks them up, on another thread.
    package struct Noted: Sendable {
        let table: Table
        let changes: RowChanges

        /// The rows that are present with their places, and the ids of those that are gone.
        var rows: (present: [(place: Int, row: Element)], gone: [String]) {
            var present: [(place: Int, row: Element)] = []
            var gone: [String] = []
            var seen: Set<ExactText> = []
            for id in changes.ids where seen.insert(ExactText(id)).inserted {
                if let place = table.place(of: id), let row = table.row(at: place) {
                    present.append((place, row))
                } else {
                    gone.append(id)
                }
            }
            return (present, gone)
        }
    }

    /// Every row with its place, in order.
    var placedRows: [(place: Int, row: Element)] {
        var found: [(place: Int, row: Element)] = []
        found.reserveCapacity(count)
        for place in 0..<nextPlace {
            if let row = row(at: place) { found.append((place, row)) }
        }
        return found
    }

    /// Returns the changes since the last call; tracking starts anew, and is counted.
    mutating func takeNoted(counting count: ChangeCount? = nil) -> Noted {
        let former = changes ?? RowChanges(isWhole: true)
        changes = RowChanges(counting: count)
        return Noted(table: self, changes: former)
    }

    /// The number of places below which a table is never rewritten for its gaps.
    static var mostGaps: Int { 1_024 }

    /// Returns the highest number of places that a table of that many rows can have; a larger one would have been
    /// rewritten.
    static func mostPlaces(rows: Int) -> Int { max(1_024, 4 * rows + 3) }

    /// Creates a table with every row at its place; nil if they do not ascend, or leave more gaps than a table can
    /// have.
    package init?(placed: [(place: Int, row: Element)]) {
        self.init()
        guard let last = placed.last else { return }
        guard last.place < Self.mostPlaces(rows: placed.count) else { return nil }
        for (place, row) in placed {
            guard place >= nextPlace, !contains(row.id) else { return nil }
            while nextPlace < place { skipPlace() }
            insert(row)
        }
    }

    /// Removes rows and stores others at their places; false if they do not fit there.
    mutating func amend(_ rows: [(place: Int, row: Element)], gone: [String]) -> Bool {
        var next = nextPlace
        let isInPlace = rows.allSatisfy { place, row in
            if let present = self.place(of: row.id) { return present == place }
            defer { next = max(next, place + 1) }
            return place >= next && place < Self.mostPlaces(rows: count + rows.count)
        }
        // A table that would be rewritten on the way has other places then.
        guard isInPlace, nextPlace <= Self.mostGaps || count - gone.count >= nextPlace / 4 else {
            return merge(rows, gone: gone)
        }
        for id in gone { remove(id) }
        for (place, row) in rows {
            while nextPlace < place { skipPlace() }
            insert(row)
        }
        return true
    }

    private mutating func merge(_ rows: [(place: Int, row: Element)], gone: [String]) -> Bool {
        var changed: Set<ExactText> = Set(gone.map { ExactText($0) })
        for (_, row) in rows { changed.insert(ExactText(row.id)) }
        var all = placedRows.filter { !changed.contains(ExactText($0.row.id)) } + rows
        all.sort { $0.place < $1.place }
        guard let table = Table(placed: all) else { return false }
        self = table
        return true
    }
}
