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
    /// True once a refresh that hangs was told to end.
    private(set) var isCancelled = false

    init(token: String) { self.token = token }

    /// From now on a refresh hangs, and takes no notice of cancellation.
    func stick() { isStuck = true }

    func free() {
        isStuck = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func accessToken(for userId: String) async throws -> String {
        guard isStuck else { return token }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append($0) }
        } onCancel: {
            Task { await self.noteCancellation() }
        }
        return token
    }

    private func noteCancellation() { isCancelled = true }
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

    func sleep(for duration: Duration) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                sleeps.append(Sleep(id: id, due: elapsed + duration, continuation: continuation))
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: UUID) {
        guard let place = sleeps.firstIndex(where: { $0.id == id }) else { return }
        sleeps.remove(at: place).continuation.resume(throwing: CancellationError())
    }

    /// Tells whether somebody sleeps that is due in exactly this time.
    func isAsked(for duration: Duration) -> Bool { sleeps.contains { $0.due == elapsed + duration } }

    func advance(by duration: Duration) {
        elapsed += duration
        let due = sleeps.filter { $0.due <= elapsed }
        sleeps.removeAll { $0.due <= elapsed }
        for sleep in due { sleep.continuation.resume() }
    }
}

/// Waits for what the work in progress will bring.
///
/// The limit only ends a test that has failed. What hangs is freed then, so that the test ends, too.
@MainActor
func eventually(else signIn: SignIn, _ condition: () async -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(600)
    while await !condition() {
        guard ContinuousClock.now < limit else {
            await signIn.free()
            throw TooLate()
        }
        await Task.yield()
    }

    struct TooLate: Error {}
}
