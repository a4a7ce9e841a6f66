import Backend
import CivilTime
import JSON

extension CarbScanSettings {
    private static let quotaStatuses: [Int64] = [403, 429, 402, 400, 200]

    static let declarations: [SettingDeclaration<CarbScanState>] = [
        .choice("apple.mode", "The check of Apple identity tokens (section 5.2)", \.settings.appleMode),
        .boolean(
            "apple.configured",
            "false answers every valid Apple sign-in with CONFIGURATION_ERROR",
            \.settings.isAppleConfigured
        ),
        .appleClientID(\.settings.appleClientID),
        .choice("apple.tokens", "refused rejects every identity token", \.settings.appleTokens),
        .choice(
            "apple.email",
            "The e-mail in identity tokens: their own, a private relay's, or that of the web account",
            \.settings.appleMail
        ),
        .choice("tokens.profile", "The behaviour of refresh and revoke (section 5.1)", \.settings.tokenProfile),
        .choice("tokens.access", "refused answers 401 to every access token, fresh ones too", \.settings.accessTokens),
        .choice(
            "tokens.first",
            "The access token of a sign-in: valid, expiring in 60 s, or expired; those of a refresh are valid",
            \.settings.firstTokens
        ),
        .choice("magicLink.verify", "on makes endpoint 5 work (section 7.5)", \.settings.magicLinkVerify),
        .integer("magicLink.lifeSeconds", "The lifetime of a magic link", \.settings.magicLinkSeconds, in: 0...86_400),
        SettingDeclaration(
            "quota.status",
            .oneOf(quotaStatuses.map { .integer($0) } + quotaStatuses.map { .string("\($0)") }),
            "The status of both quota errors (D6)",
            get: { .integer(Int64($0.settings.quotaStatus)) },
            set: { state, json in
                let number = json.intValue ?? json.stringValue.flatMap { Int64($0) }
                state.settings.quotaStatus = number.map(Int.init) ?? 403
            }
        ),
        .choice("quota.profile", "guide: 5, 20 and unlimited questions a day (D9)", \.settings.quotaProfile),
        .choice("quota.dailyCap", "on: essentials and pro also stop at scansPerDay (D7)", \.settings.dailyCap),
        SettingDeclaration(
            "quota.unlimited",
            .oneOf(Unlimited.allCases.map { .string($0.rawValue) } + [.null]),
            "The value sent for unlimited (D12)",
            get: { .string($0.settings.unlimited.rawValue) },
            set: { $0.settings.unlimited = $1.stringValue.flatMap(Unlimited.init) ?? .null }
        ),
        .choice("history.window", "tier: 7, 30 or all days are visible (D16)", \.settings.historyWindow),
        .choice("trends.words", "client: up, down, stable (D13)", \.settings.trendWords),
        .choice(
            "devices.mode",
            "placeholder, a stable id, or the answers of the client's helper server (D10, D29)",
            \.settings.deviceMode
        ),
        .boolean("devices.fails", "true answers 500 REGISTRATION_ERROR on both routes", \.settings.failsDevices),
        .boolean("planned.enabled", "false answers 501 on endpoints 18 and 19", \.settings.arePlannedEnabled),
        .choice("receipts.mode", "strict also verifies ES256 signatures (section 7.18)", \.settings.receiptMode),
        .boolean("receipts.inUse", "true: every purchase belongs to another account", \.settings.areReceiptsInUse),
        .optionalText(
            "browser.autoLogin",
            "The e-mail that signs in on endpoint 20 without a page",
            \.settings.autoLogin
        ),
        .boolean("browser.verifierRefused", "true: no code_verifier matches", \.settings.isVerifierRefused),
        .boolean("browser.cancelled", "true: every sign-in on endpoint 20 is cancelled", \.settings.isLoginCancelled),
        .choice("web.session", "missing: endpoint 22 finds no session", \.settings.webSession),
        .choice("notFound.shape", "bare: unknown paths answer without the envelope (D28)", \.settings.notFoundShape),
        .boolean("meta.omit", "true leaves meta out (D1)", \.settings.omitsMeta),
        .boolean("features.aiChat", "A flag of endpoint 2", \.settings.aiChat),
        .boolean("features.mealScanning", "A flag of endpoint 2", \.settings.mealScanning),
        .boolean("features.insights", "A flag of endpoint 2", \.settings.insights),
        .boolean("features.offlineMode", "A flag of endpoint 2", \.settings.offlineMode),
        .timeZone("timeZone", "The time zone of the days and months of quotas and insights (D17)", \.settings.timeZone),
        .integer(
            "limits.maxImageSize",
            "The largest image in bytes",
            \.settings.maximumImageBytes,
            in: 1...CarbScanAPI.imageLimit
        ),
        .integer("analyze.delayMs", "Delay before response", \.settings.analysisDelayMilliseconds, in: 0...3_600_000),
        .integer(
            "analyze.failures",
            "The number of next analyses that fail with 500",
            \.settings.analysisFailures,
            in: 0...1_000_000
        ),
        .choice("analyze.result", "The result of every photo", \.settings.analysisResult),
        .choice(
            "sync.serverEdits",
            "on: the server changes every meal right after its upload",
            \.settings.syncServerEdits
        ),
        .choice(
            "sync.badItem",
            "on: the first meal that an account uploads is rejected, together with its batch",
            \.settings.syncBadItem
        ),
        .integer(
            "sync.lostAnswers",
            "The number of next syncs that are stored but not answered",
            \.settings.lostSyncAnswers,
            in: 0...1_000_000
        ),
        .boolean("config.fails", "true answers 500 CONFIG_ERROR on endpoint 2", \.settings.failsConfig),
        .boolean("answers.unknownFields", "true adds a field to every object", \.settings.addsUnknownFields),
        .choice("answers.form", "Corrupts every response", \.settings.answers),
        .choice("rateLimits", "No effect: this API has none, but every API has the setting", \.settings.rateLimits),
        .compress(\.settings.compress),
    ]
}
