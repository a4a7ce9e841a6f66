import Backend
import HTTPMessage

struct CodeOrder: RequestModel {
    var email = ""

    static let shape = RequestSchema<Self>(
        "RequestOtp",
        nulls: .value,
        [.required("email", .email) { $0.email = $1 }]
    )
}

struct CodeRequest: RequestModel {
    private static let sixDigits = TextRule(.rule("must be six digits"), pattern: "^[0-9]{6}$") {
        $0.utf8.count == 6 && $0.utf8.allSatisfy(\.isDigit)
    }

    var email = ""
    var code = ""

    static let shape = RequestSchema<Self>(
        "VerifyOtp",
        nulls: .value,
        [
            .required("email", .email) { $0.email = $1 },
            .required("code", .string(sixDigits).withOneIssue(sixDigits.issue)) { $0.code = $1 },
        ]
    )
}

struct RefreshRequest: RequestModel {
    var refreshToken = ""

    static let shape = RequestSchema<Self>(
        "Refresh",
        nulls: .value,
        [.required("refreshToken", .string(.notEmpty)) { $0.refreshToken = $1 }]
    )
}

/// An e-mail, trimmed and in lower case, with a password.
struct PasswordRequest: RequestModel {
    var email = ""
    var password = ""

    static let shape = RequestSchema<Self>(
        "Password",
        nulls: .value,
        [
            .required("email", .foldedEmail) { $0.email = $1 },
            .required("password", .string(.atLeast(6, .utf16))) { $0.password = $1 },
        ]
    )
}

struct AppleRequest: RequestModel {
    var identityToken = ""

    static let shape = RequestSchema<Self>(
        "Apple",
        nulls: .value,
        [.required("identityToken", .string(.notEmpty)) { $0.identityToken = $1 }]
    )
}
