import CSQLite

/// A prepared statement: bound, stepped through, and used again.
package final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds values to the parameters in order, and starts anew.
    package func bind(_ values: Value...) throws(StorageError) { try bind(values) }

    private func bind(_ values: [Value]) throws(StorageError) {
        sqlite3_reset(handle)
        for (number, value) in values.enumerated() {
            let place = Int32(number + 1)
            let result =
                switch value {
                case .null: sqlite3_bind_null(handle, place)
                case .integer(let number): sqlite3_bind_int64(handle, place, number)
                case .text(let text): Self.bind(text, handle, place)
                case .bytes(let bytes): Self.bind(bytes, handle, place)
                }
            guard result == SQLITE_OK else { throw database.failure(result) }
        }
    }

    package enum Value: Sendable {
        case null
        case integer(Int64)
        case text(String)
        case bytes([UInt8])

        /// Tells that a copy would cost more than a reference.
        fileprivate var isLong: Bool {
            guard case .bytes(let bytes) = self else { return false }
            return bytes.count > 256
        }
    }

    /// Goes to the next row; false when there is none, and then the statement is ready to be bound again.
    @discardableResult
    package func step() throws(StorageError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        guard result == SQLITE_DONE else {
            let error = database.failure(result)
            sqlite3_reset(handle)
            throw error
        }
        sqlite3_reset(handle)
        return false
    }

    /// Binds values and runs to the end.
    package func run(_ values: Value...) throws(StorageError) {
        guard let place = values.lastIndex(where: { $0.isLong }), case .bytes(let bytes) = values[place] else {
            try bind(values)
            while try step() {}
            return
        }
        // Long content stays where it is while the statement runs, which saves a copy.
        var others = values
        others[place] = .null
        try bind(others)
        let result: Result<Void, StorageError> = bytes.withUnsafeBytes { content in
            let length = Int32(clamping: content.count)
            let code = understudy_sqlite_bind_lasting(handle, Int32(place + 1), content.baseAddress, length)
            defer { sqlite3_bind_null(handle, Int32(place + 1)) }
            guard code == SQLITE_OK else { return .failure(database.failure(code)) }
            do throws(StorageError) {
                while try step() {}
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    package func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    package func bytes(_ column: Int) -> [UInt8] {
        let start = sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        guard let start, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private static func bind(_ text: String, _ handle: OpaquePointer, _ place: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty text may have no address, which would be null.
                characters.baseAddress.map {
                    understudy_sqlite_bind_text(handle, place, $0, Int32(clamping: characters.count))
                } ?? understudy_sqlite_bind_text(handle, place, "", 0)
            }
        }
    }

    private static func bind(_ bytes: [UInt8], _ handle: OpaquePointer, _ place: Int32) -> Int32 {
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
        return bytes.withUnsafeBytes {
            understudy_sqlite_bind_bytes(handle, place, $0.baseAddress, Int32(clamping: $0.count))
        }
    }
}
