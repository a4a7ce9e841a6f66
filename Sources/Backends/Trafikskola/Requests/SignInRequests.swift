import Backend
import JSON

/// Endpoint 1.
struct RefreshRequest: RequestModel {
    var refreshToken = ""

    static let shape = RequestSchema<Self>(
        "RefreshRequest",
        [.required("refreshToken", .filled) { $0.refreshToken = $1 }]
    )
}

/// Endpoint 17, which uses the bearer token alone.
struct LogoutRequest: RequestModel {
    static let shape = RequestSchema<Self>(
        "LogoutRequest",
        [.optional("refreshToken", .any.documented(as: .described(.any, description: "Not looked at"))) { _, _ in }]
    )
}

/// Endpoint 2: the token under either name; with both, `token` counts.
struct QuickLoginRequest: RequestModel {
    var token = ""

    static let shape = RequestSchema<Self>(
        "QuickLoginRequest",
        [.requiredFirst(of: ["token", "quickToken"], .filled) { $0.token = $1 }]
    )
}

/// Endpoint 14.
struct CodeRequest: RequestModel {
    var email = ""

    static let shape = RequestSchema<Self>(
        "CodeRequest",
        [
            .required("email", .email) { $0.email = $1 },
            .optional("deviceInfo", .object(DeviceInfo.self)) { _, _ in },
        ]
    )
}

/// Endpoint 15: the code under either name; with both, `otpCode` counts.
struct CodeLogin: RequestModel {
    var email = ""
    var code = ""
    var otpId: String?
    var device = DeviceInfo()

    static let shape = RequestSchema<Self>(
        "CodeLogin",
        [
            .required("email", .email) { $0.email = $1 },
            .requiredFirst(of: ["otpCode", "otp"], .filled) { $0.code = $1 },
            .optional("otpId", .string()) { $0.otpId = $1 },
            .optional("deviceInfo", .object(DeviceInfo.self)) { $0.device = $1 },
        ]
    )
}

/// Endpoint 16.
struct PasswordLogin: RequestModel {
    var email = ""
    var password = ""
    var device = DeviceInfo()
    var domain: String?

    static let shape = RequestSchema<Self>(
        "PasswordLogin",
        [
            .required("email", .trimmedEmail) { $0.email = $1 },
            .required("password", .filled) { $0.password = $1 },
            .optional("deviceInfo", .object(DeviceInfo.self)) { $0.device = $1 },
            .optional("domain", .string(.notBlank)) { $0.domain = $1 },
        ]
    )
}
