import Foundation
import Onboarding
import Testing
import TrendyOnboarding
import UnderstudyServer

/// Four pitfalls of the plan, each staged for a client that walks into it and for the library.
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)))
final class PitfallTests {
    static let mail = "welcome@trendy.example"
    static let read = Match(.trendy, "GET", "/api/v1/users/onboarding")
    static let change = Match(.trendy, "PATCH", "/api/v1/users/onboarding")

    let sleeper = Sleeper()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pitfalls-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A client of each kind, for a user who has seen the welcome.
    private func clients() async throws -> (naive: NaiveOnboarding, library: OnboardingStatusService, signIn: SignIn) {
        let world = try World.current
        // Only what the test does ends a wait, however busy the machine is.
        let transport = URLSessionTransport(baseURL: world.url(.trendy), timeout: 3_600, limit: .seconds(3_600))
        let signIn = SignIn(token: try await world.token(.trendy, user: Self.mail))
        let library = OnboardingStatusService(
            transport: transport,
            identity: signIn,
            store: FileStore(folder: folder),
            clock: StandingClock(),
            sleeper: sleeper
        )
        let naive = NaiveOnboarding(transport: transport, identity: signIn, sleeper: sleeper, now: noon)
        return (naive, library, signIn)
    }

    /// The requests that the server saw, oldest first, with the status, or with what became of a response that has none.
    private func journal() async throws -> [String] {
        try await World.current.requests(.trendy).reversed().map { call in
            "\(call.method) \(call.status == 0 ? call.outcome : String(call.status))"
        }
    }

    // MARK: L4, a failed push

    @Test func `L4 naive: the step never arrives`() async throws {
        let world = try World.current
        let (naive, _, _) = try await clients()
        try await world.fail(.status(500), on: Self.change, times: 1)
        naive.markStepCompleted(.auth)
        await naive.waitForPushes()
        #expect(naive.log == ["push failed, will retry"])
        // The backend is well again, but nobody tells it, and the next sync takes the step away from the device, too.
        #expect(await naive.syncFromBackend()?.step == .auth)
        #expect(try await journal() == ["PATCH 500", "GET 200"])
    }

    @Test func `L4 library: the step waits, and arrives`() async throws {
        let world = try World.current
        let (_, library, _) = try await clients()
        try await world.fail(.status(500), on: Self.change, times: 1)
        library.markStepCompleted(.auth)
        await library.waitForRunningWork()
        #expect(library.hasPendingChanges)
        #expect(await library.sync().status?.step == .permissions)
        #expect(!library.hasPendingChanges)
        #expect(try await journal() == ["PATCH 500", "PATCH 200", "GET 200"])
    }

    // MARK: L5, a sync over offline progress

    @Test func `L5 naive: a finished user sees onboarding again`() async throws {
        let world = try World.current
        let (naive, _, _) = try await clients()
        try await world.fail(.connection(.reset), on: Self.change)
        naive.markStepCompleted(.finish)
        #expect(naive.status?.completed == true)
        await naive.waitForPushes()
        #expect(await naive.syncFromBackend()?.completed == false)
        #expect(naive.status?.step == .auth)
        #expect(try await journal() == ["PATCH cut", "GET 200"])
    }

    @Test func `L5 library: what waits is laid over the answer`() async throws {
        let world = try World.current
        let (_, library, _) = try await clients()
        try await world.fail(.connection(.reset), on: Self.change)
        library.completeOnboarding()
        await library.waitForRunningWork()
        #expect(await library.sync().status?.completed == true)
        #expect(library.isOnboardingComplete())
        try await world.removeFaults()
        _ = await library.sync()
        #expect(!library.hasPendingChanges)
        #expect(library.isOnboardingComplete())
        #expect(try await journal() == ["PATCH cut", "PATCH cut", "GET 200", "PATCH 200", "GET 200"])
    }

    // MARK: L7, an answer that is older than a push

    @Test func `L7 naive: an old answer undoes a step that has arrived`() async throws {
        let world = try World.current
        let (naive, _, _) = try await clients()
        // The record is read, and the answer is slow.
        let gate = try await world.gate("slow", on: Self.read, phase: .after)
        async let sync = naive.syncFromBackend()
        try await gate.waitUntilHeld(1, within: .seconds(600))
        naive.markStepCompleted(.auth)
        await naive.waitForPushes()
        #expect(naive.status?.step == .permissions)
        try await gate.remove()
        #expect(await sync?.step == .auth)
        #expect(naive.status?.step == .auth)
        #expect(try await journal() == ["GET 200", "PATCH 200"])
    }

    @Test func `L7 library: the push waits for its turn`() async throws {
        let world = try World.current
        let (_, library, _) = try await clients()
        let gate = try await world.gate("slow", on: Self.read, phase: .after)
        async let sync = library.sync()
        try await gate.waitUntilHeld(1, within: .seconds(600))
        library.markStepCompleted(.auth)
        try await gate.remove()
        #expect(await sync.status?.step == .permissions)
        await library.waitForRunningWork()
        #expect(library.currentStatus?.step == .permissions)
        #expect(try await journal() == ["GET 200", "PATCH 200"])
    }

    // MARK: L8, a time limit that waits

    @Test func `L8 naive: three seconds last as long as the token refresh`() async throws {
        let (naive, _, signIn) = try await clients()
        await signIn.stick()
        var isAnswered = false
        let sync = Task {
            defer { isAnswered = true }
            return await naive.syncFromBackend(timeout: .seconds(3))
        }
        try await eventually(else: signIn) { await sleeper.isAsked(for: .seconds(3)) }
        await sleeper.advance(by: .seconds(3))
        // The time is up: the group has its first result, and cancels the refresh.
        try await eventually(else: signIn) { await signIn.isCancelled }
        await sleeper.advance(by: .seconds(57))
        // A minute has passed, and only the refresh can end the wait.
        #expect(!isAnswered)
        #expect(try await journal() == [])
        await signIn.free()
        #expect(await sync.value == nil)
    }

    @Test func `L8 library: three seconds are three seconds`() async throws {
        let (_, library, signIn) = try await clients()
        await signIn.stick()
        var result: SyncResult?
        let sync = Task { result = await library.sync(timeout: .seconds(3)) }
        try await eventually(else: signIn) { await sleeper.isAsked(for: .seconds(3)) }
        // The launch screen does not keep the user from going on.
        library.markStepCompleted(.auth)
        await sleeper.advance(by: .seconds(3))
        try await eventually(else: signIn) { result != nil }
        #expect(result == .stale(library.readCachedStatus(), .timedOut))
        #expect(result?.status?.step == .permissions)
        #expect(await sleeper.elapsed == .seconds(3))
        #expect(try await journal() == [])
        await signIn.free()
        await sync.value
        await library.waitForRunningWork()
        #expect(try await journal() == ["PATCH 200"])
    }
}
