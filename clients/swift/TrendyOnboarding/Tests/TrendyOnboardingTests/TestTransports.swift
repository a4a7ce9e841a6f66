import Foundation
import Synchronization
import TrendyOnboarding

/// A transport that goes on when it is cancelled.
struct DeafTransport: OnboardingTransport {
    let inner: any OnboardingTransport

    func send(_ request: OnboardingRequest) async throws -> OnboardingResponse {
        // Nobody cancels this task, and the wait for it can't be cancelled.
        try await Task.detached { [inner] in try await inner.send(request) }.value
    }
}

/// A transport that counts the requests in flight, and notes what was sent.
final class WatchingTransport: OnboardingTransport {
    private struct State {
        var running = 0
        var most = 0
        var sent: [OnboardingRequest] = []
        var answered = 0
        var isOffline = false
    }

    struct Offline: Error {}

    let inner: any OnboardingTransport
    private let state = Mutex(State())

    init(_ inner: any OnboardingTransport) { self.inner = inner }

    /// The largest number of requests that were in flight at once.
    var most: Int { state.withLock(\.most) }
    var sent: [OnboardingRequest] { state.withLock(\.sent) }
    /// The number of responses that have come.
    var answered: Int { state.withLock(\.answered) }
    var isOffline: Bool {
        get { state.withLock(\.isOffline) }
        set { state.withLock { $0.isOffline = newValue } }
    }

    func send(_ request: OnboardingRequest) async throws -> OnboardingResponse {
        let isOffline = state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
            state.sent.append(request)
            return state.isOffline
        }
        Watch.move()
        defer { state.withLock { $0.running -= 1 } }
        if isOffline { throw Offline() }
        let response = try await inner.send(request)
        state.withLock { $0.answered += 1 }
        return response
    }
}

/// The network as one process has it, which ends with the process.
final class ProcessTransport: OnboardingTransport {
    struct Ended: Error {}

    private let inner: WatchingTransport
    private let isEnded = Mutex(false)

    init(_ inner: WatchingTransport) { self.inner = inner }

    func end() { isEnded.withLock { $0 = true } }

    func send(_ request: OnboardingRequest) async throws -> OnboardingResponse {
        if isEnded.withLock({ $0 }) { throw Ended() }
        return try await inner.send(request)
    }
}
