import Foundation
import Synchronization
import TrendyOnboarding

/// A clock and sleeper that stand still until a test advances them.
final class ManualTime: OnboardingClock, OnboardingSleeper {
    private struct Sleep {
        var id: Int
        var duration: Duration
        var due: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed = Duration.zero
        var step = Duration.zero
        var sleeps: [Sleep] = []
        var cancelled: Set<Int> = []
        var count = 0
    }

    let start: Date
    private let state = Mutex(State())

    init(start: Date = noon) { self.start = start }

    var now: Date {
        state.withLock { state in
            state.elapsed += state.step
            return start.addingTimeInterval(state.elapsed / .seconds(1))
        }
    }

    /// The time since the start.
    var elapsed: Duration { state.withLock(\.elapsed) }

    /// The lengths of the sleeps that have not ended, shortest first.
    var sleeps: [Duration] { state.withLock { $0.sleeps.map(\.duration).sorted() } }

    /// Makes every reading of the clock later than the one before.
    func tick(by step: Duration) { state.withLock { $0.step = step } }

    func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(id) { return true }
                    let due = state.elapsed + duration
                    state.sleeps.append(Sleep(id: id, duration: duration, due: due, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleep = state.withLock { state in
                state.cancelled.insert(id)
                let sleep = state.sleeps.first { $0.id == id }
                state.sleeps.removeAll { $0.id == id }
                return sleep
            }
            sleep?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps for exactly this long.
    func waitForSleep(of duration: Duration) async throws {
        while !sleeps.contains(duration) {
            try Watch.check("nobody sleeps for \(duration)")
            await Task.yield()
        }
        Watch.move()
    }

    /// Ends all sleeps.
    func wakeAll() {
        let sleeps = state.withLock { state in
            defer { state.sleeps = [] }
            return state.sleeps
        }
        for sleep in sleeps { sleep.continuation.resume() }
    }

    /// Moves the clock, and wakes those whose time has come.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let due = state.sleeps.filter { $0.due <= state.elapsed }
            state.sleeps.removeAll { $0.due <= state.elapsed }
            return due
        }
        for sleep in due { sleep.continuation.resume() }
    }
}

/// 2025-01-01T12:00:00Z.
let noon = Date(timeIntervalSince1970: 1_735_732_800)
