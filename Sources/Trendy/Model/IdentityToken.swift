import CivilTime
import Crypto
import Emulation
import JSON

/// An identity token for a sign-in (contract, section 9.6).
struct IdentityToken {

    private let token: String
    private let payload: JSONObject?

    init(_ token: String) {
        self.token = token
        payload = Self.claimed(by: token)
    }

    /// The address that it claims; nil if it has not the form of a JWT with one.
    var email: String? { payload?["email"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }

    /// Tells whether the token is accepted; lenient mode verifies only those that Understudy has minted.
    func isAcceptable(_ state: TrendyState, at now: Instant) -> Bool {
        guard state.settings.appleMode == .strict || payload?["understudy"] != nil else { return true }
        return isVerified(state, at: now)
    }

    /// The payload of any text in the form of a JWT: three parts, of which only the second has to decode.
    private static func claimed(by token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes))?.objectValue
    }

    /// Verifies RS256 with the emulator's own keys, issuer, audience, expiry.
    private func isVerified(_ state: TrendyState, at now: Instant) -> Bool {
        let key = state.tokens.apple.key.publicKey
        guard let payload, let parts = try? JWT.Parts(parsing: token),
            let header = try? JSONReader.read(parts.headerBytes),
            header["alg"]?.stringValue == "RS256",
            header["kid"]?.stringValue == key.kid,
            JWT.verifyRS256(parts, key: key),
            payload["iss"]?.stringValue == AppleStandIn.issuer,
            payload["aud"]?.stringValue == state.settings.appleClientID,
            let expiry = payload["exp"]?.doubleValue, Double(now.seconds) < expiry,
            payload["revoked"]?.boolValue != true
        else { return false }
        return state.tokens.apple.isFromHere(payload)
    }
}
