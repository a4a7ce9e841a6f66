package import CivilTime
package import JSON

/// What every API does alike with an order for a token (control contract, section 12).
extension TokenOrder {
    /// The audience of tokens that were asked for with a wrong one.
    package static let wrongAudience = "https://wrong-audience.understudy.invalid"
    /// The issuer of tokens that were asked for with a wrong one.
    package static let wrongIssuer = "https://wrong-issuer.understudy.invalid"

    /// The beginning of the `jti` of tokens that the command line makes: no world could have stored them.
    package static let offlineIDPrefix = "cli-"

    /// Start and length of the token's life: an expired one ended a second ago.
    package func life(usual: Interval, now: Instant) -> (start: Instant, length: Interval) {
        let length = life ?? usual
        guard state == .expired else { return (now, length) }
        return (now.flooredToSecond - length - .seconds(1), length)
    }

    /// What the state asked for changes in the payload; the caller's own claims come last.
    ///
    /// `marksRevoked` is for tokens that no world can remember as revoked, so that they have to say it themselves.
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
