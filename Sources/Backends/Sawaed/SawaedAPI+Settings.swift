import Backend
import JSON

/// The declarations of the settings.
extension SawaedSettings {
    static let declarations: [SettingDeclaration<SawaedState>] = contractDeclarations + furtherDeclarations

    /// A setting whose values may be written with their JSON type or as text.
    private static func pair(
        _ path: String,
        _ summary: String,
        _ values: (off: JSON, on: JSON),
        _ member: any WritableKeyPath<SawaedSettings, Bool> & Sendable
    ) -> SettingDeclaration<SawaedState> {
        let texts = (off: JSON.string(values.off.text), on: JSON.string(values.on.text))
        return SettingDeclaration(
            path,
            .oneOf([values.off, values.on, texts.off, texts.on]),
            summary,
            get: { $0.settings[keyPath: member] ? values.on : values.off },
            set: { $0.settings[keyPath: member] = $1 == values.on || $1 == texts.on }
        )
    }

    /// The settings of section 13.1, and the two that every API has.
    private static let contractDeclarations: [SettingDeclaration<SawaedState>] = [
        .choice(
            "shape",
            "backend answers events, paths and profile with the backend's keys (D1 to D3)",
            \.settings.shape
        ),
        .choice("validation", "backend answers 500 to bad bodies, ids and phones of /v1 (D4)", \.settings.validation),
        pair(
            "expiredToken",
            "500 answers so to an expired or forged bearer on /v1 (D6)",
            (off: 401, on: 500),
            \.isExpiredTokenServerError
        ),
        .choice(
            "conflicts",
            "redacted answers 400 \"server error\" to register and cancel conflicts (D32)",
            \.settings.conflicts
        ),
        .choice("otpMail", "failed sends no code and answers 400", \.settings.otpMail),
        .choice("otpAnswer", "The response of request-otp", \.settings.otpAnswer),
        pair("otpLimited", "true answers 429 to every request-otp", (off: false, on: true), \.isOTPLimited),
        .choice("refresh", "dead answers 400 invalid_refresh to every refresh", \.settings.refresh),
        .choice("bearer", "reject answers 401 to every /v1 call, fresh tokens too", \.settings.bearer),
        .choice("steps", "backend shows currentStep in the backend's words (D14)", \.settings.steps),
        .choice("paging", "sparse filters events after the page is cut (D19)", \.settings.paging),
        .choice("limiterKey", "shared counts all users in one bucket (D31)", \.settings.limiterKey),
        .choice("chatAuth", "strict answers 401 to a chat send without a valid bearer (D24)", \.settings.chatAuth),
        .choice("chatOutcome", "The outcome of a chat reply (section 13.2)", \.settings.chatOutcome),
        .integer(
            "chatPaceMs",
            "The length of one step of a chat reply; queued lasts a third of it (section 8.3)",
            \.settings.chatPaceMilliseconds,
            in: 1...3_600_000
        ),
        .choice(
            "rateLimits",
            "Whether requests and failed verifications are counted (section 10)",
            \.settings.rateLimits
        ),
        .choice("otp.codes", "fixed makes every code 123456", \.settings.codes),
    ]

    /// The further settings that the scenarios of section 13.2 change.
    private static let furtherDeclarations: [SettingDeclaration<SawaedState>] = [
        .choice("otp.issued", "expired issues codes that have already expired", \.settings.issuedCodes),
        .choice("otp.attempts", "spent rejects every verification, as after ten failures", \.settings.attempts),
        .choice("otp.verification", "failsOnce rejects the next verification of each e-mail", \.settings.verification),
        .choice("authOrigin", "refused answers 403 to every auth call", \.settings.origin),
        .choice("limits.basics", "full answers 429 to every profile/basics", \.settings.basicsBucket),
        .choice("limits.register", "full answers 429 to every register", \.settings.registerBucket),
        .choice("limits.chatSend", "full answers 429 to every chat send", \.settings.chatSendBucket),
        .choice("limits.chatStatus", "full answers 429 to every chat status", \.settings.chatStatusBucket),
        .choice(
            "refreshAnswers",
            "firstLost drops the connection at the first refresh of each token",
            \.settings.refreshAnswers
        ),
        .choice("accounts", "admin or blocked makes every YOUTH account so", \.settings.accounts),
        .choice("seats", "The registration that every user counts as having when registering", \.settings.seats),
        .choice(
            "upload.tokens",
            "expired rejects every upload token, and issues expired ones",
            \.settings.uploadTokens
        ),
        .integer(
            "upload.limitBytes",
            "Larger uploads answer 413",
            \.settings.uploadLimitBytes,
            in: 0...SawaedAPI.uploadLimit
        ),
        .choice("chatBearer", "ignored treats every chat send as one without a bearer", \.settings.chatBearer),
        .choice("chatSessions", "forgottenWhenDone answers 404 for finished sessions", \.settings.chatSessions),
        .choice("apple.mode", "strict verifies Apple identity tokens (row 54)", \.settings.appleMode),
        .appleClientID(\.settings.appleClientID),
        .compress(\.settings.compress),
    ]
}
