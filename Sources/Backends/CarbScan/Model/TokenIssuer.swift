import Backend
import CivilTime
import JSON

/// Signs and verifies CarbScan's tokens for one world (contract, section 5.1).
struct TokenIssuer: Sendable {
    enum Kind: String, Sendable { case access, refresh }

    /// The claims of a valid token.
    struct Claims: Sendable, Equatable {
        var subject: String
        var kind: Kind
        var id: String
        /// The sign-in that the token belongs to.
        var session: String
        /// Seconds since 1970.
        var issuedAt: Int64
        var expiresAt: Int64
        /// Tells whether the token carries a revocation mark, as those of the control API do.
        var isRevoked: Bool

        /// The number of the token in the order of issue; 0 for one that was issued elsewhere.
        var number: Int { id == "\(Int(id) ?? 0)" ? Int(id) ?? 0 : 0 }
    }

    static let accessLife = Interval.days(30)
    static let refreshLife = Interval.days(90)
    /// Access tokens of the rotation profile.
    static let shortAccessLife = Interval.minutes(15)

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
        signer = TokenSigner(secret: secret, keys: keys, issued: issued)
        apple = AppleIdentityProvider(seed: identitySeed, world: issuer, issued: issued)
        self.issuer = issuer
    }

    func payload(
        _ kind: Kind,
        subject: String,
        id: String,
        session: String,
        now: Instant,
        life: Interval
    ) -> JSONObject {
        [
            "sub": .string(subject),
            "type": .string(kind.rawValue),
            "iat": .integer(now.seconds),
            "exp": .integer((now.flooredToSecond + life).seconds),
            "jti": .string(id),
            "sid": .string(session),
            "iss": .string(issuer),
        ]
    }

    /// The claims of a token that this issuer has signed, whether or not it has expired.
    mutating func verify(_ token: String) -> Claims? {
        guard token.utf8.count <= 16_384 else { return nil }
        return verified.claims(of: token) { [signer, issuer] token in Self.claims(signer.payload(of: token), issuer) }
    }

    /// Clears the cache of verified tokens.
    mutating func forget() { verified.forget() }

    private static func claims(_ payload: JSON?, _ issuer: String) -> Claims? {
        guard let payload, let common = TokenClaims(payload, issuer: issuer),
            let kind = payload["type"]?.stringValue.flatMap(Kind.init)
        else { return nil }
        return Claims(
            subject: common.subject,
            kind: kind,
            id: common.id,
            session: payload["sid"]?.stringValue ?? common.id,
            issuedAt: common.issuedAt,
            expiresAt: common.expiresAt,
            isRevoked: common.isRevoked
        )
    }
}
