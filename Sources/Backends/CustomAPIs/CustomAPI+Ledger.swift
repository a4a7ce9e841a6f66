import Backend
import CivilTime
import JSON
import Worlds

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension CustomAPI {
    func ledger(_ state: CustomAPIState, _ now: Instant, _ epoch: Epoch) -> Ledger {
        guard let signIn = definition.signIn else { return Ledger() }
        var ledger = Ledger()
        ledger.users = state.tables[signIn.users].rows.rows.map { row in
            let user = signIn.user(of: row)
            return Ledger.User(id: user.id, email: user.email, name: row.stored["name"]?.stringValue)
        }
        for session in state.signIn.sessions.rows where session.isLive(now) {
            ledger.sessions.append(Ledger.Session(id: session.id, user: session.user))
            for token in session.tokens where token.isGood(now) {
                let end = [token.end?.at, session.endedAt, token.expiresAt].compactMap { $0 }.min()
                ledger.add(
                    token.kind == .access ? .access : .refresh,
                    id: "\(session.id) \(token.number)",
                    of: session.user,
                    until: end,
                    now: now
                )
            }
        }
        for code in state.signIn.codes.rows {
            ledger.add(.otp, at: code.expiresAt, user: code.id, "The code for % ends", now: now)
        }
        return ledger
    }
}
