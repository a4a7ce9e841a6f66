public import Foundation

/// The part of the record that is kept on the device, so that the next launch can decide its route at once.
///
/// The answers for permissions are not part of it: the device's own settings are their source while it is offline.
/// Later versions add optional members only, so an entry stays readable for older and newer apps.
///
/// ```swift
/// let status = CachedOnboardingStatus(userId: userId, welcomeCompletedAt: date, lastUpdatedAt: date)
/// let name = status.currentStep  // "auth"
/// ```
public struct CachedOnboardingStatus: Codable, Hashable, Sendable {
    /// The id of the account, in lower case.
    public let userId: String
    /// True when onboarding is complete.
    public var completed: Bool
    /// The date of the first step.
    public var welcomeCompletedAt: Date?
    /// The date of the second step.
    public var authCompletedAt: Date?
    /// The date of the third step.
    public var permissionsCompletedAt: Date?
    /// The date of the last response that the entry was made from; nil until the first sync.
    public var lastSyncedAt: Date?
    /// The date of the entry's last change, by a sync or by the user.
    public var lastUpdatedAt: Date

    /// Creates an entry; dates are cut to whole seconds, the id is put into lower case.
    ///
    /// ```swift
    /// let status = CachedOnboardingStatus(userId: userId, welcomeCompletedAt: date, lastUpdatedAt: date)
    /// ```
    public init(
        userId: String,
        completed: Bool = false,
        welcomeCompletedAt: Date? = nil,
        authCompletedAt: Date? = nil,
        permissionsCompletedAt: Date? = nil,
        lastSyncedAt: Date? = nil,
        lastUpdatedAt: Date
    ) {
        self.userId = userId.lowercased()
        self.completed = completed
        self.welcomeCompletedAt = welcomeCompletedAt.map(WireDate.whole)
        self.authCompletedAt = authCompletedAt.map(WireDate.whole)
        self.permissionsCompletedAt = permissionsCompletedAt.map(WireDate.whole)
        self.lastSyncedAt = lastSyncedAt.map(WireDate.whole)
        self.lastUpdatedAt = WireDate.whole(lastUpdatedAt)
    }

    /// Creates an entry from a response that was received at a date.
    ///
    /// ```swift
    /// let status = CachedOnboardingStatus(answer, at: date)
    /// ```
    public init(_ answer: APIOnboardingStatus, at date: Date) {
        self.init(
            userId: answer.userId,
            completed: answer.completed,
            welcomeCompletedAt: answer.welcomeCompletedAt,
            authCompletedAt: answer.authCompletedAt,
            permissionsCompletedAt: answer.permissionsCompletedAt,
            lastSyncedAt: date,
            lastUpdatedAt: date
        )
    }

    /// The step that the user is at; nil when onboarding is complete.
    public var step: OnboardingStep? {
        OnboardingStep.current(
            completed: completed,
            welcome: welcomeCompletedAt,
            auth: authCompletedAt,
            permissions: permissionsCompletedAt
        )
    }

    /// The name of the step that the user is at; nil when onboarding is complete.
    public var currentStep: String? { step?.rawValue }

    private enum CodingKeys: String, CodingKey {
        case userId = "user_id"
        case completed
        case currentStep = "current_step"
        case welcomeCompletedAt = "welcome_completed_at"
        case authCompletedAt = "auth_completed_at"
        case permissionsCompletedAt = "permissions_completed_at"
        case lastSyncedAt = "last_synced_at"
        case lastUpdatedAt = "last_updated_at"
    }

    /// Decodes an entry; the step is derived, and not read.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            userId: try members.decode(String.self, forKey: .userId),
            completed: try members.decode(Bool.self, forKey: .completed),
            welcomeCompletedAt: try members.dateIfPresent(.welcomeCompletedAt),
            authCompletedAt: try members.dateIfPresent(.authCompletedAt),
            permissionsCompletedAt: try members.dateIfPresent(.permissionsCompletedAt),
            lastSyncedAt: try members.dateIfPresent(.lastSyncedAt),
            lastUpdatedAt: try members.date(.lastUpdatedAt)
        )
    }

    /// Encodes the entry; the step is written for readers of the store that do not have this library.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(userId, forKey: .userId)
        try members.encode(completed, forKey: .completed)
        try members.encodeIfPresent(currentStep, forKey: .currentStep)
        try members.encodeIfPresent(welcomeCompletedAt.map(WireDate.text), forKey: .welcomeCompletedAt)
        try members.encodeIfPresent(authCompletedAt.map(WireDate.text), forKey: .authCompletedAt)
        try members.encodeIfPresent(permissionsCompletedAt.map(WireDate.text), forKey: .permissionsCompletedAt)
        try members.encodeIfPresent(lastSyncedAt.map(WireDate.text), forKey: .lastSyncedAt)
        try members.encode(WireDate.text(lastUpdatedAt), forKey: .lastUpdatedAt)
    }
}
