/// A cache of the claims of verified tokens.
///
/// Verification is a pure function of the token, so the cache affects only its cost. It is public so that the compiler
/// specialises it for each kind of claims.
public struct VerifiedTokens<Claims: Sendable>: Sendable {
    @usableFromInline var known: [ExactText: Claims] = [:]
    /// The token verified last: a client sends the same one many times, and comparing costs less than hashing.
    @usableFromInline var latestToken = ""
    @usableFromInline var latestClaims: Claims?

    /// Creates an empty cache.
    public init() {}

    /// The maximum number of cached tokens.
    @usableFromInline static var capacity: Int { 512 }

    /// Returns the claims of a token, computed once; nil for one that is refused.
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

    /// Clears the cache; claims are verified again when they are needed.
    public mutating func forget() { self = VerifiedTokens() }
}
