import Crypto
package import JSON

/// An Apple identity token as a client sends it, with the claims of its unverified payload.
///
/// `isValid` checks the signature and the claims that a stand-in sets. The API decides the rest: the texts that lenient
/// mode takes, the audience, and the account that a token belongs to.
package struct IdentityToken: Sendable {
    /// The token as it was sent.
    package let text: String
    /// The payload; nil for a text without the form of a token.
    package let payload: JSONObject?

    /// A token with the payload that the API reads from it.
    package init(_ text: String, payload: JSONObject?) {
        self.text = text
        self.payload = payload
    }

    /// The subject that it claims.
    package var subject: String? { payload?["sub"]?.stringValue }

    /// The e-mail that it claims.
    package var email: String? { payload?["email"]?.stringValue }

    /// True if the API has to verify the token in a mode.
    ///
    /// Lenient mode verifies the tokens of a stand-in too, so that one that was ordered as bad is refused.
    package func needsVerification(in mode: AppleMode) -> Bool { mode == .strict || payload?["understudy"] != nil }

    /// True if the stand-in signed the token for the API's audience, and its time is not over.
    ///
    /// `seconds` is the world's time since 1970. Without `needsKeyID` the header need not name the key. `isAudience` is the
    /// API's check of `aud`.
    package func isValid(
        for apple: AppleIdentityProvider,
        at seconds: Double,
        needsKeyID: Bool = true,
        isAudience: (JSON?) -> Bool
    ) -> Bool {
        guard let payload, let parts = try? JWT.Parts(parsing: text),
            let header = try? JSONReader.read(parts.headerBytes),
            header["alg"]?.stringValue == "RS256"
        else { return false }
        // Making the key takes long; texts that can't be good do without.
        let key = apple.key.publicKey
        guard !needsKeyID || header["kid"]?.stringValue == key.kid,
            JWT.verifyRS256(parts, key: key),
            payload["iss"]?.stringValue == AppleIdentityProvider.issuer,
            isAudience(payload["aud"]),
            let expiry = payload["exp"]?.doubleValue, seconds < expiry,
            payload["revoked"]?.boolValue != true
        else { return false }
        return apple.isFromHere(payload)
    }
}
