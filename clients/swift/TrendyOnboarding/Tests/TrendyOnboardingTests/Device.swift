import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// A device with an app: its store, its clock, its sign-in library and its service, beside the test's world.
@MainActor
final class Device {
    let world: World
    let time = ManualTime()
    let store: any KeyValueStore
    let identity = TestIdentity()
    let transport: WatchingTransport
    /// The way of the running app to the network.
    private var process: ProcessTransport
    private(set) var service: OnboardingStatusService

    /// A device on which a user is signed in.
    init(
        _ user: Account? = .new,
        store: any KeyValueStore = MemoryStore(),
        deaf: Bool = false
    ) async throws {
        world = try World.current
        self.store = store
        // Only the test's own clock ends a wait, however busy the machine is.
        let network = URLSessionTransport(baseURL: world.url(.trendy), timeout: 3_600, limit: .seconds(3_600))
        transport = WatchingTransport(deaf ? DeafTransport(inner: network) : network)
        process = ProcessTransport(transport)
        if let user { identity.signIn(user.id, token: try await world.token(.trendy, user: user.mail)) }
        service = OnboardingStatusService(
            transport: process,
            identity: identity,
            store: store,
            clock: time,
            sleeper: time
        )
        Watch.onHang { await self.release() }
    }

    /// Ends everything that the test holds back, because it hangs.
    private func release() {
        identity.free()
        time.wakeAll()
        service.handleLogout()
    }

    /// The memory of the store, if it has one.
    var memory: MemoryStore {
        get throws { try #require(store as? MemoryStore) }
    }

    func signIn(_ user: Account) async throws {
        identity.signIn(user.id, token: try await world.token(.trendy, user: user.mail))
    }

    /// Starts the app again: what was in memory is gone.
    ///
    /// A timer of the former process that has just fired still holds its service for a moment, but reaches nobody.
    func restart() {
        process.end()
        process = ProcessTransport(transport)
        service = OnboardingStatusService(
            transport: process,
            identity: identity,
            store: store,
            clock: time,
            sleeper: time
        )
    }

    /// Adds a gate, which is removed if the test hangs.
    func gate(_ name: String, on match: Match, phase: Fault.Phase = .before) async throws -> Gate {
        let gate = try await world.gate(name, on: match, phase: phase)
        Watch.onHang { try? await gate.remove() }
        return gate
    }

    /// Waits for a condition that work in progress will meet.
    func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Watch.check("the condition was never met")
            await Task.yield()
        }
        Watch.move()
    }

    /// Waits until nothing is under way.
    func quiet() async { await service.waitForRunningWork() }

    /// The calls that the backend saw, oldest first: the method, the status, and the body if there was one.
    func calls() async throws -> [String] {
        try await world.requests(.trendy, path: "/api/v1/users/onboarding").reversed().map { call in
            let body = call.body.text.map { $0.isEmpty ? "" : " \($0)" } ?? ""
            return "\(call.method) \(call.status)\(body)"
        }
    }

    /// The record as the backend has it, read or reset by somebody else.
    func record(
        _ method: OnboardingRequest.Method = .get,
        of user: Account = .new
    ) async throws -> APIOnboardingStatus {
        let token = try await world.token(.trendy, user: user.mail)
        let endpoint = OnboardingEndpoint(
            transport: URLSessionTransport(baseURL: world.url(.trendy), timeout: 3_600, limit: .seconds(3_600))
        )
        return try await endpoint.record(method, of: user.id, token: token).get()
    }
}

extension Gate {
    /// Waits until a request is held; the limit only ends a test that has failed.
    func held() async throws { try await waitUntilHeld(1, within: .seconds(600)) }
}

/// An account of the seed, named by the state that it is in.
struct Account: Sendable {
    var number: Int
    var name: String

    static let new = Account(number: 1, name: "new")
    static let welcome = Account(number: 2, name: "welcome")
    static let auth = Account(number: 3, name: "auth")
    static let permissions = Account(number: 4, name: "permissions")
    static let completed = Account(number: 5, name: "completed")
    static let reset = Account(number: 6, name: "reset")
    static let second = Account(number: 10, name: "second")

    var mail: String { "\(name)@trendy.example" }
    var id: String { "7e4d0000-0000-4000-8000-" + ("000000000000" + String(number, radix: 16)).suffix(12) }
}

/// The endpoint that everything is about.
let onboarding = "/api/v1/users/onboarding"
let read = Match(.trendy, "GET", onboarding)
let change = Match(.trendy, "PATCH", onboarding)
let reset = Match(.trendy, "DELETE", onboarding)
