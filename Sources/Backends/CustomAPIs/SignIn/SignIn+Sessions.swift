import Backend
import CivilTime
import JSON

/// The sessions of those who have signed in (own-API contract, section 15).
extension SignIn {
    /// Both tokens of a sign-in or a refresh.
    struct Issued: Sendable, Equatable {
        var access: String
        var refresh: String
        /// The lifetime of the access token in seconds.
        var expiresIn: Int
    }

    // MARK: Issuing

    /// Starts a session.
    func start(
        of user: String,
        _ claims: JSONObject,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        now: Instant
    ) -> Issued {
        var session = newSession(of: user, &state, &core, now: now)
        let access = issue(.access, in: &session, claims, state, now: now)
        let refresh = issue(.refresh, in: &session, claims, state, now: now)
        state.signIn.sessions.insert(session)
        return Issued(access: access, refresh: refresh, expiresIn: state.settings.signIn.accessSeconds)
    }

    /// Returns a new session, which is not stored yet.
    func newSession(
        of user: String,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        now: Instant,
        isOffline: Bool = false
    ) -> CustomSession {
        makeRoom(of: user, &state, now: now)
        let mixed = UInt64(bitPattern: now.microseconds) ^ user.fnv1a64
        let id = core.randomness.unused("\(api).session") { stream in
            // The time and the user are part of it, so that a world that begins anew does not know a former token
            // unless it has issued the very same.
            var stream = SeededStream(seed: stream.next() ^ mixed)
            return SessionID.text(of: stream.next(), isOffline: isOffline)
        } isTaken: {
            state.signIn.sessions.contains($0)
        }
        return CustomSession(id: id, user: user, startedAt: now)
    }

    private func issue(
        _ kind: IssuedToken.Kind,
        in session: inout CustomSession,
        _ claims: JSONObject,
        _ state: CustomAPIState,
        now: Instant
    ) -> String {
        let start = now.flooredToSecond
        let settings = state.settings.signIn
        let life = kind == .access ? settings.accessSeconds : settings.refreshSeconds
        let token = session.issue(kind, at: start, until: start + .seconds(Int64(life)), grace: grace, now: now)
        let identity = TokenIdentity(session: session.id, kind: kind, number: token.number)
        return state.signIn.tokens.token(
            identity,
            of: session.user,
            from: token.issuedAt,
            until: token.expiresAt,
            claims
        )
    }

    // MARK: Refreshing

    /// Returns the session of a refresh token that can be used now; throws the reason why it can't.
    ///
    /// One that was spent too long ago ends its session.
    func admit(_ finding: TokenFinding, _ state: inout CustomAPIState, now: Instant) throws(CustomAPIFailure)
        -> CustomSession
    {
        switch (finding.state, finding.session) {
        case (.invalid, _): throw CustomAPIFailure(.refreshInvalid)
        case (.expired, _): throw CustomAPIFailure(.refreshExpired)
        case (.revoked, _), (_, nil): throw CustomAPIFailure(.refreshRevoked)
        case (.good, let session?): return session
        case (.spent(let moment), let session?):
            // A clock that was put back does not make the token fresh again.
            guard max(now - moment, .zero) < grace else {
                end(session.id, &state, now: now)
                throw CustomAPIFailure(.refreshReused)
            }
            guard !session.hasEnded(now) else { throw CustomAPIFailure(.refreshRevoked) }
            return session
        }
    }

    /// Exchanges the refresh token of that number, which `admit` has let in.
    func refresh(
        _ token: String,
        _ number: Int64,
        of session: CustomSession,
        _ claims: JSONObject,
        _ state: inout CustomAPIState,
        now: Instant
    ) -> Issued {
        var session = session
        let access = issue(.access, in: &session, claims, state, now: now)
        var issued = Issued(access: access, refresh: token, expiresIn: state.settings.signIn.accessSeconds)
        if state.settings.signIn.rotation == .rotate {
            session.end(number, .spent, at: now)
            issued.refresh = issue(.refresh, in: &session, claims, state, now: now)
        }
        state.signIn.sessions.insert(session)
        return issued
    }

    // MARK: Ending

    /// Ends a session with all its tokens.
    func end(_ session: String, _ state: inout CustomAPIState, now: Instant) {
        guard state.signIn.sessions[session]?.hasEnded(now) == false else { return }
        state.signIn.sessions.update(session) { $0.endedAt = now }
    }

    // MARK: Room

    /// The numbers of ended and of live sessions that are kept for one user (control contract, section 17).
    static let mostSessions = 1_024
    static let mostLiveSessions = 16_384

    /// Removes the oldest sessions of a user; their tokens count as revoked.
    private func makeRoom(of user: String, _ state: inout CustomAPIState, now: Instant) {
        let count = state.signIn.sessions.count(in: user)
        // Done in steps, so that the cost of each sign-in is constant.
        guard count >= Self.mostSessions, count.isMultiple(of: 256) else { return }
        // A token of the command line would bring its session back.
        let dead = state.signIn.sessions.rows(in: user).filter { !$0.isLive(now) && !SessionID.isOffline($0.id) }
        for session in dead.prefix(count - Self.mostSessions / 2) { state.signIn.sessions.remove(session.id) }
        let rest = state.signIn.sessions.rows(in: user)
        for session in rest.prefix(max(0, rest.count - Self.mostLiveSessions)) {
            state.signIn.sessions.remove(session.id)
        }
    }
}
