import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON

extension OmniChatAPI {
    static let authEndpoints: [OmniChatEndpoint] = [
        Endpoint(
            .post,
            "/api/v1/auth/apple",
            "Signs in with an Apple identity token",
            provenance: .documented,
            authentication: .none,
            credential: .body("idToken"),
            body: .json(AppleSignIn.self, example: ["idToken": "mock_apple_token"]),
            answers: [
                .json(SignIn.self, "Signed in"),
                APIError.declared(.badRequest, "Missing idToken", "idToken absent, null or empty"),
                APIError.emailRequired.declared("Unknown identity and no e-mail"),
                APIError.declared(.unauthorized, "Invalid Apple ID token", "The identity token is refused"),
                APIError.declared(.internalServerError, "Authentication failed", "Injected"),
            ] + bodyErrors,
            metadata: EndpointMetadata(bucket: .none),
            handle: signIn
        ),
        Endpoint(
            .post,
            "/api/v1/auth/refresh",
            "Gives a new access token for a refresh token",
            provenance: .documented,
            authentication: .none,
            credential: .body("refreshToken"),
            body: .json(RefreshRequest.self, example: ["refreshToken": "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"]),
            answers: [
                .json(Refreshed.self, "A new access token; the refresh token stays"),
                APIError.refreshTokenRequired.declared("refreshToken absent, null or empty"),
                APIError.declared(.unauthorized, "Invalid refresh token", "Not ours, badly signed, or expired"),
                APIError.declared(.unauthorized, "Refresh token not found", "Unknown or revoked"),
                APIError.declared(.unauthorized, "Refresh token expired", "Ended through the control API"),
                APIError.declared(.notFound, "User not found", "The user was deleted"),
                APIError.declared(.internalServerError, "Failed to refresh token", "Injected"),
            ] + bodyErrors,
            metadata: EndpointMetadata(bucket: .none),
            handle: refresh
        ),
    ]

    private static func signIn(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let request = try read(AppleSignIn.self, call, ["idToken": .badRequest("Missing idToken")])
        guard state.settings.appleTokens == .checked else { throw .unauthorized("Invalid Apple ID token") }
        guard state.settings.appleEmail == .shared else { throw .emailRequired }
        let identity = try AppleIdentityToken.examine(request.idToken, email: request.user.email, &state, now: call.now)
        let user: User
        if let known = state.identities[identity.subject].flatMap({ state.users[$0.userId] }) {
            user = known
        } else {
            let email = identity.email ?? request.user.email
            guard !email.isEmpty else { throw .emailRequired }
            user = state.user(email: email) ?? newUser(email, request.user.name, &state, &core, now: call.now)
            state.identities.insert(AppleIdentity(id: identity.subject, userId: user.id))
        }
        call.user = CallUser(id: user.id, email: user.email)
        let answer = SignIn(
            accessToken: state.issueAccess(for: user, now: call.now, core: &core),
            refreshToken: state.issueRefresh(for: user, now: call.now, core: &core),
            user: SignedInUser(id: user.id, email: user.email)
        )
        return json(answer, state, call)
    }

    private static func newUser(
        _ email: String,
        _ name: AppleSignIn.User.Name,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        now: Instant
    ) -> User {
        let full = "\(name.firstName) \(name.lastName)".trimmed
        let user = User(
            id: OmniChatState.newID(.user, &core) { state.users.contains($0) },
            email: email,
            name: full.isEmpty ? String(email.prefix { $0 != "@" }) : full,
            imageUrl: nil,
            tier: .free,
            createdAt: .at(now)
        )
        state.insert(user)
        return user
    }

    private static func refresh(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let request = try read(RefreshRequest.self, call, ["refreshToken": .refreshTokenRequired])
        guard let claims = state.tokens.verify(request.refreshToken), call.now.seconds < claims.expiresAt else {
            throw .unauthorized("Invalid refresh token")
        }
        call.user = state.users[claims.subject].map { CallUser(id: $0.id, email: $0.email) }
        guard !claims.isRevoked else { throw .unauthorized("Refresh token not found") }
        if !claims.isAccess, claims.id.hasPrefix(TokenOrder.offlineIDPrefix),
            !state.usedOfflineTokens.contains(claims.id)
        {
            // The command line made it with this world's key, so its session is stored at its first use.
            state.usedOfflineTokens.insert(OfflineToken(id: claims.id))
            state.refreshSessions.insert(
                RefreshSession(id: claims.id, userId: claims.subject, expiresAt: Instant(seconds: claims.expiresAt))
            )
        }
        guard !claims.isAccess, let session = state.refreshSessions[claims.id],
            session.revokedAt.map({ call.now < $0 }) ?? true
        else {
            throw .unauthorized("Refresh token not found")
        }
        guard call.now < session.expiresAt else { throw .unauthorized("Refresh token expired") }
        guard state.settings.accounts == .present, let user = state.users[session.userId] else {
            throw APIError(.notFound, "User not found")
        }
        var answer = Refreshed(
            accessToken: state.issueAccess(for: user, now: call.now, core: &core),
            user: SignedInUser(id: user.id, email: user.email)
        )
        if state.settings.rotation == .on {
            state.refreshSessions.remove(session.id)
            answer.refreshToken = state.issueRefresh(for: user, now: call.now, core: &core)
        }
        return json(answer, state, call)
    }
}
