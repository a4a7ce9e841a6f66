import Backend
import CivilTime
import Crypto
import JSON

/// Signs and verifies the access tokens of one world (contract, section 9.4).
struct TokenIssuer: Sendable {
    /// The claims of a token with a valid signature.
    struct Claims: Sendable, Equatable {
        var subject: String
        var session: String
        /// The `jti`.
        var id: String?
        /// Seconds since 1970.
        var expiresAt: Double
        /// The seconds of `iat`; nil where a token has none.
        var issuedAt: Double?
        /// The seconds of `nbf`, which only a token has whose maker asks for it.
        var notBefore: Double?
        /// Tells whether its audience is `authenticated`.
        var hasRightAudience: Bool
        /// Tells whether it was made by the command line, which can't store a session.
        var isOffline: Bool
        /// Tells whether the token carries a revocation mark, as those of the command line do.
        var isRevoked: Bool

        /// Returns the claim by which the token is not good yet; the clocks of its makers and checkers may differ by 30 s.
        func prematureClaim(at now: Instant) -> PrematureClaim? {
            let latest = Double(now.seconds) + 30
            if let notBefore, notBefore > latest { return .notBefore }
            if let issuedAt, issuedAt > latest { return .issuedAt }
            return nil
        }
    }

    /// A time of a token that lies ahead.
    enum PrematureClaim: Sendable { case issuedAt, notBefore }

    /// An hour.
    static let accessLife = Interval.seconds(3_600)
    static let audience = "authenticated"

    /// Signs access tokens, unless another algorithm is configured.
    let signer: TokenSigner
    /// The world's name in every token; `iss` is the address at which the token was issued.
    let issuer: String
    /// The suffix of every refresh token, which identifies its world in the little room there is.
    let worldMark: String
    /// Signs identity tokens; its key pair also signs RS256 tokens if those are configured.
    let apple: AppleIdentityProvider
    private let offlineKey: HMACKey
    private let issued: IssuedSecrets
    private var verified = VerifiedTokens<Claims>()

    init(
        secret: [UInt8],
        issuer: String,
        keySeed: UInt64,
        keys: HMACKeys = HMACKeys(),
        issued: IssuedSecrets = IssuedSecrets()
    ) {
        self.issued = issued
        signer = TokenSigner(secret: secret, keys: keys, issued: issued)
        offlineKey = keys.key(secret + Array("offline".utf8))
        self.issuer = issuer
        worldMark = WorldTag.shortMark(of: WorldCore.world(ofIssuer: issuer) ?? WorldName.main)
        apple = AppleIdentityProvider(seed: keySeed, world: issuer, issued: issued)
    }

    // MARK: Signing

    /// A signed token.
    func signed(_ payload: JSONObject, _ signing: TrendySettings.Signing, badSignature: Bool = false) -> String {
        guard signing == .rs256, !badSignature else { return signer.signed(payload, badSignature: badSignature) }
        let pair = apple.key
        let header: JSON = ["alg": "RS256", "kid": .string(pair.publicKey.kid), "typ": "JWT"]
        return issued.signed(header: header.serialized(), payload: payload, key: .rs256(pair))
    }

    /// The payload of an access token, in the order of section 9.4.
    ///
    /// The last two members are Understudy's own: a number of the token, and the name of its world.
    func payload(
        _ account: Account,
        session: Session,
        id: String,
        origin: String,
        at now: Instant,
        life: Interval = accessLife
    ) -> JSONObject {
        let start = now.flooredToSecond
        let method: JSON = ["method": .string(session.method), "timestamp": .integer(start.seconds)]
        return [
            "iss": .string(origin + "/auth/v1"),
            "sub": .string(account.id),
            "aud": .string(Self.audience),
            "exp": .integer((start + life).seconds),
            "iat": .integer(start.seconds),
            "email": .string(account.email),
            "phone": "",
            "app_metadata": account.appMetadata,
            "user_metadata": account.userMetadata,
            "role": "authenticated",
            "aal": "aal1",
            "amr": .array([method]),
            "session_id": .string(session.id),
            "is_anonymous": false,
            "jti": .string(id),
            "understudy": .string(issuer),
        ]
    }

    // MARK: Verifying

    /// The claims of a token with the right structure and signature, whether or not it has expired.
    ///
    /// It refuses other algorithms than the configured one (including `none`) and tokens of other worlds.
    mutating func verify(_ token: String, _ signing: TrendySettings.Signing) -> Claims? {
        verified.claims(of: token) { [signer, apple, issuer] token in
            Self.claims(token, signing, signer, apple, issuer)
        }
    }

    /// Clears the cache of verified tokens, because the algorithm has changed or the cache is no longer needed.
    mutating func forget() { verified.forget() }

    private static func claims(
        _ token: String,
        _ signing: TrendySettings.Signing,
        _ signer: TokenSigner,
        _ apple: AppleIdentityProvider,
        _ issuer: String
    ) -> Claims? {
        guard let parts = try? JWT.Parts(parsing: token),
            let header = (try? JSONReader.read(parts.headerBytes))?.objectValue,
            isSigned(parts, header, signing, signer, apple),
            // The metadata of a sign-up is part of it, at any depth.
            let payload =
                (try? JSONReader.read(
                    parts.payloadBytes,
                    options: JSONReader.Options(maxDepth: StateDepth.maximum)
                ))?.objectValue,
            let subject = payload["sub"]?.stringValue.flatMap(UUIDText.canonical),
            let session = payload["session_id"]?.stringValue.flatMap(UUIDText.canonical),
            let expiry = payload["exp"]?.doubleValue,
            payload["understudy"].map({ $0.stringValue == issuer }) ?? true,
            payload["iss"]?.stringValue != TokenOrder.wrongIssuer
        else { return nil }
        return Claims(
            subject: subject,
            session: session,
            id: payload["jti"]?.stringValue,
            expiresAt: expiry,
            issuedAt: payload["iat"]?.doubleValue,
            notBefore: payload["nbf"]?.doubleValue,
            hasRightAudience: payload["aud"]?.stringValue == audience,
            isOffline: payload["offline"]?.boolValue == true,
            isRevoked: payload["revoked"]?.boolValue == true
        )
    }

    private static func isSigned(
        _ parts: JWT.Parts,
        _ header: JSONObject,
        _ signing: TrendySettings.Signing,
        _ signer: TokenSigner,
        _ apple: AppleIdentityProvider
    ) -> Bool {
        switch (header["alg"]?.stringValue, signing) {
        case ("HS256", _): signer.hasSigned(parts)
        case ("RS256", .rs256): JWT.verifyRS256(parts, key: apple.key.publicKey)
        default: false
        }
    }

    /// The subject that a token claims, unverified: for the journal.
    static func claimedSubject(of token: String) -> String? {
        TokenText.subject(of: token)?.lowercased()
    }

    // MARK: Refresh tokens

    /// The refresh token that the command line prints for an account, which a world recognises without having stored
    /// it.
    func offlineRefreshToken(of account: String) -> String {
        let code = offlineKey.authenticationCode(for: Array(account.utf8))
        let secret = code.prefix(6).map { Self.alphabet[Int($0) % Self.alphabet.count] }
        return String(decoding: secret, as: UTF8.self) + worldMark
    }

    /// `a-z0-9` (section 9.4).
    static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
