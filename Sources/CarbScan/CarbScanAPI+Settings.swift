import CivilTime
import Emulation
import JSON

extension CarbScanSettings {
    private static let quotaStatuses: [Int64] = [403, 429, 402, 400, 200]

    static let declarations: [SettingDeclaration<CarbScanState>] = [
        .choice(
            "apple.mode",
            "How Apple identity tokens are checked (section 5.2)",
            { $0.settings.appleMode },
            { $0.settings.appleMode = $1 }
        ),
        flag(
            "apple.configured",
            "false answers every valid Apple sign-in with CONFIGURATION_ERROR",
            \.isAppleConfigured
        ),
        SettingDeclaration(
            "apple.clientId",
            .text,
            "The audience that strict mode asks for",
            get: { .string($0.settings.appleClientID) },
            set: { $0.settings.appleClientID = $1.stringValue ?? "" }
        ),
        .choice(
            "apple.tokens",
            "refused turns every identity token away",
            { $0.settings.appleTokens },
            { $0.settings.appleTokens = $1 }
        ),
        .choice(
            "apple.email",
            "The mail that identity tokens carry: their own, a private relay's, or that of the web account",
            { $0.settings.appleMail },
            { $0.settings.appleMail = $1 }
        ),
        .choice(
            "tokens.profile",
            "What refresh and revoke do (section 5.1)",
            { $0.settings.tokenProfile },
            { $0.settings.tokenProfile = $1 }
        ),
        .choice(
            "tokens.access",
            "refused answers 401 to every access token, fresh ones too",
            { $0.settings.accessTokens },
            { $0.settings.accessTokens = $1 }
        ),
        .choice(
            "tokens.first",
            "The access token of a sign-in: live, expiring in 60 s, or expired; those of a refresh are live",
            { $0.settings.firstTokens },
            { $0.settings.firstTokens = $1 }
        ),
        .choice(
            "magicLink.verify",
            "on makes endpoint 5 work (section 7.5)",
            { $0.settings.magicLinkVerify },
            { $0.settings.magicLinkVerify = $1 }
        ),
        number("magicLink.lifeSeconds", "How long a magic link is good", \.magicLinkSeconds, 0...86_400),
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
        .choice(
            "quota.profile",
            "guide: 5, 20 and unlimited questions a day (D9)",
            { $0.settings.quotaProfile },
            { $0.settings.quotaProfile = $1 }
        ),
        .choice(
            "quota.dailyCap",
            "on: essentials and pro also stop at scansPerDay (D7)",
            { $0.settings.dailyCap },
            { $0.settings.dailyCap = $1 }
        ),
        SettingDeclaration(
            "quota.unlimited",
            .oneOf(Unlimited.allCases.map { .string($0.rawValue) } + [.null]),
            "How unlimited is sent (D12)",
            get: { .string($0.settings.unlimited.rawValue) },
            set: { $0.settings.unlimited = $1.stringValue.flatMap(Unlimited.init) ?? .null }
        ),
        .choice(
            "history.window",
            "tier: 7, 30 or all days are seen (D16)",
            { $0.settings.historyWindow },
            { $0.settings.historyWindow = $1 }
        ),
        .choice(
            "trends.words",
            "client: up, down, stable (D13)",
            { $0.settings.trendWords },
            { $0.settings.trendWords = $1 }
        ),
        .choice(
            "devices.mode",
            "placeholder, a stable id, or the answers of the client's helper server (D10, D29)",
            { $0.settings.deviceMode },
            { $0.settings.deviceMode = $1 }
        ),
        flag("devices.fails", "true answers 500 REGISTRATION_ERROR on both routes", \.failsDevices),
        flag("planned.enabled", "false answers 501 on endpoints 18 and 19", \.arePlannedEnabled),
        .choice(
            "receipts.mode",
            "strict also verifies ES256 signatures (section 7.18)",
            { $0.settings.receiptMode },
            { $0.settings.receiptMode = $1 }
        ),
        flag("receipts.inUse", "true: every purchase belongs to another account", \.areReceiptsInUse),
        SettingDeclaration(
            "browser.autoLogin",
            .optionalText,
            "The mail that signs in on endpoint 20 without a page",
            get: { $0.settings.autoLogin.map { .string($0) } ?? .null },
            set: { $0.settings.autoLogin = $1.stringValue }
        ),
        flag("browser.verifierRefused", "true: no code_verifier fits", \.isVerifierRefused),
        flag("browser.cancelled", "true: whoever signs in on endpoint 20 cancels", \.isLoginCancelled),
        .choice(
            "web.session",
            "missing: endpoint 22 finds no session",
            { $0.settings.webSession },
            { $0.settings.webSession = $1 }
        ),
        .choice(
            "notFound.shape",
            "bare: unknown paths answer without the envelope (D28)",
            { $0.settings.notFoundShape },
            { $0.settings.notFoundShape = $1 }
        ),
        flag("meta.omit", "true leaves meta out (D1)", \.omitsMeta),
        flag("features.aiChat", "A flag of endpoint 2", \.aiChat),
        flag("features.mealScanning", "A flag of endpoint 2", \.mealScanning),
        flag("features.insights", "A flag of endpoint 2", \.insights),
        flag("features.offlineMode", "A flag of endpoint 2", \.offlineMode),
        SettingDeclaration(
            "timeZone",
            .timeZone,
            "Days and months of quotas and insights (D17)",
            get: { .string($0.settings.timeZone) },
            set: { $0.settings.timeZone = $1.stringValue ?? "UTC" }
        ),
        number("limits.maxImageSize", "The largest image in bytes", \.maximumImageBytes, 1...CarbScanAPI.imageLimit),
        number("analyze.delayMs", "Pause before the answer", \.analysisDelayMilliseconds, 0...3_600_000),
        number("analyze.failures", "So many of the next analyses fail with 500", \.analysisFailures, 0...1_000_000),
        .choice(
            "analyze.result",
            "What every photo shows",
            { $0.settings.analysisResult },
            { $0.settings.analysisResult = $1 }
        ),
        .choice(
            "sync.serverEdits",
            "on: the server changes every meal right after its upload",
            { $0.settings.syncServerEdits },
            { $0.settings.syncServerEdits = $1 }
        ),
        .choice(
            "sync.badItem",
            "on: the first meal that an account uploads is refused, and with it its batch",
            { $0.settings.syncBadItem },
            { $0.settings.syncBadItem = $1 }
        ),
        number(
            "sync.lostAnswers",
            "So many of the next syncs are stored, but not answered",
            \.lostSyncAnswers,
            0...1_000_000
        ),
        flag("config.fails", "true answers 500 CONFIG_ERROR on endpoint 2", \.failsConfig),
        flag("answers.unknownFields", "true adds a field to every object", \.addsUnknownFields),
        .choice(
            "answers.form",
            "Damages every answer",
            { $0.settings.answers },
            { $0.settings.answers = $1 }
        ),
        .choice(
            "rateLimits",
            "This API has none; here because every API has the switch",
            { $0.settings.rateLimits },
            { $0.settings.rateLimits = $1 }
        ),
    ]

    private static func flag(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<CarbScanSettings, Bool> & Sendable
    ) -> SettingDeclaration<CarbScanState> {
        SettingDeclaration(
            path,
            .boolean,
            summary,
            get: { .bool($0.settings[keyPath: member]) },
            set: { $0.settings[keyPath: member] = $1.boolValue ?? $0.settings[keyPath: member] }
        )
    }

    private static func number(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<CarbScanSettings, Int> & Sendable,
        _ range: ClosedRange<Int>
    ) -> SettingDeclaration<CarbScanState> {
        SettingDeclaration(
            path,
            .integer(range),
            summary,
            get: { .integer(Int64($0.settings[keyPath: member])) },
            set: { $0.settings[keyPath: member] = $1.intValue.map(Int.init) ?? $0.settings[keyPath: member] }
        )
    }
}
