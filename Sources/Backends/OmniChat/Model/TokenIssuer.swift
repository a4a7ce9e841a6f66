import Backend
import CivilTime
import JSON

/// Signs and verifies OmniChat's tokens for one world (contract, section 3.1).
struct TokenIssuer: Sendable {
    /// The claims of a valid token.
    struct Claims: Sendable, Equatable {
        var subject: String
        var email: String?
        var isAccess: Bool
        var id: String
        /// Seconds since 1970.
        var expiresAt: Int64
        /// Tells whether the token carries a revocation mark, as those of the command line do.
        var isRevoked: Bool
    }

    static let accessLife = Interval.seconds(900)
    static let refreshLife = Interval.days(30)
    private static let header = Array(#"{"alg":"HS256"}"#.utf8)

    /// Signs access and refresh tokens.
    let signer: TokenSigner
    /// Signs identity tokens.
    let apple: AppleIdentityProvider
    let issuer: String
    private var verified = VerifiedTokens<Claims>()

    init(
        secret: [UInt8],
        issuer: String,
        identitySeed: UInt64,
        keys: HMACKeys = HMACKeys(),
        issued: IssuedSecrets = IssuedSecrets()
    ) {
        signer = TokenSigner(secret: secret, header: Self.header, keys: keys, issued: issued)
        apple = AppleIdentityProvider(seed: identitySeed, world: issuer, issued: issued)
        self.issuer = issuer
    }

    /// The claims of a token that this issuer has signed, whether or not it has expired.
    ///
    /// It refuses other algorithms than HS256 (including `none`), other issuers, and tokens of a different structure.
    mutating func verify(_ token: String) -> Claims? {
        verified.claims(of: token) { [signer, issuer] token in Self.claims(signer.payload(of: token), issuer) }
    }

    /// Clears the cache of verified tokens.
    mutating func forget() { verified.forget() }

    private static func claims(_ payload: JSON?, _ issuer: String) -> Claims? {
        guard let payload, let common = TokenClaims(payload, issuer: issuer) else { return nil }
        return Claims(
            subject: common.subject,
            email: payload["email"]?.stringValue,
            isAccess: payload["scope"]?.arrayValue != nil,
            id: common.id,
            expiresAt: common.expiresAt,
            isRevoked: common.isRevoked
        )
    }

    /// The payload of an access token.
    func accessPayload(user: User, id: String, now: Instant, life: Interval = accessLife) -> JSONObject {
        [
            "sub": .string(user.id),
            "email": .string(user.email),
            "scope": ["read", "write"],
            "jti": .string(id),
            "iat": .integer(now.seconds),
            "exp": .integer((now.flooredToSecond + life).seconds),
            "iss": .string(issuer),
        ]
    }

    /// The payload of a refresh token.
    func refreshPayload(user: User, id: String, now: Instant, life: Interval = refreshLife) -> JSONObject {
        [
            "sub": .string(user.id),
            "jti": .string(id),
            "iat": .integer(now.seconds),
            "exp": .integer((now.flooredToSecond + life).seconds),
            "iss": .string(issuer),
        ]
    }
}
