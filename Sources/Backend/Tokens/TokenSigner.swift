package import CivilTime
package import Crypto
package import JSON

/// Signs and reads the HS256 tokens of one API in one world.
package struct TokenSigner: Sendable {
    /// The cache of prepared keys.
    package let keys: HMACKeys
    private let key: HMACKey
    private let header: [UInt8]
    /// The register in which signed tokens are noted.
    private let issued: IssuedSecrets

    /// The header of most backends' tokens.
    package static let usualHeader = Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)

    package init(
        secret: [UInt8],
        header: [UInt8] = usualHeader,
        keys: HMACKeys = HMACKeys(),
        issued: IssuedSecrets = IssuedSecrets()
    ) {
        self.keys = keys
        self.issued = issued
        key = keys.key(secret)
        self.header = header
    }

    /// Returns a signed token.
    ///
    /// `claims` sets members of the payload, or removes them when null; `badSignature` signs with another key.
    package func signed(
        _ payload: JSONObject,
        claims: JSONObject = JSONObject(),
        badSignature: Bool = false
    ) -> String {
        issued.signed(
            header: header,
            payload: payload.overridden(by: claims),
            key: .hs256(badSignature ? HMACKey(secret: Array("not the key".utf8)) : key)
        )
    }

    /// A token as it was ordered.
    ///
    /// `marksRevoked` is false where the world remembers the token as revoked.
    package func mint(
        _ payload: JSONObject,
        _ order: TokenOrder,
        expiresAt: Instant,
        marksRevoked: Bool = true
    ) -> MintedToken {
        let token = signed(
            payload,
            claims: order.changes(marksRevoked: marksRevoked),
            badSignature: order.state == .badSignature
        )
        return MintedToken(token: token, expiresAt: expiresAt)
    }

    /// Returns whether a token that claims HS256 was signed here.
    package func hasSigned(_ parts: JWT.Parts) -> Bool { JWT.verifyHS256(parts, key: key) }

    /// Returns the payload of a token that was signed here.
    ///
    /// The algorithm is ours, never the token's.
    package func payload(of token: String) -> JSON? {
        guard let parts = try? JWT.Parts(parsing: token),
            (try? JSONReader.read(parts.headerBytes))?["alg"]?.stringValue == "HS256",
            hasSigned(parts)
        else { return nil }
        return try? JSONReader.read(parts.payloadBytes)
    }
}
