import Backend
import JSON

/// The backend's own sign-in (contract, section 10.2).
struct Credentials: RequestModel {
    var email = ""
    var password = ""

    static let shape = RequestSchema<Self>(
        "Credentials",
        [
            .required("email", .filled.format("email", where: TrendyAPI.isPlausible)) { $0.email = $1 },
            .required("password", .filled) { $0.password = $1 },
        ]
    )
}

/// The auth server's sign-up (contract, section 9.3); an empty text counts as absent.
struct SignUp: RequestModel {
    var email: String?
    var phone: String?
    var password: String?
    var data: JSONObject?

    static let shape = RequestSchema<Self>(
        "SignUp",
        [
            .optional("email", .string()) { $0.email = $1.isEmpty ? nil : $1 },
            .optional("phone", .string()) { $0.phone = $1.isEmpty ? nil : $1 },
            // A short password is refused later, with another status.
            .optional("password", .string().documented(as: .string(minLength: 6))) {
                $0.password = $1.isEmpty ? nil : $1
            },
            .optional("data", .anyObject) { $0.data = $1 },
        ]
    )
}

/// A change of the signed-in user (contract, section 10.12); an empty text counts as absent.
struct UserChange: RequestModel {
    var email: String?
    var password: String?
    var data: JSONObject?

    static let shape = RequestSchema<Self>(
        "UserChange",
        [
            .optional("email", .string()) { $0.email = $1.isEmpty ? nil : $1 },
            // A short password is refused later, with another status.
            .optional("password", .string().documented(as: .string(minLength: 6))) {
                $0.password = $1.isEmpty ? nil : $1
            },
            .optional("data", .anyObject) { $0.data = $1 },
        ]
    )
}

/// A token for a password (contract, section 9.4).
struct PasswordGrant: RequestModel {
    var email: String?
    var password: String?

    static let shape = RequestSchema<Self>(
        "PasswordGrant",
        [
            .optional("email", .string()) { $0.email = $1.isEmpty ? nil : $1 },
            .optional("password", .string()) { $0.password = $1.isEmpty ? nil : $1 },
        ]
    )
}

/// A token for a refresh token (contract, section 9.5).
struct RefreshGrant: RequestModel {
    var refreshToken = ""

    static let shape = RequestSchema<Self>(
        "RefreshGrant",
        [.optional("refresh_token", .string()) { $0.refreshToken = $1 }]
    )
}

/// A token for an identity token (contract, section 9.6).
struct IdentityGrant: RequestModel {
    var provider: String?
    var token: String?

    static let shape = RequestSchema<Self>(
        "IdentityGrant",
        [
            .optional("provider", .string()) { $0.provider = $1.isEmpty ? nil : $1 },
            .optional("id_token", .string()) { $0.token = $1.isEmpty ? nil : $1 },
        ]
    )
}

/// The members of all grants, for the document; the query selects the grant that is read.
struct TokenRequest: RequestModel {
    var password = PasswordGrant()
    var refresh = RefreshGrant()
    var identity = IdentityGrant()

    static let shape = RequestSchema<Self>(
        "TokenRequest",
        PasswordGrant.shape.members.map { $0.within(\.password) }
            + RefreshGrant.shape.members.map { $0.within(\.refresh) }
            + IdentityGrant.shape.members.map { $0.within(\.identity) } + [
                .optional("access_token", unread) { _, _ in }, .optional("nonce", unread) { _, _ in },
            ]
    )

    private static let unread = RequestValue.any.documented(as: .described(.any, description: "Not looked at"))
}
