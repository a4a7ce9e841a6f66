import Foundation
import Testing

@testable import TrendyOnboarding

/// The stores that come with the library.
@Suite struct StoreTests {
    static func folder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("onboarding-\(UUID().uuidString)")
    }

    private static let data = Data("1".utf8)

    private func exercise(_ store: any KeyValueStore) throws {
        try expectNil(store.data(forKey: "a_B"))
        try expectEqual(store.keys(withPrefix: "").filter { $0.hasPrefix("a_") }, [])
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try transaction.set(Self.data, forKey: "a_B")
            try transaction.set(Self.data, forKey: "a_b")
            try transaction.set(Self.data, forKey: "a_/../ü.%41")
            try expectEqual(transaction.data(forKey: "a_b"), Self.data)
            try transaction.set(nil, forKey: "a_b")
            try expectNil(transaction.data(forKey: "a_b"))
            try expectEqual(transaction.keys(withPrefix: "a_"), ["a_/../ü.%41", "a_B"])
        }
        try expectEqual(store.keys(withPrefix: "a_").sorted(), ["a_/../ü.%41", "a_B"])
        try expectEqual(store.data(forKey: "a_B"), Self.data)
        try expectNil(store.data(forKey: "a_b"))
        // A change that throws stores nothing.
        #expect(throws: StoreError.busy) {
            try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                try transaction.set(nil, forKey: "a_B")
                throw StoreError.busy
            }
        }
        try expectEqual(store.data(forKey: "a_B"), Self.data)
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            for key in try transaction.keys(withPrefix: "a_") { try transaction.set(nil, forKey: key) }
        }
        try expectEqual(store.keys(withPrefix: "a_"), [])
    }

    @Test func `a file store keeps values under any key`() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try exercise(FileStore(folder: folder))
        // On some disks names that differ in case are one file.
        #expect(FileStore.name("a_B").lowercased() != FileStore.name("a_b").lowercased())
    }

    @Test func `user defaults keep values under any key`() throws {
        let suite = "understudy.onboarding.\(UUID().uuidString)"
        defer { UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite) }
        try exercise(UserDefaultsStore(suiteName: suite))
    }

    @Test func `the cache works over both`() throws {
        let folder = Self.folder()
        let suite = "understudy.onboarding.\(UUID().uuidString)"
        defer {
            try? FileManager.default.removeItem(at: folder)
            UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
        }
        for store in [FileStore(folder: folder), UserDefaultsStore(suiteName: suite)] as [any KeyValueStore] {
            let cache = OnboardingCache(store: store)
            let status = CachedOnboardingStatus(userId: "A", completed: true, lastUpdatedAt: noon)
            try cache.write(status)
            expectEqual(cache.read("a"), status)
            #expect(cache.hasAnyUserCompletedOnboarding())
            try cache.clearAll()
            expectNil(cache.read("a"))
            #expect(!cache.hasAnyUserCompletedOnboarding())
        }
    }

    @Test func `changes of two processes at one folder take turns`() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let count = 50
        // A lock belongs to the open file, so two stores exclude each other as two processes do.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...2 {
                group.addTask {
                    // No patience: a test that waits in a thread keeps it from others, which may be what it waits for.
                    let store = FileStore(folder: folder, patience: 0)
                    var done = 0
                    while done < count {
                        do {
                            try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                                let text = try transaction.data(forKey: "n").map { String(decoding: $0, as: UTF8.self) }
                                let number = text.flatMap { Int($0) } ?? 0
                                try transaction.set(Data("\(number + 1)".utf8), forKey: "n")
                            }
                            done += 1
                        } catch StoreError.busy {
                            await Task.yield()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(FileStore(folder: folder).data(forKey: "n"), Data("\(2 * count)".utf8))
    }

    @Test func `a lock that another process keeps is an error, and no hang`() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(folder: folder, patience: 2)
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try transaction.set(Self.data, forKey: "a")
        }
        try store.update { (_: inout StoreTransaction) throws(StoreError) in
            #expect(throws: StoreError.busy) {
                try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                    try transaction.set(nil, forKey: "a")
                }
            }
            // A read waits for nobody.
            try expectEqual(store.data(forKey: "a"), Self.data)
        }
    }

    #if os(Linux)
    @Test func `a lock is given back though another process has a copy of the open file`() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(folder: folder, patience: 0)
        // What a process that is started meanwhile would have.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        try store.update { (_: inout StoreTransaction) throws(StoreError) in
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let held = files.compactMap { Int32($0) }.filter { number in
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return file?.hasSuffix("\(folder.lastPathComponent)/\(FileStore.lockName)") == true
            }
            for number in held {
                #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
                copies.append(dup(number))
            }
        }
        expectEqual(copies.count, 1)
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try transaction.set(Self.data, forKey: "a")
        }
        try expectEqual(store.data(forKey: "a"), Self.data)
    }
    #endif

    @Test func `a store waits twenty milliseconds at most, because the screen waits with it`() {
        expectEqual(FileStore(folder: Self.folder()).patience, 20)
    }

    @Test func `a folder that can't be written is an error`() throws {
        let file = Self.folder()
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let store = FileStore(folder: file.appendingPathComponent("below"))
        #expect(throws: StoreError.self) {
            try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                try transaction.set(Self.data, forKey: "a")
            }
        }
    }

    @Test func `a value that exists and can't be read is not absent`() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // A folder in the place of the file: no read succeeds, whoever runs the test.
        let place = folder.appendingPathComponent(FileStore.name("a"))
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        #expect(throws: StoreError.self) { try FileStore(folder: folder).data(forKey: "a") }
    }
}
