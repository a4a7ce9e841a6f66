package import CivilTime
package import JSON

/// The parts of a token order that all APIs handle alike (control contract, section 12).
extension TokenOrder {
    /// The audience of tokens that were ordered with a wrong one.
    package static let wrongAudience = "https://wrong-audience.understudy.invalid"
    /// The issuer of tokens that were ordered with a wrong one.
    package static let wrongIssuer = "https://wrong-issuer.understudy.invalid"

    /// The prefix of the `jti` of tokens made by the command line, which no world can have stored.
    package static let offlineIDPrefix = "cli-"

    /// Returns the start and the length of the token's life: an expired one ended a second ago.
    package func life(usual: Interval, now: Instant) -> (start: Instant, length: Interval) {
        let length = life ?? usual
        guard state == .expired else { return (now, length) }
        return (now.flooredToSecond - length - .seconds(1), length)
    }

    /// Returns the changes to the payload for the ordered state; the caller's own claims come last.
    ///
    /// `marksRevoked` is for tokens that no world can store as revoked, so the payload has to state it.
    package func changes(marksRevoked: Bool = true) -> JSONObject {
        var changes = JSONObject()
        switch state {
        case .wrongAudience: changes["aud"] = .string(Self.wrongAudience)
        case .wrongIssuer: changes["iss"] = .string(Self.wrongIssuer)
        case .revoked where marksRevoked: changes["revoked"] = true
        case .valid, .expired, .revoked, .badSignature: break
        }
        for member in claims.members { changes[member.name] = member.value }
        return changes
    }
}
