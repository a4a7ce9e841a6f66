package import CivilTime
package import Crypto
package import JSON

/// The identity provider in Apple's place, which signs identity tokens for one API in one world (control contract,
/// section 12).
package struct AppleIdentityProvider: Sendable {
    /// The issuer that Apple's identity tokens name.
    package static let issuer = "https://appleid.apple.com"
    /// The lifetime of Apple's own identity tokens, a day.
    private static let usualLife = Interval.days(1)

    private let seed: UInt64
    /// The world's own issuer, which leads back to the world, because the token's issuer is Apple's.
    private let world: String
    /// The register in which identity tokens are noted.
    private let issued: IssuedSecrets

    /// Creates a provider; `world` is the issuer of the world's own tokens.
    package init(seed: UInt64, world: String, issued: IssuedSecrets = IssuedSecrets()) {
        self.issued = issued
        self.seed = seed
        self.world = world
    }

    /// The key pair, created once for a seed.
    package var key: RSAPrivateKey { RSAPrivateKey(seededBy: seed) }

    /// The public key as a key set (RFC 7517).
    package var keySet: JSON { key.publicKey.keySet }

    /// Tells whether the payload names no origin or this one.
    package func isFromHere(_ payload: JSONObject) -> Bool {
        payload["understudy"].map { $0.stringValue == world } ?? true
    }

    /// Returns an identity token as ordered; `more` are members of the payload besides the usual ones.
    package func mint(
        _ order: TokenOrder,
        subject: String,
        email: String?,
        audience: String,
        more: JSONObject = JSONObject(),
        now: Instant
    ) -> MintedToken {
        let (start, length) = order.life(usual: Self.usualLife, now: now)
        let end = start.flooredToSecond + length
        var payload: JSONObject = [
            "iss": .string(Self.issuer),
            "aud": .string(audience),
            "exp": .integer(end.seconds),
            "iat": .integer(start.seconds),
            "sub": .string(subject),
        ]
        if let email {
            payload.append("email", .string(email))
            payload.append("email_verified", true)
        }
        for member in more.members { payload.append(member.name, member.value) }
        payload.append("understudy", .string(world))
        let key = key
        var token = JWT.signed(
            header: JSON.object(["alg": "RS256", "kid": .string(key.publicKey.kid)]).serialized(),
            payload: JSON.object(payload.overridden(by: order.changes())).serialized(),
            key: .rs256(key)
        )
        if order.state == .badSignature { token = Self.withDamagedSignature(token) }
        issued.note(token: token)
        return MintedToken(token: token, expiresAt: end)
    }

    /// Returns the token with the first character of its signature changed.
    private static func withDamagedSignature(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."), token.index(after: dot) < token.endIndex else { return token }
        let place = token.index(after: dot)
        return String(token[..<place]) + (token[place] == "A" ? "B" : "A") + token[token.index(after: place)...]
    }
}

extension RSAPublicKey {
    /// The key as the only one of a key set (RFC 7517).
    package var keySet: JSON {
        [
            "keys": .array([
                [
                    "kty": "RSA", "kid": .string(kid), "use": "sig", "alg": "RS256",
                    "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent)),
                ]
            ])
        ]
    }
}
