/// The content of a credential as the API that issued it reads it, whatever its state.
package struct IssuedCredential: Sendable, Equatable {
    package var isRefresh: Bool
    package var session: String
    package var user: String?
    /// Seconds of the world's time.
    package var issuedAt: Int64
    package var expiresAt: Int64

    package init(isRefresh: Bool, session: String, user: String?, issuedAt: Int64, expiresAt: Int64) {
        self.isRefresh = isRefresh
        self.session = session
        self.user = user
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// Reads a credential on any thread; nil for a text that the API has not issued.
package typealias CredentialReader = @Sendable (String) -> IssuedCredential?
