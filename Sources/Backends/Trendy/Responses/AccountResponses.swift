import Backend
import CivilTime
import JSON

/// The user of the auth server (section 9.4); its dates are whole seconds.
struct UserResponse: ResponseModel {
    var account: Account

    private var signedInAt: Timestamp { account.lastSignInAt ?? account.createdAt }

    static let shape = ResponseSchema<Self>(
        "User",
        [
            .string("id") { $0.account.id },
            .string("aud") { _ in "authenticated" },
            .string("role") { _ in "authenticated" },
            .string("email") { $0.account.email },
            .time("email_confirmed_at") { $0.account.createdAt },
            .string("phone") { _ in "" },
            .time("confirmed_at") { $0.account.createdAt },
            .time("last_sign_in_at") { $0.signedInAt },
            .custom("app_metadata", .object(JSONSchema.Object())) { $1.json.write($0.account.appMetadata) },
            .custom("user_metadata", .object(JSONSchema.Object())) { $1.json.write($0.account.userMetadata) },
            .array("identities") { view in
                view.account.providers.map { IdentityResponse(account: view.account, provider: $0) }
            },
            .time("created_at") { $0.account.createdAt },
            .time("updated_at") { $0.account.updatedAt },
            .boolean("is_anonymous") { _ in false },
        ]
    )
}

/// One sign-in method of an account (section 9.4).
struct IdentityResponse: ResponseModel {
    var account: Account
    var provider: String

    static let shape = ResponseSchema<Self>(
        "Identity",
        [
            .string("identity_id") { UUIDText.derived(from: "identity \($0.provider) \($0.account.id)") },
            .string("id") { $0.account.id },
            .string("user_id") { $0.account.id },
            .custom("identity_data", .object(JSONSchema.Object())) { $1.json.write(object: $0.account.identityData) },
            .string("provider") { $0.provider },
            .time("last_sign_in_at") { $0.account.lastSignInAt ?? $0.account.createdAt },
            .time("created_at") { $0.account.createdAt },
            .time("updated_at") { $0.account.createdAt },
            .string("email") { $0.account.email },
        ]
    )
}

/// The response to every sign-in and refresh of the auth server (section 9.4).
struct SessionResponse: ResponseModel {
    var accessToken: String
    /// Unix seconds.
    var expiresAt: Int64
    var refreshToken: String
    var account: Account
    /// Tells whether the member `weak_password` is present, as for sign-ins with a password.
    var isByPassword: Bool

    static let shape = ResponseSchema<Self>(
        "Session",
        [
            .string("access_token") { $0.accessToken },
            .string("token_type") { _ in "bearer" },
            .integer("expires_in") { _ in Int(TokenIssuer.accessLife.wholeSeconds) },
            .integer64("expires_at") { $0.expiresAt },
            .string("refresh_token") { $0.refreshToken },
            .object("user") { UserResponse(account: $0.account) },
            .optionalCustom("weak_password", .nullable(.object(JSONSchema.Object())), isPresent: { $0.isByPassword }) {
                $1.json.null()
            },
        ]
    )
}

/// The backend's own view of a user (section 10.2).
struct BackendUser: ResponseModel {
    var account: Account

    static let shape = ResponseSchema<Self>(
        "BackendUser",
        [
            .string("id") { $0.account.id },
            .string("email") { $0.account.email },
            .time("created_at") { $0.account.createdAt },
            .time("updated_at") { $0.account.updatedAt },
        ]
    )
}

/// The response to the backend's own sign-in (section 10.2).
struct BackendSession: ResponseModel {
    var accessToken: String
    var refreshToken: String
    var account: Account

    static let shape = ResponseSchema<Self>(
        "BackendSession",
        [
            .string("access_token") { $0.accessToken },
            .string("refresh_token") { $0.refreshToken },
            .object("user") { BackendUser(account: $0.account) },
        ]
    )
}
