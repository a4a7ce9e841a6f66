import Backend
import CivilTime
import HTTPMessage

/// The limits that keep the session tables from growing without end (control contract, section 17).
extension TrafikskolaState {
    /// The numbers of ended and of live sessions that are kept for one user.
    static let mostSessions = 1_024
    static let mostLiveSessions = 16_384
    /// The number of refresh tokens kept for one session.
    static let mostRefreshTokens = 512
    /// The number of access tokens kept for one user.
    static let mostAccessTokens = 8_192
    static let mostDevices = 4_096

    /// Removes the oldest ended sessions; their tokens are still refused, as unknown ones.
    ///
    /// Live sessions are removed only far beyond the number that any client uses.
    mutating func makeRoomForSession(of user: String, now: Instant) {
        let count = sessions.count(in: user)
        // Done in steps, so that the cost of each login is constant.
        guard count >= Self.mostSessions, count.isMultiple(of: 256) else { return }
        let all = sessions.rows(in: user)
        let dead = all.filter { !isLive($0, now: now) }
        for session in dead.prefix(count - Self.mostSessions / 2) { drop(session) }
        let rest = sessions.rows(in: user)
        for session in rest.prefix(max(0, rest.count - Self.mostLiveSessions)) { drop(session) }
    }

    private mutating func drop(_ session: Session) {
        for row in refreshTokens.rows(in: session.id) { refreshTokens.remove(row.id) }
        sessions.remove(session.id)
    }

    /// Removes the oldest rotated tokens of a session, and notes that in the session for `refuseDropped`.
    mutating func makeRoomForRefreshToken(of session: String) {
        guard refreshTokens.count(in: session) >= Self.mostRefreshTokens else { return }
        let rotated = refreshTokens.rows(in: session).filter { $0.revokedBy == .rotation }
        for row in rotated.dropLast(Self.mostRefreshTokens / 2) { refreshTokens.remove(row.id) }
        sessions.update(session) { $0.hasDroppedTokens = true }
    }

    /// Returns the failure for a valid refresh token without a row.
    ///
    /// If its session has removed rows, the token was rotated long ago, and its reuse counts as theft like that of any
    /// other (section 3.4).
    mutating func refuseDropped(_ claims: TokenIssuer.Claims, now: Instant) -> APIError {
        let life = min(claims.expiresAt.subtractingClamped(claims.issuedAt), Int64(settings.refreshLifetimeSeconds))
        guard let session = sessions[claims.session], session.userId == claims.subject, session.endedAt == nil,
            session.hasDroppedTokens == true, now.seconds < claims.issuedAt.addingClamped(life)
        else { return .invalidRefreshToken }
        endAllSessions(of: session.userId, now: now)
        return .refreshTokenReused
    }

    /// Removes the rows of the oldest access tokens that have not been ended; a token without a row is checked by its
    /// claims and its session.
    mutating func makeRoomForAccessToken(of user: String) {
        let count = accessTokens.count(in: user)
        guard count > Self.mostAccessTokens else { return }
        let running = accessTokens.rows(in: user).filter { $0.endedAt == nil }
        for row in running.prefix(count - Self.mostAccessTokens) { accessTokens.remove(row.id) }
    }

    /// Removes the unregistered devices that were seen longest ago, or else the oldest.
    mutating func makeRoomForDevice(of user: String) {
        guard devices.count(in: user) >= Self.mostDevices else { return }
        let all = devices.rows(in: user)
        let idle = all.filter { !$0.isRegistered }
        for device in (idle.isEmpty ? all : idle).prefix(256) { devices.remove(device.id) }
    }
}
