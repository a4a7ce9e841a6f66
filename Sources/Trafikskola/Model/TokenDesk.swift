import CivilTime
import Emulation
import JSON
import Signing

/// Signs and verifies the tokens of one world (contract section 3.2).
struct TokenDesk: Sendable {
    /// What a good token says.
    struct Claims: Sendable, Equatable {
        var subject: String
        var session: String
        var id: String
        var isAccess: Bool
        /// Seconds since 1970.
        var issuedAt: Int64
        var expiresAt: Int64
        /// Whether the token says of itself that it is revoked, as those of the command line do.
        var isRevoked: Bool
    }

    /// Tokens made by the command line start their `jti` so: no world could have stored them.
    static let offlinePrefix = "cli-"
    static let wrongAudience = "https://wrong-audience.understudy.invalid"
    static let wrongIssuer = "https://wrong-issuer.understudy.invalid"

    /// Where keys are found that were made ready before.
    let keys: HMACKeys
    private let key: HMACKey
    let issuer: String
    /// Verified tokens: verification is a pure function of the token, so remembering it changes nothing but its cost.
    private var verified: [String: (claims: Claims, length: Int)] = [:]

    init(secret: [UInt8], issuer: String, keys: HMACKeys = HMACKeys()) {
        self.keys = keys
        key = keys.key(secret)
        self.issuer = issuer
    }

    /// A signed token.
    ///
    /// `claims` sets members, or takes them out when null; `badSignature` signs with another key.
    func signed(_ payload: JSONObject, claims: JSONObject = JSONObject(), badSignature: Bool = false) -> String {
        var content = payload
        for member in claims.members { content[member.name] = member.value.isNull ? nil : member.value }
        return JWT.signed(
            header: Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8),
            payload: JSON.object(content).serialized(),
            key: .hs256(badSignature ? HMACKey(secret: Array("not the key".utf8)) : key)
        )
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

    /// The claims of a token that is ours and well signed, whether or not its time is over.
    mutating func verify(_ token: String) -> Claims? {
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
            let session = payload["sid"]?.stringValue,
            let id = payload["jti"]?.stringValue,
            let type = payload["typ"]?.stringValue, type == "access" || type == "refresh",
            let issued = payload["iat"]?.intValue,
            let expiry = payload["exp"]?.intValue,
            payload["iss"]?.stringValue == issuer,
            payload["aud"]?.stringValue != Self.wrongAudience
        else { return nil }
        return Claims(
            subject: subject,
            session: session,
            id: id,
            isAccess: type == "access",
            issuedAt: issued,
            expiresAt: expiry,
            isRevoked: payload["revoked"]?.boolValue == true
        )
    }

    /// The subject that a token claims, unverified: for the journal.
    static func claimedSubject(of token: String) -> String? { TokenText.payload(of: token)?["sub"]?.stringValue }
}
