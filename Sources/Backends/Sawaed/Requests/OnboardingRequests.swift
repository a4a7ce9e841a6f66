import Backend
import JSON

struct StepRequest: RequestModel {
    var step = ""

    /// The backend's own words are parsed too; the setting `steps` decides whether they are accepted.
    static let shape = RequestSchema<Self>(
        "OnboardingStep",
        nulls: .value,
        [
            .required("step", .string().documented(as: .string(enumeration: SawaedAPI.Step.allCases.map(\.rawValue)))) {
                $0.step = $1
            }
        ]
    )
}

struct DetailsRequest: RequestModel {
    var firstNameAr = ""
    var lastNameAr = ""
    var firstNameEn = ""
    var lastNameEn = ""
    var gender = Gender.female
    var regionId: String?
    var cityId: String?
    var region: String?
    var city: String?

    static let shape = RequestSchema<Self>(
        "OnboardingDetails",
        nulls: .value,
        [
            .required("firstNameAr", .string(.notEmpty)) { $0.firstNameAr = $1 },
            .required("lastNameAr", .string(.notEmpty)) { $0.lastNameAr = $1 },
            .required("firstNameEn", .string(.notEmpty)) { $0.firstNameEn = $1 },
            .required("lastNameEn", .string(.notEmpty)) { $0.lastNameEn = $1 },
            .required("gender", .choice(Gender.self)) { $0.gender = $1 },
            .optional("regionId", .string()) { $0.regionId = $1 },
            .optional("cityId", .string()) { $0.cityId = $1 },
            .optional("region", .string(.notEmpty)) { $0.region = $1 },
            .optional("city", .string(.notEmpty)) { $0.city = $1 },
        ]
    )
}

struct TaxonomiesRequest: RequestModel {
    var skillIds: [String] = []
    var interestIds: [String] = []

    static let shape = RequestSchema<Self>(
        "OnboardingTaxonomies",
        nulls: .value,
        [
            .required("skillIds", .strings) { $0.skillIds = $1 },
            .required("interestIds", .strings) { $0.interestIds = $1 },
        ]
    )
}
