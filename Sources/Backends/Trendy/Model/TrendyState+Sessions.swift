import Backend
import CivilTime
import JSON

extension TrendyState {
    /// The purpose of a random draw.
    ///
    /// Each has a stream of its own, so that one more draw of one kind shifts none of another.
    enum Chance: String, Sendable {
        case account, session, access, refresh, offline, eventType, event, propertyDefinition, geofence, insight
    }

    /// A random UUID of a purpose.
    ///
    /// It skips ids that the table has already, which happens only in an imported world.
    static func newID(_ purpose: Chance, _ core: inout WorldCore, isTaken: (String) -> Bool) -> String {
        core.randomness.unused("trendy.\(purpose.rawValue)") { stream in
            UUIDText.version4(&stream)
        } isTaken: {
            isTaken($0)
        }
    }

    /// A UUID of version 7 with the current time.
    static func orderedID(
        _ purpose: Chance,
        at now: Instant,
        _ core: inout WorldCore,
        isTaken: (String) -> Bool
    ) -> String {
        core.randomness.unused("trendy.\(purpose.rawValue)") { stream in
            UUIDText.ordered(at: now, &stream)
        } isTaken: {
            isTaken($0)
        }
    }

    // MARK: Accounts

    /// Adds an account with its profile row (section 9.3).
    mutating func createAccount(
        email: String,
        password: String?,
        provider: String,
        data: JSON?,
        at now: Instant,
        _ core: inout WorldCore
    ) -> Account {
        let time = Timestamp.at(now)
        let account = Account(
            id: Self.newID(.account, &core) { accounts.contains($0) || profiles.contains($0) },
            email: email.lowercased(),
            password: password,
            provider: provider,
            providers: [provider],
            data: data,
            createdAt: time,
            updatedAt: time
        )
        insert(account)
        profiles.insert(Profile(id: account.id, onboardingComplete: false, createdAt: time, updatedAt: time))
        return account
    }

    // MARK: Sessions (section 9.5)

    /// Begins a session and notes the sign-in.
    mutating func beginSession(
        of account: Account,
        method: String,
        id: String? = nil,
        refreshToken: String? = nil,
        at now: Instant,
        _ core: inout WorldCore
    ) -> Session {
        let session = Session(
            id: id ?? Self.newID(.session, &core) { sessions.contains($0) },
            userId: account.id,
            method: method,
            createdAt: .at(now),
            active: refreshToken ?? newRefreshToken(&core)
        )
        sessions.insert(session)
        refreshTokens.insert(RefreshToken(id: session.active, sessionId: session.id))
        core.issued.note(session.id)
        return session
    }

    /// Notes a sign-in of an account.
    mutating func noteSignIn(of account: String, at now: Instant) -> Account? {
        accounts.update(account) { row in
            row.lastSignInAt = .at(now)
            row.updatedAt = .at(now)
        }
        return accounts[account]
    }

    /// A refresh token that no session has had.
    ///
    /// It has twelve characters, the last six of which identify its world (control contract, section 4).
    private func newRefreshToken(_ core: inout WorldCore) -> String {
        while true {
            // The streams of worlds differ too, since two names may have the same mark.
            var stream = core.randomness.stream("trendy.\(Chance.refresh.rawValue) \(core.name)")
            let token = stream.text(length: 6, from: TokenIssuer.alphabet) + tokens.worldMark
            guard !refreshTokens.contains(token) else { continue }
            core.issued.note(token)
            return token
        }
    }

    /// Makes a new refresh token the active one of a session.
    mutating func rotate(_ session: Session, at now: Instant, _ core: inout WorldCore) -> Session {
        let token = newRefreshToken(&core)
        refreshTokens.update(session.active) { $0.usedAt = .at(now) }
        refreshTokens.insert(RefreshToken(id: token, sessionId: session.id))
        sessions.update(session.id) { row in
            row.parent = row.active
            row.active = token
        }
        return sessions[session.id] ?? session
    }

    mutating func end(_ session: Session, at now: Instant) {
        sessions.update(session.id) { $0.endedAt = .at(now) }
    }

    func isOver(_ session: Session, at now: Instant, in epoch: Epoch) -> Bool {
        session.endedAt.map { $0.resolved(in: epoch) <= now } ?? false
    }

    /// Tells whether its refresh tokens are valid.
    func canRefresh(_ session: Session, at now: Instant, in epoch: Epoch) -> Bool {
        !isOver(session, at: now, in: epoch) && session.refreshEndedAt.map { now < $0.resolved(in: epoch) } ?? true
    }

    // MARK: Access tokens

    /// Signs an access token and stores that it was issued.
    mutating func issueAccess(
        for account: Account,
        session: Session,
        isFirst: Bool,
        origin: String,
        at now: Instant,
        _ core: inout WorldCore
    ) -> String {
        let id = Self.newID(.access, &core) { issuedAccess.contains($0) }
        let end = now.flooredToSecond + TokenIssuer.accessLife
        remember(id, of: session, until: end, isFirst: isFirst, at: now)
        let payload = tokens.payload(account, session: session, id: id, origin: origin, at: now)
        return tokens.signed(payload, settings.signing)
    }

    /// Stores that a token was issued.
    mutating func remember(_ id: String, of session: Session, until end: Instant, isFirst: Bool, at now: Instant) {
        let user = session.userId
        // Done from time to time, so that the cost of each token is constant even if a frozen clock lets none expire.
        let count = issuedAccess.count(in: user)
        if count > 0, count.isMultiple(of: 256) {
            for row in issuedAccess.rows(in: user) where row.endedAt == nil {
                if case .at(let end) = row.expiresAt, end <= now { issuedAccess.remove(row.id) }
            }
        }
        issuedAccess.insert(
            IssuedAccess(id: id, userId: user, sessionId: session.id, expiresAt: .at(end), isFirst: isFirst)
        )
    }

    /// The result of checking an access token: its account and session, or the reason of the refusal.
    enum Admission {
        case admitted(Account, Session)
        case badToken(String)
        case premature(TokenIssuer.PrematureClaim)
        case userGone
        case sessionGone
    }

    /// Checks an access token as the backend and the auth server do (sections 2, 9.2 and 9.7).
    mutating func admit(_ token: String, at now: Instant, in epoch: Epoch) -> Admission {
        guard let claims = tokens.verify(token, settings.signing) else {
            return .badToken("unable to parse or verify signature")
        }
        guard claims.hasRightAudience else { return .badToken("token has invalid claims: wrong audience") }
        guard Double(now.seconds) < claims.expiresAt, !isExpiredEarly(claims, at: now, in: epoch) else {
            return .badToken("unable to parse or verify signature, token has invalid claims: token is expired")
        }
        if let claim = claims.prematureClaim(at: now), claim != .issuedAt || settings.futureIat == .refuse {
            return .premature(claim)
        }
        guard let account = accounts[claims.subject] else { return .userGone }
        if claims.isOffline, sessions[claims.session] == nil, !claims.isRevoked { adopt(claims, at: now) }
        guard let session = sessions[claims.session], session.userId == account.id, !claims.isRevoked,
            !isOver(session, at: now, in: epoch)
        else { return .sessionGone }
        return .admitted(account, session)
    }

    /// Tells whether the control API or a setting ended the token early.
    private func isExpiredEarly(_ claims: TokenIssuer.Claims, at now: Instant, in epoch: Epoch) -> Bool {
        guard let id = claims.id, let row = issuedAccess[id] else { return false }
        if row.isFirst, settings.firstTokens == .expired { return true }
        return row.endedAt.map { $0.resolved(in: epoch) <= now } ?? false
    }

    /// Stores the session of a token that the command line made, at the token's first use.
    private mutating func adopt(_ claims: TokenIssuer.Claims, at now: Instant) {
        let token = tokens.offlineRefreshToken(of: claims.session)
        sessions.insert(
            Session(
                id: claims.session,
                userId: claims.subject,
                method: "password",
                createdAt: .at(now),
                active: token
            )
        )
        refreshTokens.insert(RefreshToken(id: token, sessionId: claims.session))
    }

    /// The session of a refresh token, including one made by the command line.
    mutating func session(ofRefreshToken token: String, at now: Instant) -> (RefreshToken, Session)? {
        // A fork has the rows of its origin, but a token that another world issued is not valid in it.
        guard token.hasSuffix(tokens.worldMark) else { return nil }
        if let row = refreshTokens[token], let session = sessions[row.sessionId] { return (row, session) }
        // A token that the command line made with this world's key; its session is stored at its first use. Only
        // accounts of the seed can have one, and there are few of those.
        guard let account = seedAccounts.first(where: { tokens.offlineRefreshToken(of: $0) == token }) else {
            return nil
        }
        let session = Session(
            id: UUIDText.derived(from: "offline " + token),
            userId: account,
            method: "password",
            createdAt: .at(now),
            active: token
        )
        let row = RefreshToken(id: token, sessionId: session.id)
        sessions.insert(session)
        refreshTokens.insert(row)
        return (row, session)
    }
}
