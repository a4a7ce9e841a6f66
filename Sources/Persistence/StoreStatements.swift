import Backend
import Conditions
import Engine
import Journal
import Worlds

/// One change of a store's file.
enum StoreOperation: Sendable {
    case removeWorld(Int)
    case putWorld(Int, LayerTable.Holder, Int)
    case putLayer(Int, parent: Int?)
    case putCounts([UInt8])
    case putIssued([UInt8])
    case cut(layer: Int, api: String, part: String, below: Int64)
    case clear(layer: Int, api: String, part: String)
    /// A row; empty data stands for a removed row, which hides one of the layers underneath.
    case put(layer: Int, api: String, part: String, id: String, place: Int, data: [UInt8])
    case remove(layer: Int, api: String, part: String, id: String)
    case clearJournal(layer: Int)
    case putEntry(layer: Int, seq: Int, data: [UInt8])
    case removeEntries(layer: Int, below: Int)
}

/// The prepared statements of these changes.
struct StoreStatements {
    let database: Database
    private let begin: Statement
    private let commit: Statement
    private let putCounts: Statement
    private let putIssued: Statement
    private let putWorld: Statement
    private let removeWorld: Statement
    private let putLayer: Statement
    private let putCut: Statement
    private let clear: Statement
    private let put: Statement
    private let remove: Statement
    private let clearJournal: Statement
    private let putEntry: Statement
    private let removeEntries: Statement

    init(_ database: Database) throws(StorageError) {
        self.database = database
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
        putCounts = try database.prepare("INSERT OR REPLACE INTO counts VALUES (1, ?, ?)")
        putIssued = try database.prepare("INSERT INTO counts SELECT COALESCE(MAX(id), 1) + 1, ?, ? FROM counts")
        putWorld = try database.prepare("INSERT OR REPLACE INTO worlds VALUES (?, ?, ?, ?, ?, ?)")
        removeWorld = try database.prepare("DELETE FROM worlds WHERE key = ?")
        putLayer = try database.prepare("INSERT OR REPLACE INTO layers VALUES (?, ?, ?)")
        putCut = try database.prepare("INSERT OR REPLACE INTO cuts VALUES (?, ?, ?, ?, ?)")
        clear = try database.prepare("DELETE FROM rows WHERE layer = ? AND api = ? AND part = ?")
        put = try database.prepare(
            "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                + "SET place = excluded.place, data = excluded.data, sum = excluded.sum"
        )
        remove = try database.prepare("DELETE FROM rows WHERE layer = ? AND api = ? AND part = ? AND id = ?")
        clearJournal = try database.prepare("DELETE FROM journal WHERE layer = ?")
        // In its place: a row that is replaced goes to another page.
        putEntry = try database.prepare(
            "INSERT INTO journal VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data, sum = excluded.sum"
        )
        removeEntries = try database.prepare("DELETE FROM journal WHERE layer = ? AND seq < ?")
    }

    /// Does all of it or nothing.
    func transaction(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        try begin.step()
        do throws(StorageError) {
            try work()
            try commit.step()
        } catch {
            // A failed commit may have rolled back by itself; then there is nothing left to do.
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    func run(_ operation: StoreOperation) throws(StorageError) {
        switch operation {
        case .removeWorld(let key): try removeWorld.run(.integer(Int64(key)))
        case .putWorld(let key, let holder, let layer):
            try putWorld.run(
                .integer(Int64(key)),
                holder.owner.map { .integer(Int64($0)) } ?? .null,
                .text(holder.name),
                .integer(Int64(layer)),
                .bytes(holder.facts),
                .integer(StateFile.worldSum(key, holder, layer))
            )
        case .putLayer(let key, let parent):
            try putLayer.run(
                .integer(Int64(key)),
                parent.map { .integer(Int64($0)) } ?? .null,
                .integer(StateFile.layerSum(key, parent))
            )
        case .putCounts(let data):
            try putCounts.run(.bytes(data), .integer(StateFile.countsSum(data)))
        case .putIssued(let records):
            try putIssued.run(.bytes(records), .integer(StateFile.countsSum(records)))
        case .cut(let layer, let api, let part, let below):
            try putCut.run(
                .integer(Int64(layer)),
                .text(api),
                .text(part),
                .integer(below),
                .integer(StateFile.cutSum(layer, api, part, below))
            )
        case .clear(let layer, let api, let part):
            try clear.run(.integer(Int64(layer)), .text(api), .text(part))
        case .put(let layer, let api, let part, let id, let place, let data):
            try put.run(
                .integer(Int64(layer)),
                .text(api),
                .text(part),
                .text(id),
                .integer(Int64(place)),
                .bytes(data),
                .integer(StateFile.rowSum(layer, api, part, id, place, data))
            )
        case .remove(let layer, let api, let part, let id):
            try remove.run(.integer(Int64(layer)), .text(api), .text(part), .text(id))
        case .clearJournal(let layer):
            try clearJournal.run(.integer(Int64(layer)))
        case .putEntry(let layer, let seq, let data):
            try putEntry.run(
                .integer(Int64(layer)),
                .integer(Int64(seq)),
                .bytes(data),
                .integer(StateFile.journalSum(layer, seq, data))
            )
        case .removeEntries(let layer, let below):
            try removeEntries.run(.integer(Int64(layer)), .integer(Int64(below)))
        }
    }
}
