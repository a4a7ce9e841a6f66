/// Tokens, users and the outbox (control contract, section 12; console contract, section 5).
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
    ///
    ///     let token = try await world.token(.carbscan, user: "anna@example.com", state: .expired)
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
        return try await client.ask(.createToken, body: order, as: TokenAnswer.self).token
    }

    /// A selection of a user's tokens.
    public enum Tokens: String, Sendable { case access, refresh, all }

    private struct EndOrder: Encodable {
        var tokens: String
        var inSeconds: Int?
    }

    /// Expires a user's tokens, now or after some seconds of the world's clock.
    ///
    ///     try await world.expire(.access, of: "test@icloud.com", on: .omnichat)
    public func expire(
        _ tokens: Tokens = .all,
        of user: String,
        on api: API? = nil,
        inSeconds seconds: Int? = nil
    ) async throws(ControlError) {
        let order = EndOrder(tokens: tokens.rawValue, inSeconds: seconds)
        try await client.send(.expireTokens, user, query: ["api": api], body: order)
    }

    /// Revokes a user's tokens, now or after some seconds of the world's clock.
    ///
    ///     try await world.revoke(of: "test@icloud.com", inSeconds: 30)
    public func revoke(
        _ tokens: Tokens = .all,
        of user: String,
        on api: API? = nil,
        inSeconds seconds: Int? = nil
    ) async throws(ControlError) {
        let order = EndOrder(tokens: tokens.rawValue, inSeconds: seconds)
        try await client.send(.revokeTokens, user, query: ["api": api], body: order)
    }

    /// A user of a backend.
    public struct User: Sendable, Decodable {
        /// The backend.
        public var api: String
        /// The id.
        public var id: String
        /// The e-mail address.
        public var email: String?
        /// The name.
        public var name: String?
        /// The number of valid sessions.
        public var sessions: Int
        /// The number of valid access tokens.
        public var access: Int
        /// The number of valid refresh tokens.
        public var refresh: Int
    }

    /// Returns the users of the world; `text` selects those in whose data it occurs.
    ///
    ///     let users = try await world.users(.omnichat, containing: "icloud.com")
    public func users(
        _ api: API? = nil,
        containing text: String? = nil,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> [User] {
        try await client.list(.getUsers, query: ["api": api, "q": text, "limit": limit, "offset": offset])
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
        /// The title of a push.
        public var title: String?
        /// The text of a push.
        public var body: String?
        /// The data of a push.
        public var data: JSONValue?
        /// The world's clock when it was sent.
        public var at: String
        /// The time at which it expires.
        public var expiresAt: String?
    }

    /// Returns the messages that a backend would have sent, newest first.
    ///
    ///     let code = try await world.outbox(to: "layla@sawaed.test").first?.code
    public func outbox(to recipient: String? = nil, from api: API? = nil) async throws(ControlError) -> [Message] {
        try await client.list(.getOutbox, query: ["to": recipient, "api": api])
    }

    /// The keys that sign Apple's identity tokens here, as a JWKS.
    ///
    ///     let keys = try await world.appleKeys["keys"]?.array
    public var appleKeys: JSONValue {
        get async throws(ControlError) { try await client.ask(.getAppleKeys) }
    }
}
