package import Backend
import CivilTime

/// The sessions and codes of an own API in a world (own-API contract, section 15).
package struct SignInState: Sendable {
    package var sessions = Table<OwnSession>()
    package var codes = Table<SentCode>()
    /// Derived from the secret of the world.
    var tokens = OwnTokens()

    package init() {}
}

extension SignIn {
    /// The parts of the state: the tables of sessions and codes.
    static var parts: [StatePart<OwnState>] {
        [
            .table("_sessions", \.signIn.sessions, ranges: OwnSession.ranges),
            .table("_codes", \.signIn.codes, ranges: SentCode.ranges),
        ]
    }

    /// The names of tables that no file can declare.
    package static let tableNames = ["_sessions", "_codes"]

    /// Binds a state to its world.
    func bind(_ state: inout OwnState, core: WorldCore) {
        state.signIn.tokens = OwnTokens(self, core: core, keys: state.signIn.tokens.signer.keys)
    }
}
