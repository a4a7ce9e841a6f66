import CivilTime
import Emulation
import HTTPMessage

/// What keeps the session tables from growing without end (control contract, section 17).
extension TrafikskolaState {
    /// Sessions of one user, and among them live ones, that are kept.
    static let mostSessions = 1_024
    static let mostLiveSessions = 16_384
    /// Refresh tokens of one session whose rows are kept.
    static let mostRefreshTokens = 512
    /// Access tokens of one user whose rows are kept.
    static let mostAccessTokens = 8_192
    static let mostDevices = 4_096

    /// Drops the oldest sessions that have ended: their tokens are refused all the same, as unknown ones.
    ///
    /// Only far beyond what any client does, live ones go too.
    mutating func makeRoomForSession(of user: String, now: Instant) {
        let count = sessions.count(in: user)
        // In steps, so that the cost for each login stays the same.
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

    /// Drops the oldest rotated tokens of a session, which remembers that it has: see `refuseDropped`.
    mutating func makeRoomForRefreshToken(of session: String) {
        guard refreshTokens.count(in: session) >= Self.mostRefreshTokens else { return }
        let rotated = refreshTokens.rows(in: session).filter { $0.revokedBy == .rotation }
        for row in rotated.dropLast(Self.mostRefreshTokens / 2) { refreshTokens.remove(row.id) }
        sessions.update(session) { $0.hasDroppedTokens = true }
    }

    /// What a refresh token of ours without a row gets: if its session has dropped rows, it was rotated long ago, and its
    /// return is theft like that of any other (section 3.4).
    mutating func refuseDropped(_ claims: TokenIssuer.Claims, now: Instant) -> APIError {
        let life = min(claims.expiresAt.subtractingClamped(claims.issuedAt), Int64(settings.refreshLifetimeSeconds))
        guard let session = sessions[claims.session], session.userId == claims.subject, session.endedAt == nil,
            session.hasDroppedTokens == true, now.seconds < claims.issuedAt.addingClamped(life)
        else { return .invalidRefreshToken }
        endAllSessions(of: session.userId, now: now)
        return .refreshTokenReused
    }

    /// Drops the rows of the oldest access tokens that have not been ended: a token without a row works as its claims and
    /// its session say.
    mutating func makeRoomForAccessToken(of user: String) {
        let count = accessTokens.count(in: user)
        guard count > Self.mostAccessTokens else { return }
        let running = accessTokens.rows(in: user).filter { $0.endedAt == nil }
        for row in running.prefix(count - Self.mostAccessTokens) { accessTokens.remove(row.id) }
    }

    /// Drops the devices seen longest ago that are not registered, or else the oldest.
    mutating func makeRoomForDevice(of user: String) {
        guard devices.count(in: user) >= Self.mostDevices else { return }
        let all = devices.rows(in: user)
        let idle = all.filter { !$0.isRegistered }
        for device in (idle.isEmpty ? all : idle).prefix(256) { devices.remove(device.id) }
    }
}
