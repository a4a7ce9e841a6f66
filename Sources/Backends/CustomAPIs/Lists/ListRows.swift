import Backend
import JSON

/// The choice of the rows of a list: conditions, search and order.
struct ListRows {
    var filters: [ListFilter] = []
    /// The text of a search with the members that it looks in.
    var search: (text: String, members: [MemberPath])?
    var sort: [SortKey] = []

    /// Tells whether every row is chosen, in the order of the table.
    var isPlain: Bool { filters.isEmpty && search == nil && sort.isEmpty }

    /// Returns the places of the rows in order; beyond a number of them only if there is no order.
    func select(
        _ table: inout CustomTable,
        _ definition: TableDefinition,
        _ epoch: Epoch,
        upTo most: Int = .max
    ) -> ArraySlice<Int32> {
        let (columns, order) = columns(&table, definition, epoch)
        return Selection(self, columns, order).all.prefix(most)
    }

    /// The members that the choice looks at.
    var paths: [MemberPath] { filters.map(\.path) + (search?.members ?? []) + sort.map(\.path) }

    /// Returns the columns that the choice needs, and the order of all rows if it has one.
    func columns(
        _ table: inout CustomTable,
        _ definition: TableDefinition,
        _ epoch: Epoch
    ) -> (columns: TableColumns, order: SortedOrder?) {
        table.columns(of: paths, sortedBy: sort, definition, epoch)
    }

    /// The rows that were chosen.
    struct Selection {
        /// The places in the order of the list, or in that of the table where `mask` is not empty.
        private let places: [Int32]
        /// The places in the order of the list, of which the chosen ones are marked in `mask`.
        private let ordered: [Int32]
        private let mask: [Bool]
        /// The number of rows.
        let count: Int

        init(_ rows: ListRows, _ columns: TableColumns, _ order: SortedOrder?) {
            var places = columns.live
            for filter in rows.filters {
                guard let column = columns.columns.first(where: { $0.path == filter.path }) else { continue }
                places = filter.select(places, in: column)
            }
            if let search = rows.search {
                let wanted = search.text.foldedBytes
                let tests = search.members.compactMap { path -> (Column, [Bool])? in
                    guard let column = columns.columns.first(where: { $0.path == path }) else { return nil }
                    return (column, column.texts.map { $0.foldedBytes.contains(folded: wanted) })
                }
                places = places.filter { place in
                    tests.contains { column, fits in
                        let code = column.codes[Int(place)]
                        return code >= 0 && fits[Int(code)]
                    }
                }
            }
            count = places.count
            guard let order else {
                self.places = places
                ordered = []
                mask = []
                return
            }
            guard places.count < columns.live.count else {
                self.places = order.places
                ordered = []
                mask = []
                return
            }
            var mask = [Bool](repeating: false, count: Int(columns.live.last ?? -1) + 1)
            for place in places { mask[Int(place)] = true }
            self.places = places
            ordered = order.places
            self.mask = mask
        }

        /// Every place in the order of the list.
        var all: ArraySlice<Int32> {
            mask.isEmpty ? places[...] : ordered.filter { mask[Int($0)] }[...]
        }

        /// Returns the places of a part of the list.
        func page(_ offset: Int, _ limit: Int) -> [Int32] {
            guard !mask.isEmpty else { return Array(places.dropFirst(offset).prefix(limit)) }
            var found: [Int32] = []
            var skipped = 0
            for place in ordered where mask[Int(place)] {
                guard skipped >= offset else {
                    skipped += 1
                    continue
                }
                guard found.count < limit else { break }
                found.append(place)
            }
            return found
        }

        /// Returns the places from a position in the order of all rows on; the order is that of the table where the
        /// list has none.
        func after(_ position: Int, _ limit: Int) -> [Int32] {
            guard !mask.isEmpty else { return Array(places.dropFirst(position).prefix(limit)) }
            var found: [Int32] = []
            for place in ordered.dropFirst(position) where mask[Int(place)] {
                guard found.count < limit else { break }
                found.append(place)
            }
            return found
        }

        /// Returns the places before a position, the last ones of them, in the order of the list.
        func before(_ position: Int, _ limit: Int) -> [Int32] {
            guard !mask.isEmpty else { return Array(places.prefix(position).suffix(limit)) }
            var found: [Int32] = []
            for place in ordered.prefix(position).reversed() where mask[Int(place)] {
                guard found.count < limit else { break }
                found.append(place)
            }
            return found.reversed()
        }

        /// Returns the position of the first place for which a condition does not hold; it holds for all before it.
        func position(_ isBefore: (Int32) -> Bool) -> Int {
            mask.isEmpty ? places.partitionPoint(isBefore) : ordered.partitionPoint(isBefore)
        }
    }
}
