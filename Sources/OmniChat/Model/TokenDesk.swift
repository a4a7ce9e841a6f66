import CivilTime
import Emulation
import JSON
import Signing

/// Signs and verifies OmniChat's tokens for one world (contract section 3.1).
struct TokenDesk: Sendable {
    /// What a good token says.
    struct Claims: Sendable, Equatable {
        var subject: String
        var email: String?
        var isAccess: Bool
        var id: String
        /// Seconds since 1970.
        var expiresAt: Int64
        /// Whether the token says of itself that it is revoked, as those of the command line do.
        var isRevoked: Bool
    }

    static let accessLife = Interval.seconds(900)
    static let refreshLife = Interval.days(30)
    /// Tokens made by the command line start their `jti` so: no world could have stored them.
    static let offlinePrefix = "cli-"
    /// The audience of tokens that were asked for with a wrong one.
    ///
    /// OmniChat's own tokens carry none.
    static let wrongAudience = "https://wrong-audience.understudy.invalid"
    static let wrongIssuer = "https://wrong-issuer.understudy.invalid"

    /// Where keys are found that were made ready before.
    let keys: HMACKeys
    private let key: HMACKey
    let issuer: String
    private let identitySeed: UInt64
    /// Verified tokens.
    ///
    /// Verification is a pure function of the token, so remembering it changes nothing but its cost.
    private var verified: [String: (claims: Claims, length: Int)] = [:]
    /// The token verified last: a client shows the same one many times over, and to compare costs less than to hash.
    private var latest: (token: String, claims: Claims)?

    init(secret: [UInt8], issuer: String, identitySeed: UInt64, keys: HMACKeys = HMACKeys()) {
        self.keys = keys
        key = keys.key(secret)
        self.issuer = issuer
        self.identitySeed = identitySeed
    }

    /// The key pair of the stand-in for Apple.
    var identityKey: RSAPrivateKey { RSAPrivateKey(seededBy: identitySeed) }

    /// A signed token.
    ///
    /// `claims` sets members, or takes them out when null; `badSignature` signs with another key.
    func signed(_ payload: JSONObject, claims: JSONObject = JSONObject(), badSignature: Bool = false) -> String {
        JWT.signed(
            header: Array(#"{"alg":"HS256"}"#.utf8),
            payload: JSON.object(payload.overridden(by: claims)).serialized(),
            key: .hs256(badSignature ? HMACKey(secret: Array("not the key".utf8)) : key)
        )
    }

    /// The claims of a token that is ours and well signed, whether or not its time is over.
    ///
    /// Refused are other algorithms than HS256 (`none` too), other issuers, and everything that is not built as ours is.
    mutating func verify(_ token: String) -> Claims? {
        if let latest, latest.token.utf8.count == token.utf8.count, latest.token == token { return latest.claims }
        guard let claims = known(token) else { return nil }
        latest = (token, claims)
        return claims
    }

    private mutating func known(_ token: String) -> Claims? {
        // A token that verifies is ASCII, and no other text of the same length is canonically equal to ASCII.
        if let known = verified[token], known.length == token.utf8.count { return known.claims }
        guard let claims = examine(token) else { return nil }
        if verified.count >= 512 { verified.removeAll(keepingCapacity: true) }
        verified[token] = (claims, token.utf8.count)
        return claims
    }

    /// Forgets what was verified: it is found out again when it is needed.
    mutating func forget() { verified = [:] }

    private func examine(_ token: String) -> Claims? {
        guard let parts = try? JWT.Parts(parsing: token),
            (try? JSONReader.read(parts.headerBytes))?["alg"]?.stringValue == "HS256",
            JWT.verifyHS256(parts, key: key),
            let payload = try? JSONReader.read(parts.payloadBytes),
            let subject = payload["sub"]?.stringValue,
            let id = payload["jti"]?.stringValue,
            let expiry = payload["exp"]?.intValue,
            payload["iat"]?.intValue != nil,
            payload["iss"]?.stringValue == issuer,
            payload["aud"]?.stringValue != Self.wrongAudience
        else { return nil }
        return Claims(
            subject: subject,
            email: payload["email"]?.stringValue,
            isAccess: payload["scope"]?.arrayValue != nil,
            id: id,
            expiresAt: expiry,
            isRevoked: payload["revoked"]?.boolValue == true
        )
    }

    /// The subject that a token claims, unverified: for the journal.
    static func claimedSubject(of token: String) -> String? { TokenText.payload(of: token)?["sub"]?.stringValue }

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

extension JSONObject {
    /// The members with those of another object set in it; a null takes a member out.
    func overridden(by other: JSONObject) -> JSONObject {
        var copy = self
        for member in other.members { copy[member.name] = member.value.isNull ? nil : member.value }
        return copy
    }
}
