import Backend

struct AppleSignIn: RequestModel {
    struct Person: RequestModel {
        var email: String?
        var firstName: String?
        var lastName: String?

        static let shape = RequestSchema<Self>(
            "ApplePerson",
            [
                .optional("email", .string(.atMost(254, .utf16))) { $0.email = $1 },
                .optional("firstName", .string(.atMost(100, .utf16))) { $0.firstName = $1 },
                .optional("lastName", .string(.atMost(100, .utf16))) { $0.lastName = $1 },
            ]
        )
    }

    var identityToken = ""
    var person = Person()

    static let shape = RequestSchema<Self>(
        "AppleSignIn",
        [
            .required("identityToken", .string(.filled, .atMost(16_384, .utf16))) { $0.identityToken = $1 },
            // The code is required, but not redeemed.
            .required("authorizationCode", .string(.filled, .atMost(4_096, .utf16))) { _, _ in },
            .optional("user", .object(Person.self)) { $0.person = $1 },
        ]
    )
}

struct MagicLinkRequest: RequestModel {
    var email = ""

    static let shape = RequestSchema<Self>(
        "MagicLinkRequest",
        [
            .required("email", .string(.filled, .atMost(254, .utf16)).format("email", where: isMail)) {
                $0.email = $1
            }
        ]
    )

    /// `x@y.z` without blanks.
    @Sendable static func isMail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
    }
}

struct MagicLinkToken: RequestModel {
    var token = ""

    static let shape = RequestSchema<Self>(
        "MagicLinkToken",
        [.required("token", .string(.filled)) { $0.token = $1 }]
    )
}

struct RefreshRequest: RequestModel {
    var refreshToken = ""

    static let shape = RequestSchema<Self>(
        "RefreshRequest",
        [.required("refreshToken", .string(.filled)) { $0.refreshToken = $1 }]
    )
}

struct RevokeRequest: RequestModel {
    var refreshToken: String?

    static let shape = RequestSchema<Self>(
        "RevokeRequest",
        [.optional("refreshToken", .string()) { $0.refreshToken = $1 }]
    )
}
