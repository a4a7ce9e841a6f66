import Backend
import CivilTime
import JSON

/// The user that an Apple identity token identifies (contract, section 3.2).
struct AppleIdentityToken {
    var subject: String
    var email: String?

    /// The Apple identity of an e-mail that no other identity has.
    static func subject(forEmail email: String) -> String {
        "001999.\(String(email.fnv1a64, radix: 16)).0001"
    }

    /// Checks a token in the world's mode, and remembers an opaque one that comes with an e-mail.
    static func examine(
        _ token: String,
        email bodyEmail: String,
        _ state: inout OmniChatState,
        now: Instant
    ) throws(APIError) -> AppleIdentityToken {
        let refused = APIError.unauthorized("Invalid Apple ID token")
        let claimed = IdentityToken(token, payload: TokenText.loosePayload(of: token))
        if claimed.needsVerification(in: state.settings.appleMode) {
            guard isGood(claimed, state, now: now), let identity = AppleIdentityToken(claimed) else { throw refused }
            return identity
        }
        if let payload = claimed.payload {
            if let expiry = payload["exp"]?.doubleValue, Double(now.seconds) >= expiry { throw refused }
            guard let identity = AppleIdentityToken(claimed) else { throw refused }
            return identity
        }
        if !bodyEmail.isEmpty {
            state.rememberedTokens.insert(RememberedToken(id: token, email: bodyEmail))
            return state.identity(ofEmail: bodyEmail)
        }
        if let remembered = state.rememberedTokens[token] { return state.identity(ofEmail: remembered.email) }
        return AppleIdentityToken(subject: "opaque." + token, email: nil)
    }

    /// The strict check: RS256 with the emulator's own keys by `kid`, issuer, audience, expiry.
    private static func isGood(_ token: IdentityToken, _ state: OmniChatState, now: Instant) -> Bool {
        token.isValid(for: state.tokens.apple, at: Double(now.seconds)) {
            $0?.stringValue == state.settings.appleClientID
        }
    }
}

extension AppleIdentityToken {
    /// The identity that a token claims, whether or not it was verified; nil without a subject.
    private init?(_ token: IdentityToken) {
        guard let subject = token.subject, !subject.isEmpty else { return nil }
        self.init(subject: subject, email: token.email.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension OmniChatState {
    /// The identity bound to an e-mail.
    ///
    /// The first sign-in finds its user by that e-mail.
    func identity(ofEmail email: String) -> AppleIdentityToken {
        AppleIdentityToken(subject: AppleIdentityToken.subject(forEmail: email), email: email)
    }

    func user(email: String) -> User? { userIDsByEmail[email].flatMap { users[$0] } }
}

/// A token of the command line that was used in this world.
struct OfflineToken: Row, Codable {
    var id: String
}
