import Backend
import CivilTime

/// A tier of the service (contract, section 6).
enum Tier: String, Codable, CaseIterable, Sendable, Comparable {
    case free, essentials, pro

    private var rank: Int {
        switch self {
        case .free: 0
        case .essentials: 1
        case .pro: 2
        }
    }

    static func < (left: Tier, right: Tier) -> Bool { left.rank < right.rank }
}

/// An account.
struct User: Row, Codable {
    enum SubscriptionStatus: String, Codable, CaseIterable, Sendable {
        case active
        case pastDue = "past_due"
        case canceled
    }

    var id: String
    var email: String?
    var firstName: String?
    var lastName: String?
    /// The granted tier; the current one also depends on `tierEndsAt`.
    var tier: Tier
    var standing: SubscriptionStatus
    /// The time at which a paid tier falls back to free; nil for never.
    var tierEndsAt: Timestamp?
    /// Tells whether the tier was bought in the App Store, so that a sync without entitlements ends it.
    var isTierFromStore: Bool
    var profileImageUrl: String?
    var emailRemindersEnabled: Bool
    /// An e-mail address that a scenario removed or replaced: the control API and mock sign-ins still find the account
    /// by it.
    var formerEmail: String?
}

/// An Apple `sub` and the account it signs in.
struct AppleIdentity: Row, Codable {
    var id: String
    var userId: String
}

/// A meal of the history.
struct Meal: Row, Codable {
    /// The number as text.
    var id: String
    var number: Int
    var userId: String
    var name: String
    var carbEstimate: Int
    /// Hundredths.
    var confidence: Int
    var createdAt: Timestamp
    /// The time of the server's last write, on the clock of the account's mark (contract, section 7.13).
    var stamp: Timestamp
    /// The device's own id, for meals that were uploaded.
    var localId: String?

    var group: String { userId }
}

/// The instant up to which an account has received all changes (contract, section 7.13).
struct SyncMark: Row, Codable {
    /// The account.
    var id: String
    var mark: Timestamp
}

/// The upload of an account that is refused while `sync.badItem` is on.
struct BadUpload: Row, Codable {
    /// The account.
    var id: String
    var localId: String
}

/// A question and its answer.
struct ChatMessage: Row, Codable {
    /// The number as text.
    var id: String
    var number: Int
    var userId: String
    var message: String
    var response: String
    var messageType: ChatAnswer.Kind
    var createdAt: Timestamp

    var group: String { userId }
}

/// The usage of an account: a log of instants (contract, section 6).
struct QuotaLog: Row, Codable {
    /// The account.
    var id: String
    var scans: [Timestamp]
    var chats: [Timestamp]
}

/// A device that is registered for push messages.
struct Device: Row, Codable {
    /// The push token.
    var id: String
    var userId: String?
    var platform: String
    var deviceModel: String?
    var osVersion: String?
    var appVersion: String?
    var registeredAt: Timestamp

    var group: String { userId ?? "" }
}

/// A magic link that was sent.
struct MagicLink: Row, Codable {
    /// The token in the link.
    var id: String
    var userId: String
    var sentAt: Timestamp
}

/// A code of the browser sign-in that has not been exchanged yet.
struct BrowserCode: Row, Codable {
    /// The code.
    var id: String
    var userId: String
    var challenge: String
    var issuedAt: Timestamp
}

/// A sign-in whose tokens are no longer valid.
struct EndedSession: Row, Codable {
    /// The session's id, which its tokens carry as `sid`.
    var id: String
}

/// A refresh token that was exchanged in the rotation profile.
struct SpentRefresh: Row, Codable {
    /// Its `jti`.
    var id: String
}

/// A single credential that a fault has ended.
struct EndedCredential: Row, Codable {
    /// SHA-256 of the credential, in hexadecimal digits.
    var id: String
}

/// The end of the tokens that an account held at some moment, as ordered by the control API.
struct HoldingsEnd: Row, Codable {
    var id: String
    var userId: String
    var endsAccess: Bool
    var endsRefresh: Bool
    /// The number of the last token issued before the order.
    var upTo: Int
    /// The time of the order: for tokens whose id was not allocated here.
    var orderedAt: Timestamp
    var at: Timestamp

    var group: String { userId }
}

/// A purchase in the App Store.
struct Purchase: Row, Codable {
    /// The `originalTransactionId`.
    var id: String
    var userId: String

    var group: String { userId }
}

/// A transaction of a purchase that has been applied.
struct StoredTransaction: Row, Codable {
    /// The `transactionId`.
    var id: String
    var purchaseDate: Timestamp
    var expiresDate: Timestamp
    var environment: String
}

/// A public key that strict receipts are verified with, as a JWK.
struct ReceiptKey: Row, Codable {
    /// The `kid`.
    var id: String
    var x: String
    var y: String
    /// The private part, so that developers can sign receipts of their own; Understudy does not read it.
    var d: String?
}
