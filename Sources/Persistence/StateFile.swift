import Backend
import JSON
import Worlds

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The form of a state file: one SQLite file with every world and snapshot as rows (docs/state.md).
enum StateFile {
    static let name = "understudy.sqlite"
    /// SQLite's `user_version`, raised by one for every change of the form.
    static let version: Int64 = 3
    /// The form without layers of seeds, in which every world had the rows of its seed; read, and then migrated.
    static let seedlessVersion: Int64 = 2
    /// The form before layers, which is read and then migrated.
    static let formerVersion: Int64 = 1
    private static let versions = formerVersion...version
    /// SQLite's `application_id`: `UDST`.
    static let applicationID: Int64 = 0x5544_5354

    /// The tables, as `sqlite_schema` shows them.
    ///
    /// A world refers to a layer, and a layer may have a parent: it has the changes since that one. A row without data
    /// stands for a removed row. A cut hides the layers underneath, or their entries below a number. `sum` covers the
    /// whole row.
    static let tables = [
        countsTable,
        worldsTable,
        "CREATE TABLE layers (key INTEGER PRIMARY KEY, parent INTEGER, sum INTEGER NOT NULL)",
        "CREATE TABLE cuts (layer INTEGER NOT NULL, api TEXT NOT NULL, part TEXT NOT NULL, below INTEGER NOT NULL, "
            + "sum INTEGER NOT NULL, PRIMARY KEY (layer, api, part))",
        rowsTable("layer"),
        journalTable("layer"),
    ]

    /// The tables of the former version, in which every world had rows and entries of its own.
    static let formerTables = [
        countsTable,
        "CREATE TABLE worlds (key INTEGER PRIMARY KEY, owner INTEGER, name TEXT NOT NULL, facts BLOB NOT NULL, "
            + "sum INTEGER NOT NULL)",
        rowsTable("world"),
        journalTable("world"),
    ]

    static let worldsTable =
        "CREATE TABLE worlds (key INTEGER PRIMARY KEY, owner INTEGER, name TEXT NOT NULL, layer INTEGER NOT NULL, "
        + "facts BLOB NOT NULL, sum INTEGER NOT NULL)"

    private static let countsTable =
        "CREATE TABLE counts (id INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER NOT NULL)"

    private static func rowsTable(_ holder: String) -> String {
        "CREATE TABLE rows (\(holder) INTEGER NOT NULL, api TEXT NOT NULL, part TEXT NOT NULL, id TEXT NOT NULL, "
            + "place INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL, "
            + "PRIMARY KEY (\(holder), api, part, id))"
    }

    private static func journalTable(_ holder: String) -> String {
        "CREATE TABLE journal (\(holder) INTEGER NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, "
            + "sum INTEGER NOT NULL, PRIMARY KEY (\(holder), seq))"
    }

    /// The content of a file.
    struct Content: Sendable {
        var format: Int64
        var stored = StoredContent()
        var book = LayerTable()
    }

    /// Creates an empty file.
    ///
    /// It is written under another name first, so that it exists in full or not at all.
    static func create(_ path: String) throws(WorldStoreError) {
        let unfinished = path + FileReplacement.unfinishedSuffix
        unlink(unfinished)
        do throws(StorageError) {
            let database = try Database(path: unfinished, .create)
            try database.execute("PRAGMA synchronous = FULL")
            try database.transaction { () throws(StorageError) in
                for table in tables { try database.execute(table) }
                try database.execute("PRAGMA application_id = \(applicationID)")
                try database.execute("PRAGMA user_version = \(version)")
            }
            database.close()
            // It has tokens and codes.
            chmod(unfinished, 0o600)
            try FileReplacement.install(unfinished, as: path)
        } catch {
            unlink(unfinished)
            throw WorldStoreError(path: path, reason: "can't be created: \(error)")
        }
    }

    /// Reads a file without changing it or anything beside it.
    static func read(_ path: String) throws(WorldStoreError) -> Content {
        try checkHead(path)
        do throws(StorageError) {
            // A log beside the file has the latest changes; without one the file is read alone.
            let hasLog = size(path + "-wal") ?? 0 > 0
            let database = try Database(path: path, hasLog ? .open(keepsLog: true) : .frozen)
            defer { database.close() }
            if hasLog { try database.execute("PRAGMA locking_mode = EXCLUSIVE") }
            let format = try check(database)
            return try content(database, format)
        } catch {
            switch error.kind {
            case .damaged: throw damaged(path, error.text)
            case .busy: throw WorldStoreError(path: path, reason: "is in use by another program")
            default: throw WorldStoreError(path: path, reason: "can't be read: \(error)")
            }
        }
    }

    static func damaged(_ path: String, _ detail: String) -> WorldStoreError {
        WorldStoreError(
            path: path,
            reason:
                "is damaged (\(detail)). It was left unchanged: restore a copy, or name another folder with --state"
        )
    }

    /// Returns the size of a regular file; nil if there is none.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Checks the first 100 bytes (SQLite file format, section 1.3).
    private static func checkHead(_ path: String) throws(WorldStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw WorldStoreError(path: path, reason: "can't be opened: \(String(cString: strerror(errno)))")
        }
        var head = [UInt8](repeating: 0, count: 100)
        let count = Glue.read(descriptor, &head)
        close(descriptor)
        guard access(path, W_OK) == 0 else { throw WorldStoreError(path: path, reason: "can't be written") }
        guard count != 0 else {
            throw WorldStoreError(
                path: path,
                reason: "is empty: nothing was ever stored in it, or all of it is lost. It was left unchanged: "
                    + "move it away to start over, or restore a copy"
            )
        }
        let magic = Array("SQLite format 3\0".utf8)
        guard count == head.count, head.starts(with: magic) else {
            throw WorldStoreError(
                path: path,
                reason:
                    "is not a state file, or its header is damaged: it does not begin like an SQLite file. It was left unchanged"
            )
        }
        func number(_ place: Int) -> Int64 {
            head[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) }
        }
        guard number(68) == applicationID else {
            throw WorldStoreError(
                path: path,
                reason: "is an SQLite file, but not Understudy's, or its header is damaged. It was left unchanged"
            )
        }
        // SQLite stores it as a signed number.
        let found = Int64(Int32(truncatingIfNeeded: number(60)))
        if found > version {
            throw WorldStoreError(
                path: path,
                reason:
                    "was written by a newer Understudy (format \(found), this one knows \(version)). It was left unchanged"
            )
        }
        guard versions.contains(found) else { throw damaged(path, "its format is \(found)") }
    }

    /// Checks the file as a whole; returns its version.
    private static func check(_ database: Database) throws(StorageError) -> Int64 {
        let found = try database.texts("PRAGMA integrity_check(1)")
        guard found == ["ok"] else { throw StorageError(.damaged, found.first ?? "no answer to a check") }
        let format = try database.integer("PRAGMA user_version") ?? 0
        guard versions.contains(format) else {
            throw StorageError(.damaged, "its format changed in the log beside it")
        }
        // A migrated file has them in another order.
        let schema = try database.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        guard schema.sorted() == (format == formerVersion ? formerTables : tables).sorted() else {
            throw StorageError(.damaged, "its tables are not Understudy's")
        }
        return format
    }

    static func wrongSum(_ what: String) -> StorageError {
        StorageError(.damaged, "\(what): a row has a wrong checksum")
    }

    static func json(_ bytes: [UInt8], _ what: String) throws(StorageError) -> JSON {
        do throws(JSONSyntaxError) {
            let options = JSONReader.Options(maxDepth: StateDepth.maximum, allowDuplicateNames: false)
            return try JSONReader.read(bytes, options: options)
        } catch {
            throw StorageError(.damaged, "\(what): \(error)")
        }
    }

    // MARK: Check sums

    static func countsSum(_ data: [UInt8]) -> Int64 {
        var sum = RowSum()
        sum.add(data)
        return sum.value
    }

    static func worldSum(_ key: Int, _ holder: LayerTable.Holder, _ layer: Int) -> Int64 {
        var sum = RowSum()
        sum.add(key)
        sum.add(holder.owner ?? -1)
        sum.add(holder.name)
        sum.add(holder.facts)
        sum.add(layer)
        return sum.value
    }

    static func formerWorldSum(_ key: Int, _ holder: LayerTable.Holder) -> Int64 {
        var sum = RowSum()
        sum.add(key)
        sum.add(holder.owner ?? -1)
        sum.add(holder.name)
        sum.add(holder.facts)
        return sum.value
    }

    static func layerSum(_ key: Int, _ parent: Int?) -> Int64 {
        var sum = RowSum()
        sum.add(key)
        sum.add(parent ?? -1)
        return sum.value
    }

    static func cutSum(_ layer: Int, _ api: String, _ part: String, _ below: Int64) -> Int64 {
        var sum = RowSum()
        sum.add(layer)
        sum.add(api)
        sum.add(part)
        sum.add(Int(below))
        return sum.value
    }

    static func rowSum(_ layer: Int, _ api: String, _ part: String, _ id: String, _ place: Int, _ data: [UInt8])
        -> Int64
    {
        var sum = RowSum()
        sum.add(layer)
        sum.add(api)
        sum.add(part)
        sum.add(id)
        sum.add(place)
        sum.add(data)
        return sum.value
    }

    static func journalSum(_ layer: Int, _ seq: Int, _ data: [UInt8]) -> Int64 {
        var sum = RowSum()
        sum.add(layer)
        sum.add(seq)
        sum.add(data)
        return sum.value
    }
}

/// Calls whose names are taken where they are needed.
private enum Glue {
    static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, &buffer, buffer.count)
        #else
        Darwin.read(descriptor, &buffer, buffer.count)
        #endif
    }
}
