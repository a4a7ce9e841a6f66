import Backend
import JSON

/// The declarations of the settings.
extension TrafikskolaSettings {
    private typealias Declaration = SettingDeclaration<TrafikskolaState>

    /// The longest life of a token: a thousand years.
    private static let longestLife = 31_536_000_000

    static let declarations: [SettingDeclaration<TrafikskolaState>] =
        sessionDeclarations + configurationDeclarations + dataDeclarations

    private static let sessionDeclarations: [SettingDeclaration<TrafikskolaState>] = [
        .choice("refreshMode", "The effect of a refresh on the refresh token (section 3.6)", \.settings.refreshMode),
        .integer(
            "refreshLifetimeSeconds",
            "The lifetime of a refresh token",
            \.settings.refreshLifetimeSeconds,
            in: 0...longestLife
        ),
        .integer(
            "accessLifetimeSeconds",
            "The lifetime of an access token",
            \.settings.accessLifetimeSeconds,
            in: 0...longestLife
        ),
        .integer(
            "reuseGraceSeconds",
            "The time in which a rotated refresh token gets the same response again (section 3.4)",
            \.settings.reuseGraceSeconds,
            in: 0...longestLife
        ),
        .choice(
            "reuseScope",
            "any-revoked: tokens ended by a logout count as theft too (decision 6)",
            \.settings.reuseScope
        ),
        .choice(
            "refresh.theft",
            "on: each user's next refresh counts as the reuse of a token that someone else rotated",
            \.settings.refreshTheft
        ),
        .choice("refresh.answer", "error500: refresh answers 500 and nothing changes", \.settings.refreshAnswer),
        .integer(
            "refresh.lostAnswers",
            "The number of next refreshes that rotate and then break the connection",
            \.settings.lostRefreshAnswers,
            in: 0...1_000_000
        ),
        .choice("appSecret", "required: 401 without a well-formed X-App-Secret (section 2.3)", \.settings.appSecret),
        .choice("otpLimits", "on: 60 s between two codes, 3 an hour (endpoint 14)", \.settings.otpLimits),
        .choice("otp.codes", "distinct: every one-time code is different", \.settings.codes),
        .choice("rateLimits", "off: the rate scenarios reject nothing", \.settings.rateLimits),
        .choice("qr.tokens", "The state of the token of every QR code", \.settings.qrTokens),
        .choice("qr.fields", "legacy: the older fields of the quick_login payload", \.settings.qrFields),
        .choice("qrDomain", "typo: payloads carry the misspelt domain (section 8.2)", \.settings.qrDomain),
        .choice("quickLogin", "html: quick login answers with an HTML page", \.settings.quickLogin),
    ]

    private static let configurationDeclarations: [SettingDeclaration<TrafikskolaState>] = [
        .optionalText("publicOrigin", "Overrides the origin in links (section 2.1)", \.settings.publicOrigin),
        .optionalText("domains", "Further school domains, separated by commas (section 5.1)", \.settings.domains),
        .choice("config", "The response of the config endpoint (section 5.1)", \.settings.config),
        .choice("flags", "The feature flags in the response (section 5.2)", \.settings.flags),
        .choice("contradiction", "korklar: config says true, app-config false", \.settings.contradiction),
        .boolean("features.bookings", "A feature flag (section 5.3)", \.settings.features.bookings),
        .boolean("features.lms", "A feature flag", \.settings.features.lms),
        .boolean("features.quiz", "A feature flag", \.settings.features.quiz),
        .boolean("features.certificates", "A feature flag", \.settings.features.certificates),
        .boolean("features.korklar", "A feature flag", \.settings.features.korklar),
        .boolean("features.invoices", "A feature flag", \.settings.features.invoices),
        .boolean("features.profile", "A feature flag", \.settings.features.profile),
        .boolean("features.offlineMode", "A feature flag", \.settings.features.offlineMode),
        .choice("images", "html: logo, icon and splash are HTML pages (section 5.4)", \.settings.images),
        .choice("i18n", "off: both translation endpoints are 404 (section 5.5)", \.settings.i18n),
        .choice("i18nNotModified", "always: 304 to every i18n call with If-None-Match", \.settings.i18nNotModified),
        .choice("apiBaseUrl", "short: apiBaseUrl ends at /api", \.settings.apiBaseURL),
        .choice("errors", "html: 404 and 500 are HTML pages; object: error is {code, message}", \.settings.errors),
        Declaration(
            "maintenance",
            // The contract's table writes 503, which may be read as a number or as a text.
            .oneOf(["off", "flag", "503", 503]),
            "flag: maintenanceMode is true; 503: every other mobile path is 503 too",
            get: { .string($0.settings.maintenance.rawValue) },
            set: { state, value in
                let text = value.intValue.map { "\($0)" } ?? value.stringValue ?? ""
                state.settings.maintenance = TrafikskolaSettings.Maintenance(rawValue: text) ?? .off
            }
        ),
        .boolean("appEnabled", "The value in config", \.settings.appEnabled),
        .text("minVersion", "The value in config, for both platforms", \.settings.minVersion),
        .text("latestVersion", "The value in config, for both platforms", \.settings.latestVersion),
        .choice("storeUrls", "filled: config names both stores", \.settings.storeURLs),
        .choice("server", "bad-gateway: every path is 502 with an HTML page", \.settings.server),
    ]

    private static let dataDeclarations: [SettingDeclaration<TrafikskolaState>] = [
        .choice("avatarUrl", "html: pictures are HTML pages; relative: links without origin", \.settings.avatarURL),
        .integer(
            "avatar.limitBytes",
            "Larger pictures are refused with 400",
            \.settings.avatarLimitBytes,
            in: 0...TrafikskolaAPI.avatarLimit
        ),
        .choice("bookings", "unwrapped: the list is next to success", \.settings.bookings),
        .choice("bookingLocation", "string: a booking's location is text (decision 16)", \.settings.bookingLocation),
        .integer(
            "takenSlots",
            "The number of next bookings that find their time taken",
            \.settings.takenSlots,
            in: 0...1_000_000
        ),
        .choice("payment", "The outcome of a payment (section 7.2)", \.settings.payment),
        .compress(\.settings.compress),
    ]
}
