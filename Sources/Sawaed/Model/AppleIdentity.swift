import CivilTime
import Crypto
import Emulation
import JSON

/// The user that an Apple identity token identifies (contract, section 8.6, row 54).
enum AppleIdentity {
    /// The one user of all texts without an e-mail.
    static let lenientEmail = "apple@sawaed.test"

    /// The e-mail that a token identifies; nil if the token is refused.
    static func email(of token: String, _ state: SawaedState, now: Instant) -> String? {
        guard !state.marks.contains(endMark(of: token)) else { return nil }
        guard let payload = TokenText.payload(of: token) else {
            return state.settings.appleMode == .lenient ? lenientEmail : nil
        }
        // Stand-ins of the control API are checked in lenient mode too.
        let isChecked = state.settings.appleMode == .strict || payload["understudy"] != nil
        guard !isChecked || isGood(token, payload, state) else { return nil }
        if let expiry = payload["exp"]?.doubleValue, Double(now.seconds) >= expiry { return nil }
        guard let email = payload["email"]?.stringValue else { return isChecked ? nil : lenientEmail }
        return EmailAddress.isValid(email) ? email : nil
    }

    /// The mark of a token that a fault has ended.
    static func endMark(of token: String) -> String { "ended \(String(token.fnv1a64, radix: 16))" }

    private static func isGood(_ token: String, _ payload: JSONObject, _ state: SawaedState) -> Bool {
        guard let parts = try? JWT.Parts(parsing: token),
            (try? JSONReader.read(parts.headerBytes))?["alg"]?.stringValue == "RS256",
            JWT.verifyRS256(parts, key: state.tokens.apple.key.publicKey),
            payload["iss"]?.stringValue == AppleStandIn.issuer,
            payload["aud"]?.stringValue == state.settings.appleClientID,
            payload["exp"]?.doubleValue != nil,
            payload["revoked"]?.boolValue != true
        else { return false }
        return state.tokens.apple.isFromHere(payload)
    }
}
