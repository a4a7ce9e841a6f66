import Foundation
import Persistence
import TestSupport
import Testing

@Suite struct DatabaseTests {
    private func database(_ folder: TestFolder) throws -> Database {
        let database = try Database(path: folder.path("a.sqlite"), .create)
        try database.execute("CREATE TABLE pairs (id TEXT PRIMARY KEY, value) STRICT".replacing(" STRICT", with: ""))
        return database
    }

    @Test func `4 values come back as they were bound`() throws {
        let folder = try TestFolder()
        let database = try database(folder)
        let put = try database.prepare("INSERT INTO pairs VALUES (?, ?)")
        let bytes = (0...255).map(UInt8.init)
        try put.run(.text("bytes"), .bytes(bytes))
        try put.run(.text("no bytes"), .bytes([]))
        try put.run(.text("number"), .integer(.min))
        try put.run(.text(""), .text(""))
        try put.run(.text("null"), .null)
        try put.run(.text("zero \0 inside"), .text("å\u{30A}\0"))
        let get = try database.prepare("SELECT value FROM pairs WHERE id = ?")
        func read<Value>(_ id: String, _ value: (Statement) -> Value) throws -> Value? {
            try get.bind(.text(id))
            return try get.step() ? value(get) : nil
        }
        try expectEqual(read("bytes") { $0.bytes(0) }, bytes)
        try expectEqual(read("no bytes") { $0.bytes(0) }, [])
        try expectEqual(read("no bytes") { $0.isNull(0) }, false)
        try expectEqual(read("number") { $0.integer(0) }, .min)
        try expectEqual(read("") { $0.text(0) }, "")
        try expectEqual(read("") { $0.isNull(0) }, false)
        try expectEqual(read("null") { $0.isNull(0) }, true)
        try expectEqual(read("zero \0 inside") { Array($0.text(0).utf8) }, Array("å\u{30A}\0".utf8))
        try expectNil(read("nobody") { $0.text(0) })
    }

    @Test func `4 a transaction happens in full or not at all`() throws {
        let folder = try TestFolder()
        let database = try database(folder)
        let put = try database.prepare("INSERT INTO pairs VALUES (?, ?)")
        let error = #expect(throws: StorageError.self) {
            try database.transaction { () throws(StorageError) in
                try put.run(.text("a"), .integer(1))
                try put.run(.text("a"), .integer(2))
            }
        }
        expectEqual(error?.kind, .constraint)
        try expectEqual(database.integer("SELECT count(*) FROM pairs"), 0)
        try database.transaction { () throws(StorageError) in try put.run(.text("a"), .integer(1)) }
        try expectEqual(database.integer("SELECT count(*) FROM pairs"), 1)
    }

    @Test func `4 a full disk is told as such, and the database goes on`() throws {
        let folder = try TestFolder()
        let database = try database(folder)
        try database.execute("PRAGMA max_page_count = 20")
        let put = try database.prepare("INSERT INTO pairs VALUES (?, ?)")
        let error = #expect(throws: StorageError.self) {
            try database.transaction { () throws(StorageError) in
                try put.run(.text("a"), .bytes([UInt8](repeating: 1, count: 200_000)))
            }
        }
        expectEqual(error?.kind, .full)
        try put.run(.text("b"), .integer(1))
        try expectEqual(database.integer("SELECT count(*) FROM pairs"), 1)
    }

    @Test func `4 what is no database is told as such and stays as it is`() throws {
        let folder = try TestFolder()
        let path = folder.path("a.sqlite")
        try Data("this is a text of some length, and no database at all".utf8).write(to: URL(fileURLWithPath: path))
        let before = try folder.files()
        for mode in [Database.Mode.frozen, .open(keepsLog: true)] {
            let error = #expect(throws: StorageError.self) {
                let database = try Database(path: path, mode)
                _ = try database.integer("SELECT count(*) FROM sqlite_schema")
            }
            expectEqual(error?.kind, .damaged)
        }
        try expectEqual(folder.files(), before)
        let missing = #expect(throws: StorageError.self) {
            _ = try Database(path: folder.path("nobody.sqlite"), .open(keepsLog: false))
        }
        expectEqual(missing?.kind, .notAccessible)
    }

    @Test func `4 a frozen database is read without a trace, whatever its name`() throws {
        let folder = try TestFolder()
        let path = folder.path("odd ?#%.sqlite")
        let made = try Database(path: path, .create)
        try made.execute("CREATE TABLE t (a)")
        try made.execute("PRAGMA journal_mode = WAL")
        made.close()
        let before = try folder.files()
        let frozen = try Database(path: path, .frozen)
        try expectEqual(frozen.texts("SELECT name FROM sqlite_schema"), ["t"])
        #expect(throws: StorageError.self) { try frozen.execute("INSERT INTO t VALUES (1)") }
        frozen.close()
        try expectEqual(folder.files(), before)
    }

    @Test func `4 a log that is kept is left as it is`() throws {
        let folder = try TestFolder()
        let path = folder.path("a.sqlite")
        let writer = try Database(path: path, .create)
        try writer.execute("PRAGMA journal_mode = WAL")
        try writer.execute("CREATE TABLE t (a)")
        // As it lies after a kill.
        let files = try folder.files()
        writer.close()
        let copy = try TestFolder()
        for (name, data) in files where !name.hasSuffix("-shm") {
            try data.write(to: copy.url.appendingPathComponent(name))
        }
        let before = try copy.files()
        expectEqual(before.keys.sorted(), ["a.sqlite", "a.sqlite-wal"])
        let reader = try Database(path: copy.path("a.sqlite"), .open(keepsLog: true))
        try reader.execute("PRAGMA locking_mode = EXCLUSIVE")
        try expectEqual(reader.texts("SELECT name FROM sqlite_schema"), ["t"])
        reader.close()
        try expectEqual(copy.files(), before)
    }

    @Test func `4 a folder is held by one, until that one lets go`() throws {
        let folder = try TestFolder()
        var first = try FolderLock(folder.url.path)
        #expect(first != nil)
        try expectNil(FolderLock(folder.url.path))
        first = nil
        #expect(try FolderLock(folder.url.path) != nil)
        #expect(throws: StorageError.self) { _ = try FolderLock(folder.path("nobody")) }
    }

    @Test func `4 a file is replaced in full, and the previous copy stays`() throws {
        let folder = try TestFolder()
        let path = folder.path("world.json")
        try FileReplacement.write(Array("one".utf8), to: path)
        try expectEqual(folder.files(), ["world.json": Data("one".utf8)])
        try FileReplacement.write(Array("two".utf8), to: path)
        try FileReplacement.write(Array("three".utf8), to: path)
        try expectEqual(folder.files(), ["world.json": Data("three".utf8), "world.json.previous": Data("two".utf8)])
        let error = #expect(throws: StorageError.self) {
            try FileReplacement.write([], to: folder.path("nobody/world.json"))
        }
        expectEqual(error?.kind, .notAccessible)
    }

    @Test func `4 a file that can't be finished leaves the old one as it was`() throws {
        let folder = try TestFolder()
        let path = folder.path("world.json")
        try FileReplacement.write(Array("one".utf8), to: path)
        try FileManager.default.createDirectory(atPath: path + ".unfinished", withIntermediateDirectories: false)
        #expect(throws: StorageError.self) { try FileReplacement.write(Array("two".utf8), to: path) }
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), Data("one".utf8))
    }
}
