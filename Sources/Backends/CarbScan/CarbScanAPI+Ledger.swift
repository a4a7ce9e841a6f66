package import Backend
package import CivilTime

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension CarbScanAPI {
    package static func ledger(of state: CarbScanState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.users.rows.map { user in
            let name = [user.firstName, user.lastName].compactMap { $0 }.joined(separator: " ")
            return Ledger.User(id: user.id, email: user.email, name: name)
        }
        var sessions: Set<String> = []
        for token in RecentToken.newest(in: state.recentTokens) {
            guard let end = state.end(of: token, epoch: epoch), end > now else { continue }
            ledger.add(
                token.isAccess ? .access : .refresh,
                id: token.id,
                of: token.user,
                until: end,
                noted: token.issuedAt,
                now: now
            )
            if sessions.insert(token.session).inserted {
                ledger.sessions.append(Ledger.Session(id: token.session, user: token.user))
            }
        }
        for link in state.magicLinks.rows {
            let end = link.sentAt.resolved(in: epoch) + .seconds(Int64(state.settings.magicLinkSeconds))
            ledger.add(.magicLink, at: end, id: link.id, user: link.userId, "The link for % ends", now: now)
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
    /// The end of a token, by what is known of it: its own, or an earlier one that was ordered; nil for one that is
    /// not good any more, whatever the time.
    func end(of token: RecentToken, epoch: Epoch) -> Instant? {
        guard !endedSessions.contains(token.session), token.isAccess || !spentRefreshes.contains(token.id),
            users.contains(token.user)
        else { return nil }
        let claims = TokenIssuer.Claims(
            subject: token.user,
            kind: token.isAccess ? .access : .refresh,
            id: token.id,
            session: token.session,
            issuedAt: token.issuedAt,
            expiresAt: token.expiresAt,
            isRevoked: false
        )
        let end = Instant(seconds: token.expiresAt)
        return orderedEnd(of: claims, epoch: epoch).map { min($0, end) } ?? end
    }
}
