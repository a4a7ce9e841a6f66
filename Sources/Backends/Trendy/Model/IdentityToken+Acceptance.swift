import Backend
import CivilTime
import JSON

/// The rules for an identity token of a sign-in (contract, section 9.6).
extension IdentityToken {
    /// The address that it claims; nil if it has not the form of a JWT with one.
    var filledEmail: String? { email.flatMap { $0.isEmpty ? nil : $0 } }

    /// Tells whether the token is accepted; lenient mode verifies only those that Understudy has minted.
    func isAcceptable(_ state: TrendyState, at now: Instant) -> Bool {
        guard needsVerification(in: state.settings.appleMode) else { return true }
        return isValid(for: state.tokens.apple, at: Double(now.seconds)) {
            $0?.stringValue == state.settings.appleClientID
        }
    }
}
