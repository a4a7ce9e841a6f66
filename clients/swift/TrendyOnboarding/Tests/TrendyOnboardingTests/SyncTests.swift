import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `sync()` and `sync(timeout:)` (Trendy contract, section 11.3).
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct SyncTests {
    @Test func `T13 without a user there is no request, and nil`() async throws {
        let device = try await Device(nil)
        let service = device.service
        expectNil(service.readCachedStatus())
        #expect(!service.isOnboardingComplete())
        await expectEqual(service.sync(), .notAuthenticated)
        await expectEqual(service.sync(timeout: .seconds(3)), .notAuthenticated)
        for step in OnboardingStep.allCases { service.markStepCompleted(step) }
        service.recordPermission(.location, .granted)
        service.completeOnboarding()
        var request = UpdateOnboardingStatusRequest()
        request.locationStatus = .set(.denied)
        service.push(request)
        await #expect(throws: OnboardingError.notAuthenticated) { try await service.resetOnboarding() }
        service.handleLogout()
        service.handleAccountDeleted("")
        device.identity.signIn("")
        await expectEqual(service.sync(), .notAuthenticated)
        await device.quiet()
        try expectEqual(device.memory.keys, [])
        expectEqual(device.transport.sent, [])
        #expect((service.currentStatus, service.isSyncing, service.hasPendingChanges) == (nil, false, false))
    }

    @Test func `T14 a sync brings what another device has done`() async throws {
        let device = try await Device(.completed)
        let result = await device.service.sync()
        guard case .fresh(let status) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(status.completed)
        expectNil(status.step)
        expectEqual(status.lastSyncedAt, noon)
        expectEqual(device.service.cache.read(Account.completed.id), status)
        #expect(device.service.cache.hasAnyUserCompletedOnboarding())
        expectEqual(device.service.currentStatus, status)
        expectNil(device.service.lastSyncError)
        #expect(device.service.isOnboardingComplete())
        device.restart()
        expectEqual(device.service.currentStatus, status)
        try await expectEqual(device.calls(), ["GET 200"])
    }

    @Test func `T15 L11 a failed sync is stale, and leaves the cache alone`() async throws {
        let device = try await Device(.welcome)
        let fresh = await device.service.sync()
        let before = try device.memory["onboarding_status_\(Account.welcome.id)"]
        try await device.world.fail(.status(500), on: read)
        device.time.advance(by: .seconds(100))
        let error = OnboardingError.refused(status: 500, message: "failed to get onboarding status")
        await expectEqual(device.service.sync(), .stale(fresh.status, error))
        expectEqual(device.service.lastSyncError, error)
        try expectEqual(device.memory["onboarding_status_\(Account.welcome.id)"], before)
    }

    @Test func `T16 L8 L9 a slow answer ends the wait at three seconds`() async throws {
        let device = try await Device(.welcome)
        let fresh = await device.service.sync()
        let gate = try await device.gate("slow", on: read)
        let sync = Task { await device.service.sync(timeout: .seconds(3)) }
        try await gate.held()
        try await device.time.waitForSleep(of: .seconds(3))
        #expect(device.service.isSyncing)
        device.time.advance(by: .milliseconds(2_999))
        #expect(device.time.sleeps.contains(.seconds(3)))
        for _ in 1...50 { await Task.yield() }
        #expect(device.service.isSyncing)
        device.time.advance(by: .milliseconds(1))
        await expectEqual(sync.value, .stale(fresh.status, .timedOut))
        expectEqual(device.time.elapsed, .seconds(3))
        expectEqual(device.service.lastSyncError, .timedOut)
        #expect(!device.service.isSyncing)
        await device.quiet()
        expectEqual(device.service.lastSyncError, .timedOut)
        try await gate.remove()
    }

    @Test func `T17 L8 a transport that ignores cancellation delays nothing`() async throws {
        let device = try await Device(.completed, deaf: true)
        let gate = try await device.gate("slow", on: read, phase: .after)
        let sync = Task { await device.service.sync(timeout: .seconds(3)) }
        try await gate.held()
        try await device.time.waitForSleep(of: .seconds(3))
        device.time.advance(by: .milliseconds(2_999))
        for _ in 1...50 { await Task.yield() }
        #expect(device.service.isSyncing)
        device.time.advance(by: .milliseconds(1))
        await expectEqual(sync.value, .stale(nil, .timedOut))
        expectEqual(device.time.elapsed, .seconds(3))
        expectEqual(device.service.lastSyncError, .timedOut)
        // The request is still out: nothing but the deadline has ended the wait.
        expectEqual(device.transport.answered, 0)
        try await gate.remove()
        await device.quiet()
    }

    @Test(arguments: [true, false])
    func `T18 an answer that comes after the deadline changes nothing`(isKnown: Bool) async throws {
        let device = try await Device(.welcome, deaf: true)
        if isKnown { _ = await device.service.sync() }
        let known = device.service.readCachedStatus()
        let before = try device.memory.keys.map { try device.memory[$0] }
        // Another device goes on, so the late answer tells something new.
        let other = try await Device(.welcome)
        other.service.completeOnboarding()
        await other.quiet()
        let gate = try await device.gate("slow", on: read, phase: .after)
        let sync = Task { await device.service.sync(timeout: .seconds(3)) }
        try await gate.held()
        try await device.time.waitForSleep(of: .seconds(3))
        device.time.advance(by: .seconds(3))
        await expectEqual(sync.value, .stale(known, .timedOut))
        // Two seconds later the answer comes after all.
        device.time.advance(by: .seconds(2))
        let answered = device.transport.answered
        try await gate.remove()
        try await device.until { device.transport.answered == answered + 1 }
        // What it might show at first, the end of the work would hide.
        for _ in 1...50 { await Task.yield() }
        expectEqual(device.service.currentStatus, known)
        await device.quiet()
        try expectEqual(device.memory.keys.map { try device.memory[$0] }, before)
        expectEqual(device.service.readCachedStatus(), known)
        expectEqual(device.service.currentStatus, known)
        #expect(!device.service.cache.hasAnyUserCompletedOnboarding())
        expectEqual(device.service.lastSyncError, .timedOut)
        #expect(!device.service.isSyncing)
    }

    @Test func `T19 L8 a token refresh that hangs delays no answer, and no later call`() async throws {
        let device = try await Device(.welcome)
        device.identity.stick()
        let sync = Task { await device.service.sync(timeout: .seconds(3)) }
        try await device.time.waitForSleep(of: .seconds(3))
        try await device.until { device.identity.asked == 1 }
        device.time.advance(by: .seconds(3))
        await expectEqual(sync.value, .stale(nil, .timedOut))
        expectEqual(device.time.elapsed, .seconds(3))
        // Nobody reacts to the cancellation, but the lane is free.
        await device.quiet()
        let stuck = device.identity
        stuck.free()
        await expectEqual(device.service.sync().status?.step, .auth)
        try await expectEqual(device.calls(), ["GET 200"])
    }

    @Test func `T19 a token that never comes ends a push and an unlimited sync, too`() async throws {
        let device = try await Device(.new)
        device.identity.stick()
        device.service.markStepCompleted(.welcome)
        try await device.time.waitForSleep(of: OnboardingStatusService.credentialLimit)
        device.time.advance(by: OnboardingStatusService.credentialLimit)
        await device.quiet()
        expectEqual(device.service.lastSyncError, .timedOut)
        #expect(device.service.hasPendingChanges)
        device.identity.free()
        _ = await device.service.sync()
        #expect(!device.service.hasPendingChanges)
    }

    @Test func `T20 L10 a step that is marked during a slow sync is in its result`() async throws {
        let device = try await Device(.new)
        let gate = try await device.gate("slow", on: read)
        let sync = Task { await device.service.sync(timeout: .seconds(3)) }
        try await gate.held()
        try await device.time.waitForSleep(of: .seconds(3))
        device.service.markStepCompleted(.welcome)
        device.time.advance(by: .milliseconds(2_999))
        for _ in 1...50 { await Task.yield() }
        #expect(device.service.isSyncing)
        device.time.advance(by: .milliseconds(1))
        let status = await sync.value.status
        expectEqual(status?.welcomeCompletedAt, noon)
        expectEqual(status?.step, .auth)
        try await gate.remove()
        await device.quiet()
    }

    @Test func `L1 a bare sync has no time limit, and one with a limit has it`() async throws {
        let device = try await Device(.welcome)
        let gate = try await device.gate("slow", on: read)
        async let bare = device.service.sync()
        try await gate.held()
        device.time.advance(by: .seconds(20))
        #expect(!device.time.sleeps.contains(.seconds(3)))
        async let limited = device.service.sync(timeout: .seconds(3))
        try await device.time.waitForSleep(of: .seconds(3))
        device.time.advance(by: .seconds(3))
        await expectEqual(limited, .stale(nil, .timedOut))
        try await gate.remove()
        await expectEqual(bare.status?.step, .auth)
    }

    @Test func `L2 the user is known at once, without a wait for the sign-in library`() async throws {
        let device = try await Device(.welcome)
        _ = await device.service.sync()
        device.identity.stick()
        let asked = device.identity.asked
        device.restart()
        // A property of the protocol: nothing here can wait.
        let known: any OnboardingIdentity = device.identity
        let id: String? = known.currentUserId
        expectEqual(id, Account.welcome.id)
        expectEqual(device.service.readCachedStatus()?.step, .auth)
        expectEqual(device.identity.asked, asked)
    }

    @Test func `L7 an answer that was read before a step does not undo it`() async throws {
        let device = try await Device(.new)
        let gate = try await device.gate("old", on: read, phase: .after)
        async let result = device.service.sync()
        try await gate.held()
        device.service.markStepCompleted(.welcome)
        // The read is still out: the push waits for it.
        for _ in 1...50 { await Task.yield() }
        expectEqual(device.transport.sent.map(\.method), [.get])
        try await gate.remove()
        _ = await result
        await device.quiet()
        expectEqual(device.service.readCachedStatus()?.step, .auth)
        expectEqual(device.service.currentStatus?.step, .auth)
        expectEqual(device.transport.most, 1)
        try await expectEqual(
            device.calls(),
            ["GET 200", #"PATCH 200 {"welcome_completed_at":"2025-01-01T12:00:00Z"}"#]
        )
    }

    @Test func `T38 L20 an answer about another user is an error, and not stored`() async throws {
        let device = try await Device(.new)
        // The sign-in library hands out the token of another user.
        let token = try await device.world.token(.trendy, user: Account.completed.mail)
        device.identity.signIn(Account.new.id, token: token)
        await expectEqual(device.service.sync(), .stale(nil, .answerOfAnotherUser))
        expectEqual(device.service.lastSyncError, .answerOfAnotherUser)
        try expectEqual(device.memory.keys, [])
        expectNil(device.service.currentStatus)
    }

    @Test func `T38 a push that another user's record answers is not repeated with that token`() async throws {
        let device = try await Device(.new)
        let token = try await device.world.token(.trendy, user: Account.second.mail)
        device.identity.signIn(Account.new.id, token: token)
        device.service.markStepCompleted(.welcome)
        await device.quiet()
        expectEqual(device.service.lastSyncError, .answerOfAnotherUser)
        #expect(device.service.hasPendingChanges)
        expectEqual(device.time.sleeps, [])
        _ = await device.service.sync()
        device.service.markStepCompleted(.auth)
        await device.quiet()
        expectEqual(device.transport.sent.map(\.method), [.patch])
        try await device.signIn(.new)
        await expectEqual(device.service.sync().status?.step, .permissions)
        try await expectEqual(device.record().welcomeCompletedAt, noon)
    }

    @Test func `T38 a reset that another user's record answers is not repeated with that token`() async throws {
        let device = try await Device(.new)
        let token = try await device.world.token(.trendy, user: Account.second.mail)
        device.identity.signIn(Account.new.id, token: token)
        await #expect(throws: OnboardingError.answerOfAnotherUser) { try await device.service.resetOnboarding() }
        await #expect(throws: OnboardingError.unauthorized) { try await device.service.resetOnboarding() }
        expectEqual(device.transport.sent.map(\.method), [.delete])
        try expectEqual(device.memory.keys, [])
    }

    @Test func `a response that dribbles for ever ends at the limit of the exchange`() async throws {
        let world = try World.current
        let time = ManualTime()
        let transport = URLSessionTransport(
            baseURL: world.url(.trendy),
            timeout: 3_600,
            limit: .seconds(60),
            sleeper: time
        )
        try await world.fail(.dribble(chunks: 50, over: 60_000), on: read)
        let token = try await world.token(.trendy, user: Account.new.mail)
        let endpoint = OnboardingEndpoint(transport: transport)
        let call = Task { await endpoint.record(.get, of: Account.new.id, token: token) }
        try await time.waitForSleep(of: .seconds(60))
        time.advance(by: .seconds(60))
        guard case .failure(let failure) = await call.value, case .network = failure.error else {
            Issue.record("the exchange did not end at its limit")
            return
        }
    }

    @Test func `a cancellation at the moment of the answer blocks nothing`() async throws {
        let device = try await Device(.welcome)
        let transport = URLSessionTransport(baseURL: device.world.url(.trendy), timeout: 3_600, limit: .seconds(3_600))
        let request = OnboardingRequest(method: .get, path: "/health")
        // Later and later, so that some cancellations come before the answer, some after it, and some with it.
        for round in 0..<80 {
            let call = Task { try await transport.send(request) }
            for _ in 0..<round { await Task.yield() }
            call.cancel()
            switch await call.result {
            case .success(let response): expectEqual(response.status, 200)
            case .failure: break
            }
            Watch.move()
        }
        try await expectEqual(transport.send(request).status, 200)
    }

    @Test func `a transport keeps neither cookies nor answers`() {
        let configuration = URLSessionTransport.configuration(.seconds(60))
        expectNil(configuration.httpCookieStorage)
        #expect(!configuration.httpShouldSetCookies)
        expectNil(configuration.urlCache)
        expectEqual(configuration.timeoutIntervalForResource, 60)
    }

    @Test func `T39 L3 an answer with the id in capitals is accepted`() async throws {
        let device = try await Device(.completed)
        try await device.world.set(["trendy": ["onboarding": ["userId": "upper"]]])
        await expectEqual(device.service.sync().status?.completed, true)
        #expect(try device.memory.keys.contains("onboarding_status_\(Account.completed.id)"))
        // A sign-in library of Apple's writes capitals.
        device.identity.signIn(Account.completed.id.uppercased())
        device.restart()
        #expect(device.service.isOnboardingComplete())
    }

    @Test func `T04 L3 the service shows an old entry under a key with capitals at once, and moves it`() async throws {
        let device = try await Device(.welcome)
        let id = Account.welcome.id.uppercased()
        try device.memory["onboarding_status_\(id)"] = """
            {"user_id":"\(id)","completed":false,"welcome_completed_at":"2025-01-01T11:00:00Z",\
            "auth_completed_at":"2025-01-01T11:00:00Z","last_updated_at":"2025-01-01T11:00:00Z"}
            """
        device.restart()
        expectEqual(device.service.currentStatus?.step, .permissions)
        expectEqual(device.service.readCachedStatus()?.step, .permissions)
        device.service.markStepCompleted(.auth)
        try expectEqual(device.memory.keys, ["onboarding_status_\(Account.welcome.id)"])
        await device.quiet()
        expectEqual(device.transport.sent, [])
    }

    @Test func `T40 L25 a backend with fractions in its dates is understood`() async throws {
        let device = try await Device(.auth)
        try await device.world.set(["trendy": ["dates": "fractional"]])
        await expectEqual(device.service.sync().status?.step, .permissions)
    }

    @Test func `T44 two syncs at once take turns`() async throws {
        let device = try await Device(.welcome)
        let gate = try await device.gate("both", on: read)
        async let first = device.service.sync()
        async let second = device.service.sync()
        try await gate.held()
        #expect(device.service.isSyncing)
        #expect(try await device.world.count(read) <= 1)
        try await gate.release(1)
        try await gate.held()
        #expect(device.service.isSyncing)
        try await gate.remove()
        await expectEqual([first, second].map { $0.status?.step }, [.auth, .auth])
        #expect(!device.service.isSyncing)
        expectEqual(device.transport.most, 1)
        try await expectEqual(device.calls(), ["GET 200", "GET 200"])
    }

    @Test func `11-3 two hundred callers that go away at once get their answers, and nothing of them is left`()
        async throws
    {
        let device = try await Device(.welcome)
        let service = device.service
        let gate = try await device.gate("slow", on: read)
        let syncs = (1...200).map { number in
            // With and without a limit: a deadline that nobody waits for ends, too.
            Task { await number.isMultiple(of: 2) ? service.sync() : service.sync(timeout: .seconds(3)) }
        }
        try await gate.held()
        try await device.until {
            service.attempts.count == 200 && device.time.sleeps.count(where: { $0 == .seconds(3) }) == 100
        }
        for sync in syncs { sync.cancel() }
        for sync in syncs { await expectEqual(sync.value, .stale(nil, .cancelled)) }
        #expect(!service.isSyncing)
        #expect(service.attempts.isEmpty)
        await device.quiet()
        expectEqual(device.transport.sent.count, 1)
        let isIdle = service.lanes.values.allSatisfy(\.isIdle)
        #expect(isIdle)
        try await device.until { device.time.sleeps.isEmpty }
        // The next one finds the lane free.
        try await gate.remove()
        await expectEqual(service.sync().status?.step, .auth)
    }

    @Test func `11-3 a caller that goes away gets its answer at once`() async throws {
        let device = try await Device(.welcome)
        let gate = try await device.gate("slow", on: read)
        let sync = Task { await device.service.sync() }
        try await gate.held()
        sync.cancel()
        await expectEqual(sync.value, .stale(nil, .cancelled))
        expectNil(device.service.lastSyncError)
        #expect(!device.service.isSyncing)
        try await gate.remove()
    }
}
