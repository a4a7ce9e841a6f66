import Backend

/// The account as a sign-in shows it (section 7.3).
struct SignedInUser: ResponseModel {
    var user: User
    var tier: Tier

    static let shape = ResponseSchema<Self>(
        "SignedInUser",
        [
            .string("id") { $0.user.id },
            .nullableString("email") { $0.user.email },
            .nullableString("firstName") { $0.user.firstName },
            .nullableString("lastName") { $0.user.lastName },
            .choice("subscriptionTier") { $0.tier },
            .nullableString("profileImageUrl") { $0.user.profileImageUrl },
        ]
    )
}

/// The response to every sign-in.
struct SignIn: ResponseModel {
    var tokens: TokenPair
    var user: SignedInUser

    static let shape = ResponseSchema<Self>(
        "SignIn",
        [
            .string("accessToken") { $0.tokens.access },
            .string("refreshToken") { $0.tokens.refresh },
            .object("user") { $0.user },
        ]
    )
}

/// Section 7.6; the refresh token only in the rotation profile.
struct Refreshed: ResponseModel {
    var accessToken: String
    var refreshToken: String?

    static let shape = ResponseSchema<Self>(
        "Refreshed",
        [.string("accessToken") { $0.accessToken }, .optionalString("refreshToken") { $0.refreshToken }]
    )
}

/// Section 7.8: the one answer with `emailRemindersEnabled` (D22).
struct Profile: ResponseModel {
    var user: SignedInUser

    static let shape = ResponseSchema<Self>(
        "Profile",
        SignedInUser.shape.members { $0.user } + [
            .boolean("emailRemindersEnabled") { $0.user.user.emailRemindersEnabled }
        ]
    )
}

/// Section 7.7.
struct Revoked: ResponseModel {
    static let shape = ResponseSchema<Self>("Revoked", [.boolean("revoked") { _ in true }])
}

/// The response to a request for a link, the same for known and unknown addresses (section 7.4).
struct LinkSent: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "LinkSent",
        [
            .boolean("sent") { _ in true },
            .string("message") { _ in "If there is an account with this address, a sign-in link is on its way" },
        ]
    )
}
