import Emulation
import JSON

/// The declarations of the settings.
extension OmniChatSettings {
    static let declarations: [SettingDeclaration<OmniChatState>] = [
        .choice(
            "apple.mode",
            "How Apple identity tokens are checked (section 3.2)",
            { $0.settings.appleMode },
            { $0.settings.appleMode = $1 }
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
            "withheld makes every sign-in one of an unknown identity without an e-mail",
            { $0.settings.appleEmail },
            { $0.settings.appleEmail = $1 }
        ),
        .choice(
            "tokens.access",
            "refused answers 401 to every access token, fresh ones too",
            { $0.settings.accessTokens },
            { $0.settings.accessTokens = $1 }
        ),
        .choice(
            "accounts",
            "deleted answers as if the user of every token were gone",
            { $0.settings.accounts },
            { $0.settings.accounts = $1 }
        ),
        .choice(
            "generation",
            "off lets every reply fail as that of an unknown model does",
            { $0.settings.generation },
            { $0.settings.generation = $1 }
        ),
        .choice(
            "subscription",
            "The status that every profile's subscription shows",
            { $0.settings.subscription },
            { $0.settings.subscription = $1 }
        ),
        SettingDeclaration(
            "upload.limitBytes",
            .integer(0...OmniChatAPI.fileLimit),
            "Larger files are refused with 400",
            get: { .integer(Int64($0.settings.uploadLimitBytes)) },
            set: { $0.settings.uploadLimitBytes = Int($1.intValue ?? 0) }
        ),
        SettingDeclaration(
            "serverErrors",
            .integer(0...1_000_000),
            "So many of the next protected calls fail with 500",
            get: { .integer(Int64($0.settings.serverErrors)) },
            set: { $0.settings.serverErrors = Int($1.intValue ?? 0) }
        ),
        .choice(
            "rateLimits",
            "Whether requests are counted (section 4)",
            { $0.settings.rateLimits },
            { $0.settings.rateLimits = $1 }
        ),
        .choice(
            "limitAuthRoutes",
            "Whether the two sign-in routes are counted too (D7)",
            { $0.settings.limitAuthRoutes },
            { $0.settings.limitAuthRoutes = $1 }
        ),
        .choice(
            "futureEndpoints",
            "Whether rows 5 to 11 exist; off shows the document's own state (D2)",
            { $0.settings.futureEndpoints },
            { $0.settings.futureEndpoints = $1 }
        ),
        .choice(
            "tokens.rotation",
            "Whether a refresh hands out a new refresh token and ends the old one (D8)",
            { $0.settings.rotation },
            { $0.settings.rotation = $1 }
        ),
        .choice(
            "dates",
            "Whether dates in bodies carry milliseconds (D1)",
            { $0.settings.dates },
            { $0.settings.dates = $1 }
        ),
        .choice(
            "shapes",
            "openapi adds the members that only the OpenAPI file has (D12)",
            { $0.settings.shapes },
            { $0.settings.shapes = $1 }
        ),
        .choice(
            "errors",
            "html answers 404, 405 and broken JSON as the web framework does (D24)",
            { $0.settings.errors },
            { $0.settings.errors = $1 }
        ),
        SettingDeclaration(
            "stream.firstTokenMs",
            .integer(0...3_600_000),
            "From message_start to the first piece",
            get: { .integer(Int64($0.settings.firstTokenMilliseconds)) },
            set: { $0.settings.firstTokenMilliseconds = Int($1.intValue ?? 60) }
        ),
        SettingDeclaration(
            "stream.gapMs",
            .integer(0...3_600_000),
            "Between two pieces",
            get: { .integer(Int64($0.settings.gapMilliseconds)) },
            set: { $0.settings.gapMilliseconds = Int($1.intValue ?? 20) }
        ),
        optionalCount("stream.failAfterPieces", "The error event comes after that many pieces", \.failAfterPieces),
        optionalCount("stream.cutAfterPieces", "The connection drops after that many pieces", \.cutAfterPieces),
        optionalCount("stream.stallAfterPieces", "Silence after that many pieces", \.stallAfterPieces),
        SettingDeclaration(
            "stream.replyText",
            .optionalText,
            "What every reply says; null for the usual text",
            get: { $0.settings.replyText.map { .string($0) } ?? .null },
            set: { $0.settings.replyText = $1.stringValue }
        ),
        optionalCount("stream.pieces", "Makes replies that many pieces long", \.pieceCount, in: 8...100_000),
        .choice(
            "stream.framing",
            "How events are laid into HTTP chunks",
            { $0.settings.framing },
            { $0.settings.framing = $1 }
        ),
        .choice("stream.done", "Whether [DONE] is sent", { $0.settings.doneEvent }, { $0.settings.doneEvent = $1 }),
        .choice(
            "stream.extraEvents",
            "Events of a type that no client knows",
            { $0.settings.extraEvents },
            { $0.settings.extraEvents = $1 }
        ),
        .choice(
            "stream.content",
            "doubleFramed puts the provider's framing inside content (D23)",
            { $0.settings.pieces },
            { $0.settings.pieces = $1 }
        ),
    ]

    private static func optionalCount(
        _ path: String,
        _ summary: String,
        _ member: any WritableKeyPath<OmniChatSettings, Int?> & Sendable,
        in range: ClosedRange<Int> = 0...100_000
    ) -> SettingDeclaration<OmniChatState> {
        SettingDeclaration(
            path,
            .optionalInteger(range),
            summary,
            get: { $0.settings[keyPath: member].map { .integer(Int64($0)) } ?? .null },
            set: { $0.settings[keyPath: member] = $1.intValue.map(Int.init) }
        )
    }
}
