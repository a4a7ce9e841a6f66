import Foundation

/// The way of pending changes to the backend.
extension OnboardingStatusService {
    /// Adds a push of everything that waits to the user's lane.
    func startPush(_ user: String) {
        lane(user).add { await self.push(user) }
    }

    /// Sends everything that waits, and returns the reason if it did not succeed.
    ///
    /// Work of the lane. What is added meanwhile is the next push's.
    @discardableResult
    func push(_ user: String) async -> OnboardingError? {
        guard !Task.isCancelled else { return .cancelled }
        guard resets[user] == nil else { return nil }
        let session = session
        retries[user]?.stop()
        // Before anything is written: what can't be sent now needs no flight.
        let token: String
        do throws(OnboardingError) {
            guard !book.records(of: user).pending.isEmpty else { return nil }
            token = try await permit(user)
        } catch {
            fail(user, error, session)
            return error
        }
        let flight = UUID().uuidString
        let date = clock.now
        guard let sending = book.update(user, { $0.pending.begin(flight, at: date) }) else { return nil }
        do throws(OnboardingError) {
            _ = try await send(.patch, sending.request, user, token)
            book.update(user) { $0.pending.confirm(sending) }
            change(user) { $0.lastSyncError = nil }
            show(user)
            settle(user, sending)
            return nil
        } catch {
            switch error {
            case .refused(400, _), .refused(422, _):
                book.update(user) { $0.pending.refuse(sending) }
                // The backend is well; only this content was wrong.
                retries[user]?.failures = 0
            default: book.update(user) { $0.pending.abort(sending) }
            }
            // After a sign-out nothing is shown, even if the identity still names the user.
            if session == self.session { show(user) }
            fail(user, error, session)
            return error
        }
    }

    /// Plans what follows a confirmed push.
    private func settle(_ user: String, _ sending: Sending) {
        let pending = book.records(of: user).pending
        // Only a member that another process is sending, too, is a reason for growing pauses.
        let isContested = sending.tokens.contains { pending.members[$0.key]?.token == $0.value }
        if !isContested { retries[user]?.succeed() }
        if !pending.isEmpty { planRetry(user) }
    }

    private func fail(_ user: String, _ error: OnboardingError, _ session: Int) {
        guard session == self.session else { return }
        switch error {
        // Neither is the reason why the changes still wait.
        case .cancelled, .pausing: break
        default: change(user) { $0.lastSyncError = error }
        }
        scheduleRetry(user, after: error)
    }

    /// Returns the token for a call of a user; throws if none may be made now.
    func permit(_ user: String) async throws(OnboardingError) -> String {
        guard pause == nil else { throw .pausing }
        let token = try await token(user)
        if Task.isCancelled { throw .cancelled }
        // Another user may have signed in while the token was fetched, and it may be theirs.
        guard user == self.user else { throw .notAuthenticated }
        // For the others the identity has changed: a refusal counts until then.
        refusedTokens = refusedTokens.filter { $0.key == user }
        guard token != refusedTokens[user] else { throw .unauthorized }
        guard pause == nil else { throw .pausing }
        return token
    }

    /// Sends a request and reads the record from the response; after a cancellation the record is discarded.
    ///
    /// What the response says about the token and about a pause counts in any case.
    func send(
        _ method: OnboardingRequest.Method,
        _ request: UpdateOnboardingStatusRequest? = nil,
        _ user: String,
        _ token: String
    ) async throws(OnboardingError) -> APIOnboardingStatus {
        let session = session
        let result = await endpoint.record(method, request, of: user, token: token)
        switch result {
        case .success(let record):
            if Task.isCancelled { throw .cancelled }
            refusedTokens[user] = nil
            return record
        case .failure(let failure):
            switch failure.error {
            // What a former session hears of its token says nothing about the next sign-in.
            case _ where session != self.session: break
            case .unauthorized: refusedTokens[user] = token
            // The token is another user's: a repeated write would change the record of that user again.
            case .answerOfAnotherUser where method != .get: refusedTokens[user] = token
            default: break
            }
            if let retryAfter = failure.retryAfter { startPause(retryAfter) }
            if Task.isCancelled { throw .cancelled }
            throw failure.error
        }
    }

    /// The time after which the sign-in library counts as stuck.
    static let credentialLimit = Duration.seconds(30)

    /// Returns an access token; a library that does not react is left behind when the task is cancelled, or after a time.
    private func token(_ user: String) async throws(OnboardingError) -> String {
        let answer = OneAnswer<Result<String, OnboardingError>>()
        let asking = Task { [identity] in
            answer.give(await Self.token(of: identity, user))
        }
        let limit = Task { [sleeper] in
            try? await sleeper.sleep(for: Self.credentialLimit)
            if !Task.isCancelled { answer.give(.failure(.timedOut)) }
        }
        let result = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            Task { @MainActor in answer.give(.failure(.cancelled)) }
        }
        asking.cancel()
        limit.cancel()
        return try result.get()
    }

    @concurrent
    private nonisolated static func token(
        of identity: any OnboardingIdentity,
        _ user: String
    ) async -> Result<String, OnboardingError> {
        do {
            return .success(try await identity.accessToken(for: user))
        } catch {
            return .failure(.noCredential(reason: "\(error)"))
        }
    }
}
