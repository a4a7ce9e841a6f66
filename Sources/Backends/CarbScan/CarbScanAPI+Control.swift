package import Backend

/// The hooks of CarbScan for the control API and the journal (control contract, section 12).
extension CarbScanAPI {
    package static func user(of credential: String, state: CarbScanState) -> CallUser? {
        func caller(_ id: String) -> CallUser { CallUser(id: id, email: state.users[id]?.email) }
        if let subject = TokenText.subject(of: credential) {
            return caller(state.users.contains(subject) ? subject : state.identities[subject]?.userId ?? subject)
        }
        if let link = state.magicLinks[credential] { return caller(link.userId) }
        if let code = state.browserCodes[credential] { return caller(code.userId) }
        // Apple's identity tokens may be any text.
        if let identity = state.identities[AppleIdentityToken.subject(ofOpaque: credential)] {
            return caller(identity.userId)
        }
        guard credential.hasPrefix(AppleIdentityToken.mockPrefix) else { return nil }
        return state.user(mail: String(credential.dropFirst(AppleIdentityToken.mockPrefix.count)))
            .map { caller($0.id) }
    }

    package static func secrets(in state: CarbScanState) -> [String] {
        state.magicLinks.rows.map(\.id) + state.browserCodes.rows.map(\.id)
    }
}
