package import Backend
import CivilTime

/// The sessions and codes of a custom API in a world (own-API contract, section 15).
package struct SignInState: Sendable {
    package var sessions = Table<CustomSession>()
    package var codes = Table<SentCode>()
    /// Derived from the secret of the world.
    var tokens = CustomTokens()

    package init() {}
}

extension SignIn {
    /// The parts of the state: the tables of sessions and codes.
    static var parts: [StatePart<CustomAPIState>] {
        [
            .table("_sessions", \.signIn.sessions, ranges: CustomSession.ranges),
            .table("_codes", \.signIn.codes, ranges: SentCode.ranges),
        ]
    }

    /// The names of tables that no file can declare.
    package static let tableNames = ["_sessions", "_codes"]

    /// Binds a state to its world.
    func bind(_ state: inout CustomAPIState, core: WorldCore) {
        state.signIn.tokens = CustomTokens(self, core: core, keys: state.signIn.tokens.signer.keys)
    }
}
