import Backend
import CivilTime

/// The knowledge that a world has of a token that was sent.
struct TokenFinding: Sendable {
    enum State: Sendable, Equatable {
        case good
        /// No token of this world, or one of another kind.
        case invalid
        case expired
        case revoked
        /// A refresh token that was exchanged for another at that time, in a session that may go on.
        case spent(Instant)
    }

    var state: State
    /// The session; nil for one that the world does not have any more.
    var session: CustomSession?
    /// The place of the token in the session.
    var number: Int64 = 0
    /// The key of the user, whatever the state.
    var user: String?

    static let invalid = TokenFinding(state: .invalid)
}

extension SignIn {
    /// Returns what is known of a token of a kind.
    func find(_ token: String, as kind: IssuedToken.Kind, _ state: inout CustomAPIState, now: Instant) -> TokenFinding {
        guard let claims = state.signIn.tokens.claims(of: token) else { return .invalid }
        adoptOffline(claims, &state)
        return find(claims, as: kind, state, now: now)
    }

    private func find(
        _ claims: CustomTokenClaims,
        as kind: IssuedToken.Kind,
        _ state: CustomAPIState,
        now: Instant
    ) -> TokenFinding {
        let place = place(of: claims, in: state)
        var finding = TokenFinding(state: .good, session: place?.session, number: place?.number ?? 0)
        finding.user = place?.session.user ?? claims.user
        guard (place?.kind ?? claims.identity?.kind) == kind, finding.user == claims.user ?? finding.user else {
            return .invalid
        }
        finding.state = judged(claims, place, state, now: now)
        return finding
    }

    /// The seconds by which the clocks of the makers of a JWT may be ahead.
    private static let clockSkew: Int64 = 30

    private func judged(_ claims: CustomTokenClaims, _ place: Place?, _ state: CustomAPIState, now: Instant)
        -> TokenFinding.State
    {
        guard now.seconds < claims.expiresAt else { return .expired }
        if format == .jwt, state.settings.signIn.futureIssue == .refuse, claims.issuedAt > now.seconds + Self.clockSkew
        {
            return .invalid
        }
        guard !claims.isRevoked, let place, state.tables[users].rows.contains(place.session.user) else {
            return .revoked
        }
        guard let token = place.token else {
            // The world has gone back to a time before it was issued.
            guard place.number <= place.session.last else { return .revoked }
            return place.kind == .refresh ? .spent(place.session.startedAt) : .revoked
        }
        guard token.issuedAt.seconds == claims.issuedAt, token.expiresAt.seconds == claims.expiresAt else {
            return .revoked
        }
        switch token.ended(now) {
        case .spent: return .spent(token.end?.at ?? now)
        case _ where place.session.hasEnded(now): return .revoked
        case .expired: return .expired
        case .revoked: return .revoked
        case nil: return .good
        }
    }

    /// The place of a token among those of its session.
    private struct Place {
        var session: CustomSession
        var kind: IssuedToken.Kind
        var number: Int64
        /// The token; nil if it is no longer kept.
        var token: IssuedToken?
    }

    private func place(of claims: CustomTokenClaims, in state: CustomAPIState) -> Place? {
        if let identity = claims.identity, let session = state.signIn.sessions[identity.session] {
            return Place(
                session: session,
                kind: identity.kind,
                number: identity.number,
                token: session.token(identity.number).flatMap { $0.kind == identity.kind ? $0 : nil }
            )
        }
        // A token that was ordered with a `jti` has a session of that id to itself.
        guard !claims.id.isEmpty, let session = state.signIn.sessions[claims.id], let token = session.token(1) else {
            return nil
        }
        return Place(session: session, kind: token.kind, number: 1, token: token)
    }

    /// Stores the session of a token that the command line made with this world's key, at the token's first use.
    private func adoptOffline(_ claims: CustomTokenClaims, _ state: inout CustomAPIState) {
        guard let identity = claims.identity, SessionID.isOffline(identity.session), identity.number == 1,
            !claims.isRevoked, let user = claims.user, state.tables[users].rows.contains(user),
            !state.signIn.sessions.contains(identity.session)
        else { return }
        let start = Instant(seconds: claims.issuedAt)
        var session = CustomSession(id: identity.session, user: user, startedAt: start)
        _ = session.issue(identity.kind, at: start, until: Instant(seconds: claims.expiresAt), grace: grace, now: start)
        state.signIn.sessions.insert(session)
    }
}
