import Backend
import Basics
import JSON

/// The columns and orders of a table at one moment, as far as lists have asked for them.
struct TableColumns: Sendable {
    /// The places that have a row, in ascending order.
    private(set) var live: [Int32]
    private(set) var columns: [Column] = []
    /// The orders, the one asked for last at the end.
    private var orders: [SortedOrder] = []
    private let definition: TableDefinition
    /// The start of the world that its anchored times are told from.
    let epoch: Epoch
    /// Tells whether a row has such times.
    private(set) var dependsOnEpoch: Bool

    /// The maximum number of orders that are kept.
    private static let mostOrders = 4

    init(_ rows: Table<CustomRow>, _ definition: TableDefinition, _ epoch: Epoch) {
        self.definition = definition
        self.epoch = epoch
        live = []
        live.reserveCapacity(rows.count)
        dependsOnEpoch = false
        for place in 0..<rows.nextPlace {
            guard let isPlain = rows.read(place, { $0.isPlain }) else { continue }
            live.append(Int32(place))
            if !isPlain { dependsOnEpoch = true }
        }
    }

    /// Returns the column of a member, and keeps it.
    mutating func column(_ path: MemberPath, _ rows: Table<CustomRow>) -> Column {
        if let place = columns.firstIndex(where: { $0.path == path }) {
            guard columns[place].isStale else { return columns[place] }
            columns.remove(at: place)
        }
        var column = Column(path)
        column.reserveCapacity(rows.nextPlace)
        for place in 0..<rows.nextPlace {
            column.set(value(of: path, at: place, rows), at: place)
        }
        columns.append(column)
        return column
    }

    /// Returns whether the rows are in the order of some members already.
    func hasOrder(_ keys: [SortKey]) -> Bool { orders.contains { $0.keys == keys } }

    /// Returns the rows in the order of some members, and keeps it.
    mutating func order(_ keys: [SortKey], _ rows: Table<CustomRow>) -> SortedOrder {
        if let place = orders.firstIndex(where: { $0.keys == keys }) {
            let order = orders.remove(at: place)
            orders.append(order)
            return order
        }
        let columns = keys.map { column($0.path, rows) }
        let order = SortedOrder(keys, live, columns)
        if orders.count >= Self.mostOrders { orders.removeFirst() }
        orders.append(order)
        return order
    }

    private func value(of path: MemberPath, at place: Int, _ rows: Table<CustomRow>) -> ColumnValue {
        rows.read(place) { row in
            row.isPlain
                ? ColumnValue(path.value(in: row.stored))
                : ColumnValue(path.value(in: row.members(in: epoch, definition)))
        } ?? ColumnValue(.gap)
    }

    /// The number of rows that come and go up to which each is found by itself.
    private static let mostMoved = 64

    /// Takes over the present rows at some places.
    mutating func change(_ changed: [Int], _ rows: Table<CustomRow>) {
        var gone: [Int32] = []
        var come: [Int32] = []
        var moved: [Int32] = []
        for place in Set(changed).sorted() {
            let number = Int32(place)
            let position = live.partitionPoint { $0 < number }
            let wasLive = position < live.count && live[position] == number
            let isLive =
                rows.read(place) { row in
                    if !row.isPlain { dependsOnEpoch = true }
                    return true
                } ?? false
            if wasLive { gone.append(number) }
            if isLive { come.append(number) }
            if wasLive != isLive { moved.append(number) }
        }
        move(moved, rows)
        for place in columns.indices {
            for number in gone + come {
                columns[place].set(value(of: columns[place].path, at: Int(number), rows), at: Int(number))
            }
        }
        for place in orders.indices {
            let own = orders[place].keys.map { column($0.path, rows) }
            orders[place].change(gone, come, own)
        }
    }

    /// Removes places from those that have a row, or adds them.
    private mutating func move(_ moved: [Int32], _ rows: Table<CustomRow>) {
        guard moved.count <= Self.mostMoved else {
            live = (0..<rows.nextPlace).compactMap { place in rows.read(place) { _ in Int32(place) } }
            return
        }
        for number in moved {
            let position = live.partitionPoint { $0 < number }
            if position < live.count, live[position] == number {
                live.remove(at: position)
            } else {
                live.insert(number, at: position)
            }
        }
    }
}

/// The columns of a table, shared by all worlds with the same rows.
final class ColumnBox: Sendable {
    let held: Locked<TableColumns?>

    init(_ columns: TableColumns? = nil) { held = Locked(columns) }
}
