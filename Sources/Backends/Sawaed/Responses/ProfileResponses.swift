import Backend
import JSON

/// The whole profile (contract, section 6.1).
struct ProfileResponse: ResponseModel {
    var user: UserResponse
    var profile: ProfileFields?
    var skills: [NamedItem]
    var interests: [NamedItem]
    var education: [EducationResponse]
    var experiences: [ExperienceResponse]
    var projects: [ProjectResponse]
    var awards: [AwardResponse]
    var activities: [ActivityResponse]

    static let shape = ResponseSchema<Self>(
        "ProfileMe",
        [
            .object("user") { $0.user },
            .nullableObject("profile") { $0.profile },
            .array("skills") { $0.skills },
            .array("interests") { $0.interests },
            .array("education") { $0.education },
            .array("experiences") { $0.experiences },
            .array("projects") { $0.projects },
            .array("awards") { $0.awards },
            .array("activities") { $0.activities },
        ]
    )
}

struct UserResponse: ResponseModel {
    var user: User
    var language: Language
    var pictureUrl: String?

    static let shape = ResponseSchema<Self>(
        "User",
        [
            .string("id") { $0.user.id },
            .string("email") { $0.user.email },
            .nullableString("firstNameAr") { $0.user.firstNameAr },
            .nullableString("lastNameAr") { $0.user.lastNameAr },
            .nullableString("firstNameEn") { $0.user.firstNameEn },
            .nullableString("lastNameEn") { $0.user.lastNameEn },
            .string("firstName") { $0.user.firstName($0.language) },
            .string("lastName") { $0.user.lastName($0.language) },
            .nullableString("phone") { $0.user.phone },
            .nullableChoice("gender") { $0.user.gender },
            .nullableString("pictureUrl") { $0.pictureUrl },
        ]
    )
}

struct ProfileFields: ResponseModel {
    var profile: Profile
    var region: String?
    var city: String?
    var pictureUrl: String?

    static let shape = ResponseSchema<Self>(
        "Profile",
        [
            .string("id") { $0.profile.id },
            .nullableString("headline") { $0.profile.headline },
            .nullableString("bio") { $0.profile.bio },
            .nullableString("regionId") { $0.profile.regionId },
            .nullableString("cityId") { $0.profile.cityId },
            .nullableString("region") { $0.region },
            .nullableString("city") { $0.city },
            .nullableString("pictureUrl") { $0.pictureUrl },
            .nullableChoice("collaborationStatus") { $0.profile.collaborationStatus },
            .custom("completionPercentage", .integer(minimum: 0, maximum: 100)) {
                $1.json.integer(Int64($0.profile.completionPercentage))
            },
        ]
    )
}

struct ActivityResponse: ResponseModel {
    var row: Registration

    static let shape = ResponseSchema<Self>(
        "Activity",
        [
            .string("id") { $0.row.id },
            .string("eventId") { $0.row.eventId },
            .milliseconds("timestamp") { $0.row.timestamp },
            .custom("quantity", .integer(minimum: 1)) { $1.json.integer($0.row.quantity) },
            .choice("status") { $0.row.status },
            .nullableString("notes") { $0.row.notes },
            .nullableMilliseconds("decidedAt") { $0.row.decidedAt },
        ]
    )
}

struct EducationResponse: ResponseModel {
    var row: Education

    static let shape = ResponseSchema<Self>(
        "Education",
        [
            .string("id") { $0.row.id },
            .string("_id") { $0.row.id },
            .string("institution") { $0.row.institution },
            .string("degree") { $0.row.degree },
            .nullableString("field") { $0.row.field },
            .nullableString("description") { $0.row.description },
            .nullableNumber("startYear") { $0.row.startYear },
            .custom("endYear", .nullable(.oneOf([.number, .string(enumeration: ["Present"])]))) { value, writer in
                switch value.row.endYear {
                case .year(let year)?: writer.json.double(year)
                case .present?: writer.json.string("Present")
                case nil: writer.json.null()
                }
            },
            .milliseconds("createdAt") { $0.row.createdAt },
            .milliseconds("updatedAt") { $0.row.updatedAt },
        ]
    )
}

struct ExperienceResponse: ResponseModel {
    var row: Experience

    static let shape = ResponseSchema<Self>(
        "Experience",
        [
            .string("id") { $0.row.id },
            .string("_id") { $0.row.id },
            .string("title") { $0.row.title },
            .string("organization") { $0.row.organization },
            .nullableString("description") { $0.row.description },
            .nullableNumber("startDate") { $0.row.startDate },
            .nullableNumber("endDate") { $0.row.endDate },
            .milliseconds("createdAt") { $0.row.createdAt },
            .milliseconds("updatedAt") { $0.row.updatedAt },
        ]
    )
}

struct ProjectResponse: ResponseModel {
    var row: Project

    static let shape = ResponseSchema<Self>(
        "Project",
        [
            .string("id") { $0.row.id },
            .string("_id") { $0.row.id },
            .string("title") { $0.row.title },
            .nullableString("period") { $0.row.period },
            .nullableString("description") { $0.row.description },
            .nullableString("url") { $0.row.url },
            .milliseconds("createdAt") { $0.row.createdAt },
            .milliseconds("updatedAt") { $0.row.updatedAt },
        ]
    )
}

struct AwardResponse: ResponseModel {
    var row: Award

    static let shape = ResponseSchema<Self>(
        "Award",
        [
            .string("id") { $0.row.id },
            .string("_id") { $0.row.id },
            .string("title") { $0.row.title },
            .nullableString("issuer") { $0.row.issuer },
            .nullableNumber("year") { $0.row.year },
            .milliseconds("createdAt") { $0.row.createdAt },
            .milliseconds("updatedAt") { $0.row.updatedAt },
        ]
    )
}

struct UploadAddress: ResponseModel {
    var url: String

    static let shape = ResponseSchema<Self>("UploadAddress", [.string("uploadUrl") { $0.url }])
}
