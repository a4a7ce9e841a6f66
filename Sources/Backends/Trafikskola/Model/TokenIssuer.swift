import Backend
import CivilTime
import JSON

/// Signs and verifies the tokens of one world (contract, section 3.2).
struct TokenIssuer: Sendable {
    /// The claims of a valid token.
    struct Claims: Sendable, Equatable {
        var subject: String
        var session: String
        var id: String
        var isAccess: Bool
        /// Seconds since 1970.
        var issuedAt: Int64
        var expiresAt: Int64
        /// Tells whether the token carries a revocation mark, as those of the command line do.
        var isRevoked: Bool
    }

    /// Signs access and refresh tokens.
    let signer: TokenSigner
    let issuer: String
    private var verified = VerifiedTokens<Claims>()

    init(secret: [UInt8], issuer: String, keys: HMACKeys = HMACKeys(), issued: IssuedSecrets = IssuedSecrets()) {
        signer = TokenSigner(secret: secret, keys: keys, issued: issued)
        self.issuer = issuer
    }

    /// The payload of a token.
    func payload(
        user: String,
        session: String,
        id: String,
        isAccess: Bool,
        issuedAt: Instant,
        expiresAt: Instant
    ) -> JSONObject {
        [
            "sub": .string(user),
            "sid": .string(session),
            "jti": .string(id),
            "typ": .string(isAccess ? "access" : "refresh"),
            "iat": .integer(issuedAt.seconds),
            "exp": .integer(expiresAt.seconds),
            "iss": .string(issuer),
        ]
    }

    /// The claims of a token that this issuer has signed, whether or not it has expired.
    mutating func verify(_ token: String) -> Claims? {
        verified.claims(of: token) { [signer, issuer] token in Self.claims(signer.payload(of: token), issuer) }
    }

    /// Clears the cache of verified tokens.
    mutating func forget() { verified.forget() }

    private static func claims(_ payload: JSON?, _ issuer: String) -> Claims? {
        guard let payload, let common = TokenClaims(payload, issuer: issuer),
            let session = payload["sid"]?.stringValue,
            let type = payload["typ"]?.stringValue, type == "access" || type == "refresh"
        else { return nil }
        return Claims(
            subject: common.subject,
            session: session,
            id: common.id,
            isAccess: type == "access",
            issuedAt: common.issuedAt,
            expiresAt: common.expiresAt,
            isRevoked: common.isRevoked
        )
    }
}
