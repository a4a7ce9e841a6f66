import Backend
import CivilTime
import Crypto
import HTTPMessage

/// The tokens that a sign-in and a refresh return (contract, section 4.2).
struct TokenPair: Sendable {
    var token: String
    var refreshToken: String
}

/// Sessions, their tokens and the rotation (contract, sections 3.2 and 3.3).
extension SawaedState {
    static let reuseWindow = Interval.seconds(10)
    private static let secretAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// The prefix of refresh tokens made by the command line, which no world can have stored.
    static let offlinePrefix = "cli0"

    // MARK: Issuing

    mutating func signIn(_ user: User, now: Instant, core: WorldCore) -> TokenPair {
        let session = newSession(user.id, now: now, core: core)
        let refresh = issueRefresh(session, parent: nil, now: now, core: core)
        return TokenPair(token: issueAccess(session, now: now), refreshToken: Self.text(of: refresh))
    }

    mutating func newSession(_ user: String, now: Instant, core: WorldCore) -> Session {
        // Removed from time to time: an ended session gets the same answers as a missing one.
        let held = sessions.count(in: user)
        if held > 0, held.isMultiple(of: 64) {
            for row in sessions.rows(in: user) where instant(row.expiresAt) < now { deleteSession(row.id) }
        }
        let session = Session(
            id: newID("session") { $0.sessions.contains($1) },
            userId: user,
            createdAt: .at(now),
            expiresAt: .at(now + TokenIssuer.sessionLife)
        )
        sessions.insert(session)
        return session
    }

    /// Signs an access token; its `iat` distinguishes it from an ended series.
    mutating func issueAccess(_ session: Session, now: Instant) -> String {
        let issuedAt = accessStart(user: session.userId, session: session.id, now: now)
        let end = issuedAt.addingClamped(TokenIssuer.accessLife.wholeSeconds)
        noteAccess(of: session.userId, session: session.id, issuedAt: issuedAt, until: end)
        return tokens.signed(tokens.payload(user: session.userId, session: session.id, issuedAt: issuedAt))
    }

    /// Notes an access token, which is kept nowhere else; the times are seconds since 1970.
    mutating func noteAccess(of user: String, session: String, issuedAt: Int64, until end: Int64) {
        RecentToken.note(
            RecentToken(
                // Tokens of one session and second are identical.
                id: Self.series(session, issuedAt),
                user: user,
                session: session,
                isAccess: true,
                issuedAt: issuedAt,
                expiresAt: end
            ),
            in: &recentAccess
        )
    }

    /// The `iat` of a new token.
    ///
    /// Without a `jti`, a token of the same second would equal the ended one.
    func accessStart(user: String, session: String, now: Instant) -> Int64 {
        let ended = [user, session, "*"].flatMap { accessEnds.rows(in: $0) }.map(\.issuedUpTo).max() ?? .min
        var start = max(now.seconds, ended.addingClamped(1))
        while start < .max, accessEnds.count(in: Self.series(session, start)) > 0 { start += 1 }
        return start
    }

    mutating func issueRefresh(
        _ session: Session,
        parent: String?,
        life: Interval = TokenIssuer.refreshLife,
        now: Instant,
        core: WorldCore
    ) -> RefreshToken {
        let id = chance("refresh", core) { stream in
            WorldTag.tagged(stream.text(length: 24, from: Self.secretAlphabet), world: core.name)
        } isTaken: {
            $0.refreshTokens.contains($1)
        }
        let row = RefreshToken(
            id: id,
            sessionId: session.id,
            parentId: parent,
            expiresAt: .at(now + life)
        )
        refreshTokens.insert(row)
        core.issued.note(row.id)
        return row
    }

    /// A fresh secret for a link.
    mutating func secret(_ purpose: String, _ core: WorldCore) -> String {
        let secret = chance(purpose, core) { stream in
            WorldTag.tagged(stream.text(length: 24, from: Self.secretAlphabet), world: core.name)
        } isTaken: {
            $0.uploadTokens.contains($1)
        }
        core.issued.note(secret)
        return secret
    }

    static func text(of row: RefreshToken) -> String { "\(row.id)|\(row.sessionId)" }

    // MARK: Checking

    /// The user and the claims of an access token that is valid now; nil for anything else.
    mutating func authenticate(_ token: String, now: Instant) -> (user: User, claims: TokenIssuer.Claims)? {
        guard let claims = tokens.verify(token), !claims.isRevoked, now.seconds < claims.expiresAt,
            let user = users[claims.userID]
        else { return nil }
        let series = Self.series(claims.sessionID, claims.issuedAt)
        for subject in [claims.userID, claims.sessionID, series, "*"] {
            let isEnded = accessEnds.rows(in: subject).contains {
                claims.issuedAt <= $0.issuedUpTo && instant($0.at) <= now
            }
            if isEnded { return nil }
        }
        return (user, claims)
    }

    /// Ends the access tokens that a subject (a user, a session, `*`) holds, at an instant.
    mutating func endAccess(of subject: String, at instant: Instant, now: Instant) {
        // Tokens issued after an end of this same second carry a later `iat`.
        let former = accessEnds.rows.map(\.issuedUpTo).max() ?? .min
        let upTo = former >= now.seconds ? former.addingClamped(1) : now.seconds
        accessEnds.insert(AccessEnd(id: newEndID(), subject: subject, issuedUpTo: Self.kept(upTo), at: .at(instant)))
    }

    /// Ends the access tokens of one session and second, which are identical.
    mutating func endOneAccess(of session: String, issuedAt: Int64, at instant: Instant) {
        let series = Self.series(session, issuedAt)
        accessEnds.insert(
            AccessEnd(id: newEndID(), subject: series, issuedUpTo: Self.kept(issuedAt), at: .at(instant))
        )
    }

    /// A second within the range that a document can store, whatever the token claims.
    private static func kept(_ second: Int64) -> Int64 { min(max(second, -(1 << 53)), 1 << 53) }

    private mutating func newEndID() -> String {
        unused("accessEnd") { state, number in state.accessEnds.contains("\(number)") ? nil : "\(number)" }
    }

    /// The subject of an end that applies to one token.
    static func series(_ session: String, _ issuedAt: Int64) -> String { "\(session)|\(issuedAt)" }

    // MARK: Rotation

    /// The row of a refresh token, including one made by the command line.
    mutating func refreshRow(_ text: String, now: Instant) -> RefreshToken? {
        guard let (id, sessionID) = TokenIssuer.halves(text) else { return nil }
        adoptOfflineToken(id, sessionID, now: now)
        return refreshTokens[id].flatMap { $0.sessionId == sessionID ? $0 : nil }
    }

    /// The owner of a refresh token, whether or not it is still valid.
    func sessionOwner(ofRefresh text: String) -> String? {
        TokenIssuer.halves(text).flatMap { refreshTokens[$0.0] }.flatMap { sessions[$0.sessionId]?.userId }
    }

    /// Exchanges a refresh token for a new pair, or throws the reason of the refusal (contract, section 3.3).
    ///
    /// `wasUnused` is true for the first use of a token.
    mutating func rotate(
        _ text: String,
        now: Instant,
        core: WorldCore
    ) throws(APIError) -> (pair: TokenPair, user: User, wasUnused: Bool) {
        guard let (id, sessionID) = TokenIssuer.halves(text) else {
            throw .refreshFailed("The refresh token is malformed.")
        }
        adoptOfflineToken(id, sessionID, now: now)
        // A fork has the rows of its origin, but a token that another world issued is not valid in it.
        guard WorldTag.fits(id, world: core.name), let row = refreshTokens[id], row.sessionId == sessionID,
            now <= instant(row.expiresAt), let session = sessions[sessionID], now <= instant(session.expiresAt),
            let user = users[session.userId]
        else {
            deleteSession(sessionID)
            throw .invalidRefresh
        }
        let wasUnused = row.firstUsedAt == nil
        let child: RefreshToken
        if let revokedAt = row.revokedAt, instant(revokedAt) <= now {
            revoke(row, now: now)
            throw .invalidRefresh
        } else if let firstUsed = row.firstUsedAt {
            let newest = refreshTokens.rows(in: sessionID).last { isLive($0, now: now) }
            if let newest, newest.parentId == row.id {
                child = newest
            } else if now - instant(firstUsed) <= Self.reuseWindow {
                child = issueRefresh(session, parent: row.id, now: now, core: core)
            } else {
                revoke(row, now: now)
                throw .invalidRefresh
            }
        } else {
            refreshTokens.update(row.id) { $0.firstUsedAt = .at(now) }
            child = issueRefresh(session, parent: row.id, now: now, core: core)
        }
        return (TokenPair(token: issueAccess(session, now: now), refreshToken: Self.text(of: child)), user, wasUnused)
    }

    /// Never used and not revoked.
    private func isLive(_ row: RefreshToken, now: Instant) -> Bool {
        row.firstUsedAt == nil && (row.revokedAt.map { now < instant($0) } ?? true)
    }

    /// Revokes a token and all its descendants.
    private mutating func revoke(_ row: RefreshToken, now: Instant) {
        var doomed: Set<String> = [row.id]
        // Children follow their parents.
        for token in refreshTokens.rows(in: row.sessionId) {
            guard doomed.contains(token.id) || token.parentId.map({ doomed.contains($0) }) == true else { continue }
            doomed.insert(token.id)
            refreshTokens.update(token.id) { $0.revokedAt = .at(now) }
        }
    }

    mutating func deleteSession(_ id: String) {
        sessions.remove(id)
        for token in refreshTokens.rows(in: id) { refreshTokens.remove(token.id) }
    }

    /// Returns a stored time.
    ///
    /// Times in these tables are always instants, because sessions are not part of a seed.
    func instant(_ time: Timestamp) -> Instant {
        time.resolved(in: Epoch(start: .epoch))
    }

    // MARK: Tokens of the command line

    /// The first half of a refresh token made outside the world; it contains the data that a world would have stored.
    func offlineRefreshID(user: String, session: String, expiresAt: Instant) -> String {
        let content = Array("\(expiresAt.seconds)|\(user)".utf8)
        let code = offlineCode(content, session)
        return WorldTag.tagged(
            Self.offlinePrefix + Hex.encode(content) + code,
            world: WorldCore.world(ofIssuer: tokens.issuer) ?? ""
        )
    }

    /// Returns 32 hexadecimal digits that only this world can compute.
    private func offlineCode(_ content: [UInt8], _ session: String) -> String {
        Hex.encode(tokens.offlineKey.authenticationCode(for: content + Array("|\(session)".utf8)).prefix(16))
    }

    /// Stores the session of such a token at its first use.
    private mutating func adoptOfflineToken(_ id: String, _ sessionID: String, now: Instant) {
        guard id.hasPrefix(Self.offlinePrefix), marks["offline \(id)"] == nil else { return }
        let body = String(id.dropFirst(Self.offlinePrefix.count).prefix { $0 != "-" })
        guard body.utf8.count > 32, let content = Hex.decode(String(body.dropLast(32))),
            offlineCode(content, sessionID) == body.suffix(32),
            let (expiry, user) = TokenIssuer.halves(String(decoding: content, as: UTF8.self)),
            let seconds = Int64(expiry), users.contains(user)
        else { return }
        marks.insert(Mark(id: "offline \(id)"))
        let end = Timestamp.at(Instant(seconds: seconds))
        sessions.insert(Session(id: sessionID, userId: user, createdAt: .at(now), expiresAt: end))
        refreshTokens.insert(RefreshToken(id: id, sessionId: sessionID, expiresAt: end))
    }
}
