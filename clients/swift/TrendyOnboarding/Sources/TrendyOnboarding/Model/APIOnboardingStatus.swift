public import Foundation

/// The onboarding record as the backend answers it.
///
/// Decoding takes an absent member and `null` for the same, ignores members that it does not know, and reads dates with or
/// without a fraction. A permission status is kept as the text that came, so an unknown one fails nothing.
///
/// ```swift
/// let status = try JSONDecoder().decode(APIOnboardingStatus.self, from: data)
/// let answer = status.notificationsStatus.flatMap(PermissionStatus.init(rawValue:))
/// ```
public struct APIOnboardingStatus: Codable, Hashable, Sendable {
    /// The id of the account, as it was sent.
    public var userId: String
    /// True when onboarding is complete.
    public var completed: Bool
    /// The date of the first step.
    public var welcomeCompletedAt: Date?
    /// The date of the second step.
    public var authCompletedAt: Date?
    /// The date of the third step.
    public var permissionsCompletedAt: Date?
    /// The answer for notifications.
    public var notificationsStatus: String?
    /// The date of the answer for notifications.
    public var notificationsCompletedAt: Date?
    /// The answer for health data.
    public var healthkitStatus: String?
    /// The date of the answer for health data.
    public var healthkitCompletedAt: Date?
    /// The answer for the location.
    public var locationStatus: String?
    /// The date of the answer for the location.
    public var locationCompletedAt: Date?
    /// The date of the record's first appearance.
    public var createdAt: Date
    /// The date of the record's last change.
    public var updatedAt: Date

    /// Creates the record of an account that has done nothing yet, for a preview or a transport of a test.
    ///
    /// ```swift
    /// let answer = APIOnboardingStatus(userId: userId, completed: true, createdAt: date, updatedAt: date)
    /// ```
    public init(userId: String, completed: Bool = false, createdAt: Date, updatedAt: Date) {
        self.userId = userId
        self.completed = completed
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    enum CodingKeys: String, CodingKey {
        case userId = "user_id"
        case completed
        case welcomeCompletedAt = "welcome_completed_at"
        case authCompletedAt = "auth_completed_at"
        case permissionsCompletedAt = "permissions_completed_at"
        case notificationsStatus = "notifications_status"
        case notificationsCompletedAt = "notifications_completed_at"
        case healthkitStatus = "healthkit_status"
        case healthkitCompletedAt = "healthkit_completed_at"
        case locationStatus = "location_status"
        case locationCompletedAt = "location_completed_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// Decodes a record; any date decoding strategy of the decoder is left aside.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        userId = try members.decode(String.self, forKey: .userId)
        completed = try members.decode(Bool.self, forKey: .completed)
        welcomeCompletedAt = try members.dateIfPresent(.welcomeCompletedAt)
        authCompletedAt = try members.dateIfPresent(.authCompletedAt)
        permissionsCompletedAt = try members.dateIfPresent(.permissionsCompletedAt)
        notificationsStatus = try members.decodeIfPresent(String.self, forKey: .notificationsStatus)
        notificationsCompletedAt = try members.dateIfPresent(.notificationsCompletedAt)
        healthkitStatus = try members.decodeIfPresent(String.self, forKey: .healthkitStatus)
        healthkitCompletedAt = try members.dateIfPresent(.healthkitCompletedAt)
        locationStatus = try members.decodeIfPresent(String.self, forKey: .locationStatus)
        locationCompletedAt = try members.dateIfPresent(.locationCompletedAt)
        createdAt = try members.date(.createdAt)
        updatedAt = try members.date(.updatedAt)
    }

    /// Encodes the record; dates have whole seconds, and members without a value are left out.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(userId, forKey: .userId)
        try members.encode(completed, forKey: .completed)
        try members.encodeIfPresent(welcomeCompletedAt.map(WireDate.text), forKey: .welcomeCompletedAt)
        try members.encodeIfPresent(authCompletedAt.map(WireDate.text), forKey: .authCompletedAt)
        try members.encodeIfPresent(permissionsCompletedAt.map(WireDate.text), forKey: .permissionsCompletedAt)
        try members.encodeIfPresent(notificationsStatus, forKey: .notificationsStatus)
        try members.encodeIfPresent(notificationsCompletedAt.map(WireDate.text), forKey: .notificationsCompletedAt)
        try members.encodeIfPresent(healthkitStatus, forKey: .healthkitStatus)
        try members.encodeIfPresent(healthkitCompletedAt.map(WireDate.text), forKey: .healthkitCompletedAt)
        try members.encodeIfPresent(locationStatus, forKey: .locationStatus)
        try members.encodeIfPresent(locationCompletedAt.map(WireDate.text), forKey: .locationCompletedAt)
        try members.encode(WireDate.text(createdAt), forKey: .createdAt)
        try members.encode(WireDate.text(updatedAt), forKey: .updatedAt)
    }
}

extension KeyedDecodingContainer {
    /// Reads a date of the wire form.
    func date(_ key: Key) throws -> Date {
        let text = try decode(String.self, forKey: key)
        guard let date = WireDate.date(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a date: \(text)")
        }
        return date
    }

    /// Reads a date of the wire form; nil if it is absent or null.
    func dateIfPresent(_ key: Key) throws -> Date? {
        try contains(key) && !decodeNil(forKey: key) ? date(key) : nil
    }
}
