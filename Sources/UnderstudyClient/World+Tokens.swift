import Foundation

/// Tokens and the outbox (control contract, section 12).
extension World {
    /// The purpose of a token.
    public enum TokenKind: String, Sendable {
        case access, refresh
        case appleIdentity = "apple-identity"
    }

    /// The validity of a token, or its defect.
    public enum TokenState: String, Sendable {
        case valid, expired, revoked
        case badSignature = "bad-signature"
        case wrongAudience = "wrong-audience"
        case wrongIssuer = "wrong-issuer"
    }

    private struct TokenOrder: Encodable {
        var api: String
        var user: String
        var kind: String
        var state: String?
        var ttlSeconds: Int?
        var claims: JSONValue?
    }

    private struct TokenAnswer: Decodable { var token: String }

    /// Creates a token as the backend itself would issue it; a valid one is a real session.
    public func token(
        _ api: API,
        user: String,
        kind: TokenKind = .access,
        state: TokenState = .valid,
        lifetime seconds: Int? = nil,
        claims: JSONValue? = nil
    ) async throws(ControlError) -> String {
        let order = TokenOrder(
            api: api.rawValue,
            user: user,
            kind: kind.rawValue,
            state: state.rawValue,
            ttlSeconds: seconds,
            claims: claims
        )
        return try await client.ask("POST", "/tokens", order, as: TokenAnswer.self).token
    }

    /// A selection of a user's tokens.
    public enum Tokens: String, Sendable { case access, refresh, all }

    /// Expires a user's tokens, now or after some seconds of the world's clock.
    public func expire(
        _ tokens: Tokens = .all,
        of user: String,
        on api: API? = nil,
        inSeconds seconds: Int? = nil
    ) async throws(ControlError) {
        try await end("expire", tokens, user, api, seconds)
    }

    /// Revokes a user's tokens, now or after some seconds of the world's clock.
    public func revoke(
        _ tokens: Tokens = .all,
        of user: String,
        on api: API? = nil,
        inSeconds seconds: Int? = nil
    ) async throws(ControlError) {
        try await end("revoke", tokens, user, api, seconds)
    }

    private struct EndOrder: Encodable {
        var tokens: String
        var inSeconds: Int?
    }

    private func end(
        _ verb: String,
        _ tokens: Tokens,
        _ user: String,
        _ api: API?,
        _ seconds: Int?
    ) async throws(ControlError) {
        let query = api.map { "?api=\($0.rawValue)" } ?? ""
        let path = "/users/\(ControlClient.escaped(user))/\(verb)\(query)"
        try await client.send("POST", path, EndOrder(tokens: tokens.rawValue, inSeconds: seconds))
    }

    /// A message that a backend sent: a code, a link, a push.
    public struct Message: Sendable, Decodable {
        /// The address or number.
        public var to: String
        /// `otp`, `magic-link` or `push`.
        public var kind: String
        /// The backend that sent it.
        public var api: String
        /// The one-time code, if it holds one.
        public var code: String?
        /// The link's token, if it holds one.
        public var token: String?
        /// The link, if it holds one.
        public var url: String?
        /// The world's clock when it was sent.
        public var at: String
        /// The time at which it expires.
        public var expiresAt: String?
    }

    /// Returns the messages that a backend would have sent, newest first.
    public func outbox(to recipient: String? = nil) async throws(ControlError) -> [Message] {
        let query = recipient.map { "?to=\(ControlClient.escaped($0))" } ?? ""
        return try await client.get("/outbox\(query)", as: Items<Message>.self).items
    }
}
