package import Emulation
import JSON
package import SQLiteStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The store of `--state DIR` (control contract, section 4): one SQLite file in a folder that one server holds.
package final class SQLiteWorldStore: WorldStore {
    /// The key of a part that is one value, which is written only if it has changed.
    private struct ValueKey: Hashable {
        var api: String
        var part: String
    }

    package let path: String
    package let isNew: Bool
    package let keys: [Int]
    /// The content of the file when it was opened, until it is taken; nil if it is new.
    private var content: StateFile.Content?
    private var lock: FolderLock?
    private var database: Database?
    private var statements: StoreStatements?
    private let format: Int64
    private var book: LayerBook
    /// The last text written of each part that is one value, by layer.
    private var values: [Int: [ValueKey: [UInt8]]] = [:]
    private var counts: [UInt8] = []
    /// Tells that a commit returns when the log is on disk, not when the system has it.
    private var isSyncing = true
    /// The number of rows of unused layers that a batch removes besides its own work.
    private static let collectedBeside = 128

    /// Takes the folder, which is created if it is missing, and reads the file in it.
    ///
    /// A file that can't be used is not changed.
    package init(folder: String) throws(WorldStoreError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw WorldStoreError(path: folder, reason: "can't be made: \(String(cString: strerror(errno)))")
        }
        path = folder.hasSuffix("/") ? folder + StateFile.name : "\(folder)/\(StateFile.name)"
        do throws(StorageError) {
            guard let lock = try FolderLock(folder) else {
                throw StorageError(.busy, "is in use by another server; each needs a folder of its own")
            }
            self.lock = lock
        } catch {
            let isBusy = error.kind == .busy
            if access(folder, F_OK) != 0, StoreFolder.kind(of: folder) == "a symbolic link" {
                throw WorldStoreError(path: folder, reason: "is a symbolic link that leads nowhere")
            }
            throw WorldStoreError(path: folder, reason: isBusy ? error.text : "can't be used as a folder: \(error)")
        }
        if try StoreFolder(folder, StateFile.name).hasFile() {
            guard access(folder, W_OK) == 0 else {
                throw WorldStoreError(path: folder, reason: "can't be written to")
            }
            let content = try StateFile.read(path)
            format = content.format
            book = content.book
            // A start that ended before it wrote anything leaves a store without worlds.
            isNew = content.stored.worlds.isEmpty
            self.content = isNew ? nil : content
        } else {
            guard StateFile.size(path + "-wal") == nil else {
                throw WorldStoreError(
                    path: path,
                    reason: "is missing, but the log of its last changes is there. Nothing was changed"
                )
            }
            try StateFile.create(path)
            format = StateFile.version
            book = LayerBook()
            isNew = true
        }
        keys = book.holders.keys.sorted()
    }

    package func damaged(_ detail: String) -> WorldStoreError { StateFile.damaged(path, detail) }

    package func takeContent() -> StoredContent? {
        defer { content = nil }
        return content?.stored
    }

    /// Opens the file for writing, after its content was found valid.
    package func begin() throws(WorldStoreError) {
        do throws(StorageError) {
            let database = try Database(path: path, .open(keepsLog: false))
            // No other program may read the file meanwhile, and the log needs no index file.
            try database.execute("PRAGMA locking_mode = EXCLUSIVE")
            guard try database.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
                throw StorageError(.other, "the file system takes no write-ahead log")
            }
            // The log is synced before a commit returns, so that responses survive a power cut too.
            try database.execute("PRAGMA synchronous = FULL")
            if format != StateFile.version { try StateFile.migrate(database, book) }
            statements = try StoreStatements(database)
            self.database = database
        } catch {
            throw WorldStoreError(path: path, reason: "can't be written: \(error)")
        }
    }

    /// Writes the batch as far as it differs from the file, and returns when it is on disk.
    ///
    /// A batch that no response waits for is only handed to the system, and reaches the disk with the next one.
    func write(_ batch: StoreBatch) throws(StorageError) {
        guard let database, let statements else { throw StorageError(.other, "the store is closed") }
        let operations = operations(of: batch)
        guard !operations.isEmpty || hasGarbage else { return book.commit() }
        do throws(StorageError) {
            if isSyncing != batch.isSynced {
                // A later commit syncs the whole log.
                try database.execute("PRAGMA synchronous = \(batch.isSynced ? "FULL" : "NORMAL")")
                isSyncing = batch.isSynced
            }
            try database.transaction { () throws(StorageError) in
                for operation in operations { try statements.run(operation) }
                try statements.collect(&book, most: Self.collectedBeside)
            }
            book.commit()
            // Drops the values of layers that were merged into others.
            if values.count > 2 * book.tops.count + 16 { values = values.filter { book.layers[$0.key] != nil } }
        } catch {
            // The next batch records the state of the file anew.
            book.rollBack()
            values = [:]
            counts = []
            throw error
        }
    }

    /// Tells whether there are layers that are unused or can be merged.
    package var hasGarbage: Bool { !book.candidates.isEmpty }

    /// Removes some garbage; false if that could not be written.
    package func collect(most: Int) -> Bool {
        guard let database, let statements else { return false }
        do throws(StorageError) {
            try database.transaction { () throws(StorageError) in try statements.collect(&book, most: most) }
            book.commit()
            return true
        } catch {
            book.rollBack()
            return false
        }
    }

    /// Does the same as `write`, with its outcome as a value.
    package func attempt(_ batch: StoreBatch) -> Result<Void, StorageError> {
        do throws(StorageError) {
            return .success(try write(batch))
        } catch {
            return .failure(error)
        }
    }

    /// Merges the log into the file, closes it and releases the folder.
    package func close() {
        statements = nil
        database?.close()
        database = nil
        lock = nil
    }

    /// Limits the file to that many pages, as a full disk would: for tests.
    func limit(pages: Int) throws(StorageError) { try database?.execute("PRAGMA max_page_count = \(pages)") }

    // MARK: Operations

    private func operations(of batch: StoreBatch) -> [StoreOperation] {
        var operations: [StoreOperation] = []
        for step in batch.steps {
            switch step {
            case .branch(let from, let to): branch(from, to, &operations)
            case .changes(let kept, let changes): add(changes, of: kept, to: &operations)
            }
        }
        for key in batch.gone {
            operations.append(.removeWorld(key))
            if let layer = book.tops[key] { values[layer] = nil }
            book.put(key, on: nil)
            book.put(key, nil)
        }
        if !batch.issued.isEmpty { operations.append(.putIssued(batch.issued)) }
        let data = batch.counts.serialized()
        if data != counts {
            counts = data
            operations.append(.putCounts(data))
        }
        return operations
    }

    /// Bases a world or snapshot on the layer of another one, which is not written any more.
    private func branch(_ from: Int, _ to: Int, _ operations: inout [StoreOperation]) {
        guard let top = book.tops[from], let layer = book.layers[top] else { return }
        var base = top
        let known = values[top]
        if from != to, book.holders[from]?.owner == nil {
            if layer.size == 0, let parent = layer.parent {
                // Nothing has changed since the last branch.
                base = parent
            } else {
                stand(from, on: makeLayer(on: top, &operations), known, &operations)
            }
        }
        stand(to, on: makeLayer(on: base, &operations), known, &operations)
    }

    private func makeLayer(on parent: Int?, _ operations: inout [StoreOperation]) -> Int {
        let layer = book.add(on: parent)
        operations.append(.putLayer(layer, parent: parent))
        return layer
    }

    private func stand(
        _ key: Int,
        on layer: Int,
        _ known: [ValueKey: [UInt8]]?,
        _ operations: inout [StoreOperation]
    ) {
        if let former = book.tops[key] { values[former] = nil }
        values[layer] = known
        book.put(key, on: layer)
        // A new one is written with its first changes.
        if let holder = book.holders[key] { operations.append(.putWorld(key, holder, layer)) }
    }

    private func add(_ changes: WorldChanges, of kept: Emulator.Kept, to operations: inout [StoreOperation]) {
        let key = kept.key
        let layer: Int
        if let top = book.tops[key] {
            layer = top
        } else {
            layer = makeLayer(on: nil, &operations)
            book.put(key, on: layer)
        }
        let holder = LayerBook.Holder(owner: kept.owner, name: kept.name, facts: kept.facts.serialized())
        if book.holders[key] != holder {
            book.put(key, holder)
            operations.append(.putWorld(key, holder, layer))
        }
        let before = operations.count
        for section in changes.sections { add(section, of: layer, to: &operations) }
        add(changes.journal, of: layer, to: &operations)
        if operations.count > before { book.grow(layer, by: operations.count - before) }
        // A snapshot is never written again.
        if kept.owner != nil { values[layer] = nil }
    }

    private func add(_ section: WorldChanges.Section, of layer: Int, to operations: inout [StoreOperation]) {
        let (api, part) = (section.api, section.part)
        let hasParent = book.layers[layer]?.parent != nil
        func put(_ row: StoredRow) {
            operations.append(
                .put(layer: layer, api: api, part: part, id: row.id, place: row.place, data: row.content().serialized())
            )
        }
        switch section.changes {
        case .nothing: break
        case .some(let changed):
            let (rows, gone) = changed()
            for id in gone {
                operations.append(
                    hasParent
                        ? .put(layer: layer, api: api, part: part, id: id, place: 0, data: [])
                        : .remove(layer: layer, api: api, part: part, id: id)
                )
            }
            rows.forEach(put)
        case .whole(let rows):
            operations.append(.clear(layer: layer, api: api, part: part))
            if hasParent { operations.append(.cut(layer: layer, api: api, part: part, below: .max)) }
            rows().forEach(put)
        case .value(let row):
            let data = row.content().serialized()
            let key = ValueKey(api: api, part: part)
            guard values[layer]?[key] != data else { return }
            values[layer, default: [:]][key] = data
            operations.append(.put(layer: layer, api: api, part: part, id: row.id, place: row.place, data: data))
        }
    }

    private func add(_ changes: Journal.Changes, of layer: Int, to operations: inout [StoreOperation]) {
        func put(_ entries: [JournalEntry]) {
            for entry in entries {
                operations.append(.putEntry(layer: layer, seq: Int(entry.seq), data: WorldChanges.text(of: entry)))
            }
        }
        func cut(below: Int64) {
            guard let found = book.layers[layer], found.parent != nil, found.below < below else { return }
            book.raise(layer, below: below)
            operations.append(.cut(layer: layer, api: "", part: WorldChanges.journalPart, below: below))
        }
        switch changes {
        case .nothing: break
        case .some(let entries, let oldest):
            if oldest > 1 {
                operations.append(.removeEntries(layer: layer, below: Int(oldest)))
                cut(below: Int64(oldest))
            }
            put(entries)
        case .whole(let journal):
            operations.append(.clearJournal(layer: layer))
            cut(below: .max)
            put(journal.entries)
        }
    }
}
