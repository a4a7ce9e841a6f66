import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// Resets, and users who come and go (Trendy contract, section 11.3).
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct ResetAndUserTests {
    @Test func `T33 a reset takes the backend's answer`() async throws {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        device.service.recordPermission(.notifications, .denied)
        await device.quiet()
        #expect(device.service.hasPendingChanges)
        device.transport.isOffline = false
        try await device.service.resetOnboarding()
        let status = try #require(device.service.currentStatus)
        #expect((status.completed, status.step) == (false, .welcome))
        expectEqual(device.service.readCachedStatus(), status)
        #expect(!device.service.hasPendingChanges)
        expectNil(device.service.lastSyncError)
        try await expectEqual(device.calls(), ["GET 200", "DELETE 200"])
        try await expectEqual(device.record(of: .completed).notificationsStatus, "granted")
        // Somebody has completed onboarding on this device.
        #expect(device.service.cache.hasAnyUserCompletedOnboarding())
    }

    @Test func `T34 L18 a reset that fails leaves everything as it was`() async throws {
        let device = try await Device(.welcome)
        _ = await device.service.sync()
        device.transport.isOffline = true
        device.service.markStepCompleted(.auth)
        await device.quiet()
        device.transport.isOffline = false
        let before = (device.service.readCachedStatus(), device.service.currentStatus)
        try await device.world.fail(.status(500), on: reset)
        try await device.world.fail(.status(500), on: change)
        let error = OnboardingError.refused(status: 500, message: "failed to reset onboarding status")
        await #expect(throws: error) { try await device.service.resetOnboarding() }
        expectEqual(device.service.readCachedStatus(), before.0)
        expectEqual(device.service.currentStatus, before.1)
        #expect(device.service.hasPendingChanges)
        await device.quiet()
        expectEqual(device.service.readCachedStatus(), before.0)
        try await device.world.removeFaults()
        _ = await device.service.sync()
        try await expectEqual(device.record(of: .welcome).authCompletedAt, noon)
    }

    @Test func `T34 L18 a reset whose answer is lost is thrown, and the next sync shows what became of it`()
        async throws
    {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        device.transport.isOffline = true
        device.service.recordPermission(.location, .granted)
        await device.quiet()
        device.transport.isOffline = false
        let before = device.service.readCachedStatus()
        try await device.world.fail(.connection(.empty), on: reset, times: 1, phase: .after)
        // What waits must not be sent before the state is compared.
        try await device.world.fail(.status(500), on: change, times: 1)
        await #expect(throws: OnboardingError.self) { try await device.service.resetOnboarding() }
        await device.quiet()
        expectEqual(device.service.readCachedStatus(), before)
        #expect(device.service.hasPendingChanges)
        await expectEqual(device.service.sync().status?.step, .welcome)
        #expect(!device.service.isOnboardingComplete())
        try await expectEqual(device.record(of: .completed).locationStatus, "granted")
    }

    @Test func `T35 L19 a reset drops the push that waits`() async throws {
        let device = try await Device(.welcome)
        let gate = try await device.gate("lane", on: read)
        async let sync = device.service.sync()
        try await gate.held()
        device.service.markStepCompleted(.auth)
        async let done: Void = device.service.resetOnboarding()
        try await device.until { device.service.resets.isEmpty == false }
        try await gate.remove()
        _ = await sync
        try await done
        await device.quiet()
        try await expectEqual(device.calls(), ["GET 200", "DELETE 200"])
        expectEqual(device.service.currentStatus?.step, .welcome)
        #expect(!device.service.hasPendingChanges)
        try await expectNil(device.record(of: .welcome).authCompletedAt)
    }

    @Test func `L19 a push that runs ends before the reset`() async throws {
        let device = try await Device(.welcome)
        let gate = try await device.gate("push", on: change)
        device.service.markStepCompleted(.auth)
        try await gate.held()
        async let done: Void = device.service.resetOnboarding()
        try await device.until { device.service.resets.isEmpty == false }
        try await gate.remove()
        try await done
        try await expectNil(device.record(of: .welcome).authCompletedAt)
        expectEqual(device.transport.most, 1)
        expectEqual(device.service.currentStatus?.step, .welcome)
    }

    @Test func `L19 a step during the reset is a new one, and is sent`() async throws {
        let device = try await Device(.auth)
        _ = await device.service.sync()
        let gate = try await device.gate("reset", on: reset)
        async let done: Void = device.service.resetOnboarding()
        try await gate.held()
        device.service.recordPermission(.location, .granted)
        device.service.markStepCompleted(.permissions)
        try await gate.remove()
        try await done
        await device.quiet()
        let record = try await device.record(of: .auth)
        #expect((record.authCompletedAt, record.permissionsCompletedAt) == (nil, noon))
        expectEqual(record.locationStatus, "granted")
        expectEqual(device.service.currentStatus?.step, .finish)
    }

    @Test func `T36 L20 a sign-out during a sync shows nothing`() async throws {
        let device = try await Device(.completed, deaf: true)
        let gate = try await device.gate("slow", on: read, phase: .after)
        async let result = device.service.sync()
        try await gate.held()
        device.service.handleLogout()
        await expectEqual(result, .notAuthenticated)
        try await gate.remove()
        await device.quiet()
        expectNil(device.service.currentStatus)
        #expect(!device.service.isSyncing)
        expectNil(device.service.lastSyncError)
        device.identity.signIn(nil)
        expectNil(device.service.readCachedStatus())
    }

    @Test func `T36 L20 a sign-out during a push shows nothing, even while the identity names the user`() async throws {
        let device = try await Device(.new, deaf: true)
        let gate = try await device.gate("slow", on: change, phase: .after)
        device.service.markStepCompleted(.welcome)
        try await gate.held()
        device.service.handleLogout()
        try await gate.remove()
        await device.quiet()
        expectNil(device.service.currentStatus)
        #expect(!device.service.hasPendingChanges)
        expectNil(device.service.lastSyncError)
        #expect(device.service.shown.users.isEmpty)
        // What waits is still there for the next call.
        await expectEqual(device.service.sync().status?.step, .auth)
    }

    @Test func `T36 the end of a pause sends nothing after a sign-out`() async throws {
        let device = try await Device()
        try await device.world.fail(.status(429, retryAfter: 60), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        try await device.time.waitForSleep(of: .seconds(60))
        device.service.handleLogout()
        device.time.advance(by: .seconds(60))
        try await device.until { device.service.pause == nil }
        await device.quiet()
        expectEqual(device.transport.sent.count, 1)
        expectNil(device.service.currentStatus)
    }

    @Test func `11-3 a reset that its caller cancels leaves the changes to a push`() async throws {
        let device = try await Device(.welcome)
        device.transport.isOffline = true
        device.service.markStepCompleted(.auth)
        await device.quiet()
        device.transport.isOffline = false
        let gate = try await device.gate("reset", on: reset)
        let work = Task { try await device.service.resetOnboarding() }
        try await gate.held()
        work.cancel()
        await #expect(throws: OnboardingError.cancelled) { try await work.value }
        try await gate.remove()
        await device.quiet()
        #expect(!device.service.hasPendingChanges)
        try await expectEqual(device.record(of: .welcome).authCompletedAt, noon)
    }

    @Test(arguments: [true, false])
    func `11-3 a sign-out answers the caller of a reset at once, and its late answer changes nothing`(
        isDeleted: Bool
    ) async throws {
        let device = try await Device(.completed, deaf: true)
        _ = await device.service.sync()
        let before = try device.memory.keys.map { try device.memory[$0] }
        let gate = try await device.gate("reset", on: reset, phase: .after)
        let work = Task { try await device.service.resetOnboarding() }
        try await gate.held()
        if isDeleted {
            device.service.handleAccountDeleted(Account.completed.id)
        } else {
            device.service.handleLogout()
        }
        await #expect(throws: OnboardingError.cancelled) { try await work.value }
        // Neither the transport nor the backend had anything to do with it.
        expectEqual(device.transport.answered, 1)
        try await gate.remove()
        await device.quiet()
        #expect(device.service.resetAnswers.isEmpty)
        expectEqual(device.service.resets, [:])
        expectNil(device.service.currentStatus)
        expectNil(device.service.lastSyncError)
        if isDeleted {
            try expectEqual(device.memory.keys, ["onboarding_any_user_completed"])
        } else {
            try expectEqual(device.memory.keys.map { try device.memory[$0] }, before)
        }
    }

    @Test func `11-3 a read of another process that is older than a reset is read again`() async throws {
        let store = MemoryStore()
        let app = try await Device(.completed, store: store)
        let other = try await Device(.completed, store: store)
        let gate = try await app.gate("old", on: read, phase: .after)
        async let result = app.service.sync()
        try await gate.held()
        try await other.service.resetOnboarding()
        try await gate.remove()
        await expectEqual(result.status?.step, .welcome)
        expectEqual(app.service.readCachedStatus()?.completed, false)
    }

    @Test func `11-3 a user who has signed in is shown before the first call`() async throws {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        device.identity.signIn(nil)
        device.service.handleLogout()
        expectNil(device.service.currentStatus)
        try await device.signIn(.completed)
        expectEqual(device.service.currentStatus?.completed, true)
        try await device.signIn(.second)
        expectNil(device.service.currentStatus)
    }

    @Test func `11-3 a sign-out keeps the cache, what waits, and the flag`() async throws {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        device.transport.isOffline = true
        device.service.recordPermission(.location, .granted)
        await device.quiet()
        let before = try device.memory.keys.map { try device.memory[$0] }
        device.identity.signIn(nil)
        device.service.handleLogout()
        expectEqual(device.time.sleeps, [])
        try expectEqual(device.memory.keys.map { try device.memory[$0] }, before)
        device.transport.isOffline = false
        try await device.signIn(.completed)
        #expect(device.service.isOnboardingComplete())
        _ = await device.service.sync()
        try await expectEqual(device.record(of: .completed).locationStatus, "granted")
    }

    @Test(arguments: [true, false])
    func `T37 L20 the answer for one user is never shown to the next`(saysGoodbye: Bool) async throws {
        let device = try await Device(.completed, deaf: true)
        let gate = try await device.gate(
            "slow",
            on: Match(.trendy, "GET", onboarding, user: Account.completed.mail)
        )
        async let result = device.service.sync()
        try await gate.held()
        if saysGoodbye { device.service.handleLogout() }
        try await device.signIn(.second)
        let own = await device.service.sync()
        expectEqual(own.status?.step, .auth)
        let answered = device.transport.answered
        try await gate.remove()
        await expectEqual(result, .notAuthenticated)
        // At no moment: a wait for running work would show the present user's status again.
        expectEqual(device.service.currentStatus, own.status)
        try await device.until { device.transport.answered == answered + 1 }
        for _ in 1...50 { await Task.yield() }
        expectEqual(device.service.currentStatus, own.status)
        await device.quiet()
        expectEqual(device.service.currentStatus, own.status)
        expectEqual(device.service.readCachedStatus(), own.status)
        #expect(!device.service.isOnboardingComplete())
        // Without a sign-out the answer is stored under the user who asked.
        expectEqual(device.service.cache.read(Account.completed.id) != nil, !saysGoodbye)
    }

    @Test func `L20 a user who signs in while the token is fetched does not get the other one's changes`() async throws
    {
        let device = try await Device(.welcome)
        device.identity.stick()
        device.service.markStepCompleted(.auth)
        try await device.until { device.identity.asked == 1 }
        // From now on the library has the token of somebody else, under any name.
        let token = try await device.world.token(.trendy, user: Account.second.mail)
        device.identity.signIn(Account.welcome.id, token: token)
        device.identity.signIn(Account.second.id, token: token)
        device.identity.free()
        await device.quiet()
        expectEqual(device.transport.sent, [])
        expectNil(device.service.currentStatus)
        #expect(!device.service.hasPendingChanges)
        try await device.signIn(.welcome)
        await expectEqual(device.service.sync().status?.step, .permissions)
        try await expectNil(device.record(of: .second).authCompletedAt)
    }

    @Test func `11-3 users have lanes of their own`() async throws {
        let device = try await Device(.welcome)
        let gate = try await device.gate(
            "slow",
            on: Match(.trendy, "PATCH", onboarding, user: Account.welcome.mail)
        )
        device.service.markStepCompleted(.auth)
        try await gate.held()
        try await device.signIn(.second)
        await expectEqual(device.service.sync().status?.step, .auth)
        try await gate.remove()
        await device.quiet()
    }

    @Test func `11-3 of a deleted account nothing stays but the flag`() async throws {
        let device = try await Device(.completed)
        _ = await device.service.sync()
        device.transport.isOffline = true
        device.service.recordPermission(.location, .granted)
        await device.quiet()
        device.service.handleAccountDeleted(Account.completed.id.uppercased())
        try expectEqual(device.memory.keys, ["onboarding_any_user_completed"])
        expectNil(device.service.currentStatus)
        expectEqual(device.time.sleeps, [])
    }

    @Test func `11-3 an account that is deleted during a sync does not come back`() async throws {
        let device = try await Device(.completed, deaf: true)
        let gate = try await device.gate("slow", on: read, phase: .after)
        async let result = device.service.sync()
        try await gate.held()
        device.service.handleAccountDeleted(Account.completed.id)
        await expectEqual(result, .notAuthenticated)
        try await gate.remove()
        await device.quiet()
        try expectEqual(device.memory.keys, [])
        expectNil(device.service.currentStatus)
    }
}
