package import Backend

/// The hooks of OmniChat for the control API and the journal (control contract, section 12).
extension OmniChatAPI {
    package static func user(of credential: String, state: OmniChatState) -> CallUser? {
        TokenText.subject(of: credential).map { CallUser(id: $0, email: state.users[$0]?.email) }
    }

    package static func secrets(in state: OmniChatState) -> [String] {
        state.refreshSessions.rows.map(\.id)
    }
}
