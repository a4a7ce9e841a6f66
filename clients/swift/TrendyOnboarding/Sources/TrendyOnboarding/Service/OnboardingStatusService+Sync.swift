import Foundation

/// Syncs and resets.
extension OnboardingStatusService {
    /// Sends pending changes, then reads the record, which becomes the cached entry with the remaining changes applied on top.
    ///
    /// It has no time limit of its own: a launch that waits for the result calls ``sync(timeout:)``.
    ///
    /// ```swift
    /// func refresh() async {
    ///     if case .stale(_, let error) = await service.sync() { log("could not refresh: \(error)") }
    /// }
    /// ```
    public func sync() async -> SyncResult { await sync(within: nil) }

    /// Syncs as ``sync()`` does, and returns after the timeout at the latest, which includes fetching the token.
    ///
    /// On a timeout the result is the status that the device has at that moment, and a later response is discarded.
    ///
    /// ```swift
    /// let status = await service.sync(timeout: .seconds(3)).status
    /// route(by: status)
    /// ```
    public func sync(timeout: Duration) async -> SyncResult { await sync(within: timeout) }

    private func sync(within limit: Duration?) async -> SyncResult {
        guard let user else { return .notAuthenticated }
        let attempt = SyncAttempt(user: user)
        attempts.append(attempt)
        show(user)
        change(user) { $0.runningSyncs += 1 }
        attempt.start(lane(user).add { await self.run(attempt) })
        let deadline = limit.map { limit in
            Task { [sleeper] in
                try? await sleeper.sleep(for: limit)
                if !Task.isCancelled { self.end(attempt, .timedOut) }
            }
        }
        let result = await withTaskCancellationHandler {
            await attempt.wait()
        } onCancel: {
            Task { @MainActor in self.end(attempt, .cancelled) }
        }
        deadline?.cancel()
        attempts.removeAll { $0 === attempt }
        return result
    }

    /// Ends an attempt before its work has.
    private func end(_ attempt: SyncAttempt, _ error: OnboardingError) {
        guard attempt.isOpen else { return }
        if error == .timedOut { change(attempt.user) { $0.lastSyncError = .timedOut } }
        finish(attempt, .stale(book.records(of: attempt.user).status, error))
    }

    /// Gives the result of an attempt, unless its user is no longer the one who is signed in.
    private func finish(_ attempt: SyncAttempt, _ result: SyncResult) {
        guard attempt.isOpen else { return }
        change(attempt.user) { $0.runningSyncs -= 1 }
        show(attempt.user)
        attempt.end(attempt.user == user ? result : .notAuthenticated)
    }

    /// The work of an attempt, in its user's lane.
    private func run(_ attempt: SyncAttempt) async {
        let user = attempt.user
        guard attempt.isOpen else { return }
        let failure = await push(user)
        guard attempt.isOpen else { return }
        do throws(OnboardingError) {
            // A read that the backend answers no better than the push before it is not sent.
            switch failure {
            case .unauthorized, .answerOfAnotherUser, .pausing, .notAuthenticated, .noCredential:
                throw failure ?? .cancelled
            default: break
            }
            let status = try await read(user)
            guard attempt.isOpen else { return }
            change(user) { $0.lastSyncError = failure }
            finish(attempt, status.map(SyncResult.fresh) ?? .notAuthenticated)
        } catch {
            guard attempt.isOpen else { return }
            // The push has met the cause, and the read only the pause that follows.
            let cause = error == .pausing ? failure ?? error : error
            change(user) { $0.lastSyncError = cause }
            finish(attempt, .stale(book.records(of: user).status, cause))
        }
    }

    /// The number of reads at most while other processes change the record.
    private static let readLimit = 3

    /// Reads the record and stores it.
    private func read(_ user: String) async throws(OnboardingError) -> CachedOnboardingStatus? {
        for number in 1...Self.readLimit {
            let settled = book.records(of: user).pending.settled
            let token = try await permit(user)
            let answer = try await send(.get, nil, user, token)
            let date = now
            let isStored = book.update(user) { records in
                // Another process has pushed meanwhile, and the answer may be older than that push.
                guard records.pending.settled == settled || number == Self.readLimit else { return false }
                records.take(answer, at: date)
                return true
            }
            if isStored { break }
        }
        return book.records(of: user).status
    }

    /// Resets the user's onboarding on the backend, and then on the device; the answers for permissions stay.
    ///
    /// Pending changes are no longer sent. If the backend's reset fails, nothing changes and the call throws.
    ///
    /// ```swift
    /// do {
    ///     try await service.resetOnboarding()
    ///     return nil
    /// } catch {
    ///     return "Could not start over: \(error)"
    /// }
    /// ```
    public func resetOnboarding() async throws(OnboardingError) {
        guard let user else { throw .notAuthenticated }
        let session = session
        let tokens = book.records(of: user).pending.members.mapValues(\.token)
        resets[user, default: 0] += 1
        retries[user]?.stop()
        let answer = OneAnswer<Result<Void, OnboardingError>>()
        resetAnswers.append((user, answer))
        let work = lane(user).add {
            do throws(OnboardingError) {
                try await self.reset(user, dropping: tokens)
                answer.give(.success(()))
            } catch {
                answer.give(.failure(error))
            }
            self.endReset(user, session)
        }
        let result = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            work.cancel()
            Task { @MainActor in answer.give(.failure(.cancelled)) }
        }
        resetAnswers.removeAll { $0.answer === answer }
        try result.get()
    }

    private func reset(_ user: String, dropping tokens: [String: String]) async throws(OnboardingError) {
        if Task.isCancelled { throw .cancelled }
        do throws(OnboardingError) {
            let token = try await permit(user)
            let answer = try await send(.delete, nil, user, token)
            let date = now
            book.update(user) { records in
                records.pending.drop(tokens)
                // A read that another process began before the reset is told from one that began after it.
                records.pending.settled = UUID().uuidString
                records.take(answer, at: date)
            }
            retries[user]?.succeed()
            change(user) { $0.lastSyncError = nil }
            show(user)
        } catch {
            if error != .cancelled { change(user) { $0.lastSyncError = error } }
            throw error
        }
    }

    private func endReset(_ user: String, _ session: Int) {
        resets[user] = resets[user].flatMap { $0 > 1 ? $0 - 1 : nil }
        // Changes that the user made meanwhile, or those of before if the reset failed or was cancelled by its caller.
        if resets[user] == nil, session == self.session, user == self.user, !book.records(of: user).pending.isEmpty {
            startPush(user)
        }
    }
}
