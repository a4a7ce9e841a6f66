import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

#if os(macOS) || os(Linux)
/// Two real processes at one store, and a process whose disk is full: each of these tests runs another process.
///
/// They run one by one, because Swift Testing keeps a thread of the few that run tasks until the other process has ended.
@MainActor
@Suite(.serialized, .understudy(clock: .frozen(at: noon)), .watched(patience: SecondProcess.longestRun + 60))
struct ProcessTests {
    private let folder = StoreTests.folder()

    /// What another process needs for a device of the same user at the same store.
    private func address() async throws -> SecondProcess {
        let world = try World.current
        return SecondProcess(
            folder: folder.path,
            backend: world.url(.trendy).absoluteString,
            token: try await world.token(.trendy, user: Account.new.mail)
        )
    }

    @Test func `changes of two processes at one folder take turns, and none is lost`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, count) = (folder.path, 40)
        let child = Task<Void, Never> {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try await SecondProcess.run {
                    SecondProcess.leave("here", in: path)
                    try await SecondProcess.waitFor("go", in: path)
                    try SecondProcess.count(40, in: path)
                }
            }
        }
        try await SecondProcess.beside(child, in: path) {
            try await SecondProcess.waitFor("here", in: path)
            SecondProcess.leave("go", in: path)
            try await Task.detached { try SecondProcess.count(40, in: path) }.value
        }
        let text = try #require(try FileStore(folder: folder).data(forKey: "n"))
        expectEqual(SecondProcess.number(text), 2 * count)
    }

    @Test func `an app and its extension in two processes lose no step and no answer`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await Device(store: FileStore(folder: folder))
        app.transport.isOffline = true
        let second = try await address()
        let child = Task<Void, Never> {
            await #expect(processExitsWith: .success) { [second = second as SecondProcess] in
                try await SecondProcess.run {
                    let service = second.service(isOffline: true)
                    SecondProcess.leave("here", in: second.folder)
                    try await SecondProcess.waitFor("go", in: second.folder)
                    service.markStepCompleted(.auth)
                    for status in SecondProcess.statuses { service.recordPermission(.healthKit, status) }
                    await service.waitForRunningWork()
                    expectNil(service.lastStoreError)
                }
            }
        }
        try await SecondProcess.beside(child, in: second.folder) {
            try await SecondProcess.waitFor("here", in: second.folder)
            SecondProcess.leave("go", in: second.folder)
            app.service.markStepCompleted(.welcome)
            for status in SecondProcess.statuses { app.service.recordPermission(.location, status) }
            await app.quiet()
            expectNil(app.service.lastStoreError)
        }
        // The app sees what the extension did, and sends it all.
        expectEqual(app.service.readCachedStatus()?.step, .permissions)
        app.transport.isOffline = false
        await expectEqual(app.service.sync().status?.step, .permissions)
        let record = try await app.record()
        #expect((record.welcomeCompletedAt, record.authCompletedAt) == (noon, noon))
        #expect((record.locationStatus, record.healthkitStatus) == ("granted", "granted"))
        #expect(!app.service.hasPendingChanges)
    }

    @Test(arguments: [Fault.Phase.before, .after])
    func `T27 a process that dies while its push is out loses nothing`(phase: Fault.Phase) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await Device(store: FileStore(folder: folder))
        let second = try await address()
        let gate = try await app.gate("out", on: change, phase: phase)
        let child = Task<Void, Never> {
            await #expect(processExitsWith: .signal(SIGKILL)) { [second = second as SecondProcess] in
                try await SecondProcess.run {
                    let service = second.service()
                    service.markStepCompleted(.welcome)
                    try await SecondProcess.waitFor("die", in: second.folder)
                    raise(SIGKILL)
                    await service.waitForRunningWork()
                }
            }
        }
        try await SecondProcess.beside(child, in: second.folder) {
            try await gate.held()
            SecondProcess.leave("die", in: second.folder)
        }
        try await gate.remove()
        // The user opens the app again.
        app.restart()
        expectEqual(app.service.currentStatus?.step, .auth)
        #expect(app.service.hasPendingChanges)
        await expectEqual(app.service.sync().status?.step, .auth)
        #expect(!app.service.hasPendingChanges)
        try await expectEqual(app.record().welcomeCompletedAt, noon)
    }

    @Test func `a process that dies in the middle of a change leaves the former value, and no lock`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(folder: folder, patience: 0)
        try SecondProcess.count(1, in: folder.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            try await SecondProcess.run {
                try FileStore(folder: URL(filePath: path)).update {
                    (transaction: inout StoreTransaction) throws(StoreError) in
                    try transaction.set(nil, forKey: "n")
                    raise(SIGKILL)
                }
            }
        }
        expectEqual(SecondProcess.number(try #require(try store.data(forKey: "n"))), 1)
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try transaction.set(nil, forKey: "n")
        }
        try expectEqual(store.keys(withPrefix: ""), [])
    }

    @Test func `a disk that is full costs no value of a file store, and leaves nothing behind`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try await SecondProcess.run {
                let store = FileStore(folder: URL(filePath: path))
                try SecondProcess.count(1, in: path)
                let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                SecondProcess.fillDisk()
                #expect(throws: StoreError.self) { try SecondProcess.count(1, in: path) }
                // A new value is refused as one that replaces another.
                #expect(throws: StoreError.self) {
                    try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                        try transaction.set(Data("1".utf8), forKey: "m")
                    }
                }
                expectEqual(SecondProcess.number(try #require(try store.data(forKey: "n"))), 1)
                try expectEqual(store.keys(withPrefix: ""), ["n"])
                try expectEqual(FileManager.default.contentsOfDirectory(atPath: path).sorted(), files)
                SecondProcess.clearDisk()
                try SecondProcess.count(1, in: path)
                expectEqual(SecondProcess.number(try #require(try store.data(forKey: "n"))), 2)
            }
        }
    }

    @Test func `on a disk that is full a step shows, is sent, and is stored when there is room`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let second = try await address()
        await #expect(processExitsWith: .success) { [second = second as SecondProcess] in
            try await SecondProcess.run {
                let service = second.service()
                service.markStepCompleted(.welcome)
                await service.waitForRunningWork()
                expectNil(service.lastStoreError)
                SecondProcess.fillDisk()
                service.markStepCompleted(.auth)
                expectEqual(service.currentStatus?.step, .permissions)
                expectEqual(service.readCachedStatus()?.step, .permissions)
                guard case .unwritable = service.lastStoreError else {
                    Issue.record("the disk was not full: \(String(describing: service.lastStoreError))")
                    return
                }
                await service.waitForRunningWork()
                #expect(!service.hasPendingChanges)
                expectNil(service.lastSyncError)
                // What was stored before is whole.
                expectEqual(second.service().readCachedStatus()?.step, .auth)
                SecondProcess.clearDisk()
                await expectEqual(service.sync().status?.step, .permissions)
                expectNil(service.lastStoreError)
                expectEqual(second.service().currentStatus?.step, .permissions)
                #expect(!second.service().hasPendingChanges)
            }
        }
        let record = try await Device().record()
        #expect((record.welcomeCompletedAt, record.authCompletedAt) == (noon, noon))
    }
}
#endif
