import Backend

/// The profile: exactly these twelve members (contract, section 6.1).
struct ProfileResponse: ResponseModel {
    struct Instructor: ResponseModel {
        var person: Person

        static let shape = ResponseSchema<Self>(
            "Person",
            [.string("id") { $0.person.id }, .string("name") { $0.person.name }]
        )
    }

    struct Progress: ResponseModel {
        var progress: User.Progress

        static let shape = ResponseSchema<Self>(
            "Progress",
            [
                .integer("lessonsCompleted") { $0.progress.lessonsCompleted },
                .integer("totalLessons") { $0.progress.totalLessons },
                .string("examStatus") { $0.progress.examStatus },
            ]
        )
    }

    var user: User
    var profileImageUrl: String?

    static let shape = ResponseSchema<Self>(
        "Profile",
        [
            .string("id") { $0.user.id },
            .string("email") { $0.user.email },
            .string("firstName") { $0.user.firstName },
            .string("lastName") { $0.user.lastName },
            .nullableString("phone") { $0.user.phone },
            .nullableString("address") { $0.user.address },
            .nullableString("profileImageUrl") { $0.profileImageUrl },
            .nullableString("personalNumber") { $0.user.personalNumber },
            .nullableString("enrolledAt") { $0.user.enrolledAt },
            .nullableString("licenseType") { $0.user.licenseType },
            .nullableObject("instructor") { $0.user.instructor.map { Instructor(person: $0) } },
            .nullableObject("progress") { $0.user.progress.map { Progress(progress: $0) } },
        ]
    )
}

struct AvatarResponse: ResponseModel {
    var avatarUrl: String

    static let shape = ResponseSchema<Self>("AvatarLink", [.string("avatarUrl") { $0.avatarUrl }])
}
