import Backend
import CivilTime
import Crypto

/// Both tokens of a sign-in.
struct TokenPair: Sendable {
    var access: String
    var refresh: String
}

extension CarbScanState {
    /// The next token's id: a number, counted up.
    mutating func nextTokenID() -> String {
        lastToken += 1
        return "\(lastToken)"
    }

    /// The lifetime of an access token in the current profile.
    var accessLife: Interval {
        settings.tokenProfile == .rotation ? TokenIssuer.shortAccessLife : TokenIssuer.accessLife
    }

    /// The remaining life of an access token that expires soon (section 12).
    static let shortRest = Interval.seconds(60)

    /// Starts a session.
    mutating func signIn(_ user: User, now: Instant) -> TokenPair {
        let id = nextTokenID()
        // A token that is about to expire was issued that long ago.
        let issuedAt =
            switch settings.firstTokens {
            case .live: now
            case .expiring: now - accessLife + Self.shortRest
            case .expired: now - accessLife - .seconds(1)
            }
        return TokenPair(
            access: issue(.access, for: user.id, id: id, session: id, now: issuedAt),
            refresh: issue(.refresh, for: user.id, id: nextTokenID(), session: id, now: now)
        )
    }

    mutating func issue(
        _ kind: TokenIssuer.Kind,
        for userId: String,
        id: String,
        session: String,
        now: Instant
    ) -> String {
        let life = kind == .access ? accessLife : TokenIssuer.refreshLife
        note(kind, of: userId, id: id, session: session, issuedAt: now.seconds, until: now.flooredToSecond + life)
        return tokens.signer.signed(
            tokens.payload(kind, subject: userId, id: id, session: session, now: now, life: life)
        )
    }

    /// Notes a token, which is kept nowhere else.
    mutating func note(
        _ kind: TokenIssuer.Kind,
        of user: String,
        id: String,
        session: String,
        issuedAt: Int64,
        until end: Instant
    ) {
        RecentToken.note(
            RecentToken(
                id: id,
                user: user,
                session: session,
                isAccess: kind == .access,
                issuedAt: issuedAt,
                expiresAt: end.seconds
            ),
            in: &recentTokens
        )
    }

    /// The claims and the account of a token of that kind that is valid now; nil for any other.
    mutating func authenticate(
        _ token: String,
        as kind: TokenIssuer.Kind,
        now: Instant,
        epoch: Epoch
    ) -> (claims: TokenIssuer.Claims, user: User)? {
        guard let claims = tokens.verify(token), claims.kind == kind, !claims.isRevoked, now.seconds < claims.expiresAt,
            !endedSessions.contains(claims.session), !hasEnded(claims, now: now, epoch: epoch),
            !hasEnded(credential: token), let user = users[claims.subject]
        else { return nil }
        return (claims, user)
    }

    /// Tells whether the control API has ended the token.
    func hasEnded(_ claims: TokenIssuer.Claims, now: Instant, epoch: Epoch) -> Bool {
        orderedEnd(of: claims, epoch: epoch).map { now >= $0 } ?? false
    }

    /// The end that the control API has ordered for the token; nil if there is none.
    func orderedEnd(of claims: TokenIssuer.Claims, epoch: Epoch) -> Instant? {
        guard !holdingsEnds.isEmpty else { return nil }
        return holdingsEnds.rows(in: claims.subject).compactMap { end -> Instant? in
            let isCovered =
                claims.number > 0
                ? claims.number <= end.upTo
                : claims.issuedAt <= end.orderedAt.resolved(in: epoch).seconds
            guard isCovered, claims.kind == .access ? end.endsAccess : end.endsRefresh else { return nil }
            return end.at.resolved(in: epoch)
        }.min()
    }

    /// Tells whether a fault has ended this credential.
    func hasEnded(credential: String) -> Bool {
        !endedCredentials.isEmpty && endedCredentials.contains(Self.digest(credential))
    }

    mutating func endCredential(_ credential: String) {
        let claims = tokens.verify(credential)
        if let claims { recentTokens.remove(claims.id) }
        endedCredentials.insert(EndedCredential(id: Self.digest(credential)))
    }

    private static func digest(_ credential: String) -> String { Hex.encode(SHA256.digest(Array(credential.utf8))) }

    mutating func endSession(_ session: String) { endedSessions.insert(EndedSession(id: session)) }
}
