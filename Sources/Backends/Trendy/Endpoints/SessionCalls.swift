import Backend
import Crypto
import HTTPMessage
import JSON

/// Calls of a signed-in client to the auth server (contract, sections 9.7 to 9.9).
extension TrendyAPI {
    static let sessionEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/auth/v1/user",
            "The user behind the token",
            provenance: .beyondTheDocument,
            answers: [.json(UserResponse.self, "The user")] + bearerErrors,
            metadata: .auth
        ) { state, _, call throws(APIError) in
            guard let account = state.accounts[user(call)] else {
                throw .auth(.forbidden, .userNotFound, "User from sub claim in JWT does not exist")
            }
            return authJSON(UserResponse(account: account), call)
        },
        Endpoint(
            .put,
            "/auth/v1/user",
            "Changes the address, the password or the data of the user",
            provenance: .beyondTheDocument,
            body: .json(UserChange.self, example: ["data": ["name": "Nora"]]),
            answers: [
                .json(UserResponse.self, "The user after the change"),
                APIError.declaredAuth(
                    .badRequest,
                    .validationFailed,
                    badAddress.message,
                    "An address without a plausible form, or a password over 72 bytes"
                ),
                APIError.declaredAuth(.unprocessableContent, .weakPassword, weakPassword.message, "Under 6 characters"),
                APIError.declaredAuth(
                    .unprocessableContent,
                    .samePassword,
                    samePassword.message,
                    "The password that the account has"
                ),
                APIError.declaredAuth(.unprocessableContent, .emailExists, emailExists.message, "Another's address"),
            ] + bearerErrors + authBodyErrors,
            metadata: .auth,
            handle: changeUser
        ),
        Endpoint(
            .post,
            "/auth/v1/logout",
            "Ends sessions of the account: all, the caller's, or the others",
            provenance: .beyondTheDocument,
            parameters: [
                Parameter(
                    "scope",
                    in: .query,
                    .string(enumeration: ["global", "local", "others"]),
                    "Which sessions; global if it is not sent"
                )
            ],
            answers: [
                AnswerDeclaration(.noContent, "Ended", .none),
                APIError.declaredAuth(
                    .badRequest,
                    .validationFailed,
                    "Unsupported logout scope \"all\"",
                    "Another scope"
                ),
            ] + bearerErrors,
            metadata: .auth,
            handle: logout
        ),
        Endpoint(
            .get,
            "/auth/v1/.well-known/jwks.json",
            "The keys of asymmetric signatures; none unless one is configured",
            provenance: .beyondTheDocument,
            authentication: .none,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The keys",
                    .json(
                        name: "JWKS",
                        schema: .object(
                            JSONSchema.Object([
                                JSONSchema.Property("keys", .array(.object(JSONSchema.Object())))
                            ])
                        ),
                        contentType: AuthError.contentType
                    ),
                    example: ["keys": []]
                )
            ],
            metadata: .auth
        ) { state, _, _ throws(APIError) in
            let keys: JSON = state.settings.signing == .rs256 ? state.tokens.apple.keySet : ["keys": []]
            var response = json(keys.serialized(), type: AuthError.contentType)
            response.fields.append(.cacheControl, "public, max-age=600")
            return response
        },
    ]

    private static let bearerErrors = [
        APIError.declaredAuth(
            .unauthorized,
            .noAuthorization,
            "This endpoint requires a valid Bearer token",
            "No bearer"
        ),
        APIError.declaredAuth(
            .forbidden,
            .badJWT,
            "invalid JWT: unable to parse or verify signature",
            "Unparsable, wrong signature, expired, wrong audience"
        ),
        APIError.declaredAuth(
            .forbidden,
            .sessionNotFound,
            "Session from session_id claim in JWT does not exist",
            "The session has ended"
        ),
        APIError.declaredAuth(
            .forbidden,
            .userNotFound,
            "User from sub claim in JWT does not exist",
            "The account is gone"
        ),
    ]

    private static let badAddress = APIError.auth(
        .badRequest,
        .validationFailed,
        "Unable to validate email address: invalid format"
    )
    private static let samePassword = APIError.auth(
        .unprocessableContent,
        .samePassword,
        "New password should be different from the old password."
    )
    private static let emailExists = APIError.auth(
        .unprocessableContent,
        .emailExists,
        "A user with this email address has already been registered"
    )

    /// Changes the signed-in user (section 10.12); the sessions stay.
    private static func changeUser(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var (account, _) = try signedIn(&state, &call)
        let former = account
        let sent = try authBody(UserChange.self, call)
        if let email = sent.email, !isPlausible(email) { throw badAddress }
        if let password = sent.password {
            guard password.utf8.count <= longestPassword else {
                throw .auth(.badRequest, .validationFailed, "Password cannot be longer than 72 characters")
            }
            guard password.unicodeScalars.count >= shortestPassword else { throw weakPassword }
        }
        if let email = sent.email?.lowercased(), email != account.email {
            guard state.account(email: email) == nil else { throw emailExists }
            account.email = email
        }
        if let password = sent.password {
            guard account.password?.utf8.elementsEqual(password.utf8) != true else { throw samePassword }
            account.password = password
        }
        if let data = sent.data {
            var merged = account.data?.objectValue ?? JSONObject()
            for member in data.members { merged[member.name] = member.value.isNull ? nil : member.value }
            account.data = .object(merged)
        }
        if account != former {
            account.updatedAt = .at(call.now)
            state.replace(former, with: account)
        }
        return authJSON(UserResponse(account: account), call)
    }

    private static func logout(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let (account, present) = try signedIn(&state, &call)
        let sent = call.query.first("scope") ?? ""
        let scope = sent.isEmpty ? "global" : sent
        guard ["global", "local", "others"].contains(scope) else {
            throw .auth(.badRequest, .validationFailed, "Unsupported logout scope \"\(scope)\"")
        }
        for session in state.sessions.rows(in: account.id)
        where !state.isOver(session, at: call.now, in: call.epoch)
            && (scope == "global" || (session.id == present.id) == (scope == "local"))
        {
            state.end(session, at: call.now)
        }
        return Response(status: .noContent)
    }
}
