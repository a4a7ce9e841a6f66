package import Backend
import CivilTime

/// A change of rows that a scenario of Trafikskola makes (contract, section 11).
package struct TrafikskolaChange: Decodable, Sendable {
    enum Operation: String, Decodable, CaseIterable, Sendable {
        /// Expires every valid access token.
        case expireAccessTokens
        /// Expires every valid refresh token.
        case expireRefreshTokens
        /// Marks every session's refresh token as rotated by another client.
        case stealRefreshTokens
        /// Drops all sessions and tokens.
        case loseSessions
        /// Ends the newest session of the document's student.
        case revokeNewestDevice
        /// Sends every live session a kick.
        case kickSessions
        /// Refuses the requests in every other window of two seconds from now on.
        case openRateWindows
    }

    var change: Operation
}

extension TrafikskolaAPI {
    package static func apply(
        _ change: TrafikskolaChange,
        to state: inout TrafikskolaState,
        core: inout WorldCore,
        epoch: Epoch
    ) -> [String] {
        let now = core.now
        switch change.change {
        case .expireAccessTokens:
            return state.accessTokens.rows.filter { $0.expiresAt.instant > now && $0.endedAt == nil }.map { row in
                state.accessTokens.update(row.id) { $0.endedAt = Moment(now) }
                return "accessTokens/\(row.id)"
            }
        case .expireRefreshTokens:
            return state.refreshTokens.rows.filter { $0.revokedAt == nil && $0.expiresAt.instant > now }.map { row in
                state.refreshTokens.update(row.id) { $0.expiresAt = Moment(now) }
                return "refreshTokens/\(row.id)"
            }
        case .stealRefreshTokens:
            return state.refreshTokens.rows.filter { $0.revokedAt == nil && state.end(of: $0) > now }.map { row in
                state.refreshTokens.update(row.id) {
                    $0.revokedAt = Moment(now)
                    $0.revokedBy = .rotation
                }
                return "refreshTokens/\(row.id)"
            }
        case .loseSessions:
            let changed = state.sessions.rows.map { "sessions/\($0.id)" }
            state.sessions.replaceAll(with: [])
            state.refreshTokens.replaceAll(with: [])
            state.accessTokens.replaceAll(with: [])
            return changed
        case .revokeNewestDevice: return revokeNewestDevice(&state, now)
        case .kickSessions: return kickSessions(&state, &core)
        case .openRateWindows:
            state.rateWindowsFrom = Moment(now)
            return []
        }
    }

    package static func undo(
        _ change: TrafikskolaChange,
        in state: inout TrafikskolaState,
        core: inout WorldCore
    ) {
        switch change.change {
        case .openRateWindows: state.rateWindowsFrom = nil
        case .stealRefreshTokens: state.theftMarks.replaceAll(with: [])
        default: break
        }
    }

    /// The newest live session of the first student who has one.
    private static func revokeNewestDevice(_ state: inout TrafikskolaState, _ now: Instant) -> [String] {
        for user in state.users.rows where user.role == .student {
            let live = state.liveSessions(of: user.id, now: now).enumerated()
            let newest = live.max { ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset) }
            guard let session = newest?.element else { continue }
            state.endSession(session.id, .deviceRevoked, now: now)
            return ["sessions/\(session.id)"]
        }
        return []
    }

    private static func kickSessions(_ state: inout TrafikskolaState, _ core: inout WorldCore) -> [String] {
        var changed: [String] = []
        for user in state.users.rows {
            let live = state.liveSessions(of: user.id, now: core.now).map(\.id)
            guard !live.isEmpty else { continue }
            notify(
                user,
                "Du har loggats ut",
                "Ditt konto används på en annan enhet.",
                Notification.kick,
                nil,
                sessions: live,
                &state,
                &core,
                now: core.now
            )
            if let row = state.notifications.rows(in: user.id).last { changed.append("notifications/\(row.id)") }
        }
        return changed
    }
}
