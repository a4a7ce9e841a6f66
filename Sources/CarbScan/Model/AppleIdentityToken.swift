import CivilTime
import Crypto
import Emulation
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
        let payload = TokenText.payload(of: token) ?? looselyClaimed(by: token)
        var identity: AppleIdentityToken?
        if state.settings.appleMode == .strict {
            identity = payload.flatMap { verified(token, $0, state, now: now, asStrict: true) }
        } else if let payload, payload["understudy"] != nil {
            // A token that this emulator has minted is always verified, so that deliberately invalid ones are refused.
            identity = verified(token, payload, state, now: now, asStrict: false)
        } else if let payload, let subject = payload["sub"]?.stringValue, !subject.isBlank {
            identity = AppleIdentityToken(subject: subject, email: email(in: payload))
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

    /// The payload of any text in the form of a JWT: three parts, of which only the second has to decode.
    private static func looselyClaimed(by token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes))?.objectValue
    }

    private static func email(in payload: JSONObject) -> String? {
        payload["email"]?.stringValue.flatMap { $0.isBlank ? nil : $0 }
    }

    /// Verifies RS256 with the emulator's own keys by `kid`, then issuer, audience, times and subject.
    private static func verified(
        _ token: String,
        _ payload: JSONObject,
        _ state: CarbScanState,
        now: Instant,
        asStrict: Bool
    ) -> AppleIdentityToken? {
        let key = state.tokens.apple.key.publicKey
        let seconds = Double(now.microseconds) / 1_000_000
        guard let parts = try? JWT.Parts(parsing: token),
            let header = try? JSONReader.read(parts.headerBytes),
            header["alg"]?.stringValue == "RS256",
            header["kid"]?.stringValue == key.kid,
            JWT.verifyRS256(parts, key: key),
            payload["iss"]?.stringValue == AppleStandIn.issuer,
            isAudience(payload["aud"], asStrict ? state.settings.appleClientID : nil),
            let expiry = payload["exp"]?.doubleValue, seconds < expiry,
            let issuedAt = payload["iat"]?.doubleValue, issuedAt <= seconds + leeway,
            payload["revoked"]?.boolValue != true,
            state.tokens.apple.isFromHere(payload),
            let subject = payload["sub"]?.stringValue, !subject.isBlank
        else { return nil }
        return AppleIdentityToken(subject: subject, email: email(in: payload))
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
