import Foundation
import TrendyOnboarding
import UnderstudyServer

/// 2025-01-01T12:00:00Z.
let noon = Date(timeIntervalSince1970: 1_735_732_800)

/// A clock that stands still.
struct StandingClock: OnboardingClock {
    var now: Date { noon }
}

/// A sign-in library with one user, which a test can make hang.
actor SignIn: OnboardingIdentity {
    nonisolated let currentUserId: String? = "7E4D0000-0000-4000-8000-000000000002"
    private let token: String
    private var isStuck = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(token: String) { self.token = token }

    /// From now on a refresh hangs, and takes no notice of cancellation.
    func stick() { isStuck = true }

    func free() {
        isStuck = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func accessToken(for userId: String) async throws -> String {
        if isStuck { await withCheckedContinuation { waiting.append($0) } }
        return token
    }
}

/// A sleeper whose time a test advances.
actor Sleeper: OnboardingSleeper {
    private struct Sleep {
        var id: UUID
        var due: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private(set) var elapsed = Duration.zero
    private var sleeps: [Sleep] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func sleep(for duration: Duration) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                sleeps.append(Sleep(id: id, due: elapsed + duration, continuation: continuation))
                for watcher in watchers { watcher.resume() }
                watchers = []
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: UUID) {
        guard let place = sleeps.firstIndex(where: { $0.id == id }) else { return }
        sleeps.remove(at: place).continuation.resume(throwing: CancellationError())
    }

    /// Waits until somebody sleeps that is due in exactly this time.
    func waitForSleep(of duration: Duration) async {
        while !sleeps.contains(where: { $0.due == elapsed + duration }) {
            await withCheckedContinuation { watchers.append($0) }
        }
    }

    func advance(by duration: Duration) {
        elapsed += duration
        let due = sleeps.filter { $0.due <= elapsed }
        sleeps.removeAll { $0.due <= elapsed }
        for sleep in due { sleep.continuation.resume() }
    }
}
