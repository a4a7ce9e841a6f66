import Backend
import CivilTime
import JSON

/// The user that an Apple identity token identifies (contract, section 8.6, row 54).
enum AppleIdentity {
    /// The one user of all texts without an e-mail.
    static let lenientEmail = "apple@sawaed.test"

    /// The e-mail that a token identifies; nil if the token is refused.
    static func email(of token: String, _ state: SawaedState, now: Instant) -> String? {
        guard !state.marks.contains(endMark(of: token)) else { return nil }
        let identity = IdentityToken(token, payload: TokenText.payload(of: token))
        guard let payload = identity.payload else {
            return state.settings.appleMode == .lenient ? lenientEmail : nil
        }
        // Stand-ins of the control API are checked in lenient mode too.
        let isChecked = identity.needsVerification(in: state.settings.appleMode)
        guard !isChecked || isGood(identity, state, now: now) else { return nil }
        if let expiry = payload["exp"]?.doubleValue, Double(now.seconds) >= expiry { return nil }
        guard let email = identity.email else { return isChecked ? nil : lenientEmail }
        return EmailAddress.isValid(email) ? email : nil
    }

    /// The mark of a token that a fault has ended.
    static func endMark(of token: String) -> String { "ended \(String(token.fnv1a64, radix: 16))" }

    private static func isGood(_ identity: IdentityToken, _ state: SawaedState, now: Instant) -> Bool {
        identity.isValid(for: state.tokens.apple, at: Double(now.seconds), needsKeyID: false) {
            $0?.stringValue == state.settings.appleClientID
        }
    }
}
