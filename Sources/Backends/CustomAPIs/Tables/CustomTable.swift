package import Backend
import Basics
package import JSON

/// The rows of a table in a world, with what is derived from them.
package struct CustomTable: Sendable {
    package internal(set) var rows = Table<CustomRow>()
    /// The largest whole number that has been a key.
    package internal(set) var lastKey: Int64 = 0
    /// The approximate bytes of the largest row that there has been.
    private(set) var largestRow = 0
    private var nextSerial = 0
    /// The key of the row that has some values, for each group of unique members.
    private var unique: [ShardedMap<String>] = []
    /// The key of the first row of each identifier, in lower case.
    private var identified = ShardedMap<String>()
    /// The ids of rows by their keys where these are others: of a store that was written when the table had another key.
    private var renamed = ShardedMap<String>()
    private var columns = ColumnBox()
    /// The places whose rows have changed since the columns were made.
    private var changed: [Int] = []

    package init() {}

    /// The number of rows.
    package var count: Int { rows.count }

    /// Tells whether each place has a row, so that a place is the number of a row in order.
    var isDense: Bool { rows.count == rows.nextPlace }

    /// Rebuilds whatever is derived from the rows.
    mutating func reindex(_ definition: TableDefinition) {
        forgetColumns()
        unique = definition.unique.map { _ in ShardedMap() }
        identified = ShardedMap()
        renamed = ShardedMap()
        nextSerial = rows.nextPlace
        for place in 0..<rows.nextPlace {
            guard let row = rows[place: place] else { continue }
            if row.serial < 0 { rows.update(row.id) { $0.serial = place } }
            nextSerial = max(nextSerial, row.serial + 1)
            note(row, definition)
        }
    }

    /// Goes on by another declaration with the same key.
    package mutating func follow(_ definition: TableDefinition, after former: TableDefinition) {
        let isSame = former.unique == definition.unique && former.identifier == definition.identifier
        if isSame { forgetColumns() } else { reindex(definition) }
    }

    /// Notes the key and the unique values of a row.
    private mutating func note(_ row: CustomRow, _ definition: TableDefinition) {
        if let number = row.stored[definition.key]?.intValue { lastKey = max(lastKey, number) }
        if let name = row.name(definition.key), name != row.id, renamed[name] == nil { renamed[name] = row.id }
        largestRow = max(largestRow, JSON.object(row.stored).weight)
        for (place, group) in definition.unique.enumerated() {
            if let values = Self.values(of: group, in: row.stored) { unique[place][values] = row.id }
        }
        if let name = Self.identifier(of: row, definition), identified[name] == nil { identified[name] = row.id }
    }

    /// Forgets the key and the identifier of a row that is changed or removed.
    private mutating func forget(_ row: CustomRow, _ definition: TableDefinition) {
        if renamed.count > 0, let name = row.name(definition.key), renamed[name] == row.id { renamed[name] = nil }
        guard let name = Self.identifier(of: row, definition), identified[name] == row.id else { return }
        identified[name] = nil
    }

    /// The text by which those who sign in are found; nil in other tables.
    private static func identifier(of row: CustomRow, _ definition: TableDefinition) -> String? {
        definition.identifier.flatMap { row.stored[$0]?.credentialText?.lowercased() }
    }

    /// Returns the row that an identifier stands for, in either case; nil if there is none.
    func row(identifiedBy text: String) -> CustomRow? { identified[text.lowercased()].flatMap { rows[$0] } }

    // MARK: Keys

    /// Returns the id of the row that has a key as its member of that name; nil if there is none.
    package func id(ofKey key: String, _ member: String) -> String? {
        guard renamed.count > 0 else { return rows.contains(key) ? key : nil }
        let own = rows[key].map { $0.name(member) }
        if own == .some(key) { return key }
        if let id = renamed[key] { return id }
        // A row whose own key says nothing, or stands for another one, goes by its id.
        guard let own else { return nil }
        let isOther = own.map { renamed[$0] == key && rows[$0]?.name(member) != $0 } ?? false
        return isOther ? nil : key
    }

    /// Returns the id of a new row of that key.
    func newID(_ key: String) -> String {
        var id = key
        while rows.contains(id) { id += "'" }
        return id
    }

    // MARK: Changes

    /// Adds a row at the end.
    ///
    /// Its key must be free.
    package mutating func insert(_ members: JSONObject, key: RowKey, _ definition: TableDefinition) {
        insert(stored: StoredText.stored(members), key: key, definition)
    }

    /// Adds a row in its stored form at the end.
    mutating func insert(stored: JSONObject, key: RowKey, _ definition: TableDefinition) {
        if unique.count != definition.unique.count { unique = definition.unique.map { _ in ShardedMap() } }
        let row = CustomRow(id: newID(key.text), stored: stored, serial: nextSerial)
        nextSerial += 1
        rows.insert(row)
        note(row, definition)
        noteChange(rows.nextPlace - 1)
    }

    /// Puts other members into a row.
    package mutating func replace(_ id: String, by members: JSONObject, _ definition: TableDefinition) {
        guard let place = rows.place(of: id), let former = rows[place: place] else { return }
        for (index, group) in definition.unique.enumerated() {
            if let values = Self.values(of: group, in: former.stored) { unique[index][values] = nil }
        }
        forget(former, definition)
        let row = CustomRow(id: id, stored: StoredText.stored(members), serial: former.serial)
        rows.update(id) { $0 = row }
        note(row, definition)
        noteChange(place)
    }

    /// Removes a row.
    package mutating func remove(_ id: String, _ definition: TableDefinition) {
        let places = rows.nextPlace
        guard let place = rows.place(of: id), let row = rows.remove(id) else { return }
        for (index, group) in definition.unique.enumerated() {
            if let values = Self.values(of: group, in: row.stored) { unique[index][values] = nil }
        }
        forget(row, definition)
        if rows.nextPlace == places { noteChange(place) } else { forgetColumns() }
    }

    // MARK: Unique members

    /// Returns the group of members whose values another row has; nil if there is none.
    package func conflict(of members: JSONObject, besides id: String?, _ definition: TableDefinition) -> [String]? {
        guard !definition.unique.isEmpty || definition.identifier != nil else { return nil }
        return conflicts(ofStored: StoredText.stored(members), besides: id, definition).first
    }

    /// Returns every such group, of members in their stored form.
    func conflicts(ofStored stored: JSONObject, besides id: String?, _ definition: TableDefinition) -> [[String]] {
        var groups: [[String]] = []
        for (index, group) in definition.unique.enumerated() where index < unique.count {
            if let values = Self.values(of: group, in: stored), let other = unique[index][values], other != id {
                groups.append(group)
            }
        }
        // Those who sign in are found without regard to case, so that no two of them may differ in it alone.
        if let member = definition.identifier, let name = stored[member]?.credentialText?.lowercased(),
            let other = identified[name], other != id, !groups.contains([member])
        {
            groups.append([member])
        }
        return groups
    }

    /// Notes the unique values of a seed row that can't be taken, which no later one may have either.
    mutating func noteRefused(_ stored: JSONObject, _ definition: TableDefinition) {
        note(CustomRow(id: "", stored: stored), definition)
    }

    /// Returns the values of a group as one text; nil if one of them is absent or null, which is not compared.
    private static func values(of group: [String], in stored: JSONObject) -> String? {
        var text = ""
        for name in group {
            guard let value = stored[name], !value.isNull else { return nil }
            // Spellings of one number are one value.
            text += value.intValue.map { "\($0)" } ?? value.doubleValue.map { "\($0)" } ?? value.text
            text += "\n"
        }
        return text
    }

    // MARK: Columns

    /// The number of changes up to which columns are brought up to date; beyond, they are made anew.
    private static let mostChanges = 1_024

    private mutating func noteChange(_ place: Int) {
        changed.append(place)
        if changed.count > Self.mostChanges { forgetColumns() }
    }

    private mutating func forgetColumns() {
        columns = ColumnBox()
        changed = []
    }

    /// Notes that the rows are those of the seed.
    mutating func rest() { forgetColumns() }

    /// Drops the columns of rows that no other world has.
    mutating func dropCaches() {
        if !changed.isEmpty || isKnownUniquelyReferenced(&columns) { forgetColumns() }
    }

    /// Returns the columns of some members, and the order of the rows by others if there are any.
    mutating func columns(
        of paths: [MemberPath],
        sortedBy keys: [SortKey],
        _ definition: TableDefinition,
        _ epoch: Epoch
    ) -> (columns: TableColumns, order: SortedOrder?) {
        bringUpToDate()
        // They are made while nobody has to wait for them: other worlds with the same rows look here, too.
        let held = columns.held.withLock { $0.take() }
        var made =
            held.flatMap { $0.dependsOnEpoch && $0.epoch != epoch ? nil : $0 } ?? TableColumns(rows, definition, epoch)
        for path in paths { _ = made.column(path, rows) }
        let order = keys.isEmpty ? nil : made.order(keys, rows)
        columns.held.withLock { $0 = made }
        return (made, order)
    }

    /// The number of columns and orders that have to be made before rows can be chosen.
    func missing(for paths: [MemberPath], sortedBy keys: [SortKey]) -> (columns: Int, orders: Int) {
        let all = (columns: Set(paths).count + 1, orders: keys.isEmpty ? 0 : 1)
        guard changed.isEmpty else { return all }
        return columns.held.withLock { held in
            guard let held else { return all }
            let made = Set(held.columns.lazy.filter { !$0.isStale }.map(\.path))
            return (Set(paths).count { !made.contains($0) }, keys.isEmpty || held.hasOrder(keys) ? 0 : 1)
        }
    }

    private mutating func bringUpToDate() {
        guard !changed.isEmpty else { return }
        let isOwn = isKnownUniquelyReferenced(&columns)
        // Taken out where nobody else has them, so that the arrays are written in place.
        var present = columns.held.withLock { isOwn ? $0.take() : $0 }
        present?.change(changed, rows)
        columns = ColumnBox(present)
        changed = []
    }
}
