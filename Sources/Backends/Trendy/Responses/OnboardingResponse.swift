import Backend
import JSON

/// The onboarding record in its wire order (contract, section 3).
struct OnboardingResponse: ResponseModel {
    var record: OnboardingRecord
    var userID: String
    /// A replacement for the notification status, which shows clients an unknown value.
    var notifications: String?
    /// Tells whether unset members are written as null instead of being left out (D6).
    var showsUnset: Bool

    init(_ record: OnboardingRecord, _ settings: TrendySettings) {
        self.record = record
        userID = settings.userID == .upper ? record.id.uppercased() : record.id
        notifications = settings.permissions == .provisional ? "provisional" : record.notifications.status
        showsUnset = settings.unset == .null
    }

    static let shape = ResponseSchema<Self>(
        "OnboardingStatus",
        [
            .string("user_id") { $0.userID },
            .boolean("completed") { $0.record.completed },
            time("welcome_completed_at") { $0.record.welcomeCompletedAt },
            time("auth_completed_at") { $0.record.authCompletedAt },
            time("permissions_completed_at") { $0.record.permissionsCompletedAt },
            status("notifications_status") { $0.notifications },
            time("notifications_completed_at") { $0.record.notifications.completedAt },
            status("healthkit_status") { $0.record.healthkit.status },
            time("healthkit_completed_at") { $0.record.healthkit.completedAt },
            status("location_status") { $0.record.location.status },
            time("location_completed_at") { $0.record.location.completedAt },
            .time("created_at") { $0.record.createdAt },
            .time("updated_at") { $0.record.updatedAt },
        ]
    )

    private static func time(
        _ name: String,
        _ read: @escaping @Sendable (Self) -> Timestamp?
    ) -> ResponseSchema<Self>.Member {
        .optionalCustom(
            name,
            .string(format: "date-time"),
            isPresent: { $0.showsUnset || read($0) != nil }
        ) { value, writer in
            if let time = read(value) { writer.write(time) } else { writer.json.null() }
        }
    }

    private static func status(_ name: String, _ read: @escaping @Sendable (Self) -> String?)
        -> ResponseSchema<Self>.Member
    {
        .optionalCustom(
            name,
            .string(enumeration: OnboardingRecord.statuses),
            isPresent: { $0.showsUnset || read($0) != nil }
        ) { value, writer in
            if let text = read(value) { writer.json.string(text) } else { writer.json.null() }
        }
    }
}
