package import JSON

/// The registered claims (RFC 7519, section 4.1) that the HS256 tokens of several APIs have in common.
package struct TokenClaims: Sendable, Equatable {
    /// The `sub`.
    package let subject: String
    /// The `jti`.
    package let id: String
    /// The `iat`, in seconds since 1970.
    package let issuedAt: Int64
    /// The `exp`, in seconds since 1970.
    package let expiresAt: Int64
    /// True for a token that says of itself that it is revoked, since no world has stored it.
    package let isRevoked: Bool

    /// Reads the payload of a token whose signature was verified.
    ///
    /// Nil for one that lacks a claim, names another issuer, or was ordered with a wrong audience.
    package init?(_ payload: JSON, issuer: String) {
        guard let subject = payload["sub"]?.stringValue,
            let id = payload["jti"]?.stringValue,
            let issuedAt = payload["iat"]?.intValue,
            let expiresAt = payload["exp"]?.intValue,
            payload["iss"]?.stringValue == issuer,
            payload["aud"]?.stringValue != TokenOrder.wrongAudience
        else { return nil }
        self.subject = subject
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        isRevoked = payload["revoked"]?.boolValue == true
    }
}
