import Emulation
import JSON
import Storage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The form of a state file: one SQLite file that holds every world and snapshot as rows (docs/state.md).
enum StateFile {
    static let name = "understudy.sqlite"
    /// SQLite's `user_version`: one more for every change of the form.
    static let version: Int64 = 1
    /// SQLite's `application_id`: `UDST`.
    static let applicationID: Int64 = 0x5544_5354

    /// The tables, as `sqlite_schema` shows them.
    ///
    /// `sum` covers all that a row says.
    static let tables = [
        "CREATE TABLE counts (id INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER NOT NULL)",
        "CREATE TABLE worlds (key INTEGER PRIMARY KEY, owner INTEGER, name TEXT NOT NULL, facts BLOB NOT NULL, "
            + "sum INTEGER NOT NULL)",
        "CREATE TABLE rows (world INTEGER NOT NULL, api TEXT NOT NULL, part TEXT NOT NULL, id TEXT NOT NULL, "
            + "place INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (world, api, part, id))",
        "CREATE TABLE journal (world INTEGER NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL, "
            + "PRIMARY KEY (world, seq))",
    ]

    /// What a file held.
    struct Content {
        var worlds: [StoredWorld] = []
        var counts: JSON = .null
        var issued: [UInt8] = []
    }

    /// Makes an empty file: beside its place, so that it is there in full or not at all.
    static func create(_ path: String) throws(StateStoreError) {
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
            // Tokens and codes are in it.
            chmod(unfinished, 0o600)
            try FileReplacement.install(unfinished, as: path)
        } catch {
            unlink(unfinished)
            throw StateStoreError(path: path, reason: "can't be made: \(error)")
        }
    }

    /// Reads a file without changing it or anything beside it.
    static func read(_ path: String) throws(StateStoreError) -> Content {
        try checkHead(path)
        do throws(StorageError) {
            // A log beside the file has what was written last; without one the file is read as it lies.
            let hasLog = size(path + "-wal") ?? 0 > 0
            let database = try Database(path: path, hasLog ? .open(keepsLog: true) : .frozen)
            defer { database.close() }
            if hasLog { try database.execute("PRAGMA locking_mode = EXCLUSIVE") }
            try check(database)
            return try content(database)
        } catch {
            switch error.kind {
            case .damaged: throw damaged(path, error.text)
            case .busy: throw StateStoreError(path: path, reason: "is in use by another program")
            default: throw StateStoreError(path: path, reason: "can't be read: \(error)")
            }
        }
    }

    static func damaged(_ path: String, _ detail: String) -> StateStoreError {
        StateStoreError(
            path: path,
            reason:
                "is damaged (\(detail)). It was left as it is: bring back a copy, or name another folder with --state"
        )
    }

    /// The size of a regular file; nil if there is none.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Looks at the first 100 bytes (SQLite file format, section 1.3).
    private static func checkHead(_ path: String) throws(StateStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw StateStoreError(path: path, reason: "can't be opened: \(String(cString: strerror(errno)))")
        }
        var head = [UInt8](repeating: 0, count: 100)
        let count = Glue.read(descriptor, &head)
        close(descriptor)
        guard access(path, W_OK) == 0 else { throw StateStoreError(path: path, reason: "can't be written") }
        let magic = Array("SQLite format 3\0".utf8)
        guard count == head.count, head.starts(with: magic) else {
            throw StateStoreError(
                path: path,
                reason:
                    "is no state file, or its head is damaged: it does not begin as an SQLite file does. It was left as it is"
            )
        }
        func number(_ place: Int) -> Int64 {
            head[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) }
        }
        guard number(68) == applicationID else {
            throw StateStoreError(
                path: path,
                reason: "is an SQLite file, but none of Understudy's, or its head is damaged. It was left as it is"
            )
        }
        let found = number(60)
        if found > version {
            throw StateStoreError(
                path: path,
                reason:
                    "was written by a newer Understudy (format \(found), this one knows \(version)). It was left as it is"
            )
        }
        guard found == version else { throw damaged(path, "its format is \(found)") }
    }

    private static func check(_ database: Database) throws(StorageError) {
        let found = try database.texts("PRAGMA integrity_check(1)")
        guard found == ["ok"] else { throw StorageError(.damaged, found.first ?? "no answer to a check") }
        let schema = try database.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rootpage")
        guard schema == tables else { throw StorageError(.damaged, "its tables are not ours") }
        guard try database.integer("PRAGMA user_version") == version else {
            throw StorageError(.damaged, "its format changed in the log beside it")
        }
    }

    private static func content(_ database: Database) throws(StorageError) -> Content {
        var content = Content()
        let counts = try database.prepare("SELECT id, data, sum FROM counts")
        while try counts.step() {
            let data = counts.bytes(1)
            guard counts.integer(2) == countsSum(data) else { throw wrongSum("counts") }
            // Behind the counts, which are the first row, lie the records of issued credentials.
            if counts.integer(0) > 1 {
                content.issued += data
                continue
            }
            content.counts = try json(data, "counts")
        }
        let worlds = try database.prepare("SELECT key, owner, name, facts, sum FROM worlds ORDER BY key")
        while try worlds.step() {
            let key = Int(worlds.integer(0))
            let owner = worlds.isNull(1) ? nil : Int(worlds.integer(1))
            let name = worlds.text(2)
            let facts = worlds.bytes(3)
            guard worlds.integer(4) == worldSum(key, owner, name, facts) else { throw wrongSum("world \(key)") }
            content.worlds.append(
                StoredWorld(
                    key: key,
                    owner: owner,
                    name: name,
                    facts: try json(facts, "world \(key)"),
                    content: WorldContent(record: .null, outbox: [], journal: [], apis: [:])
                )
            )
        }
        for place in content.worlds.indices {
            content.worlds[place].content = try worldContent(content.worlds[place].key, database)
        }
        // Every row belongs to a world that is there.
        for table in ["rows", "journal"] {
            let lost = try database.integer("SELECT count(*) FROM \(table) WHERE world NOT IN (SELECT key FROM worlds)")
            guard lost == 0 else { throw StorageError(.damaged, "\(table) of no world") }
        }
        return content
    }

    private static func worldContent(_ key: Int, _ database: Database) throws(StorageError) -> WorldContent {
        var content = WorldContent(record: .null, outbox: [], journal: [], apis: [:])
        let rows = try database.prepare(
            "SELECT api, part, id, place, data, sum FROM rows WHERE world = ? ORDER BY api, part, place, id"
        )
        try rows.bind(.integer(Int64(key)))
        while try rows.step() {
            let api = rows.text(0)
            let part = rows.text(1)
            let id = rows.text(2)
            let place = Int(rows.integer(3))
            let data = rows.bytes(4)
            let what = "world \(key), \(api.isEmpty ? part : "\(api).\(part)")"
            guard rows.integer(5) == rowSum(key, api, part, id, place, data) else { throw wrongSum(what) }
            let row = LoadedRow(place: place, id: id, content: try json(data, what))
            switch (api, part) {
            case ("", WorldChanges.worldPart): content.record = row.content
            case ("", WorldChanges.outboxPart): content.outbox.append(row)
            case ("", _): throw StorageError(.damaged, "\(what) is unknown")
            case (_, WorldChanges.epochPart):
                content.apis[api, default: WorldContent.API(epoch: .null, parts: [:])].epoch = row.content
            default:
                content.apis[api, default: WorldContent.API(epoch: .null, parts: [:])].parts[part, default: []]
                    .append(row)
            }
        }
        let journal = try database.prepare("SELECT seq, data, sum FROM journal WHERE world = ? ORDER BY seq")
        try journal.bind(.integer(Int64(key)))
        while try journal.step() {
            let seq = Int(journal.integer(0))
            let data = journal.bytes(1)
            guard journal.integer(2) == journalSum(key, seq, data) else { throw wrongSum("world \(key), journal") }
            content.journal.append(try json(data, "world \(key), journal"))
        }
        return content
    }

    private static func wrongSum(_ what: String) -> StorageError {
        StorageError(.damaged, "\(what): a row's check sum is wrong")
    }

    private static func json(_ bytes: [UInt8], _ what: String) throws(StorageError) -> JSON {
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

    static func worldSum(_ key: Int, _ owner: Int?, _ name: String, _ facts: [UInt8]) -> Int64 {
        var sum = RowSum()
        sum.add(key)
        sum.add(owner ?? -1)
        sum.add(name)
        sum.add(facts)
        return sum.value
    }

    static func rowSum(_ world: Int, _ api: String, _ part: String, _ id: String, _ place: Int, _ data: [UInt8])
        -> Int64
    {
        var sum = RowSum()
        sum.add(world)
        sum.add(api)
        sum.add(part)
        sum.add(id)
        sum.add(place)
        sum.add(data)
        return sum.value
    }

    static func journalSum(_ world: Int, _ seq: Int, _ data: [UInt8]) -> Int64 {
        var sum = RowSum()
        sum.add(world)
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
