import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    static let codeLife = Interval.seconds(300)
    static let quickLoginLife = Interval.seconds(300)
    /// The number of wrong codes that are answered with INVALID_OTP; after them the code is dead.
    private static let mostTries = 5
    /// The number of codes that are kept for a user.
    private static let mostCodes = 64
    static let codeGap = Interval.seconds(60)
    private static let codesPerHour = 3

    private static let loginErrors: [AnswerDeclaration] = [validationError] + bodyErrors + publicErrors
    private static let deviceExample: JSON = [
        "deviceId": "device-1", "platform": "ios", "deviceName": "Annas iPhone", "deviceModel": "iPhone15,2",
        "osVersion": "18.1", "appVersion": "1.0.0",
    ]

    /// Endpoints 2 and 14 to 16 (contract, section 4).
    static let loginEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .post,
            "/api/mobile/auth/quick-login",
            "Signs in with the token of a QR code",
            provenance: .documented,
            authentication: .none,
            credential: .bodyMembers(["token", "quickToken"]),
            body: .json(QuickLoginRequest.self, example: ["token": "sqr_9cc68b962854d67303c804aad5389506"]),
            answers: [
                data(Login.self, "Signed in, with a session that has no device yet"),
                APIError.invalidQuickLogin.declared("The token is unknown, used or expired"),
            ] + loginErrors,
            metadata: EndpointMetadata(disturbance: .quickLogin),
            handle: quickLogin
        ),
        Endpoint(
            .post,
            "/api/mobile/auth/request-otp",
            "Sends a one-time code",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: .json(CodeRequest.self, example: ["email": "anna@example.com"]),
            answers: [
                data(CodeSent.self, "The code is in the outbox"),
                APIError.emailNotFound.declared("No account has this address"),
                APIError.rateLimited(seconds: 60).declared("Only with otpLimits"),
            ] + loginErrors,
            metadata: EndpointMetadata(),
            handle: requestCode
        ),
        Endpoint(
            .post,
            "/api/mobile/auth/verify-otp",
            "Signs in with a one-time code",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: .json(
                CodeLogin.self,
                example: ["email": "anna@example.com", "otpCode": "123456", "deviceInfo": deviceExample]
            ),
            answers: [
                data(Login.self, "Signed in"),
                APIError.invalidOTP.declared("Wrong, expired, used or superseded"),
                APIError.otpAttemptsExceeded.declared("More than 5 wrong codes"),
            ] + loginErrors,
            metadata: EndpointMetadata(),
            handle: verifyCode
        ),
        Endpoint(
            .post,
            "/api/mobile/auth/login",
            "Signs in with a password",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: .json(
                PasswordLogin.self,
                example: ["email": "anna@example.com", "password": "understudy-tfx", "deviceInfo": deviceExample]
            ),
            answers: [
                data(Login.self, "Signed in"),
                APIError.invalidCredentials.declared("Wrong pair, or unknown address"),
                APIError.schoolNotFound.declared("domain is no school's"),
            ] + loginErrors,
            metadata: EndpointMetadata()
        ) { state, core, call throws(APIError) in
            let login = try read(PasswordLogin.self, call)
            if let domain = login.domain { try checkDomain(domain, state, call) }
            guard let user = state.user(email: login.email), user.password == login.password else {
                throw .invalidCredentials
            }
            return signIn(user, login.device, &state, &core, &call)
        },
    ]

    /// Checks a domain by the rule of endpoint 3.
    static func checkDomain(_ domain: String, _ state: TrafikskolaState, _ call: Call) throws(APIError) {
        guard SchoolDomain.isKnown(domain, ownHost: ownHost(call), extra: state.settings.domains) else {
            throw .schoolNotFound
        }
    }

    private static func signIn(
        _ user: User,
        _ device: DeviceInfo,
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) -> Response {
        call.user = CallUser(id: user.id, email: user.email)
        let issued = state.startSession(of: user, device: device, ipAddress: call.peer, now: call.now, core: &core)
        return ok(Login(issued: issued, user: user), call)
    }

    private static func quickLogin(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let token = try read(QuickLoginRequest.self, call).token
        guard WorldTag.fits(token, world: core.name), let row = state.quickLogins[token], row.usedAt == nil,
            call.now < row.expiresAt.resolved(in: call.epoch),
            state.settings.qrTokens == .fresh, let user = state.users[row.userId]
        else { throw .invalidQuickLogin }
        state.quickLogins.update(token) { $0.usedAt = Moment(call.now) }
        return signIn(user, DeviceInfo(), &state, &core, &call)
    }

    private static func requestCode(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard let user = state.user(email: try read(CodeRequest.self, call).email) else { throw .emailNotFound }
        call.user = CallUser(id: user.id, email: user.email)
        let former = state.codes.rows(in: user.id)
        if state.settings.otpLimits == .on, state.settings.rateLimits == .on {
            try checkLimits(former.map(\.createdAt.instant), now: call.now)
        }
        for row in former { state.codes.update(row.id) { $0.isSuperseded = true } }
        for row in former.dropLast(mostCodes - 1) { state.codes.remove(row.id) }
        let code = state.settings.codes == .fixed ? "123456" : core.randomness.stream("trafikskola.code").sixDigits
        let row = OneTimeCode(
            id: TrafikskolaState.newID("otp", &core) { state.codes.contains($0) },
            userId: user.id,
            code: code,
            createdAt: Moment(call.now),
            expiresAt: Moment(call.now + codeLife)
        )
        state.codes.insert(row)
        core.outbox.post(
            Outbox.Message(
                to: user.email,
                kind: .otp,
                api: identity.name,
                code: code,
                at: call.now,
                expiresAt: row.expiresAt.instant
            )
        )
        return ok(CodeSent(otpId: row.id), call)
    }

    /// Checks the limits of decision 11: a minute between two codes, three in an hour.
    private static func checkLimits(_ requests: [Instant], now: Instant) throws(APIError) {
        var wait = Interval.zero
        if let last = requests.last { wait = max(wait, codeGap - (now - last)) }
        let recent = requests.filter { now - $0 < .hours(1) && $0 <= now }
        if recent.count >= codesPerHour, let first = recent.suffix(codesPerHour).first {
            wait = max(wait, .hours(1) - (now - first))
        }
        guard wait > .zero else { return }
        throw .rateLimited(seconds: (wait + .microseconds(999_999)).wholeSeconds)
    }

    private static func verifyCode(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let login = try read(CodeLogin.self, call)
        guard let user = state.user(email: login.email) else { throw .invalidOTP }
        call.user = CallUser(id: user.id, email: user.email)
        let known = login.otpId.map { state.codes[$0] } ?? state.codes.rows(in: user.id).last
        guard let row = known, row.userId == user.id else { throw .invalidOTP }
        guard row.wrongTries < mostTries else { throw .otpAttemptsExceeded }
        guard !row.isUsed, !row.isSuperseded, call.now < row.expiresAt.instant else { throw .invalidOTP }
        guard row.code == login.code else {
            state.codes.update(row.id) { $0.wrongTries = $0.wrongTries.addingClamped(1) }
            throw .invalidOTP
        }
        state.codes.update(row.id) { $0.isUsed = true }
        return signIn(user, login.device, &state, &core, &call)
    }
}

extension SeededStream {
    /// Six decimal digits.
    fileprivate var sixDigits: String {
        var copy = self
        return copy.text(length: 6, from: Array("0123456789".utf8))
    }
}
