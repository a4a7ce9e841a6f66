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
        let payload = TokenText.payload(of: token) ?? looselyClaimed(by: token)
        var identity: AppleIdentityToken?
        if state.settings.appleMode == .strict {
            identity = payload.flatMap { verified(token, $0, state, now: now, asStrict: true) }
        } else if let payload, payload["understudy"] != nil {
            // Minted here: whoever asked for a bad one gets it refused.
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

    /// The payload of anything built like a JWT: three parts, of which only the second must decode.
    private static func looselyClaimed(by token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes))?.objectValue
    }

    private static func email(in payload: JSONObject) -> String? {
        payload["email"]?.stringValue.flatMap { $0.isBlank ? nil : $0 }
    }

    /// RS256 against our own keys by `kid`, issuer, audience, times, subject.
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

    /// Whether `aud` is the client id, or a list that has it.
    ///
    /// Without a client id everything passes but what was asked for as wrong.
    private static func isAudience(_ claim: JSON?, _ clientID: String?) -> Bool {
        let named = claim?.arrayValue?.compactMap(\.stringValue) ?? [claim?.stringValue].compactMap(\.self)
        guard let clientID else { return !named.contains(TokenOrder.wrongAudience) }
        return named.contains { $0.utf8.elementsEqual(clientID.utf8) }
    }
}
