/// A credential of ours, recognised from its text or its issue (conduct contract, section 2).
package struct RecognisedCredential: Sendable, Equatable {
    package enum Kind: String, Sendable { case access, refresh, identity }

    package var kind: Kind
    /// The session it belongs to; nil where the text does not tell.
    package var session: String?
    package var user: String?
    /// Seconds of the world's time.
    package var issuedAt: Int64?
    package var expiresAt: Int64?

    package init(
        kind: Kind,
        session: String? = nil,
        user: String? = nil,
        issuedAt: Int64? = nil,
        expiresAt: Int64? = nil
    ) {
        self.kind = kind
        self.session = session
        self.user = user
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// Finds out about a credential of which no issue was seen: its API, its text.
package typealias CredentialRecogniser = @Sendable (_ api: String, _ token: String) -> RecognisedCredential?

/// A credential as the engine knows it.
package struct KnownCredential: Sendable {
    package var kind: RecognisedCredential.Kind
    package var session: Int32
    /// Its first characters, which reports may show.
    package var start: String
    /// The row that issued it; negative if that was not seen.
    package var issuedBy: Int32
    package var issuedAt: Int64?
    /// Microseconds of the world's time.
    package var expiresAt: Int64?
}

/// A sign-in with all its refreshes.
package struct KnownSession: Sendable {
    package var api: String
    package var client: Int32
    package var user: String?
    /// The refresh token that came last, and the row that delivered it.
    package var refresh: Int32 = -1
    var refreshFrom: Int32 = -1
    /// The row of the last delivered refusal of that token.
    var refusedBy: Int32 = -1
    /// The row of the last delivered successful refresh.
    var refreshedBy: Int32 = -1
    /// The row of the delivered sign-out.
    package var signedOutBy: Int32 = -1
    /// The place of its sign-in or first use.
    package var place: Int32
}
