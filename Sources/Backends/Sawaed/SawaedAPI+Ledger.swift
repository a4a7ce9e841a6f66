package import Backend
package import CivilTime

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension SawaedAPI {
    package static func ledger(of state: SawaedState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.users.rows.map { user in
            let name = "\(user.firstName(.en)) \(user.lastName(.en))"
            return Ledger.User(id: user.id, email: user.email, name: name)
        }
        var live: Set<String> = []
        for token in RecentToken.newest(in: state.recentAccess) where state.users.contains(token.user) {
            let end = state.end(of: token)
            guard end > now else { continue }
            live.insert(token.session)
            ledger.add(.access, id: token.id, of: token.user, until: end, noted: token.issuedAt, now: now)
        }
        for session in state.sessions.rows where now <= state.instant(session.expiresAt) {
            for row in state.refreshTokens.rows(in: session.id) where row.firstUsedAt == nil {
                let ends = [row.expiresAt, session.expiresAt].map { state.instant($0) }
                guard let end = ([row.revokedAt.map { state.instant($0) }].compactMap { $0 } + ends).min(), end > now
                else { continue }
                live.insert(session.id)
                ledger.add(.refresh, id: row.id, of: session.userId, until: end, now: now)
            }
            // A session none of whose tokens is good can't be used any more.
            guard live.contains(session.id) else { continue }
            ledger.sessions.append(Ledger.Session(id: session.id, user: session.userId))
        }
        for code in state.codes.rows {
            ledger.add(.otp, at: state.instant(code.expiresAt), user: code.id, "The code for % ends", now: now)
        }
        for budget in state.budgets.rows {
            let missing = fullBudget(of: budget)
            guard missing > 0 else { continue }
            // With none left, the next one opens the sign-in again.
            let needed = SawaedState.refill.microseconds.subtractingClamped(budget.left)
            let opening = state.instant(budget.at) + .microseconds(needed)
            if opening > now {
                ledger.add(.coolDown, at: opening, "A sign-in can be tried again", now: now)
                continue
            }
            let end = state.instant(budget.at) + .microseconds(missing)
            ledger.add(.coolDown, at: end, "All attempts at a sign-in are back", now: now)
        }
        ledger.add(state.windows, "The window of a client's requests ends", plus: .microseconds(1), now: now)
        return ledger
    }

    /// The microseconds of refilling that a budget lacked when it was last used.
    private static func fullBudget(of budget: FailureBudget) -> Int64 {
        SawaedState.fullBudget.subtractingClamped(budget.left)
    }
}

extension SawaedState {
    /// The end of an access token, by what is known of it: its own, or an earlier one that was ordered.
    func end(of token: RecentToken) -> Instant {
        let ends = [token.user, token.session, Self.series(token.session, token.issuedAt), "*"].flatMap { subject in
            accessEnds.rows(in: subject).filter { token.issuedAt <= $0.issuedUpTo }.map { instant($0.at) }
        }
        return min(ends.min() ?? Instant(seconds: token.expiresAt), Instant(seconds: token.expiresAt))
    }
}
