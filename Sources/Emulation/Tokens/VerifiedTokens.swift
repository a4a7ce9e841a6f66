/// What verified tokens say.
///
/// Verification is a pure function of the token, so remembering it changes nothing but its cost. Public for the compiler, which
/// makes it anew for each kind of claims.
public struct VerifiedTokens<Claims: Sendable>: Sendable {
    @usableFromInline var known: [ExactText: Claims] = [:]
    /// The token verified last: a client shows the same one many times over, and to compare costs less than to hash.
    @usableFromInline var latestToken = ""
    @usableFromInline var latestClaims: Claims?

    /// Nothing is remembered.
    public init() {}

    /// No more are remembered at a time.
    @usableFromInline static var capacity: Int { 512 }

    /// The claims of a token, which are found out once; nil for one that is refused.
    @inlinable
    public mutating func claims(of token: String, _ examine: (String) -> Claims?) -> Claims? {
        // A token that verifies is ASCII, and no other text of the same length is canonically equal to ASCII.
        if latestToken.utf8.count == token.utf8.count, latestToken == token { return latestClaims }
        let text = ExactText(token)
        guard let claims = known[text] ?? examine(token) else { return nil }
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[text] = claims
        (latestToken, latestClaims) = (token, claims)
        return claims
    }

    /// Forgets what was verified: it is found out again when it is needed.
    public mutating func forget() { self = VerifiedTokens() }
}
