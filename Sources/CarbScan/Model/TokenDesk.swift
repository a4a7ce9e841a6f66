import CivilTime
import Emulation
import JSON
import Signing

/// Signs and verifies CarbScan's tokens for one world (contract section 5.1).
struct TokenDesk: Sendable {
    enum Kind: String, Sendable { case access, refresh }

    /// What a good token says.
    struct Claims: Sendable, Equatable {
        var subject: String
        var kind: Kind
        var id: String
        /// The sign-in that it came from.
        var session: String
        /// Seconds since 1970.
        var issuedAt: Int64
        var expiresAt: Int64
        /// Whether the token says of itself that it is revoked, as those of the control API do.
        var isRevoked: Bool

        /// Its place in the order of tokens; 0 for one that was not counted here.
        var number: Int { id == "\(Int(id) ?? 0)" ? Int(id) ?? 0 : 0 }
    }

    static let accessLife = Interval.days(30)
    static let refreshLife = Interval.days(90)
    /// Access tokens of the rotation profile.
    static let shortAccessLife = Interval.minutes(15)
    static let wrongAudience = "https://wrong-audience.understudy.invalid"
    static let wrongIssuer = "https://wrong-issuer.understudy.invalid"
    /// What tokens of the command line begin their `jti` with: no world has counted them.
    static let offlinePrefix = "cli-"

    /// Where keys are found that were made ready before.
    let keys: HMACKeys
    private let key: HMACKey
    let issuer: String
    private let identitySeed: UInt64
    /// Verified tokens: verification is a pure function of the token, so remembering it changes nothing but its cost.
    private var verified: [ExactText: Claims] = [:]

    init(secret: [UInt8], issuer: String, identitySeed: UInt64, keys: HMACKeys = HMACKeys()) {
        self.keys = keys
        key = keys.key(secret)
        self.issuer = issuer
        self.identitySeed = identitySeed
    }

    /// The key pair of the stand-in for Apple.
    var identityKey: RSAPrivateKey { RSAPrivateKey(seededBy: identitySeed) }

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

    /// A signed token.
    func signed(_ payload: JSONObject, badSignature: Bool = false) -> String {
        JWT.signed(
            header: Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8),
            payload: JSON.object(payload).serialized(),
            key: .hs256(badSignature ? HMACKey(secret: Array("not the key".utf8)) : key)
        )
    }

    /// The claims of a token that is ours and well signed, whether or not its time is over.
    mutating func verify(_ token: String) -> Claims? {
        let text = ExactText(token)
        if let known = verified[text] { return known }
        guard token.utf8.count <= 16_384, let claims = examine(token) else { return nil }
        if verified.count >= 512 { verified.removeAll(keepingCapacity: true) }
        verified[text] = claims
        return claims
    }

    /// Forgets what was verified: it is found out again when it is needed.
    mutating func forget() { verified = [:] }

    private func examine(_ token: String) -> Claims? {
        // The algorithm is ours, never the token's.
        guard let parts = try? JWT.Parts(parsing: token),
            (try? JSONReader.read(parts.headerBytes))?["alg"]?.stringValue == "HS256",
            JWT.verifyHS256(parts, key: key),
            let payload = try? JSONReader.read(parts.payloadBytes),
            let subject = payload["sub"]?.stringValue,
            let kind = payload["type"]?.stringValue.flatMap(Kind.init),
            let id = payload["jti"]?.stringValue,
            let issuedAt = payload["iat"]?.intValue,
            let expiry = payload["exp"]?.intValue,
            payload["iss"]?.stringValue == issuer,
            payload["aud"]?.stringValue != Self.wrongAudience
        else { return nil }
        return Claims(
            subject: subject,
            kind: kind,
            id: id,
            session: payload["sid"]?.stringValue ?? id,
            issuedAt: issuedAt,
            expiresAt: expiry,
            isRevoked: payload["revoked"]?.boolValue == true
        )
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
