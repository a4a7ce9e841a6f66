import CivilTime
import Crypto
import Emulation
import JSON

/// Who an Apple identity token speaks for (contract, section 5.2).
struct AppleIdentityToken {
    var subject: String
    var email: String?

    static let mockPrefix = "mock_apple:"
    /// How far ahead of the clock `iat` may lie in strict mode.
    private static let leeway: Double = 60

    /// The same string is always the same user.
    static func subject(ofOpaque token: String) -> String {
        "001999.\(Hex.encode(SHA256.digest(Array(token.utf8))).prefix(32)).0001"
    }

    /// Checks a token as the world's mode asks; nil if it is refused.
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
                // A mock sign-in still finds the account whose mail has become a relay address.
                let mail = named?.email.flatMap { isRelay($0) ? $0 : nil }
                identity?.email = mail ?? relay(of: found.subject)
            // Only a token that no account knows yet can link one.
            case .linked: if named == nil, state.identities[found.subject] == nil { identity?.email = webMail }
            }
        }
        return identity
    }

    /// The mail of the seed's account that waits to be linked.
    static let webMail = "web@carbscan.test"

    static func isRelay(_ mail: String) -> Bool { mail.hasSuffix("@privaterelay.appleid.com") }

    /// A private relay address.
    static func relay(of subject: String) -> String {
        "\(Hex.encode(SHA256.digest(Array(subject.utf8))).prefix(10))@privaterelay.appleid.com"
    }

    /// RS256 against our own keys by `kid`, issuer, audience, times.
    private static func isGood(_ token: IdentityToken, _ state: CarbScanState, now: Instant) -> Bool {
        let seconds = Double(now.microseconds) / 1_000_000
        let clientID = state.settings.appleMode == .strict ? state.settings.appleClientID : nil
        guard let issuedAt = token.payload?["iat"]?.doubleValue, issuedAt <= seconds + leeway else { return false }
        return token.isValid(for: state.tokens.apple, at: seconds) { isAudience($0, clientID) }
    }

    /// Whether `aud` is the client id, or a list that has it.
    ///
    /// Without a client id everything passes but what was asked for as wrong.
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
