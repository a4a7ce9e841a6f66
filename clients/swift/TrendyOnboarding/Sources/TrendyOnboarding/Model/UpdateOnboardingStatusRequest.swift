public import Foundation

/// A change of the onboarding record, member by member.
///
/// ```swift
/// var request = UpdateOnboardingStatusRequest()
/// request.welcomeCompletedAt = .set(date)
/// request.locationStatus = .clear
/// // {"location_status":null,"welcome_completed_at":"2025-01-01T12:00:00Z"}
/// ```
public struct UpdateOnboardingStatusRequest: Encodable, Hashable, Sendable {
    /// The change of `completed`; the backend takes its removal for false.
    public var completed = MemberChange<Bool>.leave
    /// The change of the first step's date.
    public var welcomeCompletedAt = MemberChange<Date>.leave
    /// The change of the second step's date.
    public var authCompletedAt = MemberChange<Date>.leave
    /// The change of the third step's date.
    public var permissionsCompletedAt = MemberChange<Date>.leave
    /// The change of the answer for notifications.
    public var notificationsStatus = MemberChange<PermissionStatus>.leave
    /// The change of the date of the answer for notifications.
    public var notificationsCompletedAt = MemberChange<Date>.leave
    /// The change of the answer for health data.
    public var healthkitStatus = MemberChange<PermissionStatus>.leave
    /// The change of the date of the answer for health data.
    public var healthkitCompletedAt = MemberChange<Date>.leave
    /// The change of the answer for the location.
    public var locationStatus = MemberChange<PermissionStatus>.leave
    /// The change of the date of the answer for the location.
    public var locationCompletedAt = MemberChange<Date>.leave

    /// Creates a request that changes no member.
    ///
    /// ```swift
    /// var request = UpdateOnboardingStatusRequest()
    /// request.locationStatus = .clear
    /// ```
    public init() {}

    /// True if the request changes no member.
    public var isEmpty: Bool { self == UpdateOnboardingStatusRequest() }

    /// Encodes the members that change; dates have whole seconds.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        for (name, value) in changes { try members.encode(value, forKey: name) }
    }
}

/// The writable members of the record, by their names on the wire.
enum MemberName: String, CaseIterable, CodingKey {
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
}

extension UpdateOnboardingStatusRequest {
    /// The members that change with their values on the wire, in the record's order.
    var changes: [(name: MemberName, value: WireValue)] {
        MemberName.allCases.compactMap { name in self[name].map { (name, $0) } }
    }

    /// The value on the wire to which a member changes; nil if it stays.
    ///
    /// Setting a value that the member can't have leaves it as it is.
    subscript(name: MemberName) -> WireValue? {
        get {
            switch name {
            case .completed: Self.value(completed, WireValue.flag)
            case .welcomeCompletedAt: Self.value(welcomeCompletedAt)
            case .authCompletedAt: Self.value(authCompletedAt)
            case .permissionsCompletedAt: Self.value(permissionsCompletedAt)
            case .notificationsStatus: Self.value(notificationsStatus) { .text($0.rawValue) }
            case .notificationsCompletedAt: Self.value(notificationsCompletedAt)
            case .healthkitStatus: Self.value(healthkitStatus) { .text($0.rawValue) }
            case .healthkitCompletedAt: Self.value(healthkitCompletedAt)
            case .locationStatus: Self.value(locationStatus) { .text($0.rawValue) }
            case .locationCompletedAt: Self.value(locationCompletedAt)
            }
        }
        set {
            switch name {
            case .completed: completed = Self.change(newValue, \.flag) ?? completed
            case .welcomeCompletedAt: welcomeCompletedAt = Self.change(newValue, \.date) ?? welcomeCompletedAt
            case .authCompletedAt: authCompletedAt = Self.change(newValue, \.date) ?? authCompletedAt
            case .permissionsCompletedAt:
                permissionsCompletedAt = Self.change(newValue, \.date) ?? permissionsCompletedAt
            case .notificationsStatus: notificationsStatus = Self.change(newValue, \.permission) ?? notificationsStatus
            case .notificationsCompletedAt:
                notificationsCompletedAt = Self.change(newValue, \.date) ?? notificationsCompletedAt
            case .healthkitStatus: healthkitStatus = Self.change(newValue, \.permission) ?? healthkitStatus
            case .healthkitCompletedAt: healthkitCompletedAt = Self.change(newValue, \.date) ?? healthkitCompletedAt
            case .locationStatus: locationStatus = Self.change(newValue, \.permission) ?? locationStatus
            case .locationCompletedAt: locationCompletedAt = Self.change(newValue, \.date) ?? locationCompletedAt
            }
        }
    }

    private static func value<Value>(_ change: MemberChange<Value>, _ write: (Value) -> WireValue) -> WireValue? {
        switch change {
        case .leave: nil
        case .set(let value): write(value)
        case .clear: .null
        }
    }

    private static func value(_ change: MemberChange<Date>) -> WireValue? {
        value(change) { .text(WireDate.text($0)) }
    }

    private static func change<Value>(_ value: WireValue?, _ read: (WireValue) -> Value?) -> MemberChange<Value>? {
        guard let value else { return .leave }
        return value == .null ? .clear : read(value).map(MemberChange.set)
    }
}
