import Backend
import CivilTime
import JSON

/// An account of Supabase Auth (contract, section 9.4).
struct Account: Row, Codable, Equatable {
    var id: String
    /// In lower case.
    var email: String
    /// The password; nil for an account that only an identity token can open.
    var password: String?
    /// The provider that it was created with, and all providers since.
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
    /// The method in the token's `amr`.
    var method: String
    var createdAt: Timestamp
    /// The valid refresh token, and the one before it.
    var active: String
    var parent: String?
    /// The time from which no token of it is valid.
    var endedAt: Timestamp?
    /// The time from which its refresh tokens are not valid.
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

/// An issued access token, kept so that the control API can end it early.
struct IssuedAccess: Row, Codable {
    /// The `jti`.
    var id: String
    var userId: String
    /// Its session; nil in worlds that were stored before it was kept.
    var sessionId: String?
    /// The token's own end.
    var expiresAt: Timestamp
    /// The time at which the control API ended it.
    var endedAt: Timestamp?
    /// Tells whether it was issued at a sign-in and not at a refresh.
    var isFirst: Bool

    var group: String { userId }
}

/// A row of the app's own table (contract, section 10.12).
struct Profile: Row, Codable {
    /// The account's id.
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

/// The response to a request with an idempotency key (contract, section 10.9).
struct StoredAnswer: Row, Codable {
    /// The key: user, method, path and idempotency key.
    var id: String
    var status: Int
    var body: String
    var storedAt: Timestamp
}

/// The number of requests of an address without a silence (contract, section 8).
struct Knocks: Row, Codable {
    /// The limiter and the address.
    var id: String
    var count: Int
    var last: Timestamp
}
