import Backend
import CivilTime

/// One of the two languages of the service.
enum Language: String, Codable, CaseIterable, Sendable { case ar, en }

/// A text in both languages.
struct LocalisedText: Codable, Sendable, Equatable {
    var en: String
    var ar: String

    /// The text in a language, or in the other one if it is blank (contract, section 2.7).
    func text(_ language: Language) -> String {
        let (wanted, other) = language == .ar ? (ar, en) : (en, ar)
        return wanted.isBlank ? other : wanted
    }
}

enum Gender: String, Codable, CaseIterable, Sendable { case male, female }

/// A user (contract, section 14.1).
struct User: Row, Codable {
    enum Role: String, Codable, CaseIterable, Sendable {
        case youth = "YOUTH"
        case admin = "ADMIN"
        case superAdmin = "SUPER_ADMIN"
    }

    var id: String
    /// The e-mail as given at the first request of a code: compared exactly (D9).
    var email: String
    var role: Role
    var languagePreference: Language
    var isBlocked: Bool?
    var isDeleted: Bool?
    var firstNameAr: String?
    var lastNameAr: String?
    var firstNameEn: String?
    var lastNameEn: String?
    var gender: Gender?
    var phone: String?
    /// In order of insertion.
    var skillIds: [String]?
    /// In order of insertion.
    var interestIds: [String]?
    var createdAt: Timestamp

    /// The first name in a language, or in the other; the empty text if there is none.
    func firstName(_ language: Language) -> String {
        LocalisedText(en: firstNameEn ?? "", ar: firstNameAr ?? "").text(language)
    }

    func lastName(_ language: Language) -> String {
        LocalisedText(en: lastNameEn ?? "", ar: lastNameAr ?? "").text(language)
    }
}

/// An account with a password; its id is the e-mail, trimmed and in lower case (contract, section 4.5).
struct PasswordAccount: Row, Codable {
    var id: String
    var userId: String
    /// Stored in the clear, because these are fixtures.
    var password: String
    var isVerified: Bool
}

/// The live code of an e-mail (contract, section 3.1).
struct OneTimeCode: Row, Codable {
    /// The e-mail, exactly as given.
    var id: String
    var code: String
    var expiresAt: Timestamp
}

/// The rest of a budget of failures that refills with time.
struct FailureBudget: Row, Codable {
    var id: String
    /// The microseconds of refilling in store; one attempt costs the time that its refilling takes.
    var left: Int64
    var at: Timestamp
}

/// A sign-in (contract, section 3.2).
struct Session: Row, Codable {
    var id: String
    var userId: String
    var createdAt: Timestamp
    var expiresAt: Timestamp

    var group: String { userId }
}

/// A refresh token, stored by its first half (contract, section 3.3).
struct RefreshToken: Row, Codable {
    var id: String
    var sessionId: String
    /// The token that this one was issued for; nil for a session's first.
    var parentId: String?
    var expiresAt: Timestamp
    var firstUsedAt: Timestamp?
    /// The time from which it counts as revoked.
    var revokedAt: Timestamp?

    var group: String { sessionId }
}

/// The end of access tokens, which are not stored themselves.
struct AccessEnd: Row, Codable {
    var id: String
    /// A user, a session, one of its tokens by its `iat`, or `*` for all.
    var subject: String
    /// The end applies to tokens with an `iat` up to this one.
    var issuedUpTo: Int64
    var at: Timestamp

    var group: String { subject }
}

/// A one-time event, such as the use of a token made outside the world.
struct Mark: Row, Codable {
    var id: String
}

/// A named counter.
struct CounterRow: Row, Codable {
    var id: String
    var value: Int64
}

/// A user's way through onboarding (contract, section 5.1).
struct Onboarding: Row, Codable {
    /// The user's id.
    var id: String
    var completed: Bool
    var currentStep: String?
    var firstNameAr: String?
    var lastNameAr: String?
    var firstNameEn: String?
    var lastNameEn: String?
    var gender: Gender?
    var region: String?
    var city: String?
    var regionId: String?
    var cityId: String?
    var draftSkillIds: [String]?
    var draftInterestIds: [String]?
}

/// A governorate.
struct Region: Row, Codable {
    var id: String
    var name: LocalisedText
}

struct City: Row, Codable {
    var id: String
    var regionId: String
    var name: LocalisedText

    var group: String { regionId }
}

/// A skill or an interest that users have (contract, sections 14.3 and 14.4).
struct Topic: Row, Codable {
    var id: String
    var name: LocalisedText
    var category: String
}

enum Collaboration: String, Codable, CaseIterable, Sendable { case open, closed, looking }

/// A profile (contract, section 6.1).
struct Profile: Row, Codable {
    var id: String
    var userId: String
    var headline: String?
    var bio: String?
    var regionId: String?
    var cityId: String?
    /// The name as saved when no id is known.
    var regionName: String?
    var cityName: String?
    /// A stored picture, which takes precedence over `pictureUrl`.
    var storageId: String?
    var pictureUrl: String?
    var collaborationStatus: Collaboration?
    var completionPercentage: Int

    var group: String { userId }
}

/// A stored picture.
struct StoredFile: Row, Codable {
    var id: String
    var contentType: String
    var bytes: [UInt8]
}

/// The permission for one upload (contract, section 6.7).
struct UploadToken: Row, Codable {
    /// The token.
    var id: String
    var userId: String
    var expiresAt: Timestamp
}

/// A user's AI configuration (contract, section 7.1).
struct AIConfig: Row, Codable {
    var id: String
    var userId: String
    var aiSkillId: String?
    var systemPrompt: String?
    var preferredLanguage: Language
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

/// A skill that can be assessed (contract, section 14.6).
struct AISkill: Row, Codable {
    struct Level: Codable, Sendable {
        var level: Int
        var name: LocalisedText
    }

    var id: String
    var name: LocalisedText
    var category: String?
    var definition: LocalisedText
    var levels: [Level]
    var relatedSkillIds: [String]
    var relatedInterestIds: [String]
    var createdAt: Timestamp
}

/// An assessment; its basis is never shown (D25).
struct Assessment: Row, Codable {
    var id: String
    var userId: String
    var aiSkillId: String
    var level: Int
    var confidence: Double
    var createdAt: Timestamp

    var group: String { userId }
}

/// A module of a learning path (contract, section 7.4).
struct LearningModule: Codable, Sendable, Equatable {
    enum Kind: String, Codable, CaseIterable, Sendable { case article, video, quiz, project }

    var id: String
    var title: String
    var type: Kind
    var duration: String
    var description: String
    var objectives: [String]
    var outline: [String]
    var resourceUrl: String?
    var searchKeywords: [String]
}

/// A learning path (contract, section 7.4).
struct LearningPath: Row, Codable {
    enum Status: String, Codable, CaseIterable, Sendable { case active, completed, archived }

    var id: String
    var userId: String
    var aiSkillId: String
    var status: Status
    var assessmentLevel: Int
    var assessmentId: String
    var completedModuleIds: [String]
    var modules: [LearningModule]
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

/// An event (contract, section 14.5).
struct Event: Row, Codable {
    enum Policy: String, Codable, CaseIterable, Sendable { case open, approval, inviteOnly }

    var id: String
    var title: LocalisedText
    var description: LocalisedText
    var regionId: String?
    var cityId: String?
    var startsAt: Timestamp
    var endsAt: Timestamp
    /// A built-in picture, shown as a URL of this origin.
    var posterStorageId: String?
    var posterUrl: String?
    var isPublished: Bool
    var isRegistrationRequired: Bool
    var registrationPolicy: Policy
    var capacity: Int?
    var allowWaitlist: Bool
    var maxRegistrationsPerUser: Int?
    var registrationsOpenDate: Timestamp?
    var registrationsCloseDate: Timestamp?
    var externalRegistrationUrl: String?
    var termsUrl: String?
    var contact: String?
}

/// A registration for an event (contract, section 9.3).
struct Registration: Row, Codable {
    enum Status: String, Codable, CaseIterable, Sendable { case pending, accepted, waitlisted, rejected, cancelled }

    var id: String
    var userId: String
    var eventId: String
    var timestamp: Timestamp
    var quantity: Int64
    var status: Status
    var notes: String?
    var decidedAt: Timestamp?

    var group: String { eventId }

    /// Tells whether it holds or requests seats.
    var isActive: Bool { status == .pending || status == .accepted || status == .waitlisted }
}
