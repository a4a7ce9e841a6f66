package import CivilTime
package import Emulation

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension SawaedAPI {
    package static func ledger(of state: SawaedState, now: Instant, epoch: Epoch) -> Ledger {
        var ledger = Ledger()
        ledger.users = state.users.rows.map { user in
            let name = "\(user.firstName(.en)) \(user.lastName(.en))"
            return Ledger.User(id: user.id, email: user.email, name: name)
        }
        for token in state.recentAccess.tokens where state.isGood(token, now: now) {
            ledger.add(
                .access,
                of: token.user,
                until: Instant(seconds: token.expiresAt),
                noted: token.issuedAt,
                now: now
            )
        }
        for session in state.sessions.rows where now <= state.instant(session.expiresAt) {
            ledger.sessions.append(session.userId)
            for row in state.refreshTokens.rows(in: session.id) where row.firstUsedAt == nil {
                let ends = [row.expiresAt, session.expiresAt].map { state.instant($0) }
                let end = ([row.revokedAt.map { state.instant($0) }].compactMap { $0 } + ends).min()
                ledger.add(.refresh, of: session.userId, until: end, now: now)
            }
        }
        for code in state.codes.rows {
            ledger.add(.otp, at: state.instant(code.expiresAt), user: code.id, "The code for % ends", now: now)
        }
        for budget in state.budgets.rows {
            let missing = fullBudget(of: budget)
            guard missing > 0 else { continue }
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
    /// Tells whether an access token is good, by what is known of it.
    func isGood(_ token: RecentTokens.Token, now: Instant) -> Bool {
        guard now.seconds < token.expiresAt, users.contains(token.user) else { return false }
        return ![token.user, token.session, Self.series(token.session, token.issuedAt), "*"].contains { subject in
            accessEnds.rows(in: subject).contains { token.issuedAt <= $0.issuedUpTo && instant($0.at) <= now }
        }
    }
}
