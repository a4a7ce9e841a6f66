import Backend

struct BasicsRequest: RequestModel {
    var headline: String?
    var bio: String?
    var regionId: String?
    var cityId: String?
    var pictureUrl: String?
    var collaborationStatus: Collaboration?

    static let shape = RequestSchema<Self>(
        "ProfileBasics",
        nulls: .value,
        [
            .optional("headline", .string()) { $0.headline = $1 },
            .optional("bio", .string()) { $0.bio = $1 },
            .optional("regionId", .string()) { $0.regionId = $1 },
            .optional("cityId", .string()) { $0.cityId = $1 },
            .optional(
                "pictureUrl",
                .string().format("uri", where: AbsoluteURL.isValid).withOneIssue(.rule("must be an absolute URL"))
            ) { $0.pictureUrl = $1 },
            .optional("collaborationStatus", .choice(Collaboration.self)) { $0.collaborationStatus = $1 },
        ]
    )
}

struct PhoneRequest: RequestModel {
    var phone = ""

    static let shape = RequestSchema<Self>(
        "ProfilePhone",
        nulls: .value,
        [.required("phone", .string(.notEmpty)) { $0.phone = $1 }]
    )
}

struct GenderRequest: RequestModel {
    var gender = Gender.female

    static let shape = RequestSchema<Self>(
        "ProfileGender",
        nulls: .value,
        [.required("gender", .choice(Gender.self)) { $0.gender = $1 }]
    )
}

struct PictureRequest: RequestModel {
    var storageId = ""

    static let shape = RequestSchema<Self>(
        "PictureComplete",
        nulls: .value,
        [.required("storageId", .string(.notEmpty)) { $0.storageId = $1 }]
    )
}

struct PictureChoice: RequestModel {
    var storageId: String?

    static let shape = RequestSchema<Self>(
        "Picture",
        nulls: .value,
        [.optional("storageId", .string(.notEmpty)) { $0.storageId = $1 }]
    )
}
