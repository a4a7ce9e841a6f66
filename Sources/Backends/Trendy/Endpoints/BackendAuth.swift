import Backend
import CivilTime
import HTTPMessage
import JSON

/// Health, and the backend's own sign-in, which the app does not use (contract, sections 10.1 and 10.2).
extension TrendyAPI {
    static let healthEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/health",
            "Whether the backend is up",
            provenance: .beyondTheDocument,
            authentication: .none,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "It is",
                    .json(
                        name: "Health",
                        schema: .object(
                            JSONSchema.Object([
                                JSONSchema.Property("env", .string()), JSONSchema.Property("status", .string()),
                            ])
                        ),
                        contentType: "application/json"
                    ),
                    example: ["env": "development", "status": "ok"]
                ),
                limited,
            ],
            metadata: .backend
        ) { _, _, _ throws(APIError) in json(["env": "development", "status": "ok"]) }
    ]

    static let backendAuthEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .post,
            "/api/v1/auth/login",
            "Signs in with a password",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: credentialsBody,
            answers: [
                .json(BackendSession.self, "Signed in"),
                APIError.declared(.badRequest, invalidFormat.message, "Not JSON, or a member is missing"),
                APIError.declared(.unauthorized, "invalid credentials", "Unknown address or wrong password"),
                tooLarge, limited,
            ],
            metadata: .backend
        ) { state, core, call throws(APIError) in
            let sent = try credentials(call)
            guard let account = verified(sent.email, sent.password, state) else {
                throw .plain(.unauthorized, "invalid credentials")
            }
            return backendSession(of: account, .ok, &state, &core, &call)
        },
        Endpoint(
            .post,
            "/api/v1/auth/signup",
            "Creates an account and signs it in",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: credentialsBody,
            answers: [
                .json(BackendSession.self, "Signed up", status: .created),
                APIError.declared(
                    .badRequest,
                    invalidFormat.message,
                    "Not JSON, a member is missing, or a password under 6 characters"
                ),
                APIError.declared(.badRequest, "unable to create account", "A known address"),
                tooLarge, limited,
            ],
            metadata: .backend,
            handle: backendSignUp
        ),
        Endpoint(
            .post,
            "/api/v1/auth/logout",
            "Ends nothing",
            provenance: .beyondTheDocument,
            authentication: .none,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "Always",
                    .json(
                        name: "Message",
                        schema: .object(JSONSchema.Object([JSONSchema.Property("message", .string())])),
                        contentType: "application/json"
                    ),
                    example: ["message": "logged out successfully"]
                ),
                limited,
            ],
            metadata: .backend
        ) { _, _, _ throws(APIError) in json(["message": "logged out successfully"]) },
        Endpoint(
            .get,
            "/api/v1/auth/me",
            "The caller",
            provenance: .beyondTheDocument,
            answers: [
                .json(BackendUser.self, "The caller"),
                APIError.declared(.notFound, "user not found", "The account is gone"),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            guard let account = state.accounts[user(call)] else { throw .missing("user", isRead: true) }
            return json(BackendUser(account: account), state, call)
        },
    ]

    private static let credentialsBody = BodyDeclaration.json(
        Credentials.self,
        example: ["email": "new@trendy.example", "password": "trendy-pass-1"]
    )

    private static let invalidFormat = APIError.badRequest("invalid request format")

    /// Both members of a body; all mistakes in it have the same text.
    private static func credentials(_ call: Call) throws(APIError) -> Credentials {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        guard let body = try? read(Credentials.self, call) else { throw invalidFormat }
        return body
    }

    private static func backendSignUp(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let sent = try credentials(call)
        let (email, password) = (sent.email, sent.password)
        guard password.unicodeScalars.count >= shortestPassword else { throw invalidFormat }
        guard password.utf8.count <= longestPassword, state.account(email: email) == nil else {
            throw .badRequest("unable to create account")
        }
        let account = state.createAccount(
            email: email,
            password: password,
            provider: "email",
            data: nil,
            at: call.now,
            &core
        )
        return backendSession(of: account, .created, &state, &core, &call)
    }

    private static func backendSession(
        of account: Account,
        _ status: Status,
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) -> Response {
        let account = state.noteSignIn(of: account.id, at: call.now) ?? account
        call.user = CallUser(id: account.id, email: account.email)
        let session = state.beginSession(of: account, method: "password", at: call.now, &core)
        let token = state.issueAccess(
            for: account,
            session: session,
            isFirst: true,
            origin: call.origin,
            at: call.now,
            &core
        )
        let answer = BackendSession(accessToken: token, refreshToken: session.active, account: account)
        return json(answer, state, call, status: status)
    }
}
