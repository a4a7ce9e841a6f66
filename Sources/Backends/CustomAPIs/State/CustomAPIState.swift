import APIFolders
package import Backend
import JSON
package import Repeats

/// The state of a custom API in a world.
package struct CustomAPIState: Sendable {
    package var settings = CustomAPISettings()
    /// The tables in the order of the definition.
    package var tables: [CustomTable] = []
    /// The sessions and codes of an API with sign-in.
    package var signIn = SignInState()
    /// The answers that are kept under idempotency keys.
    package var kept = Table<KeptAnswer>()
    package var uploads = Table<Upload>()

    package init() {}
}

/// The largest whole number that has been a key of a table.
struct LastKey: Codable, Equatable, Sendable {
    var table: String
    var last: Int64
}

extension CustomAPIState {
    /// The rows of a table by its place, as a part of the state.
    subscript(rows place: Int) -> Table<CustomRow> {
        get { tables[place].rows }
        _modify { yield &tables[place].rows }
    }

    /// The largest keys of the tables of those names.
    subscript(lastKeys names: [String]) -> [LastKey] {
        get {
            zip(names, tables).compactMap { name, table in
                table.lastKey > 0 ? LastKey(table: name, last: table.lastKey) : nil
            }
        }
        set {
            for (place, name) in names.enumerated() {
                tables[place].lastKey = newValue.last { $0.table == name }?.last ?? 0
            }
        }
    }
}

extension CustomAPIDefinition {
    /// The names of tables that no file can declare, and no call can write to.
    static let ownTables = SignIn.tableNames + ["_idempotency", "_uploads"]

    /// The parts of the state: the settings, the tables, the keys that were used, and those of the sign-in.
    var parts: [StatePart<CustomAPIState>] {
        var parts: [StatePart<CustomAPIState>] = [.settings("_settings", \.settings, counted: { $0.changes })]
        for place in tables.indices {
            let key = tables[place].key
            let naming = RowNaming<CustomAPIState, CustomRow>(
                under: { CustomRow(id: $1, stored: $0.stored) },
                name: { $0.name(key) },
                find: { $0.tables[place].id(ofKey: $1, key) },
                make: { $0.tables[place].newID($1) }
            )
            parts.append(
                .table(
                    tables[place].name,
                    \.[rows: place],
                    ranges: ["": .free],
                    most: CustomAPILimits.rows,
                    naming: naming,
                    read: { json throws(JSONDecodingError) in try CustomRow(json, key: key) }
                ).keyed(by: key)
            )
        }
        let names = tables.map(\.name)
        parts.append(.value("_keys", \.[lastKeys: names], ranges: ["[].last": .free]))
        if signIn != nil { parts += SignIn.parts }
        if idempotency != nil {
            parts.append(.table("_idempotency", \.kept, ranges: KeptAnswer.ranges, most: IdempotencyKeys.most))
        }
        if !uploads.isEmpty { parts.append(.table("_uploads", \.uploads, ranges: Upload.ranges)) }
        return parts
    }
}

extension CustomRow {
    /// Reads the stored form of a row; without a key its id is empty.
    init(_ json: JSON, key: String) throws(JSONDecodingError) {
        guard let stored = json.objectValue else {
            throw JSONDecodingError(path: [], reason: "expected an object, found \(json.typeName)")
        }
        self.init(id: stored[key].flatMap { RowKey($0) }?.text ?? "", stored: stored)
    }
}
