import Backend
import CivilTime

/// A user (contract, section 12).
struct User: Row, Codable {
    var id: String
    var email: String
    var name: String?
    var imageUrl: String?
    var tier: Tier
    var createdAt: Timestamp
    var updatedAt: Timestamp?
    var subscription: Subscription?
    var battery: Battery?

    enum Tier: String, Codable, CaseIterable, Sendable { case free, paid }

    struct Subscription: Codable, Sendable {
        var id: String
        var planId: String
        var status: String
        var currentPeriodEnd: Timestamp
        var billingInterval: String?

        /// The subscription that a scenario shows for a user without one.
        static func sample(at now: Instant) -> Subscription {
            Subscription(
                id: "sub_scenario_00000001",
                planId: "starter",
                status: "active",
                currentPeriodEnd: .at(now - .days(3)),
                billingInterval: "monthly"
            )
        }
    }

    struct Battery: Codable, Sendable {
        var totalBalance: Int
        var dailyAllowance: Int
        var lastDailyReset: Timestamp
    }
}

/// A plan that a subscription refers to.
struct Plan: Row, Codable {
    var id: String
    var name: String
    var features: [String]
}

/// An Apple identity and the user it signs in (contract, section 3.2).
struct AppleIdentity: Row, Codable {
    /// The identity's `sub`.
    var id: String
    var userId: String
}

/// An opaque identity token that is remembered as belonging to an e-mail.
struct RememberedToken: Row, Codable {
    /// The token itself.
    var id: String
    var email: String
}

struct Conversation: Row, Codable {
    var id: String
    var userId: String
    var title: String
    var model: String
    var isArchived: Bool
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

struct Message: Row, Codable {
    enum Role: String, Codable, CaseIterable, Sendable { case user, assistant, system }

    var id: String
    var conversationId: String
    var role: Role
    var content: String
    var model: String?
    var isComplete: Bool
    var tokensGenerated: Int
    var createdAt: Timestamp

    var group: String { conversationId }
}

struct Attachment: Row, Codable {
    var id: String
    /// The user who uploaded it.
    var userId: String
    /// The message that it is attached to; nil until a message is sent with it.
    var messageId: String?
    var fileName: String
    var fileType: String
    var fileSize: Int
    var key: String
    var createdAt: Timestamp

    var group: String { messageId ?? "" }
}

/// The bytes of an upload.
struct StoredFile: Row, Codable {
    /// The key.
    var id: String
    var fileName: String
    var fileType: String
    var bytes: [UInt8]
}

/// A refresh token, stored by its `jti`.
struct RefreshSession: Row, Codable {
    var id: String
    var userId: String
    /// The stored end, which the control API can move before the token's own.
    var expiresAt: Instant
    /// The time from which it counts as revoked.
    var revokedAt: Instant?

    var group: String { userId }
}

/// An issued access token, kept only until it expires so that the control API can end it.
struct IssuedAccess: Row, Codable {
    /// The `jti`.
    var id: String
    var userId: String
    var expiresAt: Instant
    /// The time at which the control API ended it.
    var endedAt: Instant?

    var group: String { userId }
}

/// A user's usage on one day (UTC).
struct UsageDay: Row, Codable {
    struct ModelCount: Codable, Sendable {
        var model: String
        var count: Int
    }

    var id: String
    var userId: String
    var day: Timestamp
    var batteryUsed: Int
    var messages: Int
    /// In order of first use.
    var models: [ModelCount]

    var group: String { userId }
}

struct Transaction: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case purchase, subscription
        case subscriptionUpgrade = "subscription_upgrade"
        case bonus, refund, usage
    }

    var id: String
    var userId: String
    var type: Kind
    var amount: Int
    var balanceAfter: Int
    var description: String?
    var createdAt: Timestamp

    var group: String { userId }
}

/// A language model of the list (contract, section 9.1).
struct Model: Row, Codable {
    var id: String
    var name: String
    var provider: String
    var contextWindow: Int
    var maxOutput: Int
    var supportsVision: Bool
    var supportsTools: Bool
    var supportsWebSearch: Bool
    var supportsImageGeneration: Bool?
    var description: String?
}
