import CSQLite

/// One connection to an SQLite file.
///
/// Used by one thread at a time: its owner sees to that.
package final class Database {
    package enum Mode: Sendable {
        /// Reads only; the file is opened without a lock and without a write-ahead log.
        case frozen
        /// Reads and writes. `keepsLog` leaves the write-ahead log as it is at the end, so that nothing is written
        /// unless a statement does.
        case open(keepsLog: Bool)
        /// Makes the file.
        case create
    }

    private var handle: OpaquePointer?

    package init(path: String, _ mode: Mode) throws(StorageError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var name = path
        switch mode {
        case .frozen:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + Self.escaped(path) + "?immutable=1"
        case .open: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard result == SQLITE_OK else {
            let error = failure(result)
            sqlite3_close_v2(handle)
            handle = nil
            throw error
        }
        if case .open(keepsLog: true) = mode { _ = understudy_sqlite_keep_wal(handle) }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Has the write-ahead log moved into the file by the first commit after which it has so many pages.
    package func checkpoint(atPages pages: Int) { sqlite3_wal_autocheckpoint(handle, Int32(clamping: pages)) }

    /// Closes the file; every statement has to be gone.
    package func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Runs statements that answer nothing of interest.
    package func execute(_ sql: String) throws(StorageError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw failure(result) }
    }

    package func prepare(_ sql: String) throws(StorageError) -> Statement {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard result == SQLITE_OK, let statement else { throw failure(result) }
        return Statement(statement, of: self)
    }

    /// The first value of the first row as an integer; nil if there is no row.
    package func integer(_ sql: String) throws(StorageError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Every value of the first column as text.
    package func texts(_ sql: String) throws(StorageError) -> [String] {
        let statement = try prepare(sql)
        var found: [String] = []
        while try statement.step() { found.append(statement.text(0)) }
        return found
    }

    /// Does all of it or nothing.
    package func transaction(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            try work()
            try execute("COMMIT")
        } catch {
            // A failed commit may have rolled back by itself; then there is nothing left to do.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The error of a result code, in SQLite's words.
    func failure(_ code: Int32) -> StorageError {
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let words = text.map { String(cString: $0) } ?? "error \(code)"
        return StorageError(Self.kind(code & 0xFF), words)
    }

    private static func kind(_ primary: Int32) -> StorageError.Kind {
        switch primary {
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .notAccessible
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: .constraint
        default: .other
        }
    }

    /// A path as a part of a URI.
    private static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
