import Emulation
import JSON
import Storage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The store of `--state DIR` (control contract, section 4): one SQLite file in a folder that one server holds.
///
/// Unchecked: used by one thread at a time, the disk worker while a batch is under way and the loop otherwise.
final class StateStore: @unchecked Sendable {
    /// A part that is one value, to tell whether it is another than before.
    private struct ValueKey: Hashable {
        var world: Int
        var api: String
        var part: String
    }

    private enum Operation {
        case removeWorld(Int)
        case putWorld(Emulator.Kept, facts: [UInt8])
        case putCounts([UInt8])
        case putIssued([UInt8])
        case clear(world: Int, api: String, part: String)
        case put(world: Int, api: String, part: String, id: String, place: Int, data: [UInt8])
        case remove(world: Int, api: String, part: String, id: String)
        case clearJournal(world: Int)
        case putEntry(world: Int, seq: Int, data: [UInt8])
        case removeEntries(world: Int, below: Int)
    }

    private struct Statements {
        var putCounts: Statement
        var putIssued: Statement
        var putWorld: Statement
        var removeWorld: Statement
        var removeRows: Statement
        var clear: Statement
        var put: Statement
        var remove: Statement
        var clearJournal: Statement
        var putEntry: Statement
        var removeEntries: Statement

        init(_ database: Database) throws(StorageError) {
            putCounts = try database.prepare("INSERT OR REPLACE INTO counts VALUES (1, ?, ?)")
            putIssued = try database.prepare("INSERT INTO counts SELECT COALESCE(MAX(id), 1) + 1, ?, ? FROM counts")
            putWorld = try database.prepare("INSERT OR REPLACE INTO worlds VALUES (?, ?, ?, ?, ?)")
            removeWorld = try database.prepare("DELETE FROM worlds WHERE key = ?")
            removeRows = try database.prepare("DELETE FROM rows WHERE world = ?")
            clear = try database.prepare("DELETE FROM rows WHERE world = ? AND api = ? AND part = ?")
            put = try database.prepare(
                "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                    + "SET place = excluded.place, data = excluded.data, sum = excluded.sum"
            )
            remove = try database.prepare("DELETE FROM rows WHERE world = ? AND api = ? AND part = ? AND id = ?")
            clearJournal = try database.prepare("DELETE FROM journal WHERE world = ?")
            putEntry = try database.prepare("INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?)")
            removeEntries = try database.prepare("DELETE FROM journal WHERE world = ? AND seq < ?")
        }
    }

    let path: String
    /// What the file held when it was opened; nil if it is new.
    let content: StateFile.Content?
    private var lock: FolderLock?
    private var database: Database?
    private var statements: Statements?
    /// What was written last of each part that is one value.
    private var values: [ValueKey: [UInt8]] = [:]
    private var counts: [UInt8] = []
    private var facts: [Int: [UInt8]] = [:]

    /// Takes the folder, which is made if it is missing, and reads the file in it; a file that can't be used is left as
    /// it is, to the byte.
    init(folder: String) throws(StateStoreError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw StateStoreError(path: folder, reason: "can't be made: \(String(cString: strerror(errno)))")
        }
        path = folder.hasSuffix("/") ? folder + StateFile.name : "\(folder)/\(StateFile.name)"
        do throws(StorageError) {
            guard let lock = try FolderLock(folder) else {
                throw StorageError(.busy, "is in use by another server; each needs a folder of its own")
            }
            self.lock = lock
        } catch {
            let isBusy = error.kind == .busy
            throw StateStoreError(path: folder, reason: isBusy ? error.text : "can't be used as a folder: \(error)")
        }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard access(folder, W_OK) == 0 else {
                throw StateStoreError(path: folder, reason: "can't be written to")
            }
            content = try StateFile.read(path)
        } else {
            guard StateFile.size(path + "-wal") == nil else {
                throw StateStoreError(
                    path: path,
                    reason: "is missing, but the log of its last changes is there. Nothing was changed"
                )
            }
            try StateFile.create(path)
            content = nil
        }
    }

    /// Opens the file for writing; what was read before has been found good.
    func begin() throws(StateStoreError) {
        do throws(StorageError) {
            let database = try Database(path: path, .open(keepsLog: false))
            // No other program may look into the file meanwhile, and the log needs no index file.
            try database.execute("PRAGMA locking_mode = EXCLUSIVE")
            guard try database.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
                throw StorageError(.other, "the file system takes no write-ahead log")
            }
            // The log is synced before a commit returns: what was answered survives a power cut too.
            try database.execute("PRAGMA synchronous = FULL")
            statements = try Statements(database)
            self.database = database
        } catch {
            throw StateStoreError(path: path, reason: "can't be written: \(error)")
        }
    }

    /// Writes what is in the batch and differs from what is there, and returns when it is on disk.
    func write(_ batch: StoreBatch) throws(StorageError) {
        guard let database, let statements else { throw StorageError(.other, "the store is closed") }
        let operations = operations(of: batch)
        guard !operations.isEmpty else { return }
        do throws(StorageError) {
            try database.transaction { () throws(StorageError) in
                for operation in operations { try Self.run(operation, statements) }
            }
        } catch {
            // What the file holds is told anew by the next batch.
            values = [:]
            facts = [:]
            counts = []
            throw error
        }
    }

    /// As `write`, with what became of it as a value.
    func attempt(_ batch: StoreBatch) -> Result<Void, StorageError> {
        do throws(StorageError) {
            return .success(try write(batch))
        } catch {
            return .failure(error)
        }
    }

    /// Merges the log into the file, closes it, and lets the folder go.
    func close() {
        statements = nil
        database?.close()
        database = nil
        lock = nil
    }

    /// Keeps the file from growing beyond that many pages, as a full disk would: for tests.
    func limit(pages: Int) throws(StorageError) { try database?.execute("PRAGMA max_page_count = \(pages)") }

    private func operations(of batch: StoreBatch) -> [Operation] {
        var operations: [Operation] = []
        for key in batch.gone {
            operations.append(.removeWorld(key))
            values = values.filter { $0.key.world != key }
            facts[key] = nil
        }
        for item in batch.items {
            let key = item.kept.key
            let data = item.kept.facts.serialized()
            if facts[key] != data {
                facts[key] = data
                operations.append(.putWorld(item.kept, facts: data))
            }
            for section in item.changes.sections { add(section, of: key, to: &operations) }
            let world = item.kept.owner == nil ? item.kept.name : nil
            add(item.changes.journal, of: key, named: world, to: &operations)
        }
        if !batch.issued.isEmpty { operations.append(.putIssued(batch.issued)) }
        let data = batch.counts.serialized()
        if data != counts {
            counts = data
            operations.append(.putCounts(data))
        }
        return operations
    }

    private func add(_ section: WorldChanges.Section, of world: Int, to operations: inout [Operation]) {
        let (api, part) = (section.api, section.part)
        func put(_ row: StoredRow) {
            operations.append(
                .put(
                    world: world,
                    api: api,
                    part: part,
                    id: row.id,
                    place: row.place,
                    data: row.content().serialized()
                )
            )
        }
        switch section.changes {
        case .nothing: break
        case .some(let rows, let gone):
            for id in gone { operations.append(.remove(world: world, api: api, part: part, id: id)) }
            rows.forEach(put)
        case .whole(let rows):
            operations.append(.clear(world: world, api: api, part: part))
            rows().forEach(put)
        case .value(let row):
            let key = ValueKey(world: world, api: api, part: part)
            let data = row.content().serialized()
            guard values[key] != data else { return }
            values[key] = data
            operations.append(.put(world: world, api: api, part: part, id: row.id, place: row.place, data: data))
        }
    }

    private func add(
        _ changes: Journal.Changes,
        of world: Int,
        named name: String?,
        to operations: inout [Operation]
    ) {
        func put(_ entries: [JournalEntry]) {
            for entry in entries {
                let data = WorldChanges.json(entry, in: name).serialized()
                operations.append(.putEntry(world: world, seq: Int(entry.seq), data: data))
            }
        }
        switch changes {
        case .nothing: break
        case .some(let entries, let oldest):
            if oldest > 1 { operations.append(.removeEntries(world: world, below: Int(oldest))) }
            put(entries)
        case .whole(let journal):
            operations.append(.clearJournal(world: world))
            put(journal.entries)
        }
    }

    private static func run(_ operation: Operation, _ statements: Statements) throws(StorageError) {
        switch operation {
        case .removeWorld(let key):
            try statements.removeWorld.run(.integer(Int64(key)))
            try statements.removeRows.run(.integer(Int64(key)))
            try statements.clearJournal.run(.integer(Int64(key)))
        case .putWorld(let kept, let facts):
            try statements.putWorld.run(
                .integer(Int64(kept.key)),
                kept.owner.map { .integer(Int64($0)) } ?? .null,
                .text(kept.name),
                .bytes(facts),
                .integer(StateFile.worldSum(kept.key, kept.owner, kept.name, facts))
            )
        case .putCounts(let data):
            try statements.putCounts.run(.bytes(data), .integer(StateFile.countsSum(data)))
        case .putIssued(let records):
            try statements.putIssued.run(.bytes(records), .integer(StateFile.countsSum(records)))
        case .clear(let world, let api, let part):
            try statements.clear.run(.integer(Int64(world)), .text(api), .text(part))
        case .put(let world, let api, let part, let id, let place, let data):
            try statements.put.run(
                .integer(Int64(world)),
                .text(api),
                .text(part),
                .text(id),
                .integer(Int64(place)),
                .bytes(data),
                .integer(StateFile.rowSum(world, api, part, id, place, data))
            )
        case .remove(let world, let api, let part, let id):
            try statements.remove.run(.integer(Int64(world)), .text(api), .text(part), .text(id))
        case .clearJournal(let world):
            try statements.clearJournal.run(.integer(Int64(world)))
        case .putEntry(let world, let seq, let data):
            try statements.putEntry.run(
                .integer(Int64(world)),
                .integer(Int64(seq)),
                .bytes(data),
                .integer(StateFile.journalSum(world, seq, data))
            )
        case .removeEntries(let world, let below):
            try statements.removeEntries.run(.integer(Int64(world)), .integer(Int64(below)))
        }
    }
}
