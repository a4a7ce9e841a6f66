import Backend

struct AppleSignIn: RequestModel {
    struct User: RequestModel {
        struct Name: RequestModel {
            var firstName = ""
            var lastName = ""

            static let shape = RequestSchema<Self>(
                "AppleName",
                [
                    .optional("firstName", .string()) { $0.firstName = $1 },
                    .optional("lastName", .string()) { $0.lastName = $1 },
                ]
            )
        }

        var email = ""
        var name = Name()

        static let shape = RequestSchema<Self>(
            "AppleUser",
            [
                .optional("email", .string()) { $0.email = $1 },
                .optional("name", .object(Name.self)) { $0.name = $1 },
            ]
        )
    }

    var idToken = ""
    var user = User()

    static let shape = RequestSchema<Self>(
        "AppleSignIn",
        [
            .required("idToken", .string(.notEmpty)) { $0.idToken = $1 },
            // Accepted and ignored, because the backend never reads it.
            .optional("authorizationCode", .string()) { _, _ in },
            .optional("user", .object(User.self)) { $0.user = $1 },
        ]
    )
}

struct RefreshRequest: RequestModel {
    var refreshToken = ""

    static let shape = RequestSchema<Self>(
        "RefreshRequest",
        [.required("refreshToken", .string(.notEmpty)) { $0.refreshToken = $1 }]
    )
}
