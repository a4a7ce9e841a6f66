import Emulation
import JSON

/// The declarations of the settings.
extension SawaedSettings {
    static let declarations: [SettingDeclaration<SawaedState>] = contractDeclarations + furtherDeclarations

    private static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<SawaedSettings, Choice> & Sendable
    ) -> SettingDeclaration<SawaedState> where Choice.RawValue == String {
        .choice(path, summary, { $0.settings[keyPath: member] }, { $0.settings[keyPath: member] = $1 })
    }

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
        choice("shape", "backend answers events, paths and profile with the backend's keys (D1 to D3)", \.shape),
        choice("validation", "backend answers 500 to bad bodies, ids and phones of /v1 (D4)", \.validation),
        pair(
            "expiredToken",
            "500 answers so to an expired or forged bearer on /v1 (D6)",
            (off: 401, on: 500),
            \.isExpiredTokenServerError
        ),
        choice(
            "conflicts",
            "redacted answers 400 \"server error\" to register and cancel conflicts (D32)",
            \.conflicts
        ),
        choice("otpMail", "failed sends no code and answers 400", \.otpMail),
        choice("otpAnswer", "What request-otp answers", \.otpAnswer),
        pair("otpLimited", "true answers 429 to every request-otp", (off: false, on: true), \.isOTPLimited),
        choice("refresh", "dead answers 400 invalid_refresh to every refresh", \.refresh),
        choice("bearer", "reject answers 401 to every /v1 call, fresh tokens too", \.bearer),
        choice("steps", "backend shows currentStep in the backend's words (D14)", \.steps),
        choice("paging", "sparse filters events after the page is cut (D19)", \.paging),
        choice("limiterKey", "shared counts all users in one bucket (D31)", \.limiterKey),
        choice("chatAuth", "strict answers 401 to a chat send without a valid bearer (D24)", \.chatAuth),
        choice("chatOutcome", "What comes of a chat reply (section 13.2)", \.chatOutcome),
        SettingDeclaration(
            "chatPaceMs",
            .integer(1...3_600_000),
            "Length of one step of a chat reply; queued lasts a third of it (section 8.3)",
            get: { .integer(Int64($0.settings.chatPaceMilliseconds)) },
            set: { $0.settings.chatPaceMilliseconds = Int($1.intValue ?? 120) }
        ),
        choice("rateLimits", "Whether requests and failed verifications are counted (section 10)", \.rateLimits),
        choice("otp.codes", "fixed makes every code 123456", \.codes),
    ]

    /// The further settings that the scenarios of section 13.2 change.
    private static let furtherDeclarations: [SettingDeclaration<SawaedState>] = [
        choice("otp.issued", "expired issues codes that are already over", \.issuedCodes),
        choice("otp.attempts", "spent refuses every verification, as after ten failures", \.attempts),
        choice("otp.verification", "failsOnce refuses the next verification of each e-mail", \.verification),
        choice("authOrigin", "refused answers 403 to every auth call", \.origin),
        choice("limits.basics", "full answers 429 to every profile/basics", \.basicsBucket),
        choice("limits.register", "full answers 429 to every register", \.registerBucket),
        choice("limits.chatSend", "full answers 429 to every chat send", \.chatSendBucket),
        choice("limits.chatStatus", "full answers 429 to every chat status", \.chatStatusBucket),
        choice("refreshAnswers", "firstLost drops the connection at the first refresh of each token", \.refreshAnswers),
        choice("accounts", "admin or blocked makes every YOUTH so", \.accounts),
        choice("seats", "What every user's registration counts as when registering", \.seats),
        choice("upload.tokens", "expired refuses every upload token, and issues them already over", \.uploadTokens),
        SettingDeclaration(
            "upload.limitBytes",
            .integer(0...SawaedAPI.uploadLimit),
            "Larger uploads answer 413",
            get: { .integer(Int64($0.settings.uploadLimitBytes)) },
            set: { $0.settings.uploadLimitBytes = Int($1.intValue ?? 0) }
        ),
        choice("chatBearer", "ignored treats every chat send as one without a bearer", \.chatBearer),
        choice("chatSessions", "forgottenWhenDone answers 404 for finished sessions", \.chatSessions),
        choice("apple.mode", "strict verifies Apple identity tokens (row 54)", \.appleMode),
        SettingDeclaration(
            "apple.clientId",
            .text,
            "The audience that strict mode asks for",
            get: { .string($0.settings.appleClientID) },
            set: { $0.settings.appleClientID = $1.stringValue ?? "" }
        ),
    ]
}
