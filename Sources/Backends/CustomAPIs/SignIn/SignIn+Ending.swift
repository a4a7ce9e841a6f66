package import Backend
package import CivilTime

/// The end of tokens by the control API, faults and scenarios (own-API contract, sections 10 and 15).
extension SignIn {
    /// Ends what a user holds, or what all users hold if there is no user.
    package func end(
        _ scope: TokenEnding.Scope,
        of user: String?,
        _ manner: TokenEnding.Manner,
        at: Instant,
        _ state: inout CustomAPIState
    ) {
        let kinds: [IssuedToken.Kind] =
            switch scope {
            case .access: [.access]
            case .refresh: [.refresh]
            case .all: IssuedToken.Kind.allCases
            }
        let sessions = user.map { state.signIn.sessions.rows(in: $0) } ?? state.signIn.sessions.rows
        for session in sessions {
            state.signIn.sessions.update(session.id) { $0.endAll(kinds, IssuedToken.Manner(manner), at: at) }
        }
    }

    /// Ends one token; false for a text that is none of this world.
    func end(credential: String, _ manner: TokenEnding.Manner, _ state: inout CustomAPIState, now: Instant) -> Bool {
        for kind in IssuedToken.Kind.allCases {
            let finding = find(credential, as: kind, &state, now: now)
            guard let session = finding.session, finding.state != .invalid else { continue }
            state.signIn.sessions.update(session.id) {
                $0.end(finding.number, IssuedToken.Manner(manner), at: now)
            }
            return true
        }
        return false
    }

    /// Returns the key of the user behind a token, good or not.
    func user(of token: String, _ state: inout CustomAPIState, now: Instant) -> String? {
        for kind in IssuedToken.Kind.allCases {
            if let user = find(token, as: kind, &state, now: now).user { return user }
        }
        return nil
    }
}

extension IssuedToken.Manner {
    fileprivate init(_ manner: TokenEnding.Manner) {
        switch manner {
        case .expire: self = .expired
        case .revoke: self = .revoked
        }
    }
}
