import CivilTime
import Emulation
import JSON

/// An account of Supabase Auth (contract, section 9.4).
struct Account: Row, Codable {
    var id: String
    /// In lower case.
    var email: String
    /// Nil for an account that only an identity token opens.
    var password: String?
    /// How it was created, and every way in that it has had since.
    var provider: String
    var providers: [String]
    /// The members of `data` at sign-up.
    var data: JSON?
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var lastSignInAt: Timestamp?
}

/// A session: a chain of refresh tokens and the access tokens that go with it (contract, section 9.5).
struct Session: Row, Codable {
    var id: String
    var userId: String
    /// As in the token's `amr`.
    var method: String
    var createdAt: Timestamp
    /// The refresh token that works, and the one it came from.
    var active: String
    var parent: String?
    /// From when on neither kind of token works.
    var endedAt: Timestamp?
    /// From when on its refresh tokens do not work.
    var refreshEndedAt: Timestamp?

    var group: String { userId }
}

/// A refresh token, active or used.
struct RefreshToken: Row, Codable {
    /// The token itself.
    var id: String
    var sessionId: String
    var usedAt: Timestamp?

    var group: String { sessionId }
}

/// An access token that was handed out, kept so that the control API can end it before its time.
struct IssuedAccess: Row, Codable {
    /// The `jti`.
    var id: String
    var userId: String
    /// The token's own end.
    var expiresAt: Timestamp
    /// When the control API ended it.
    var endedAt: Timestamp?
    /// Whether it came with a sign-in and not with a refresh.
    var isFirst: Bool

    var group: String { userId }
}

/// A row of the app's own table (contract, section 10.12).
struct Profile: Row, Codable {
    /// The account's.
    var id: String
    var onboardingComplete: Bool?
    var onboardingStep: JSON?
    var notificationsEnabled: Bool?
    var locationEnabled: Bool?
    var healthkitEnabled: Bool?
    var onboardingStartedAt: Timestamp?
    var onboardingCompletedAt: Timestamp?
    var createdAt: Timestamp
    var updatedAt: Timestamp
}

/// What a request with an idempotency key answered (contract, section 10.9).
struct StoredAnswer: Row, Codable {
    /// User, method, path and key.
    var id: String
    var status: Int
    var body: String
    var storedAt: Timestamp
}

/// How often an address has knocked without a silence (contract, section 8).
struct Knocks: Row, Codable {
    /// The limiter and the address.
    var id: String
    var count: Int
    var last: Timestamp
}
