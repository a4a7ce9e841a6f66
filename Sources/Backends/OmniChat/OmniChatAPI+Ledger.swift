package import Backend
package import CivilTime

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension OmniChatAPI {
    package static func ledger(of state: OmniChatState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.users.rows.map { Ledger.User(id: $0.id, email: $0.email, name: $0.name) }
        for row in state.issuedAccess.rows {
            let end = min(row.endedAt ?? row.expiresAt, row.expiresAt)
            ledger.add(.access, id: row.id, of: row.userId, until: end, now: now)
        }
        for row in state.refreshSessions.rows {
            let end = min(row.revokedAt ?? row.expiresAt, row.expiresAt)
            guard end > now else { continue }
            ledger.sessions.append(Ledger.Session(id: row.id, user: row.userId))
            ledger.add(.refresh, id: row.id, of: row.userId, until: end, now: now)
        }
        ledger.add(state.windows, "The window of a client's requests ends", now: now)
        ledger.add(state.uploadWindows, "The window of a client's uploads ends", now: now)
        let today = now.flooredToDay
        for row in state.usage.rows where row.batteryUsed > 0 && row.day.resolved(in: epoch).flooredToDay == today {
            ledger.add(
                .quota,
                at: today + .days(1),
                user: row.userId,
                "The usage of % counts from zero again",
                now: now
            )
        }
        return ledger
    }
}
