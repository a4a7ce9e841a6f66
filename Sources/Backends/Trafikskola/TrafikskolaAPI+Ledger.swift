package import Backend
package import CivilTime

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension TrafikskolaAPI {
    package static func ledger(of state: TrafikskolaState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.users.rows.map { Ledger.User(id: $0.id, email: $0.email, name: $0.name) }
        for row in state.accessTokens.rows {
            // The end of its session ends a token, too.
            if let id = row.sessionId, state.sessions[id].map({ $0.endedAt != nil }) ?? true { continue }
            let end = min(row.endedAt ?? row.expiresAt, row.expiresAt).instant
            ledger.add(.access, id: row.id, of: row.userId, until: end, now: now)
        }
        for session in state.sessions.rows where state.isLive(session, now: now) {
            ledger.sessions.append(Ledger.Session(id: session.id, user: session.userId))
            for row in state.refreshTokens.rows(in: session.id) {
                // One that was exchanged works again within the grace period only.
                guard row.revokedBy != .rotation, row.revokedBy != .use else { continue }
                let end = min(row.revokedAt?.instant ?? state.end(of: row), state.end(of: row))
                ledger.add(.refresh, id: row.id, of: row.userId, until: end, now: now)
            }
        }
        for row in state.codes.rows where !row.isUsed && !row.isSuperseded {
            ledger.add(.otp, at: row.expiresAt.instant, user: row.userId, "The code for % ends", now: now)
        }
        if state.settings.otpLimits == .on, state.settings.rateLimits == .on {
            var newest: [String: Instant] = [:]
            for row in state.codes.rows { newest[row.userId] = row.createdAt.instant }
            for user in ledger.users {
                guard let sent = newest[user.id] else { continue }
                ledger.add(.coolDown, at: sent + codeGap, user: user.id, "% can be sent another code", now: now)
            }
        }
        for row in state.quickLogins.rows where row.usedAt == nil {
            let end = row.expiresAt.resolved(in: epoch)
            // The code of the seed names no world, and is good in each (section 8.3).
            let id = WorldTag.fits(row.id, world: "") ? nil : row.id
            ledger.add(.qr, at: end, id: id, user: row.userId, "The QR code for % ends", now: now)
        }
        return ledger
    }
}
