package import Backend
package import CivilTime

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension TrendyAPI {
    package static func ledger(of state: TrendyState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.accounts.rows.map { Ledger.User(id: $0.id, email: $0.email) }
        for row in state.issuedAccess.rows {
            var ends = [row.expiresAt, row.endedAt ?? row.expiresAt].map { $0.resolved(in: epoch) }
            if let id = row.sessionId {
                // The end of its session ends a token, too.
                guard let session = state.sessions[id], !state.isOver(session, at: now, in: epoch) else { continue }
                if let end = session.endedAt { ends.append(end.resolved(in: epoch)) }
            }
            ledger.add(.access, id: row.id, of: row.userId, until: ends.min(), now: now)
        }
        for session in state.sessions.rows where !state.isOver(session, at: now, in: epoch) {
            ledger.sessions.append(Ledger.Session(id: session.id, user: session.userId))
            let ends = [session.endedAt, session.refreshEndedAt].compactMap { $0?.resolved(in: epoch) }
            // Refresh tokens have no end of their own.
            ledger.add(.refresh, id: session.id, of: session.userId, until: ends.min(), now: now)
        }
        ledger.add(state.signIns, "The window of a client's sign-ins ends", now: now)
        ledger.add(state.refreshes, "The window of a client's refreshes ends", now: now)
        for row in state.knocks.rows.rows where row.count > 0 {
            let end = row.last.resolved(in: epoch) + Limiter.silence
            ledger.add(.rateLimit, at: end, "A client that stays silent is counted anew", now: now)
        }
        if let end = state.closedUntil?.resolved(in: epoch) {
            ledger.add(.rateLimit, at: end, "The limiter opens again for all clients", now: now)
        }
        return ledger
    }
}
