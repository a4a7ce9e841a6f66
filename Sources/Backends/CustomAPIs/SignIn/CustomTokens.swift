import Backend
import CivilTime
import Crypto
import JSON

/// Signs and reads the tokens of a custom API in one world (own-API contract, section 15).
package struct CustomTokens: Sendable {
    /// The sign-in to which they belong; nil before the state is bound to a world.
    private let format: SignIn.Format
    let signer: TokenSigner
    let issuer: String
    private let seal: TokenSeal
    private let issued: IssuedSecrets
    private var verified = VerifiedTokens<CustomTokenClaims>()

    /// Creates the tokens of no world.
    package init() {
        format = .jwt
        signer = TokenSigner(secret: [])
        issuer = ""
        seal = TokenSeal(secret: [], world: "", HMACKeys())
        issued = IssuedSecrets()
    }

    /// Creates the tokens of a world.
    init(_ signIn: SignIn, core: WorldCore, keys: HMACKeys) {
        let secret = core.secret("\(signIn.api) tokens")
        format = signIn.format
        signer = TokenSigner(secret: secret, keys: keys, issued: core.issued)
        issuer = core.issuer
        seal = TokenSeal(secret: secret, world: core.name, keys)
        issued = core.issued
    }

    // MARK: Making

    /// Returns a token of its world.
    func token(
        _ identity: TokenIdentity,
        of user: String,
        from start: Instant,
        until end: Instant,
        _ claims: JSONObject
    )
        -> String
    {
        switch format {
        case .jwt: return signer.signed(payload(identity, of: user, from: start, until: end, claims))
        case .opaque: return sealed(identity, from: start, until: end)
        }
    }

    /// Returns the payload of a JWT.
    func payload(
        _ identity: TokenIdentity,
        of user: String,
        from start: Instant,
        until end: Instant,
        _ claims: JSONObject
    ) -> JSONObject {
        var payload: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(user),
            "iat": .integer(start.seconds),
            "exp": .integer(end.seconds),
            "jti": .string(identity.text),
        ]
        for member in claims.members { payload[member.name] = member.value }
        return payload
    }

    /// Returns a sealed token; one of the command line names its user, since no world has stored it.
    func sealed(
        _ identity: TokenIdentity,
        of user: String? = nil,
        from start: Instant,
        until end: Instant,
        isRevoked: Bool = false
    ) -> String {
        let claims = CustomTokenClaims(
            identity: identity,
            user: user,
            issuedAt: start.seconds,
            expiresAt: end.seconds,
            isRevoked: isRevoked
        )
        let token = seal.sealed(claims)
        issued.note(token)
        return token
    }

    // MARK: Reading

    /// Returns the content of a token that was made here, whether or not it is over.
    mutating func claims(of token: String) -> CustomTokenClaims? {
        verified.claims(of: token) { [self] token in examined(token) }
    }

    /// Returns the same without remembering it.
    func examined(_ token: String) -> CustomTokenClaims? {
        switch format {
        case .opaque: return seal.opened(token)
        case .jwt:
            guard let payload = signer.payload(of: token), let common = TokenClaims(payload, issuer: issuer) else {
                return nil
            }
            return CustomTokenClaims(
                identity: TokenIdentity(common.id),
                id: common.id,
                user: common.subject,
                issuedAt: common.issuedAt,
                expiresAt: common.expiresAt,
                // A member of that name that `claims` declares says nothing.
                isRevoked: common.isRevoked && common.id.hasPrefix(TokenOrder.offlineIDPrefix)
            )
        }
    }

    /// Returns what a token of a session says; nil for one that was not made here.
    func credential(of token: String) -> IssuedCredential? {
        guard let claims = examined(token), let identity = claims.identity else { return nil }
        return IssuedCredential(
            isRefresh: identity.kind == .refresh,
            session: identity.session,
            user: claims.user,
            issuedAt: claims.issuedAt,
            expiresAt: claims.expiresAt
        )
    }

    /// Clears the cache of verified tokens.
    mutating func forget() { verified.forget() }
}
