package import Backend
import CivilTime
import JSON
package import Worlds

/// The users, what they hold, and what ends (console contract, sections 4 and 5).
extension OwnAPI {
    package func ledger(_ world: World, _ index: Int) -> Ledger {
        guard let signIn = home(world, index).definition.signIn else { return Ledger() }
        let state = world.state(index, OwnState.self)
        let now = world.core.now
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
