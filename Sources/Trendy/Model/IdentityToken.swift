import CivilTime
import Emulation
import JSON

/// The rules for an identity token that somebody signs in with (contract, section 9.6).
extension IdentityToken {
    /// The address that it claims; nil if it is not built like a JWT with one.
    var filledEmail: String? { email.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether it is let in: in lenient mode everything that Understudy did not make itself.
    func isAcceptable(_ state: TrendyState, at now: Instant) -> Bool {
        guard needsVerification(in: state.settings.appleMode) else { return true }
        return isValid(for: state.tokens.apple, at: Double(now.seconds)) {
            $0?.stringValue == state.settings.appleClientID
        }
    }
}
