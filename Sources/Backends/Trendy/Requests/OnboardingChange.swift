import Backend
import CivilTime
import JSON

/// The ten members that a PATCH may send (contract, section 5), all checked before anything is written.
struct OnboardingChange: RequestModel {
    struct Permission: Sendable {
        var status = Presence<String>.absent
        var completedAt = Presence<Timestamp>.absent

        func apply(to permission: inout OnboardingRecord.Permission) {
            status.merge(into: &permission.status)
            completedAt.merge(into: &permission.completedAt)
        }
    }

    private var completed = Presence<Bool>.absent
    private var welcome = Presence<Timestamp>.absent
    private var auth = Presence<Timestamp>.absent
    private var permissions = Presence<Timestamp>.absent
    private var notifications = Permission()
    private var healthkit = Permission()
    private var location = Permission()

    init() {}

    static let shape = RequestSchema<Self>(
        "UpdateOnboardingStatus",
        [
            .nullable("completed", .boolean) { $0.completed = Presence($1) },
            .nullable("welcome_completed_at", .time) { $0.welcome = Presence($1) },
            .nullable("auth_completed_at", .time) { $0.auth = Presence($1) },
            .nullable("permissions_completed_at", .time) { $0.permissions = Presence($1) },
        ] + permission("notifications", \.notifications) + permission("healthkit", \.healthkit)
            + permission("location", \.location)
    )

    /// The whole body: `null` changes nothing but the time (D25).
    static let body = RequestValue.object(Self.self).orNull(Self())

    private static func permission(
        _ name: String,
        _ part: any WritableKeyPath<Self, Permission> & Sendable
    ) -> [RequestSchema<Self>.Member] {
        [
            // Types are checked before values.
            .nullable("\(name)_status", .string(.oneOf(OnboardingRecord.statuses))) {
                $0[keyPath: part].status = Presence($1)
            }.deferring { if case .notAllowed = $0.kind { true } else { false } },
            .nullable("\(name)_completed_at", .time) { $0[keyPath: part].completedAt = Presence($1) },
        ]
    }

    func apply(to record: inout OnboardingRecord) {
        switch completed {
        case .absent: break
        case .null: record.completed = false
        case .value(let flag): record.completed = flag
        }
        welcome.merge(into: &record.welcomeCompletedAt)
        auth.merge(into: &record.authCompletedAt)
        permissions.merge(into: &record.permissionsCompletedAt)
        notifications.apply(to: &record.notifications)
        healthkit.apply(to: &record.healthkit)
        location.apply(to: &record.location)
    }
}
