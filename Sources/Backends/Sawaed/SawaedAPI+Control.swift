package import Backend
import JSON

/// The hooks of Sawaed for the control API and the journal (control contract, section 12).
extension SawaedAPI {
    /// Recognises access and refresh tokens, upload tokens, and stand-in identity tokens.
    package static func user(of credential: String, state: SawaedState) -> CallUser? {
        let id =
            TokenIssuer.claimedUser(of: credential)
            ?? state.sessionOwner(ofRefresh: credential)
            ?? state.uploadTokens[credential]?.userId
            ?? TokenText.payload(of: credential)?["email"]?.stringValue.flatMap { state.user($0)?.id }
        return id.map { CallUser(id: $0, email: state.users[$0]?.email) }
    }

    package static func secrets(in state: SawaedState) -> [String] {
        state.refreshTokens.rows.map(\.id) + state.uploadTokens.rows.map(\.id)
            + state.chatSessions.rows.map { WorldTag.secret(of: $0.id) }
    }
}
