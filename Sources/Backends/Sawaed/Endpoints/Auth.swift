import Backend
import CivilTime
import HTTPMessage
import JSON

/// Contract, section 4.
extension SawaedAPI {
    static let authEndpoints = authEndpoints(below: "/api/mobile/auth", provenance: .documented) + passwordEndpoints

    /// Rows 1 to 4, and as aliases row 49.
    static func authEndpoints(below base: String, provenance: Provenance) -> [SawaedEndpoint] {
        let origin = APIError.invalidOrigin.declared("An Origin that is not this service's own")
        return [
            Endpoint(
                .post,
                base + "/request-otp",
                "Mails a one-time code; makes the account at the first request",
                provenance: provenance,
                authentication: .none,
                body: .json(CodeOrder.self, example: ["email": "layla@sawaed.test"]),
                bodyLimit: bodyLimit,
                answers: [
                    .json(
                        CodeRequested.self,
                        "Always the same answer",
                        example: ["ok": true, "code": "user_unverified"]
                    ),
                    APIError(.badRequest, code: "request_otp_failed", "email must be an e-mail address.")
                        .declared("The body does not fit, or no mail can be sent"),
                    origin,
                    APIError.conflict("user_exists", "The user exists.").declared("By scenario only"),
                    APIError.tooLarge.declared("The body is over the server's general limit"),
                    APIError.rateLimited(retryAfter: 60).declared("10 a minute per e-mail, 30 per client"),
                    CommonErrors.server("request_otp_failed"),
                ],
                metadata: EndpointMetadata(area: .auth, failure: "request_otp_failed", bodyFailure: .own),
                handle: requestCode
            ),
            Endpoint(
                .post,
                base + "/verify-otp",
                "Turns a one-time code into a session",
                provenance: provenance,
                authentication: .none,
                body: .json(CodeRequest.self, example: ["email": "layla@sawaed.test", "code": "123456"]),
                bodyLimit: bodyLimit,
                answers: [
                    .json(TokenPair.self, "An access token for an hour and a refresh token for 30 days"),
                    APIError.invalidCodeBody.declared("The body does not fit"),
                    APIError.invalidCode.declared("Wrong, expired, used or replaced code, or too many failures"),
                    origin,
                    APIError.tooLarge.declared("The body is over the server's general limit"),
                    CommonErrors.server(APIError.invalidCodeBody.code),
                ],
                metadata: EndpointMetadata(area: .auth, failure: APIError.invalidCodeBody.code, bodyFailure: .own),
                handle: verifyCode
            ),
            Endpoint(
                .post,
                base + "/refresh",
                "Exchanges a refresh token for a new pair",
                provenance: provenance,
                authentication: .none,
                credential: .body("refreshToken"),
                body: .json(RefreshRequest.self, example: ["refreshToken": "…|session_0001"]),
                bodyLimit: bodyLimit,
                answers: [
                    .json(TokenPair.self, "The new pair"),
                    APIError.refreshFailed("refreshToken is required.").declared("The body or the token is malformed"),
                    APIError.invalidRefresh.declared("Expired, revoked, unknown, or used long ago"),
                    origin,
                    APIError.tooLarge.declared("The body is over the server's general limit"),
                    CommonErrors.server("refresh_failed"),
                ],
                metadata: EndpointMetadata(area: .auth, failure: "refresh_failed", bodyFailure: .own),
                handle: refresh
            ),
            Endpoint(
                .post,
                base + "/signout",
                "Ends the session of the bearer; the access token lives on",
                provenance: provenance,
                authentication: .optional,
                credential: .bearerOrCookie(cookieName),
                bodyLimit: bodyLimit,
                answers: [
                    .json(Okay.self, "Also without a bearer"), origin, CommonErrors.server("signout_failed"),
                ],
                metadata: EndpointMetadata(area: .auth, failure: "signout_failed")
            ) { state, _, call throws(APIError) in
                if let token = bearer(call), let (user, claims) = state.authenticate(token, now: call.now) {
                    call.user = CallUser(id: user.id, email: user.email)
                    state.deleteSession(claims.sessionID)
                }
                return json(Okay(), call)
            },
        ]
    }

    private static let passwordEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .post,
            "/api/mobile/auth/signup",
            "Makes a password account and mails a code",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: .json(PasswordRequest.self, example: ["email": "new@example.com", "password": "long enough"]),
            bodyLimit: bodyLimit,
            answers: [
                .json(Okay.self, "No tokens: the e-mail is to be verified first"),
                APIError(.badRequest, code: "signup_failed", "password must have at least 8 characters.")
                    .declared("The body does not fit, or the password has fewer than 8 characters"),
                APIError.invalidOrigin.declared("An Origin that is not this service's own"),
                APIError.conflict("email_already_exists", "The e-mail has an account.")
                    .declared("There is an account with another password"),
                APIError.tooLarge.declared("The body is over the server's general limit"),
                CommonErrors.server("signup_failed"),
            ],
            metadata: EndpointMetadata(
                area: .auth,
                failure: "signup_failed",
                bodyFailure: .own,
                conflict: "email_already_exists"
            ),
            handle: signUp
        ),
        Endpoint(
            .post,
            "/api/mobile/auth/signin",
            "Signs in with a password",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: .json(
                PasswordRequest.self,
                example: ["email": "layla@sawaed.test", "password": "sawaed-layla-1"]
            ),
            bodyLimit: bodyLimit,
            answers: [
                .json(TokenPair.self, "The pair"),
                APIError.invalidCredentials.declared("Every failure but the next looks like this"),
                APIError(.forbidden, code: "unverified", "Verify the e-mail first.")
                    .declared("The password is right, the e-mail was never verified; a code is mailed"),
                APIError.invalidOrigin.declared("An Origin that is not this service's own"),
                APIError.tooLarge.declared("The body is over the server's general limit"),
                CommonErrors.server("signin_failed"),
            ],
            metadata: EndpointMetadata(area: .auth, failure: "signin_failed", bodyFailure: .credentials),
            handle: signInWithPassword
        ),
    ]

    private static func requestCode(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let email = try read(CodeOrder.self, call).email
        guard !state.settings.isOTPLimited else { throw .rateLimited(retryAfter: 60) }
        let length = Interval.seconds(60)
        let byEmail = wait("otp email", email, limit: 10, length: length, &state, now: call.now)
        let byClient = wait("otp client", clientKey(call), limit: 30, length: length, &state, now: call.now)
        if let seconds = [byEmail, byClient].compactMap(\.self).max() { throw .rateLimited(retryAfter: seconds) }
        guard state.settings.otpMail == .ok else {
            throw APIError(.badRequest, code: "request_otp_failed", "The code could not be sent.")
        }
        guard state.settings.otpAnswer != .userExists else {
            throw .conflict("user_exists", "The user exists.")
        }
        let user = state.userMade(forEmail: email, now: call.now)
        call.user = CallUser(id: user.id, email: email)
        state.mailCode(to: email, now: call.now, core: &core)
        return json(CodeRequested(hasCode: state.settings.otpAnswer == .normal), call)
    }

    private static func verifyCode(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(CodeRequest.self, call)
        guard state.redeem(body.code, of: body.email, now: call.now) else { throw .invalidCode }
        let user = state.userMade(forEmail: body.email, now: call.now)
        call.user = CallUser(id: user.id, email: user.email)
        state.passwords.update(body.email) { $0.isVerified = true }
        return json(state.signIn(user, now: call.now, core: core), call)
    }

    private static func refresh(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(RefreshRequest.self, call)
        guard state.settings.refresh == .ok else { throw .invalidRefresh }
        let (pair, user, wasUnused) = try state.rotate(body.refreshToken, now: call.now, core: core)
        call.user = CallUser(id: user.id, email: user.email)
        var response = json(pair, call)
        if wasUnused, state.settings.refreshAnswers == .firstLost {
            // The work is done, but the client never receives the response.
            response.prelude = [.close]
        }
        return response
    }

    private static func signUp(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(PasswordRequest.self, call)
        // Required by the library behind the validation (section 4.5).
        guard body.password.utf16.count >= 8 else {
            throw APIError(.badRequest, code: "signup_failed", "password must have at least 8 characters.")
        }
        if let known = state.passwords[body.email] {
            guard known.password == body.password else {
                throw .conflict("email_already_exists", "The e-mail has an account with another password.")
            }
            if !known.isVerified { state.mailCode(to: body.email, now: call.now, core: &core) }
            return json(Okay(), call)
        }
        let user = state.userMade(forEmail: body.email, now: call.now)
        call.user = CallUser(id: user.id, email: user.email)
        state.passwords.insert(
            PasswordAccount(id: body.email, userId: user.id, password: body.password, isVerified: false)
        )
        state.mailCode(to: body.email, now: call.now, core: &core)
        return json(Okay(), call)
    }

    private static func signInWithPassword(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(PasswordRequest.self, call)
        guard let account = state.passwords[body.email], let user = state.users[account.userId],
            state.hasAttempt(.password, account.id, now: call.now)
        else { throw .invalidCredentials }
        guard account.password == body.password else {
            state.spendAttempt(.password, account.id, now: call.now)
            throw .invalidCredentials
        }
        state.restoreAttempts(.password, account.id)
        call.user = CallUser(id: user.id, email: user.email)
        guard account.isVerified else {
            state.mailCode(to: account.id, now: call.now, core: &core)
            throw APIError(.forbidden, code: "unverified", "Verify the e-mail first. A code has been sent.")
        }
        return json(state.signIn(user, now: call.now, core: core), call)
    }
}
