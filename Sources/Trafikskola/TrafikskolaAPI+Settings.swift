import Emulation
import JSON

/// The declarations of the settings.
extension TrafikskolaSettings {
    private typealias Declaration = SettingDeclaration<TrafikskolaState>

    private static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ path: String,
        _ summary: String,
        _ place: any WritableKeyPath<TrafikskolaSettings, Choice> & Sendable
    ) -> Declaration where Choice.RawValue == String {
        .choice(path, summary, { $0.settings[keyPath: place] }, { $0.settings[keyPath: place] = $1 })
    }

    private static func integer(
        _ path: String,
        _ range: ClosedRange<Int>,
        _ summary: String,
        _ place: any WritableKeyPath<TrafikskolaSettings, Int> & Sendable
    ) -> Declaration {
        Declaration(
            path,
            .integer(range),
            summary,
            get: { .integer(Int64($0.settings[keyPath: place])) },
            set: { $0.settings[keyPath: place] = Int($1.intValue ?? 0) }
        )
    }

    private static func boolean(
        _ path: String,
        _ summary: String,
        _ place: any WritableKeyPath<TrafikskolaSettings, Bool> & Sendable
    ) -> Declaration {
        Declaration(
            path,
            .boolean,
            summary,
            get: { .bool($0.settings[keyPath: place]) },
            set: { $0.settings[keyPath: place] = $1.boolValue ?? false }
        )
    }

    private static func text(
        _ path: String,
        _ summary: String,
        _ place: any WritableKeyPath<TrafikskolaSettings, String> & Sendable
    ) -> Declaration {
        Declaration(
            path,
            .text,
            summary,
            get: { .string($0.settings[keyPath: place]) },
            set: { $0.settings[keyPath: place] = $1.stringValue ?? "" }
        )
    }

    private static func optionalText(
        _ path: String,
        _ summary: String,
        _ place: any WritableKeyPath<TrafikskolaSettings, String?> & Sendable
    ) -> Declaration {
        Declaration(
            path,
            .optionalText,
            summary,
            get: { $0.settings[keyPath: place].map { .string($0) } ?? .null },
            set: { $0.settings[keyPath: place] = $1.stringValue }
        )
    }

    /// The longest life of a token: a thousand years.
    private static let longestLife = 31_536_000_000

    static let declarations: [SettingDeclaration<TrafikskolaState>] =
        sessionDeclarations + configurationDeclarations + dataDeclarations

    private static let sessionDeclarations: [SettingDeclaration<TrafikskolaState>] = [
        choice("refreshMode", "What a refresh does with the refresh token (section 3.6)", \.refreshMode),
        integer("refreshLifetimeSeconds", 0...longestLife, "Life of a refresh token", \.refreshLifetimeSeconds),
        integer("accessLifetimeSeconds", 0...longestLife, "Life of an access token", \.accessLifetimeSeconds),
        integer(
            "reuseGraceSeconds",
            0...longestLife,
            "A rotated refresh token gives the same answer again for so long (section 3.4)",
            \.reuseGraceSeconds
        ),
        choice("reuseScope", "any-revoked: tokens ended by a logout count as theft too (decision 6)", \.reuseScope),
        choice(
            "refresh.theft",
            "on: each user's next refresh counts as the reuse of a token that someone else rotated",
            \.refreshTheft
        ),
        choice("refresh.answer", "error500: refresh answers 500 and nothing changes", \.refreshAnswer),
        integer(
            "refresh.lostAnswers",
            0...1_000_000,
            "So many of the next refreshes rotate, and then the connection breaks",
            \.lostRefreshAnswers
        ),
        choice("appSecret", "required: 401 without a well-formed X-App-Secret (section 2.3)", \.appSecret),
        choice("otpLimits", "on: 60 s between two codes, 3 an hour (endpoint 14)", \.otpLimits),
        choice("otp.codes", "distinct: every one-time code is another", \.codes),
        choice("rateLimits", "off: the rate scenarios refuse nothing", \.rateLimits),
        choice("qr.tokens", "What the token of every QR code is found to be", \.qrTokens),
        choice("qr.fields", "legacy: the older fields of the quick_login payload", \.qrFields),
        choice("qrDomain", "typo: payloads carry the misspelt domain (section 8.2)", \.qrDomain),
        choice("quickLogin", "html: quick login answers with a page", \.quickLogin),
    ]

    private static let configurationDeclarations: [SettingDeclaration<TrafikskolaState>] = [
        optionalText("publicOrigin", "Overrides the origin in links (section 2.1)", \.publicOrigin),
        optionalText("domains", "Further school domains, separated by commas (section 5.1)", \.domains),
        choice("config", "What the config endpoint answers (section 5.1)", \.config),
        choice("flags", "Which feature flags are told (section 5.2)", \.flags),
        choice("contradiction", "korklar: config says true, app-config false", \.contradiction),
        boolean("features.bookings", "A feature flag (section 5.3)", \.features.bookings),
        boolean("features.lms", "A feature flag", \.features.lms),
        boolean("features.quiz", "A feature flag", \.features.quiz),
        boolean("features.certificates", "A feature flag", \.features.certificates),
        boolean("features.korklar", "A feature flag", \.features.korklar),
        boolean("features.invoices", "A feature flag", \.features.invoices),
        boolean("features.profile", "A feature flag", \.features.profile),
        boolean("features.offlineMode", "A feature flag", \.features.offlineMode),
        choice("images", "html: logo, icon and splash are pages (section 5.4)", \.images),
        choice("i18n", "off: both translation endpoints are 404 (section 5.5)", \.i18n),
        choice("i18nNotModified", "always: 304 to every i18n call with If-None-Match", \.i18nNotModified),
        choice("apiBaseUrl", "short: apiBaseUrl ends at /api", \.apiBaseURL),
        choice("errors", "html: 404 and 500 are pages; object: error is {code, message}", \.errors),
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
        boolean("appEnabled", "What config says", \.appEnabled),
        text("minVersion", "What config says, for both platforms", \.minVersion),
        text("latestVersion", "What config says, for both platforms", \.latestVersion),
        choice("storeUrls", "filled: config names both stores", \.storeURLs),
        choice("server", "bad-gateway: every path is 502 with a page", \.server),
    ]

    private static let dataDeclarations: [SettingDeclaration<TrafikskolaState>] = [
        choice("avatarUrl", "html: pictures are pages; relative: links without origin", \.avatarURL),
        integer(
            "avatar.limitBytes",
            0...TrafikskolaAPI.avatarLimit,
            "Larger pictures are refused with 400",
            \.avatarLimitBytes
        ),
        choice("bookings", "unwrapped: the list stands beside success", \.bookings),
        choice("bookingLocation", "string: a booking's location is a text (decision 16)", \.bookingLocation),
        integer("takenSlots", 0...1_000_000, "So many of the next bookings find their time taken", \.takenSlots),
        choice("payment", "How a payment ends (section 7.2)", \.payment),
    ]
}
