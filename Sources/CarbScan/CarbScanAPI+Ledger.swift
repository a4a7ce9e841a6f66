package import CivilTime
package import Emulation

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension CarbScanAPI {
    package static func ledger(of state: CarbScanState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.users.rows.map { user in
            let name = [user.firstName, user.lastName].compactMap { $0 }.joined(separator: " ")
            return Ledger.User(id: user.id, email: user.email, name: name)
        }
        var sessions: Set<String> = []
        for token in state.recentTokens.tokens where state.isGood(token, now: now, epoch: epoch) {
            ledger.add(
                token.isAccess ? .access : .refresh,
                of: token.user,
                until: Instant(seconds: token.expiresAt),
                noted: token.issuedAt,
                now: now
            )
            if sessions.insert(token.session).inserted { ledger.sessions.append(token.user) }
        }
        for link in state.magicLinks.rows {
            let end = link.sentAt.resolved(in: epoch) + .seconds(Int64(state.settings.magicLinkSeconds))
            ledger.add(.magicLink, at: end, user: link.userId, "The link for % ends", now: now)
        }
        for user in state.users.rows {
            guard let log = state.quotas[user.id], !(log.scans.isEmpty && log.chats.isEmpty) else { continue }
            let quotas = state.quotas(of: user, now: now, epoch: epoch)
            if quotas.scansLeft < Quotas.scanLimit(quotas.tier) {
                let what = "The scans of % count from zero again"
                ledger.add(.quota, at: quotas.scanReset, user: user.id, what, now: now)
            }
            if quotas.chatsToday > 0, quotas.chatLimit != nil {
                let end = state.calendar.day(of: now).end
                ledger.add(.quota, at: end, user: user.id, "The questions of % count from zero again", now: now)
            }
        }
        return ledger
    }
}

extension CarbScanState {
    /// Tells whether a token is good, by what is known of it.
    func isGood(_ token: RecentTokens.Token, now: Instant, epoch: Epoch) -> Bool {
        guard now.seconds < token.expiresAt, !endedSessions.contains(token.session),
            token.isAccess || !spentRefreshes.contains(token.id), users.contains(token.user)
        else { return false }
        let claims = TokenIssuer.Claims(
            subject: token.user,
            kind: token.isAccess ? .access : .refresh,
            id: token.id,
            session: token.session,
            issuedAt: token.issuedAt,
            expiresAt: token.expiresAt,
            isRevoked: false
        )
        return !hasEnded(claims, now: now, epoch: epoch)
    }
}
