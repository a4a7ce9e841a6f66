package import Backend

/// The hooks of Trendy for the control API and the journal (control contract, section 12).
extension TrendyAPI {
    package static func user(of credential: String, state: TrendyState) -> CallUser? {
        if let row = state.refreshTokens[credential], let session = state.sessions[row.sessionId] {
            return CallUser(id: session.userId, email: state.accounts[session.userId]?.email)
        }
        return TokenIssuer.claimedSubject(of: credential).map { CallUser(id: $0, email: state.accounts[$0]?.email) }
    }

    package static func secrets(in state: TrendyState) -> [String] {
        state.refreshTokens.rows.map(\.id) + state.sessions.rows.map(\.id)
    }
}
