import CivilTime

/// The place of a token in the session that issued it: the `jti` of a JWT.
struct TokenIdentity: Sendable, Equatable {
    /// The id of the session.
    var session: String
    var kind: IssuedToken.Kind
    /// The number of the token in the session.
    var number: Int64

    /// The text: the session, `a` or `r`, and the number.
    var text: String { "\(session).\(kind == .access ? "a" : "r")\(number)" }

    init(session: String, kind: IssuedToken.Kind, number: Int64) {
        self.session = session
        self.kind = kind
        self.number = number
    }

    /// Reads the text; nil for any other.
    init?(_ text: String) {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let rest = text[text.index(after: dot)...]
        guard let number = Int64(rest.dropFirst()), number > 0 else { return nil }
        switch rest.first {
        case "a": kind = .access
        case "r": kind = .refresh
        default: return nil
        }
        session = String(text[..<dot])
        self.number = number
    }
}

/// The content of a token that was signed or sealed by its world.
struct CustomTokenClaims: Sendable, Equatable {
    /// The place of the token in its session; nil for a JWT whose `jti` was ordered.
    var identity: TokenIdentity?
    /// The `jti` of a JWT; empty for a sealed token.
    var id = ""
    /// The key of the user; nil in a sealed token that a world has stored.
    var user: String?
    /// Seconds since 1970.
    var issuedAt: Int64
    var expiresAt: Int64
    /// Tells whether the token says of itself that it is revoked, as those of the command line do.
    var isRevoked = false
}
