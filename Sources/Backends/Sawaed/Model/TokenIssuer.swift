import Backend
import CivilTime
import Crypto
import JSON

/// Signs and verifies Sawaed's access tokens for one world (contract, section 3.2).
struct TokenIssuer: Sendable {
    /// The claims of a valid token.
    struct Claims: Sendable, Equatable {
        var userID: String
        var sessionID: String
        /// Seconds since 1970.
        var issuedAt: Int64
        var expiresAt: Int64
        /// Tells whether the token carries a revocation mark, as those of the command line do.
        var isRevoked: Bool
    }

    static let accessLife = Interval.seconds(3_600)
    static let refreshLife = Interval.days(30)
    static let sessionLife = Interval.days(30)
    static let audience = "convex"

    let issuer: String
    /// The cache of prepared keys.
    let keys: HMACKeys
    /// Signs refresh tokens that are made outside the world.
    let offlineKey: HMACKey
    private let seed: UInt64
    private let issued: IssuedSecrets
    /// Signs identity tokens.
    let apple: AppleIdentityProvider
    private var verified = VerifiedTokens<Claims>()

    init(
        seed: UInt64,
        issuer: String,
        secret: [UInt8],
        keys: HMACKeys = HMACKeys(),
        issued: IssuedSecrets = IssuedSecrets()
    ) {
        self.keys = keys
        self.issued = issued
        self.seed = seed
        self.issuer = issuer
        offlineKey = keys.key(secret)
        apple = AppleIdentityProvider(seed: seed ^ "sawaed apple".fnv1a64, world: issuer, issued: issued)
    }

    private static func key(_ seed: UInt64) -> RSAPrivateKey { RSAPrivateKey(seededBy: seed ^ "sawaed access".fnv1a64) }
    private var foreignKey: RSAPrivateKey { RSAPrivateKey(seededBy: seed ^ "not the key".fnv1a64) }

    /// The payload of an access token; `issuedAt` in seconds since 1970.
    func payload(user: String, session: String, issuedAt: Int64, life: Interval = accessLife) -> JSONObject {
        [
            "sub": .string("\(user)|\(session)"),
            "iss": .string(issuer),
            "aud": .string(Self.audience),
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt.addingClamped(life.wholeSeconds)),
        ]
    }

    /// A signed token; `claims` sets members, or removes them if null.
    func signed(_ payload: JSONObject, claims: JSONObject = JSONObject(), badSignature: Bool = false) -> String {
        issued.signed(
            header: Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8),
            payload: payload.overridden(by: claims),
            key: .rs256(badSignature ? foreignKey : Self.key(seed))
        )
    }

    /// The claims of a token that this issuer has signed, whether or not it has expired.
    mutating func verify(_ token: String) -> Claims? {
        verified.claims(of: token) { [issuer, seed] token in Self.claims(token, issuer, seed) }
    }

    /// Clears the cache of verified tokens.
    mutating func forget() { verified.forget() }

    private static func claims(_ token: String, _ issuer: String, _ seed: UInt64) -> Claims? {
        guard let parts = try? JWT.Parts(parsing: token),
            (try? JSONReader.read(parts.headerBytes))?["alg"]?.stringValue == "RS256",
            JWT.verifyRS256(parts, key: key(seed).publicKey),
            let payload = try? JSONReader.read(parts.payloadBytes),
            payload["iss"]?.stringValue == issuer,
            payload["aud"]?.stringValue == audience,
            let (user, session) = halves(payload["sub"]?.stringValue ?? ""),
            let issuedAt = payload["iat"]?.intValue,
            let expiry = payload["exp"]?.intValue
        else { return nil }
        return Claims(
            userID: user,
            sessionID: session,
            issuedAt: issuedAt,
            expiresAt: expiry,
            isRevoked: payload["revoked"]?.boolValue == true
        )
    }

    /// The first two parts of a text cut at `|`, both not empty.
    static func halves(_ text: String) -> (String, String)? {
        let parts = text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard parts.count > 1, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }

    /// The user that a token claims to belong to, unverified: for the journal.
    static func claimedUser(of token: String) -> String? {
        TokenText.subject(of: token).flatMap { halves($0)?.0 }
    }
}
