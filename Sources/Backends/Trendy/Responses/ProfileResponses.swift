import Backend
import JSON

extension Profile: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Profile",
        [
            .string("id") { $0.id },
            .nullableBoolean("onboarding_complete") { $0.onboardingComplete },
            .custom("onboarding_step", .any) { $1.json.write($0.onboardingStep ?? .null) },
            .nullableBoolean("notifications_enabled") { $0.notificationsEnabled },
            .nullableBoolean("location_enabled") { $0.locationEnabled },
            .nullableBoolean("healthkit_enabled") { $0.healthkitEnabled },
            .nullableTime("onboarding_started_at") { $0.onboardingStartedAt },
            .nullableTime("onboarding_completed_at") { $0.onboardingCompletedAt },
            .time("created_at") { $0.createdAt },
            .time("updated_at") { $0.updatedAt },
        ]
    )
}
