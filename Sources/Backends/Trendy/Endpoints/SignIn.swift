import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON

/// Signing up and in at the auth server (contract, sections 9.3 to 9.6).
extension TrendyAPI {
    static let signInEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .post,
            "/auth/v1/signup",
            "Creates an account and signs it in",
            provenance: .beyondTheDocument,
            authentication: .none,
            body: .json(SignUp.self, example: ["email": "somebody@trendy.example", "password": "trendy-pass-2"]),
            answers: [
                .json(SessionResponse.self, "A session: mails are not confirmed here"),
                APIError.declaredAuth(
                    .badRequest,
                    .validationFailed,
                    "Signup requires a valid password",
                    "No password"
                ),
                APIError.declaredAuth(
                    .badRequest,
                    .validationFailed,
                    "Unable to validate email address: invalid format",
                    "An address without a plausible form"
                ),
                APIError.declaredAuth(
                    .unprocessableContent,
                    .anonymousProviderDisabled,
                    noAddress.message,
                    "Neither address nor phone"
                ),
                APIError.declaredAuth(.unprocessableContent, .weakPassword, weakPassword.message, "Under 6 characters"),
                APIError.declaredAuth(
                    .unprocessableContent,
                    .userAlreadyExists,
                    alreadyThere.message,
                    "A known address"
                ),
            ] + authBodyErrors,
            metadata: .auth,
            handle: signUp
        ),
        Endpoint(
            .post,
            "/auth/v1/token",
            "Gives tokens for a password, a refresh token or an identity token, as grant_type says",
            provenance: .beyondTheDocument,
            authentication: .none,
            credential: .bodyMembers(["refresh_token", "id_token"]),
            parameters: [
                Parameter(
                    "grant_type",
                    in: .query,
                    .string(enumeration: ["password", "refresh_token", "id_token"]),
                    required: true,
                    "What the body holds; id_token is assumed"
                )
            ],
            body: .json(TokenRequest.self, example: ["email": "new@trendy.example", "password": "trendy-pass-1"]),
            answers: [
                .json(SessionResponse.self, "A session"),
                APIError.declaredAuth(
                    .badRequest,
                    .invalidCredentials,
                    wrongCredentials.message,
                    "Unknown address or wrong password"
                ),
                APIError.declaredAuth(
                    .badRequest,
                    .invalidCredentials,
                    "unsupported_grant_type",
                    "Another grant_type, or none"
                ),
                APIError.declaredAuth(
                    .badRequest,
                    .validationFailed,
                    "Refresh token is not valid",
                    "A refresh token of another form; no address; no provider or identity token"
                ),
                APIError.declaredAuth(
                    .badRequest,
                    .refreshTokenNotFound,
                    refreshNotFound.message,
                    "An unknown refresh token, or its session ended"
                ),
                APIError.declaredAuth(
                    .badRequest,
                    .refreshTokenAlreadyUsed,
                    refreshUsed.message,
                    "A refresh token used more than 10 s ago: the session ends"
                ),
            ] + authBodyErrors,
            metadata: .auth,
            handle: token
        ),
    ]

    static let authBodyErrors = [
        APIError.declaredAuth(.badRequest, .badJSON, "Could not parse request body as JSON", "Empty, or not an object"),
        APIError.declaredAuth(.contentTooLarge, .tooLarge, "Request body exceeds 1 MiB", "The body is over 1 MiB"),
        APIError.declaredAuth(
            .tooManyRequests,
            .overRequestRateLimit,
            overLimit.message,
            "By fault, or with authRateLimits on (D28)"
        ),
        APIError.declaredAuth(.internalServerError, .unexpectedFailure, "Unexpected failure", "Injected"),
    ]

    private static let noAddress = APIError.auth(
        .unprocessableContent,
        .anonymousProviderDisabled,
        "Anonymous sign-ins are disabled"
    )
    static let weakPassword = APIError.auth(
        .unprocessableContent,
        .weakPassword,
        "Password should be at least 6 characters."
    )
    private static let alreadyThere = APIError.auth(
        .unprocessableContent,
        .userAlreadyExists,
        "User already registered"
    )
    private static let wrongCredentials = APIError.auth(
        .badRequest,
        .invalidCredentials,
        "Invalid login credentials"
    )
    private static let refreshNotFound = APIError.auth(
        .badRequest,
        .refreshTokenNotFound,
        "Invalid Refresh Token: Refresh Token Not Found"
    )
    private static let refreshUsed = APIError.auth(
        .badRequest,
        .refreshTokenAlreadyUsed,
        "Invalid Refresh Token: Already Used"
    )
    static let overLimit = APIError.auth(.tooManyRequests, .overRequestRateLimit, "Request rate limit reached")

    /// The longest password in bytes (section 9.3), and the shortest in characters.
    static let longestPassword = 72
    static let shortestPassword = 6
    /// The longest address, in characters.
    private static let longestAddress = 255
    /// The time in which a used refresh token may be repeated (section 9.5), including the last moment.
    private static let reuseInterval = Interval.seconds(10)

    // MARK: Bodies

    /// The body as a model; mistakes are reported as unreadable JSON.
    static func authBody<Model: RequestModel>(_ type: Model.Type, _ call: Call) throws(APIError) -> Model {
        guard !call.request.body.exceedsLimit else {
            throw .auth(.contentTooLarge, .tooLarge, "Request body exceeds 1 MiB")
        }
        let problem = "Could not parse request body as JSON"
        guard case .object(let object)? = try? call.request.json(ownDepth: bodyDepth) else {
            throw .auth(.badRequest, .badJSON, problem)
        }
        let (body, issues) = type.read(object, telling: .first)
        guard let issue = issues.first else { return body }
        let kind = issue.kind == .wrongType(.object) ? "an object" : "a string"
        throw .auth(.badRequest, .badJSON, "\(problem): \(issue.field) must be \(kind)")
    }

    // MARK: Sign-up (section 9.3)

    private static func signUp(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let sent = try authBody(SignUp.self, call)
        try countSignIn(&state, call)
        guard sent.email != nil || sent.phone != nil else { throw noAddress }
        guard let password = sent.password else {
            throw .auth(.badRequest, .validationFailed, "Signup requires a valid password")
        }
        guard password.utf8.count <= longestPassword else {
            throw .auth(.badRequest, .validationFailed, "Password cannot be longer than 72 characters")
        }
        guard password.unicodeScalars.count >= shortestPassword else { throw weakPassword }
        guard let email = sent.email, isPlausible(email) else {
            throw .auth(.badRequest, .validationFailed, "Unable to validate email address: invalid format")
        }
        guard state.account(email: email) == nil else { throw alreadyThere }
        let account = state.createAccount(
            email: email,
            password: password,
            provider: "email",
            data: sent.data.map { .object($0) },
            at: call.now,
            &core
        )
        return signIn(account, method: "password", isByPassword: false, &state, &core, &call)
    }

    /// Tells whether an address has a plausible form: one that browsers accept in an e-mail field, with at most 255
    /// characters.
    static func isPlausible(_ email: String) -> Bool {
        guard email.utf8.count <= longestAddress else { return false }
        let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(isLocalByte) else { return false }
        return parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
                && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func isLocalByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    // MARK: Tokens (sections 9.4 to 9.6)

    private static func token(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        switch call.query.first("grant_type") {
        case "password": return try byPassword(&state, &core, &call)
        case "refresh_token": return try byRefreshToken(&state, &core, &call)
        case "id_token": return try byIdentityToken(&state, &core, &call)
        default: throw .auth(.badRequest, .invalidCredentials, "unsupported_grant_type")
        }
    }

    private static func byPassword(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let grant = try authBody(PasswordGrant.self, call)
        try countSignIn(&state, call)
        guard let email = grant.email else { throw .auth(.badRequest, .validationFailed, "missing email or phone") }
        guard let account = verified(email, grant.password, state) else { throw wrongCredentials }
        return signIn(account, method: "password", isByPassword: true, &state, &core, &call)
    }

    /// The account with that address and password.
    static func verified(_ email: String, _ password: String?, _ state: TrendyState) -> Account? {
        guard let account = state.account(email: email), let password, let stored = account.password,
            stored.utf8.elementsEqual(password.utf8)
        else { return nil }
        return account
    }

    private static func byRefreshToken(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let token = try authBody(RefreshGrant.self, call).refreshToken
        if state.settings.authRateLimits == .on {
            let count = state.refreshes.count(ClientAddress.of(call), length: authWindow, now: call.now)
            guard count.used <= refreshBudget else { throw overLimit }
        }
        let length = token.unicodeScalars.count
        guard length > 12 || length == 12 && token.utf8.allSatisfy({ TokenIssuer.alphabet.contains($0) }) else {
            throw .auth(.badRequest, .validationFailed, "Refresh token is not valid")
        }
        guard let (row, found) = state.session(ofRefreshToken: token, at: call.now),
            let account = state.accounts[found.userId]
        else { throw refreshNotFound }
        call.user = CallUser(id: account.id, email: account.email)
        guard state.canRefresh(found, at: call.now, in: call.epoch) else { throw refreshNotFound }
        var session = found
        if row.id == session.active {
            session = state.rotate(session, at: call.now, &core)
        } else if row.id != session.parent {
            let isRecent = row.usedAt.map { call.now - $0.resolved(in: call.epoch) <= reuseInterval } ?? false
            guard isRecent else {
                state.end(session, at: call.now)
                throw refreshUsed
            }
        }
        return answer(account, session, isFirst: false, isByPassword: false, &state, &core, call)
    }

    private static func byIdentityToken(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let grant = try authBody(IdentityGrant.self, call)
        try countSignIn(&state, call)
        guard let provider = grant.provider, let token = grant.token else {
            throw .auth(.badRequest, .validationFailed, "provider and id_token are required")
        }
        let identity = IdentityToken(token, payload: TokenText.loosePayload(of: token))
        guard identity.isAcceptable(state, at: call.now) else {
            throw .auth(.badRequest, .invalidCredentials, "Bad ID token")
        }
        let email =
            identity.filledEmail ?? "\(provider)-\(Hex.encode(SHA256.digest(token.utf8).prefix(4)))@trendy.example"
        var account =
            state.account(email: email)
            ?? state.createAccount(
                email: email,
                password: nil,
                provider: provider,
                data: nil,
                at: call.now,
                &core
            )
        if !account.providers.contains(provider) {
            state.accounts.update(account.id) { $0.providers.append(provider) }
            account.providers.append(provider)
        }
        return signIn(account, method: "oauth", isByPassword: false, &state, &core, &call)
    }

    // MARK: Answers

    /// Begins a session and returns its response.
    private static func signIn(
        _ account: Account,
        method: String,
        isByPassword: Bool,
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) -> Response {
        let account = state.noteSignIn(of: account.id, at: call.now) ?? account
        call.user = CallUser(id: account.id, email: account.email)
        let session = state.beginSession(of: account, method: method, at: call.now, &core)
        return answer(account, session, isFirst: true, isByPassword: isByPassword, &state, &core, call)
    }

    private static func answer(
        _ account: Account,
        _ session: Session,
        isFirst: Bool,
        isByPassword: Bool,
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: Call
    ) -> Response {
        let token = state.issueAccess(
            for: account,
            session: session,
            isFirst: isFirst,
            origin: call.origin,
            at: call.now,
            &core
        )
        return authJSON(
            SessionResponse(
                accessToken: token,
                expiresAt: (call.now.flooredToSecond + TokenIssuer.accessLife).seconds,
                refreshToken: session.active,
                account: account,
                isByPassword: isByPassword
            ),
            call
        )
    }

    /// A JSON response of the auth server, always with whole seconds and no charset (section 9.1).
    static func authJSON(_ value: some ResponseModel, _ call: Call) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .seconds, options: writing)
        writer.write(value)
        return json(writer.json.bytes, type: AuthError.contentType)
    }

    // MARK: Supabase's own limits (D28)

    private static let authWindow = Interval.seconds(300)
    private static let signInBudget = 30
    private static let refreshBudget = 150

    private static func countSignIn(_ state: inout TrendyState, _ call: Call) throws(APIError) {
        guard state.settings.authRateLimits == .on else { return }
        let count = state.signIns.count(ClientAddress.of(call), length: authWindow, now: call.now)
        guard count.used <= signInBudget else { throw overLimit }
    }
}
