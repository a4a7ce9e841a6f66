import Backend

struct OnboardingStatus: ResponseModel {
    var completed: Bool
    var currentStep: String?

    static let shape = ResponseSchema<Self>(
        "OnboardingStatus",
        [.boolean("completed") { $0.completed }, .nullableString("currentStep") { $0.currentStep }]
    )
}

/// Contract, section 5.3.
struct OnboardingDraft: ResponseModel {
    var row: Onboarding

    static let shape = ResponseSchema<Self>(
        "OnboardingDraft",
        [
            .nullableString("firstNameAr") { $0.row.firstNameAr },
            .nullableString("lastNameAr") { $0.row.lastNameAr },
            .nullableString("firstNameEn") { $0.row.firstNameEn },
            .nullableString("lastNameEn") { $0.row.lastNameEn },
            .nullableChoice("gender") { $0.row.gender },
            .nullableString("region") { $0.row.region },
            .nullableString("city") { $0.row.city },
            .nullableString("regionId") { $0.row.regionId },
            .nullableString("cityId") { $0.row.cityId },
            .strings("draftSkillIds") { $0.row.draftSkillIds ?? [] },
            .strings("draftInterestIds") { $0.row.draftInterestIds ?? [] },
        ]
    )
}
