import CivilTime
import Crypto
import Emulation
import JSON

/// The user that an Apple identity token identifies (contract, section 3.2).
struct AppleIdentityToken {
    var subject: String
    var email: String?

    /// The Apple identity of an e-mail that no other identity has.
    static func subject(forEmail email: String) -> String {
        "001999.\(String(email.fnv1a64, radix: 16)).0001"
    }

    /// Checks a token in the world's mode, and remembers an opaque one that comes with an e-mail.
    static func examine(
        _ token: String,
        email bodyEmail: String,
        _ state: inout OmniChatState,
        now: Instant
    ) throws(APIError) -> AppleIdentityToken {
        let refused = APIError.unauthorized("Invalid Apple ID token")
        let payload = claimed(by: token)
        if let payload, state.settings.appleMode == .strict || payload["understudy"] != nil {
            guard let identity = verified(token, payload, state, now: now) else { throw refused }
            return identity
        }
        guard state.settings.appleMode == .lenient else { throw refused }
        if let payload {
            if let expiry = payload["exp"]?.doubleValue, Double(now.seconds) >= expiry { throw refused }
            guard let subject = payload["sub"]?.stringValue, !subject.isEmpty else { throw refused }
            return AppleIdentityToken(subject: subject, email: email(in: payload))
        }
        if !bodyEmail.isEmpty {
            state.rememberedTokens.insert(RememberedToken(id: token, email: bodyEmail))
            return state.identity(ofEmail: bodyEmail)
        }
        if let remembered = state.rememberedTokens[token] { return state.identity(ofEmail: remembered.email) }
        return AppleIdentityToken(subject: "opaque." + token, email: nil)
    }

    /// The payload of any text in the form of a JWT: three parts, of which only the second has to decode (section 3.2).
    private static func claimed(by token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes))?.objectValue
    }

    /// The e-mail of a payload; nil if it is empty.
    private static func email(in payload: JSONObject) -> String? {
        payload["email"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The strict check: RS256 with the emulator's own keys by `kid`, issuer, audience, expiry.
    private static func verified(
        _ token: String,
        _ payload: JSONObject,
        _ state: OmniChatState,
        now: Instant
    ) -> AppleIdentityToken? {
        let key = state.tokens.apple.key.publicKey
        guard let parts = try? JWT.Parts(parsing: token),
            let header = try? JSONReader.read(parts.headerBytes),
            header["alg"]?.stringValue == "RS256",
            header["kid"]?.stringValue == key.kid,
            JWT.verifyRS256(parts, key: key),
            payload["iss"]?.stringValue == AppleStandIn.issuer,
            payload["aud"]?.stringValue == state.settings.appleClientID,
            let expiry = payload["exp"]?.doubleValue, Double(now.seconds) < expiry,
            payload["revoked"]?.boolValue != true,
            state.tokens.apple.isFromHere(payload),
            let subject = payload["sub"]?.stringValue, !subject.isEmpty
        else { return nil }
        return AppleIdentityToken(subject: subject, email: email(in: payload))
    }
}

extension OmniChatState {
    /// The identity bound to an e-mail.
    ///
    /// The first sign-in finds its user by that e-mail.
    func identity(ofEmail email: String) -> AppleIdentityToken {
        AppleIdentityToken(subject: AppleIdentityToken.subject(forEmail: email), email: email)
    }

    func user(email: String) -> User? { userIDsByEmail[email].flatMap { users[$0] } }
}

/// A token of the command line that was used in this world.
struct OfflineToken: Row, Codable {
    var id: String
}
