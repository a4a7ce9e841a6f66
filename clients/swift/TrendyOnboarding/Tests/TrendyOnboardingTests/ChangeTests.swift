import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// Changes of the user's, and their way to the backend (Trendy contract, section 11.3).
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct ChangeTests {
    let welcomed = #"{"welcome_completed_at":"2025-01-01T12:00:00Z"}"#

    @Test func `T21 a step shows at once, and is sent alone`() async throws {
        let device = try await Device()
        device.service.markStepCompleted(.welcome)
        let status = try #require(device.service.readCachedStatus())
        expectEqual(status.welcomeCompletedAt, noon)
        expectEqual(status.currentStep, "auth")
        expectEqual(device.service.currentStatus, status)
        expectEqual(device.service.cache.read(Account.new.id), status)
        #expect(device.service.hasPendingChanges)
        await device.quiet()
        try await expectEqual(device.calls(), ["PATCH 200 \(welcomed)"])
        #expect(!device.service.hasPendingChanges)
    }

    @Test func `T22 L14 a step that is done keeps its date, and is not sent again`() async throws {
        let device = try await Device()
        for step in [OnboardingStep.welcome, .auth, .permissions] {
            device.service.markStepCompleted(step)
            await device.quiet()
            let before = device.service.readCachedStatus()
            device.time.advance(by: .seconds(60))
            device.service.markStepCompleted(step)
            await device.quiet()
            expectEqual(device.service.readCachedStatus(), before)
        }
        try await expectEqual(device.world.count(change), 3)
        let date = try #require(device.service.readCachedStatus()?.permissionsCompletedAt)
        device.time.advance(by: .seconds(60))
        device.service.completeOnboarding()
        expectEqual(device.service.readCachedStatus()?.permissionsCompletedAt, date)
        await device.quiet()
        try await expectEqual(device.record().permissionsCompletedAt, date)
        device.service.completeOnboarding()
        await device.quiet()
        try await expectEqual(device.world.count(change), 4)
    }

    @Test(arguments: OnboardingStep.allCases)
    func `T23 L13 no step takes the completion back`(step: OnboardingStep) async throws {
        let device = try await Device(.reset)
        var request = UpdateOnboardingStatusRequest()
        request.completed = .set(true)
        device.service.push(request)
        await device.quiet()
        device.service.markStepCompleted(step)
        #expect(device.service.isOnboardingComplete())
        await device.quiet()
        #expect(try await device.record(of: .reset).completed)
        #expect(try await !device.calls().contains { $0.contains(#""completed":false"#) })
    }

    @Test func `T24 L12 L16 the last step completes, with one instant for cache and backend`() async throws {
        let device = try await Device(.auth)
        _ = await device.service.sync()
        // Two readings would be two instants.
        device.time.tick(by: .seconds(1))
        device.service.markStepCompleted(.finish)
        let date = try #require(device.service.readCachedStatus()?.permissionsCompletedAt)
        await device.quiet()
        let record = try await device.record(of: .auth)
        #expect(record.completed)
        expectEqual(record.permissionsCompletedAt, date)
        expectEqual(device.service.readCachedStatus()?.permissionsCompletedAt, date)
        expectEqual(device.service.cache.read(Account.auth.id)?.permissionsCompletedAt, date)
        try await expectEqual(
            device.calls()[1],
            #"PATCH 200 {"completed":true,"permissions_completed_at":"\#(WireDate.text(date))"}"#
        )
        expectNil(device.service.currentStatus?.step)
    }

    @Test func `T25 with the permissions dated the last step sends the completion alone`() async throws {
        let device = try await Device(.permissions)
        _ = await device.service.sync()
        device.service.completeOnboarding()
        await device.quiet()
        try await expectEqual(device.calls().suffix(1), [#"PATCH 200 {"completed":true}"#])
        #expect(device.service.isOnboardingComplete())
    }

    @Test func `T26 L4 three steps without a network arrive together, before the read`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        for step in [OnboardingStep.welcome, .auth, .permissions] {
            device.service.markStepCompleted(step)
            await device.quiet()
            device.time.advance(by: .milliseconds(100))
        }
        #expect(device.service.hasPendingChanges)
        #expect(device.service.lastSyncError != nil)
        device.transport.isOffline = false
        await expectEqual(device.service.sync().status?.step, .finish)
        let date = "2025-01-01T12:00:00Z"
        try await expectEqual(
            device.calls(),
            [
                """
                PATCH 200 {"auth_completed_at":"\(date)","permissions_completed_at":"\(date)",\
                "welcome_completed_at":"\(date)"}
                """, "GET 200",
            ]
        )
        #expect(!device.service.hasPendingChanges)
        expectNil(device.service.lastSyncError)
    }

    @Test func `T27 L4 what could not be sent is sent after a restart`() async throws {
        let device = try await Device()
        try await device.world.fail(.connection(.reset), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        #expect(device.service.hasPendingChanges)
        device.restart()
        #expect(device.service.hasPendingChanges)
        expectEqual(device.service.currentStatus?.step, .auth)
        _ = await device.service.sync()
        try await expectEqual(device.record().welcomeCompletedAt, noon)
        #expect(!device.service.hasPendingChanges)
    }

    @Test func `L4 a push that failed is repeated with growing pauses`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        var sent = 1
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            try await device.time.waitForSleep(of: .seconds(pause))
            await device.quiet()
            expectEqual(device.transport.sent.count, sent)
            device.time.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(device.time.sleeps.contains(.seconds(pause)))
            device.time.advance(by: .milliseconds(1))
            sent += 1
            try await device.until { device.transport.sent.count == sent }
        }
        device.transport.isOffline = false
        try await device.time.waitForSleep(of: .seconds(60))
        device.time.advance(by: .seconds(60))
        try await device.until { !device.service.hasPendingChanges }
        try await expectEqual(device.record().welcomeCompletedAt, noon)
        // The next failure begins with the shortest pause again.
        device.transport.isOffline = true
        device.service.markStepCompleted(.auth)
        try await device.time.waitForSleep(of: .seconds(1))
    }

    @Test func `T28 L6 a step during a push follows it, alone`() async throws {
        let device = try await Device()
        let gate = try await device.gate("first", on: change)
        device.service.markStepCompleted(.welcome)
        try await gate.held()
        device.service.markStepCompleted(.auth)
        // The first push is still out: nothing may overtake it.
        for _ in 1...50 { await Task.yield() }
        expectEqual(device.transport.sent.count, 1)
        try await gate.remove()
        await device.quiet()
        try await expectEqual(
            device.calls(),
            ["PATCH 200 \(welcomed)", #"PATCH 200 {"auth_completed_at":"2025-01-01T12:00:00Z"}"#]
        )
        expectEqual(device.transport.most, 1)
        #expect(!device.service.hasPendingChanges)
    }

    @Test func `L6 a member that changes while it is sent is sent again`() async throws {
        let device = try await Device()
        let gate = try await device.gate("first", on: change)
        device.service.recordPermission(.location, .denied)
        try await gate.held()
        device.service.recordPermission(.location, .granted)
        #expect(device.service.hasPendingChanges)
        try await gate.remove()
        await device.quiet()
        try await expectEqual(device.record().locationStatus, "granted")
        try await expectEqual(device.world.count(change), 2)
    }

    @Test func `11-3 a member that changes back while it is sent waits as a new change`() throws {
        var pending = PendingChanges()
        var request = UpdateOnboardingStatusRequest()
        request.locationStatus = .set(.denied)
        pending.merge(request, token: "1")
        let begun = pending.begin("a", at: noon)
        let sending = try #require(begun)
        request.locationStatus = .set(.granted)
        pending.merge(request, token: "2")
        request.locationStatus = .set(.denied)
        pending.merge(request, token: "3")
        pending.confirm(sending)
        expectEqual(pending.request.locationStatus, .set(.denied))
    }

    @Test func `T29 L5 offline progress is laid over the backend's answer`() async throws {
        let device = try await Device(.auth)
        _ = await device.service.sync()
        try await device.world.fail(.connection(.reset), on: change)
        device.service.completeOnboarding()
        await device.quiet()
        let result = await device.service.sync()
        expectEqual(result.status?.completed, true)
        #expect(device.service.isOnboardingComplete())
        expectEqual(device.service.currentStatus?.completed, true)
        // The entry itself has it, for those who read the cache without the service.
        expectEqual(device.service.cache.read(Account.auth.id)?.completed, true)
        #expect(try await !device.record(of: .auth).completed)
        #expect(device.service.hasPendingChanges)
        // The status is fresh, but the push has failed.
        guard case .fresh = result else {
            Issue.record("\(result)")
            return
        }
        #expect(device.service.lastSyncError != nil)
    }

    @Test(arguments: [400, 422])
    func `T30 what the backend refuses is dropped, and later changes go on`(status: Int) async throws {
        let device = try await Device()
        try await device.world.fail(.status(status, message: "no"), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        expectEqual(device.service.lastSyncError, .refused(status: status, message: "no"))
        expectEqual(device.time.sleeps, [])
        #expect(!device.service.hasPendingChanges)
        device.service.markStepCompleted(.auth)
        await device.quiet()
        expectNil(device.service.lastSyncError)
        let record = try await device.record()
        #expect((record.welcomeCompletedAt, record.authCompletedAt) == (nil, noon))
        try await expectEqual(device.world.count(change), 2)
    }

    @Test(arguments: [408, 500, 502, 503, 504])
    func `11-3 what time can help keeps everything, and is retried`(status: Int) async throws {
        let device = try await Device()
        try await device.world.fail(.status(status, retryAfter: 0), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        #expect(device.service.hasPendingChanges)
        try await device.time.waitForSleep(of: .seconds(1))
        device.time.advance(by: .seconds(1))
        try await device.until { !device.service.hasPendingChanges }
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test(arguments: [403, 404, 409])
    func `11-3 another refusal keeps everything, and waits for the next change`(status: Int) async throws {
        let device = try await Device()
        try await device.world.fail(.status(status), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        #expect(device.service.hasPendingChanges)
        expectEqual(device.time.sleeps, [])
        device.service.markStepCompleted(.auth)
        await device.quiet()
        #expect(!device.service.hasPendingChanges)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test func `T31 after 429 nothing is sent before the pause is over`() async throws {
        let device = try await Device()
        try await device.world.fail(.status(429, retryAfter: 60), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        try await device.time.waitForSleep(of: .seconds(60))
        device.time.advance(by: .milliseconds(59_999))
        // Neither a change nor a sync breaks the pause.
        device.service.markStepCompleted(.auth)
        await expectEqual(device.service.sync(), .stale(device.service.readCachedStatus(), .pausing))
        await device.quiet()
        expectEqual(device.transport.sent.count, 1)
        expectEqual(device.time.sleeps, [.seconds(60)])
        device.time.advance(by: .milliseconds(1))
        try await device.until { !device.service.hasPendingChanges }
        expectEqual(device.transport.sent.count, 2)
        try await expectEqual(device.record().authCompletedAt, noon.addingTimeInterval(59))
    }

    @Test func `T31 a sync that meets the limit tells the cause, and makes one call`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        device.transport.isOffline = false
        try await device.world.fail(.status(429, retryAfter: 60), on: change, times: 1)
        let result = await device.service.sync()
        expectEqual(
            result,
            .stale(device.service.readCachedStatus(), .refused(status: 429, message: "rate limit exceeded"))
        )
        expectEqual(device.service.lastSyncError, .refused(status: 429, message: "rate limit exceeded"))
        try await expectEqual(device.calls().count, 1)
    }

    @Test func `T31 a date in Retry-After is understood`() {
        let date = RetryAfter("Wed, 01 Jan 2025 12:01:30 GMT")
        expectEqual(date?.pause(from: noon), .seconds(90))
        expectEqual(date?.pause(from: noon.addingTimeInterval(1_000)), .zero)
        expectEqual(RetryAfter("60")?.pause(from: noon), .seconds(60))
        expectEqual(RetryAfter("86400")?.pause(from: noon), .seconds(86_400))
        expectEqual(RetryAfter("86401")?.pause(from: noon), .seconds(86_400))
        expectEqual(RetryAfter("99999999999999999999")?.pause(from: noon), .seconds(86_400))
        expectNil(RetryAfter("soon"))
        expectNil(RetryAfter("-1"))
        expectNil(RetryAfter(""))
    }

    @Test func `T32 after 401 nothing is sent until the credential is another`() async throws {
        let device = try await Device()
        try await device.world.fail(.tokens(.expire), on: change, times: 1)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        try await expectEqual(device.calls(), ["PATCH 401 \(welcomed)"])
        expectEqual(device.service.lastSyncError, .unauthorized)
        #expect(device.service.hasPendingChanges)
        expectEqual(device.time.sleeps, [])
        device.service.markStepCompleted(.auth)
        await device.quiet()
        await expectEqual(device.service.sync(), .stale(device.service.readCachedStatus(), .unauthorized))
        expectEqual(device.transport.sent.count, 1)
        // The user signs in again.
        try await device.signIn(.new)
        await expectEqual(device.service.sync().status?.step, .permissions)
        #expect(!device.service.hasPendingChanges)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
        expectNil(device.service.lastSyncError)
    }

    /// The ways in which the identity changes and brings the same token again.
    enum Return: CaseIterable {
        case signOut, signOutDuringTheCall, anotherUser
    }

    @Test(arguments: Return.allCases)
    func `T32 a sign-in ends what a refusal has stopped, whatever token it brings`(way: Return) async throws {
        let device = try await Device(deaf: true)
        try await device.world.fail(.status(401), on: change, times: 1)
        if way == .signOutDuringTheCall {
            let gate = try await device.gate("late", on: change, phase: .after)
            device.service.markStepCompleted(.welcome)
            try await gate.held()
            device.identity.signIn(nil)
            device.service.handleLogout()
            try await gate.remove()
            await device.quiet()
        } else {
            device.service.markStepCompleted(.welcome)
            await device.quiet()
            await expectEqual(device.service.sync(), .stale(device.service.readCachedStatus(), .unauthorized))
            expectEqual(device.transport.sent.count, 1)
            if way == .signOut {
                device.identity.signIn(nil)
                device.service.handleLogout()
            } else {
                try await device.signIn(.second)
                await expectEqual(device.service.sync().status?.step, .auth)
            }
        }
        device.identity.signIn(Account.new.id)
        await expectEqual(device.service.sync().status?.step, .auth)
        #expect(!device.service.hasPendingChanges)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test(arguments: [(60, 61), (60, 60), (60, 1)])
    func `T31 the pause that ends last counts, whoever was answered`(first: Int, second: Int) async throws {
        let device = try await Device(.welcome)
        let own = Match(.trendy, "PATCH", onboarding, user: Account.welcome.mail)
        try await device.world.fail(.status(503, retryAfter: second), on: own, times: 1)
        let gate = try await device.gate("late", on: own, phase: .after)
        device.service.markStepCompleted(.auth)
        try await gate.held()
        try await device.signIn(.second)
        try await device.world.fail(.status(429, retryAfter: first), on: read, times: 1)
        _ = await device.service.sync()
        try await device.time.waitForSleep(of: .seconds(first))
        try await gate.remove()
        await device.quiet()
        let longest = max(first, second)
        try await device.time.waitForSleep(of: .seconds(longest))
        expectEqual(device.time.sleeps, [.seconds(longest)])
        device.time.advance(by: .seconds(longest) - .milliseconds(1))
        await expectEqual(device.service.sync(), .stale(nil, .pausing))
        device.time.advance(by: .milliseconds(1))
        try await device.until { device.service.pause == nil }
        await expectEqual(device.service.sync().status?.step, .auth)
        expectEqual(device.transport.sent.count, 3)
    }

    @Test(arguments: [401, 429])
    func `T31 T32 what an answer says about token and pause counts after a cancellation, too`(status: Int) async throws
    {
        let device = try await Device(deaf: true)
        try await device.world.fail(status == 429 ? .status(429, retryAfter: 60) : .status(401), on: read, times: 1)
        let gate = try await device.gate("slow", on: read, phase: .after)
        let sync = Task { await device.service.sync(timeout: .seconds(3)) }
        try await gate.held()
        try await device.time.waitForSleep(of: .seconds(3))
        device.time.advance(by: .seconds(3))
        await expectEqual(sync.value, .stale(nil, .timedOut))
        try await gate.remove()
        await device.quiet()
        let next = await device.service.sync()
        expectEqual(next, .stale(nil, status == 401 ? .unauthorized : .pausing))
        expectEqual(device.transport.sent.count, 1)
    }

    @Test func `11-3 a confirmed push ends the growth of the pauses, even if newer changes wait`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        for _ in 1...4 {
            device.service.recordPermission(.location, .denied)
            await device.quiet()
        }
        expectEqual(device.service.retries[Account.new.id]?.failures, 4)
        device.transport.isOffline = false
        let gate = try await device.gate("first", on: change)
        device.service.recordPermission(.location, .granted)
        try await gate.held()
        device.service.markStepCompleted(.welcome)
        device.transport.isOffline = true
        try await gate.remove()
        await device.quiet()
        // One for the plan after the success, one for the push that failed after it.
        expectEqual(device.service.retries[Account.new.id]?.failures, 2)
    }

    @Test func `T30 a refusal ends the growth of the pauses`() async throws {
        let device = try await Device()
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        device.transport.isOffline = false
        try await device.world.fail(.status(422), on: change, times: 1)
        device.service.markStepCompleted(.auth)
        await device.quiet()
        expectEqual(device.service.retries[Account.new.id]?.failures, 0)
    }

    @Test func `T30 a member that changes while the refused push is out survives`() async throws {
        let device = try await Device()
        try await device.world.fail(.status(422), on: change, times: 1)
        let gate = try await device.gate("first", on: change)
        device.service.recordPermission(.location, .denied)
        try await gate.held()
        device.service.recordPermission(.location, .granted)
        try await gate.remove()
        await device.quiet()
        #expect(!device.service.hasPendingChanges)
        try await expectEqual(device.record().locationStatus, "granted")
    }

    @Test func `T43 L15 an empty request is not sent`() async throws {
        let device = try await Device()
        device.service.push(UpdateOnboardingStatusRequest())
        await device.quiet()
        expectEqual(device.transport.sent, [])
        #expect(!device.service.hasPendingChanges)
        try expectEqual(device.memory.keys, [])
    }

    @Test(arguments: PermissionKind.allCases)
    func `L21 an answer for a permission reaches the backend`(kind: PermissionKind) async throws {
        let device = try await Device()
        device.service.recordPermission(kind, .denied)
        await device.quiet()
        let name = kind.rawValue
        try await expectEqual(
            device.calls(),
            [#"PATCH 200 {"\#(name)_completed_at":"2025-01-01T12:00:00Z","\#(name)_status":"denied"}"#]
        )
        let record = try await device.record()
        let answers = [record.notificationsStatus, record.healthkitStatus, record.locationStatus]
        expectEqual(answers, PermissionKind.allCases.map { $0 == kind ? "denied" : nil })
    }

    @Test func `L22 the entry has no answers for permissions`() async throws {
        let device = try await Device()
        for kind in PermissionKind.allCases { device.service.recordPermission(kind, .denied) }
        await device.quiet()
        _ = await device.service.sync()
        let entry = try #require(try device.memory["onboarding_status_\(Account.new.id)"])
        for name in ["notifications", "healthkit", "location", "denied"] { #expect(!entry.contains(name)) }
    }

    @Test func `L24 a member is cleared on the backend, and in the cache`() async throws {
        let device = try await Device(.auth)
        _ = await device.service.sync()
        var request = UpdateOnboardingStatusRequest()
        request.authCompletedAt = .clear
        device.service.push(request)
        expectEqual(device.service.currentStatus?.step, .auth)
        await device.quiet()
        try await expectNil(device.record(of: .auth).authCompletedAt)
        try await expectEqual(device.calls()[1], #"PATCH 200 {"auth_completed_at":null}"#)
    }

    @Test func `L17 after a step the device and the backend name the same next one`() async throws {
        let device = try await Device()
        for step in [OnboardingStep.welcome, .auth, .permissions, .finish] {
            device.service.markStepCompleted(step)
            let local = device.service.currentStatus?.currentStep
            await device.quiet()
            await expectEqual(device.service.sync().status?.currentStep, local)
        }
    }
}
