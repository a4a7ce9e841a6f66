import Foundation

/// The retries of pushes that failed.
extension OnboardingStatusService {
    /// The failures of a user's pushes since the last success, and the wait for the next attempt.
    struct Retry {
        /// The pauses in seconds; the last one repeats.
        static let pauses = [1, 2, 4, 8, 16, 32, 60]

        var failures = 0
        var timer: Task<Void, Never>?

        /// The pause after the failures so far.
        var pause: Duration { .seconds(Self.pauses[min(max(failures, 1), Self.pauses.count) - 1]) }

        mutating func stop() {
            timer?.cancel()
            timer = nil
        }

        mutating func succeed() {
            stop()
            failures = 0
        }
    }

    /// A pause that the backend has asked for.
    struct Pause {
        var end: Date
        var timer: Task<Void, Never>
    }

    /// Plans the next attempt after a failed push, if time alone can help.
    func scheduleRetry(_ user: String, after error: OnboardingError) {
        switch error {
        // The pause that the backend asked for ends with an attempt.
        case .pausing: return
        // Another credential brings the next attempt.
        case .unauthorized, .notAuthenticated, .answerOfAnotherUser: return
        case .refused(let status, _) where (400...499).contains(status) && status != 408 && status != 429: return
        case .timedOut, .cancelled, .network, .noCredential, .refused, .unreadableAnswer: break
        }
        if !book.records(of: user).pending.isEmpty { planRetry(user) }
    }

    /// Plans the next push, after a pause that grows until everything is confirmed.
    ///
    /// A confirmed push leaves members that were added meanwhile, which have a push of their own in the lane, and members that
    /// a slow push of another process may still overwrite.
    func planRetry(_ user: String) {
        guard pause == nil else { return }
        var retry = retries[user] ?? Retry()
        retry.failures += 1
        retry.timer?.cancel()
        retry.timer = Task { [weak self, sleeper, pause = retry.pause] in
            try? await sleeper.sleep(for: pause)
            if !Task.isCancelled { self?.startRetry(user) }
        }
        retries[user] = retry
    }

    private func startRetry(_ user: String) {
        retries[user]?.timer = nil
        if user == self.user { startPush(user) }
    }

    /// Keeps every call back until the pause is over that the backend asked for; then sends what waits.
    func startPause(_ retryAfter: RetryAfter) {
        let now = clock.now
        let duration = retryAfter.pause(from: now)
        guard duration > .zero else { return }
        let end = now.addingTimeInterval(duration / .seconds(1))
        // The answer to another user's call does not shorten it.
        if let pause, end <= pause.end { return }
        pause?.timer.cancel()
        for user in retries.keys { retries[user]?.stop() }
        let timer = Task { [weak self, sleeper] in
            try? await sleeper.sleep(for: duration)
            if !Task.isCancelled { self?.endPause() }
        }
        pause = Pause(end: end, timer: timer)
    }

    private func endPause() {
        pause = nil
        // After a sign-out the pause still keeps calls back, but its end starts none.
        if let user, !isSignedOut(user), !book.records(of: user).pending.isEmpty { startPush(user) }
    }
}
