import Foundation

/// Tokens and what the backends sent out (control contract, section 12).
extension World {
    public enum TokenKind: String, Sendable {
        case access, refresh
        case appleIdentity = "apple-identity"
    }

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

    /// A token as the backend itself would make it: a valid one is a real session.
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

    public enum Tokens: String, Sendable { case access, refresh, all }

    /// Ends what a user holds as if its time were over.
    public func expire(_ tokens: Tokens = .all, of user: String, on api: API? = nil) async throws(ControlError) {
        try await end("expire", tokens, user, api)
    }

    /// Ends what a user holds as if it had been taken back.
    public func revoke(_ tokens: Tokens = .all, of user: String, on api: API? = nil) async throws(ControlError) {
        try await end("revoke", tokens, user, api)
    }

    private func end(_ verb: String, _ tokens: Tokens, _ user: String, _ api: API?) async throws(ControlError) {
        let query = api.map { "?api=\($0.rawValue)" } ?? ""
        let path = "/users/\(ControlClient.escaped(user))/\(verb)\(query)"
        try await client.send("POST", path, ["tokens": tokens.rawValue])
    }

    /// A message that a backend sent: a code, a link, a push.
    public struct Message: Sendable, Decodable {
        public var to: String
        public var kind: String
        public var api: String
        public var code: String?
        public var token: String?
        public var url: String?
        public var at: String
        public var expiresAt: String?
    }

    /// What was sent, newest first.
    public func outbox(to recipient: String? = nil) async throws(ControlError) -> [Message] {
        let query = recipient.map { "?to=\(ControlClient.escaped($0))" } ?? ""
        return try await client.get("/outbox\(query)", as: Items<Message>.self).items
    }
}
