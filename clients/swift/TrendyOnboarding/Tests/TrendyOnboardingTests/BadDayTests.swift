import Foundation
import Observation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// Days on which something is broken: nothing that the user did is lost, nothing crashes, and nothing is shown that belongs to
/// somebody else.
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct BadDayTests {
    let entryKey = "onboarding_status_\(Account.new.id)"
    let pendingKey = "onboarding_pending_\(Account.new.id)"

    @Test(arguments: ["", "{", "\u{0}", "[1,2]", #"{"user_id":7}"#])
    func `a damaged entry shows what waits, and heals with the next sync`(bytes: String) async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        try device.memory[entryKey] = bytes
        device.restart()
        expectEqual(device.service.currentStatus?.step, .auth)
        expectNil(device.service.cache.read(Account.new.id))
        device.service.markStepCompleted(.auth)
        expectEqual(device.service.currentStatus?.step, .permissions)
        await device.quiet()
        device.transport.isOffline = false
        await expectEqual(device.service.sync().status?.step, .permissions)
        expectEqual(device.service.cache.read(Account.new.id)?.step, .permissions)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test(arguments: ["", "{", "\u{0}", "[1,2]", #"{"members":[]}"#])
    func `damaged pending changes are made again of the entry, and kept aside`(bytes: String) async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        device.service.completeOnboarding()
        await device.quiet()
        try device.memory[pendingKey] = bytes
        device.restart()
        #expect(device.service.hasPendingChanges)
        device.transport.isOffline = false
        _ = await device.service.sync()
        let record = try await device.record()
        #expect((record.completed, record.welcomeCompletedAt, record.permissionsCompletedAt) == (true, noon, noon))
        #expect(!device.service.hasPendingChanges)
        try expectEqual(device.memory["onboarding_unread_\(Account.new.id)"], bytes)
        #expect(device.service.isOnboardingComplete())
    }

    @Test func `both damaged is a new beginning, and no crash`() async throws {
        let device = try await Device(.welcome)
        try device.memory["onboarding_status_\(Account.welcome.id)"] = "{"
        try device.memory["onboarding_pending_\(Account.welcome.id)"] = "{"
        device.restart()
        expectNil(device.service.currentStatus)
        await expectEqual(device.service.sync().status?.step, .auth)
    }

    @Test func `what a newer version left waiting is not sent, and not lost`() async throws {
        let device = try await Device()
        try device.memory[pendingKey] = """
            {"members":{"camera_status":{"token":"n1","value":{"mode":["front"],"n":9007199254740993}},\
            "location_status":{"token":"n2","value":"precise"},\
            "welcome_completed_at":{"token":"n3","value":"2025-01-01T11:00:00Z"}},"later":{"x":1}}
            """
        try device.memory[entryKey] = """
            {"user_id":"\(Account.new.id)","completed":false,"last_updated_at":"2025-01-01T11:00:00Z","version":2,\
            "welcome_completed_at":"2025-01-01T11:00:00Z"}
            """
        device.restart()
        expectEqual(device.service.currentStatus?.step, .auth)
        #expect(device.service.hasPendingChanges)
        device.service.markStepCompleted(.auth)
        await device.quiet()
        try await expectEqual(
            device.calls(),
            [
                """
                PATCH 200 {"auth_completed_at":"2025-01-01T12:00:00Z","welcome_completed_at":"2025-01-01T11:00:00Z"}
                """
            ]
        )
        #expect(!device.service.hasPendingChanges)
        let left = try #require(try device.memory[pendingKey])
        #expect(left.contains(#""camera_status":{"token":"n1","value":{"mode":["front"],"n":9007199254740993}}"#))
        #expect(left.contains(#""location_status":{"token":"n2","value":"precise"}"#))
        expectEqual(device.time.sleeps, [])
    }

    @Test func `the entry of another account is neither shown nor sent`() async throws {
        let device = try await Device()
        try device.memory[entryKey] = """
            {"user_id":"\(Account.completed.id)","completed":true,"last_updated_at":"2025-01-01T11:00:00Z"}
            """
        device.restart()
        expectNil(device.service.currentStatus)
        #expect(!device.service.isOnboardingComplete())
        await expectEqual(device.service.sync().status?.step, .welcome)
        expectEqual(device.transport.sent.map(\.method), [.get])
    }

    @Test func `on a full disk a step shows, is sent, and is stored when there is room`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        try device.memory.become(.full)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        expectEqual(device.service.currentStatus?.step, .auth)
        expectEqual(device.service.readCachedStatus()?.welcomeCompletedAt, noon)
        #expect(device.service.hasPendingChanges)
        expectEqual(device.service.lastStoreError, .unwritable(reason: "full"))
        try expectEqual(device.memory.keys, [])
        // The change is sent from memory.
        device.transport.isOffline = false
        device.service.markStepCompleted(.auth)
        await device.quiet()
        try await expectEqual(device.record().welcomeCompletedAt, noon)
        #expect(!device.service.hasPendingChanges)
        try device.memory.become(.good)
        await expectEqual(device.service.sync().status?.step, .permissions)
        expectNil(device.service.lastStoreError)
        device.restart()
        expectEqual(device.service.currentStatus?.step, .permissions)
    }

    @Test func `a store that fails half-way loses nothing, and the step is sent`() async throws {
        let device = try await Device()
        try device.memory.become(.halfFull)
        device.service.markStepCompleted(.welcome)
        expectEqual(device.service.currentStatus?.step, .auth)
        await device.quiet()
        try await expectEqual(device.record().welcomeCompletedAt, noon)
        #expect(!device.service.hasPendingChanges)
        try device.memory.become(.good)
        _ = await device.service.sync()
        device.restart()
        expectEqual(device.service.currentStatus?.step, .auth)
        #expect(!device.service.hasPendingChanges)
    }

    @Test func `on a full disk what waits is stored with the first change that can be`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        try device.memory.become(.full)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        try device.memory.become(.good)
        device.service.markStepCompleted(.auth)
        await device.quiet()
        device.restart()
        expectEqual(device.service.currentStatus?.step, .permissions)
        device.transport.isOffline = false
        _ = await device.service.sync()
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test func `what finds the store busy is stored before the app goes to the background`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        // The change, the beginning of its push, its end, and three attempts of the wait.
        try device.memory.beBusy(times: 6)
        device.service.markStepCompleted(.welcome)
        expectEqual(device.service.lastStoreError, .busy)
        await device.quiet()
        expectNil(device.service.lastStoreError)
        device.restart()
        expectEqual(device.service.currentStatus?.step, .auth)
        #expect(device.service.hasPendingChanges)
    }

    @Test func `a store that is busy for good holds nobody, and loses nothing when it is free`() async throws {
        let device = try await Device()
        try device.memory.beBusy(times: .max)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        expectEqual(device.service.lastStoreError, .busy)
        expectEqual(device.service.currentStatus?.step, .auth)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
        try device.memory.beBusy(times: 0)
        await device.quiet()
        expectNil(device.service.lastStoreError)
        device.restart()
        expectEqual(device.service.currentStatus?.step, .auth)
        #expect(!device.service.hasPendingChanges)
    }

    @Test func `what a deleted account leaves on a busy store goes, and what its user does next stays`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.auth)
        await device.quiet()
        try device.memory.beBusy(times: 2)
        device.service.handleAccountDeleted(Account.new.id)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        device.restart()
        expectEqual(device.service.readCachedStatus()?.welcomeCompletedAt, noon)
        expectNil(device.service.readCachedStatus()?.authCompletedAt)
        // With nothing else to store it goes, too.
        try device.memory.beBusy(times: 2)
        device.service.handleAccountDeleted(Account.new.id)
        await device.quiet()
        try expectEqual(device.memory.keys, [])
    }

    @Test func `a store that can't be read now is not taken for an empty one`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        // A locked device: the extension starts, and reads nothing.
        try device.memory.become(.unreadable)
        device.restart()
        device.time.advance(by: .seconds(60))
        expectNil(device.service.currentStatus)
        device.service.markStepCompleted(.welcome)
        device.service.markStepCompleted(.auth)
        await device.quiet()
        try device.memory.become(.good)
        // What was stored is older, and wins.
        expectEqual(device.service.readCachedStatus()?.welcomeCompletedAt, noon)
        expectEqual(device.service.readCachedStatus()?.authCompletedAt, noon.addingTimeInterval(60))
        device.transport.isOffline = false
        _ = await device.service.sync()
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test func `an account that is deleted on a full disk is not shown any more`() async throws {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        try device.memory.become(.full)
        device.service.handleAccountDeleted(Account.completed.id)
        expectNil(device.service.currentStatus)
        expectNil(device.service.readCachedStatus())
        try device.memory.become(.good)
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        expectEqual(device.service.readCachedStatus()?.completed, false)
    }

    nonisolated static let damages: [Effect] = [
        .body(.html), .body(.invalidJSON), .body(.empty), .body(.truncatedJSON), .driftRemove("user_id"),
        .driftRetype("completed", as: "string"), .driftSet("welcome_completed_at", to: "yesterday"),
        .connection(.truncate), .connection(.garbage), .connection(.reset), .connection(.empty),
    ]

    @Test(arguments: damages.indices)
    func `an answer that is no record leaves the cache alone`(index: Int) async throws {
        let device = try await Device(.welcome)
        let fresh = await device.service.sync()
        try await device.world.fail(Self.damages[index], on: read)
        guard case .stale(let status, let error) = await device.service.sync() else {
            Issue.record("the answer was taken")
            return
        }
        expectEqual(status, fresh.status)
        expectEqual(device.service.lastSyncError, error)
        try await device.world.removeFaults()
        await expectEqual(device.service.sync(), fresh)
    }

    @Test(arguments: damages.indices)
    func `a push whose answer is no record keeps what was sent`(index: Int) async throws {
        let device = try await Device()
        // A network with a sign-in page answers 200 to everything.
        try await device.world.fail(Self.damages[index], on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        #expect(device.service.hasPendingChanges)
        #expect(device.service.lastSyncError != nil)
        _ = await device.service.sync()
        #expect(!device.service.hasPendingChanges)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test func `what could not be removed of a deleted account goes with a change of another one`() async throws {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        try device.memory.become(.full)
        device.service.handleAccountDeleted(Account.completed.id)
        expectEqual(device.service.lastStoreError, .unwritable(reason: "full"))
        try device.memory.become(.good)
        try await device.signIn(.second)
        // The error of one user is not another's.
        expectNil(device.service.lastStoreError)
        _ = await device.service.sync()
        try expectEqual(
            device.memory.keys,
            ["onboarding_any_user_completed", "onboarding_status_\(Account.second.id)"]
        )
    }

    @Test func `unknown members and values in an answer are tolerated`() async throws {
        let device = try await Device(.completed)
        try await device.world.set(["trendy": ["onboarding": ["permissions": "provisional", "unset": "null"]]])
        try await device.world.fail(.driftAdd("theme", ["dark": true]), on: read)
        await expectEqual(device.service.sync().status?.completed, true)
        expectNil(device.service.lastSyncError)
    }

    @Test func `both forms of errors are understood`() async throws {
        let device = try await Device()
        try await device.world.fail(.status(503, retryAfter: 0), on: read, times: 1)
        guard case .stale(_, .refused(503, let text?)) = await device.service.sync() else {
            Issue.record("no text")
            return
        }
        #expect(!text.isEmpty)
        try await device.world.fail(.body(.html), on: read)
        guard case .stale(_, .unreadableAnswer) = await device.service.sync() else {
            Issue.record("a page was taken for a record")
            return
        }
    }

    @Test func `a server that is away for a week loses nothing`() async throws {
        let device = try await Device()
        try await device.world.fail(.connection(.reset), on: Match(.trendy))
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        for day in 1...7 {
            device.time.advance(by: .seconds(86_400))
            try await device.world.advance(by: .seconds(86_400))
            if day == 3 { device.service.recordPermission(.location, .denied) }
            if day == 5 { device.service.markStepCompleted(.auth) }
            device.restart()
            await expectEqual(device.service.sync(timeout: .seconds(3)).status?.welcomeCompletedAt, noon)
            #expect(device.service.hasPendingChanges)
        }
        try await device.world.removeFaults()
        try await device.signIn(.new)
        await expectEqual(device.service.sync().status?.step, .permissions)
        #expect(!device.service.hasPendingChanges)
        let record = try await device.record()
        expectEqual(record.welcomeCompletedAt, noon)
        expectEqual(record.authCompletedAt, noon.addingTimeInterval(5 * 86_400))
        expectEqual(record.locationStatus, "denied")
    }

    @Test func `an app and its extension at one cache see each other's steps`() async throws {
        let folder = StoreTests.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await Device(store: FileStore(folder: folder))
        let other = try await Device(store: FileStore(folder: folder))
        app.transport.isOffline = true
        other.transport.isOffline = true
        app.service.markStepCompleted(.welcome)
        other.service.markStepCompleted(.auth)
        app.service.recordPermission(.location, .granted)
        other.time.advance(by: .seconds(60))
        // The first time wins in both.
        other.service.markStepCompleted(.welcome)
        await app.quiet()
        await other.quiet()
        expectEqual(app.service.readCachedStatus()?.step, .permissions)
        expectEqual(other.service.readCachedStatus(), app.service.readCachedStatus())
        other.transport.isOffline = false
        _ = await other.service.sync()
        let record = try await app.record()
        #expect((record.welcomeCompletedAt, record.authCompletedAt) == (noon, noon))
        expectEqual(record.locationStatus, "granted")
        app.transport.isOffline = false
        _ = await app.service.sync()
        #expect(!app.service.hasPendingChanges)
        // The app's own attempts without a network: what the extension has sent is not sent again.
        expectEqual(app.transport.sent.filter { $0.method == .patch }.count, 2)
    }

    @Test func `of two processes that push one member the later change wins`() async throws {
        let store = MemoryStore()
        let app = try await Device(store: store)
        let other = try await Device(store: store)
        let late = Match(.trendy, "PATCH", onboarding, body: ["location_status": "denied"])
        let gate = try await app.gate("late", on: late)
        app.service.recordPermission(.location, .denied)
        try await gate.held()
        other.service.recordPermission(.location, .granted)
        await other.quiet()
        // The backend has confirmed the later change, but the earlier one is still on its way, and will win there.
        #expect(other.service.hasPendingChanges)
        try await gate.remove()
        await app.quiet()
        try await expectEqual(app.record().locationStatus, "denied")
        // So the later one is sent once more.
        try await app.time.waitForSleep(of: .seconds(1))
        app.time.advance(by: .seconds(1))
        try await app.until { !app.service.hasPendingChanges }
        try await expectEqual(app.record().locationStatus, "granted")
    }

    @Test func `of two processes a read that is older than a push is read again`() async throws {
        let store = MemoryStore()
        let app = try await Device(store: store)
        let other = try await Device(store: store)
        let gate = try await app.gate("old", on: read, phase: .after)
        async let result = app.service.sync()
        try await gate.held()
        other.service.markStepCompleted(.welcome)
        await other.quiet()
        #expect(!other.service.hasPendingChanges)
        try await gate.remove()
        await expectEqual(result.status?.step, .auth)
        expectEqual(app.service.readCachedStatus()?.step, .auth)
    }

    @Test func `a push that died with its process is forgotten in time`() throws {
        var pending = PendingChanges()
        var request = UpdateOnboardingStatusRequest()
        request.locationStatus = .set(.denied)
        pending.merge(request, token: "1")
        _ = pending.begin("dead", at: noon)
        request.locationStatus = .set(.granted)
        pending.merge(request, token: "2")
        let soon = pending.begin("a", at: noon.addingTimeInterval(PendingChanges.longestFlight - 1))
        pending.confirm(try #require(soon))
        #expect(!pending.isEmpty)
        let later = pending.begin("b", at: noon.addingTimeInterval(PendingChanges.longestFlight))
        pending.confirm(try #require(later))
        #expect(pending.isEmpty)
        #expect(pending.flights.isEmpty)
    }

    @Test func `views are told of a change`() async throws {
        #if canImport(Observation)
        let device = try await Device()
        let told = NotificationCounter()
        withObservationTracking {
            _ = device.service.currentStatus
        } onChange: {
            told.tell()
        }
        device.service.markStepCompleted(.welcome)
        expectEqual(told.count, 1)
        await device.quiet()
        #endif
    }
}
