import Backend
import CivilTime
import Crypto
import JSON

/// The user that an Apple identity token identifies (contract, section 5.2).
struct AppleIdentityToken {
    var subject: String
    var email: String?

    static let mockPrefix = "mock_apple:"
    /// The number of seconds that `iat` may be ahead of the clock in strict mode.
    private static let leeway: Double = 60

    /// The subject of a token that is no JWT; the same text always identifies the same user.
    static func subject(ofOpaque token: String) -> String {
        "001999.\(Hex.encode(SHA256.digest(Array(token.utf8))).prefix(32)).0001"
    }

    /// Checks a token in the world's mode; nil if it is refused.
    static func examine(_ token: String, _ state: CarbScanState, now: Instant) -> AppleIdentityToken? {
        guard state.settings.appleTokens == .checked, !state.hasEnded(credential: token) else { return nil }
        let claimed = IdentityToken(
            token,
            payload: TokenText.payload(of: token) ?? TokenText.loosePayload(of: token)
        )
        var identity: AppleIdentityToken?
        if claimed.needsVerification(in: state.settings.appleMode) {
            identity = isGood(claimed, state, now: now) ? AppleIdentityToken(claimed) : nil
        } else if let found = AppleIdentityToken(claimed) {
            identity = found
        } else {
            let mail = token.hasPrefix(mockPrefix) ? String(token.dropFirst(mockPrefix.count)) : ""
            identity = AppleIdentityToken(subject: subject(ofOpaque: token), email: mail.isBlank ? nil : mail)
        }
        if let found = identity {
            let named = found.email.flatMap { state.user(mail: $0) }
            switch state.settings.appleMail {
            case .token: break
            case .relay:
                // A mock sign-in still finds the account whose e-mail address has become a relay address.
                let mail = named?.email.flatMap { isRelay($0) ? $0 : nil }
                identity?.email = mail ?? relay(of: found.subject)
            // Only a token that no account is linked to can link one.
            case .linked: if named == nil, state.identities[found.subject] == nil { identity?.email = webMail }
            }
        }
        return identity
    }

    /// The e-mail address of the seed's account that has not been linked.
    static let webMail = "web@carbscan.test"

    static func isRelay(_ mail: String) -> Bool { mail.hasSuffix("@privaterelay.appleid.com") }

    /// A private relay address.
    static func relay(of subject: String) -> String {
        "\(Hex.encode(SHA256.digest(Array(subject.utf8))).prefix(10))@privaterelay.appleid.com"
    }

    /// Verifies RS256 with the emulator's own keys by `kid`, then issuer, audience and times.
    private static func isGood(_ token: IdentityToken, _ state: CarbScanState, now: Instant) -> Bool {
        let seconds = Double(now.microseconds) / 1_000_000
        let clientID = state.settings.appleMode == .strict ? state.settings.appleClientID : nil
        guard let issuedAt = token.payload?["iat"]?.doubleValue, issuedAt <= seconds + leeway else { return false }
        return token.isValid(for: state.tokens.apple, at: seconds) { isAudience($0, clientID) }
    }

    /// Tells whether `aud` is the client id, or a list that contains it.
    ///
    /// Without a client id every audience passes, except the one that was minted as wrong.
    private static func isAudience(_ claim: JSON?, _ clientID: String?) -> Bool {
        let named = claim?.arrayValue?.compactMap(\.stringValue) ?? [claim?.stringValue].compactMap(\.self)
        guard let clientID else { return !named.contains(TokenOrder.wrongAudience) }
        return named.contains { $0.utf8.elementsEqual(clientID.utf8) }
    }
}

extension AppleIdentityToken {
    /// The identity that a token claims, whether or not it was verified; nil without a subject.
    private init?(_ token: IdentityToken) {
        guard let subject = token.subject, !subject.isBlank else { return nil }
        self.init(subject: subject, email: token.email.flatMap { $0.isBlank ? nil : $0 })
    }
}
