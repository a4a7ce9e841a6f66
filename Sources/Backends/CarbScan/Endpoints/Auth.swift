import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    static let authFailure = APIError(.internalServerError, code: Code.auth, "Signing in failed")
        .declared("By a fault that asks for the code")

    static let authEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .post,
            base + "/auth/apple",
            "Signs in with an Apple identity token",
            provenance: .documented,
            authentication: .none,
            credential: .body("identityToken"),
            body: .json(
                AppleSignIn.self,
                example: ["identityToken": "mock_apple:essentials@carbscan.test", "authorizationCode": "code"]
            ),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(SignIn.self, "Signed in"),
                APIError.declaredFields(("identityToken", "wrong_type"), ("authorizationCode", "required")),
                APIError.appleRefused.declared("The identity token is refused"),
                APIError.appleNotConfigured.declared("No client id is configured"),
                authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth),
            handle: signInWithApple
        ),
        Endpoint(
            .post,
            base + "/auth/magic-link/request",
            "Sends a sign-in link to a known mail",
            provenance: .documented,
            authentication: .none,
            body: .json(MagicLinkRequest.self, example: ["email": "essentials@carbscan.test"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(LinkSent.self, "The same whether the mail is known or not"),
                APIError.declaredFields(("email", "invalid_format")), authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth),
            handle: requestLink
        ),
        Endpoint(
            .post,
            base + "/auth/magic-link/verify",
            "Signs in with the token of a link; 501 unless switched on",
            provenance: .documented,
            authentication: .none,
            credential: .body("token"),
            body: .json(MagicLinkToken.self, example: ["token": "0123456789abcdef"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(SignIn.self, "Signed in (magicLink.verify on)"),
                APIError.declaredFields(("token", "required")),
                APIError.linkRefused.declared("Unknown, used or expired"),
                APIError.notImplemented.declared("The default, for any body"),
                authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth, ignoresBody: true),
            handle: verifyLink
        ),
        Endpoint(
            .post,
            base + "/auth/refresh",
            "Gives a new access token for a refresh token",
            provenance: .documented,
            authentication: .none,
            credential: .body("refreshToken"),
            body: .json(
                RefreshRequest.self,
                example: ["refreshToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl"]
            ),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Refreshed.self, "A new access token; the refresh token stays"),
                APIError.declaredFields(("refreshToken", "required")),
                APIError.unauthorized.declared("Not a refresh token that works"),
                authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth),
            handle: refresh
        ),
        Endpoint(
            .post,
            base + "/auth/revoke",
            "Acknowledges a logout",
            provenance: .documented,
            authentication: .none,
            credential: .body("refreshToken"),
            body: .json(RevokeRequest.self, isRequired: false, example: ["refreshToken": .null]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Revoked.self, "Always, whatever the token is"),
                APIError.declaredFields(("refreshToken", "wrong_type")), authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth)
        ) { state, _, call throws(APIError) in
            let body = try read(RevokeRequest.self, call)
            // The journal shows the user of a logout, whether or not the token is valid.
            call.user = body.refreshToken.flatMap { user(of: $0, state: state) }
            if state.settings.tokenProfile != .documented, let token = body.refreshToken,
                let found = state.authenticate(token, as: .refresh, now: call.now, epoch: call.epoch),
                !state.spentRefreshes.contains(found.claims.id)
            {
                state.endSession(found.claims.session)
            }
            return json(Revoked(), state, call)
        },
        Endpoint(
            .get,
            base + "/auth/me",
            "The signed-in account",
            provenance: .documented,
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Profile.self, "The account"), APIError.declaredUnauthorized,
                APIError.declaredTooLarge,
                authFailure,
            ],
            metadata: EndpointMetadata(group: .auth)
        ) { state, _, call throws(APIError) in
            let user = try user(state, call)
            return json(Profile(user: view(user, state, call)), state, call)
        },
    ]

    static func view(_ user: User, _ state: CarbScanState, _ call: Call) -> SignedInUser {
        SignedInUser(user: user, tier: state.tier(of: user, now: call.now, epoch: call.epoch))
    }

    /// The response to every sign-in.
    static func signedIn(_ user: User, _ state: inout CarbScanState, _ call: inout Call) -> Response {
        call.user = CallUser(id: user.id, email: user.email)
        let tokens = state.signIn(user, now: call.now)
        return json(SignIn(tokens: tokens, user: view(user, state, call)), state, call)
    }

    private static func signInWithApple(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(AppleSignIn.self, call)
        guard state.settings.isAppleConfigured else { throw .appleNotConfigured }
        guard let identity = AppleIdentityToken.examine(body.identityToken, state, now: call.now) else {
            throw .appleRefused
        }
        let id = account(of: identity, body.person, &state)
        guard let user = state.users[id] else { throw .serverError }
        return signedIn(user, &state, &call)
    }

    /// The account rules of section 5.2, in their order.
    private static func account(
        of identity: AppleIdentityToken,
        _ person: AppleSignIn.Person,
        _ state: inout CarbScanState
    ) -> String {
        func some(_ text: String?) -> String? { text.flatMap { $0.isBlank ? nil : $0 } }
        /// Returns an e-mail address that no account has.
        func free(_ mail: String?) -> String? { some(mail).flatMap { state.user(mail: $0) == nil ? $0 : nil } }
        let known =
            state.identities[identity.subject].flatMap { state.users[$0.userId] }
            ?? identity.email.flatMap { state.user(mail: $0) }
        let mail = free(person.email)
        guard let known else {
            let user = User(
                // A `sub` that equals the id of an account must not take that account over.
                id: state.users.contains(identity.subject) ? "apple.\(identity.subject)" : identity.subject,
                email: identity.email ?? mail,
                firstName: some(person.firstName),
                lastName: some(person.lastName),
                tier: .free,
                standing: .active,
                tierEndsAt: nil,
                isTierFromStore: false,
                profileImageUrl: nil,
                emailRemindersEnabled: true
            )
            state.insert(user)
            state.identities.insert(AppleIdentity(id: identity.subject, userId: user.id))
            return user.id
        }
        state.identities.insert(AppleIdentity(id: identity.subject, userId: known.id))
        // Stored data takes precedence: the request only fills in what is missing.
        if known.email == nil && some(person.email) != nil || known.firstName == nil || known.lastName == nil {
            let isOwn = some(person.email).map { state.user(mail: $0)?.id == known.id } ?? false
            state.updateUser(known.id) { row in
                row.email = row.email ?? mail ?? (isOwn ? some(person.email) : nil)
                row.firstName = row.firstName ?? some(person.firstName)
                row.lastName = row.lastName ?? some(person.lastName)
            }
        }
        return known.id
    }

    private static func requestLink(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(MagicLinkRequest.self, call)
        if let user = state.user(mail: body.email) {
            let world = core.name
            let token = core.randomness.unused("carbscan.magic-link") { stream in
                WorldTag.tagged(stream.text(length: 32, from: secretAlphabet), world: world)
            } isTaken: {
                state.magicLinks.contains($0)
            }
            core.issued.note(token)
            state.magicLinks.insert(MagicLink(id: token, userId: user.id, sentAt: .at(call.now)))
            core.outbox.post(
                Outbox.Message(
                    to: user.email ?? body.email,
                    kind: .magicLink,
                    api: identity.name,
                    token: token,
                    url: "carbscan://magic-link?token=\(token)",
                    at: call.now,
                    expiresAt: call.now + .seconds(Int64(state.settings.magicLinkSeconds))
                )
            )
        }
        return json(LinkSent(), state, call)
    }

    static let secretAlphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    private static func verifyLink(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard state.settings.magicLinkVerify == .on else { throw .notImplemented }
        let body = try read(MagicLinkToken.self, call)
        guard WorldTag.fits(body.token, world: core.name), let link = state.magicLinks.remove(body.token),
            call.now < link.sentAt.resolved(in: call.epoch) + .seconds(Int64(state.settings.magicLinkSeconds)),
            let user = state.users[link.userId]
        else { throw .linkRefused }
        return signedIn(user, &state, &call)
    }

    private static func refresh(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(RefreshRequest.self, call)
        // This includes expired tokens, because the journal is asked who was signed out.
        call.user = Self.user(of: body.refreshToken, state: state)
        guard let (claims, user) = state.authenticate(body.refreshToken, as: .refresh, now: call.now, epoch: call.epoch)
        else { throw .unauthorized }
        guard !state.spentRefreshes.contains(claims.id) else {
            // A second use means that the token has leaked, so the whole session ends.
            if state.settings.tokenProfile == .rotation { state.endSession(claims.session) }
            throw .unauthorized
        }
        let access = state.nextTokenID()
        var answer = Refreshed(
            accessToken: state.issue(.access, for: user.id, id: access, session: claims.session, now: call.now)
        )
        if state.settings.tokenProfile == .rotation {
            state.spentRefreshes.insert(SpentRefresh(id: claims.id))
            let next = state.nextTokenID()
            answer.refreshToken = state.issue(
                .refresh,
                for: user.id,
                id: next,
                session: claims.session,
                now: call.now
            )
        }
        return json(answer, state, call)
    }
}
