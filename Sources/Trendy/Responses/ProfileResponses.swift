import Emulation
import JSON

extension Profile: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Profile",
        [
            .string("id") { $0.id },
            flag("onboarding_complete") { $0.onboardingComplete },
            .custom("onboarding_step", .any) { $1.json.write($0.onboardingStep ?? .null) },
            flag("notifications_enabled") { $0.notificationsEnabled },
            flag("location_enabled") { $0.locationEnabled },
            flag("healthkit_enabled") { $0.healthkitEnabled },
            .nullableTime("onboarding_started_at") { $0.onboardingStartedAt },
            .nullableTime("onboarding_completed_at") { $0.onboardingCompletedAt },
            .time("created_at") { $0.createdAt },
            .time("updated_at") { $0.updatedAt },
        ]
    )

    private static func flag(_ name: String, _ read: @escaping @Sendable (Self) -> Bool?) -> ResponseSchema<Self>.Member
    {
        .custom(name, .nullable(.boolean)) { value, writer in
            if let flag = read(value) { writer.json.bool(flag) } else { writer.json.null() }
        }
    }
}
