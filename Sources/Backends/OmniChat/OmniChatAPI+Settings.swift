import Backend
import JSON

/// The declarations of the settings.
extension OmniChatSettings {
    static let declarations: [SettingDeclaration<OmniChatState>] = [
        .choice("apple.mode", "The check of Apple identity tokens (section 3.2)", \.settings.appleMode),
        .appleClientID(\.settings.appleClientID),
        .choice("apple.tokens", "refused rejects every identity token", \.settings.appleTokens),
        .choice(
            "apple.email",
            "withheld makes every sign-in that of an unknown identity without an e-mail",
            \.settings.appleEmail
        ),
        .choice("tokens.access", "refused answers 401 to every access token, fresh ones too", \.settings.accessTokens),
        .choice("accounts", "deleted answers as if the user of every token were gone", \.settings.accounts),
        .choice("generation", "off makes every reply fail as that of an unknown model does", \.settings.generation),
        .choice("subscription", "The status that every profile's subscription shows", \.settings.subscription),
        .integer(
            "upload.limitBytes",
            "Larger files are refused with 400",
            \.settings.uploadLimitBytes,
            in: 0...OmniChatAPI.fileLimit
        ),
        .integer(
            "serverErrors",
            "The number of next protected calls that fail with 500",
            \.settings.serverErrors,
            in: 0...1_000_000
        ),
        .choice("rateLimits", "Whether requests are counted (section 4)", \.settings.rateLimits),
        .choice("limitAuthRoutes", "Whether the two sign-in routes are counted too (D7)", \.settings.limitAuthRoutes),
        .choice(
            "futureEndpoints",
            "Whether rows 5 to 11 exist; off shows the document's own state (D2)",
            \.settings.futureEndpoints
        ),
        .choice(
            "tokens.rotation",
            "Whether a refresh issues a new refresh token and revokes the old one (D8)",
            \.settings.rotation
        ),
        .choice("dates", "Whether dates in bodies carry milliseconds (D1)", \.settings.dates),
        .choice("shapes", "openapi adds the members that only the OpenAPI file has (D12)", \.settings.shapes),
        .choice("errors", "html answers 404, 405 and broken JSON as the web framework does (D24)", \.settings.errors),
        .integer(
            "stream.firstTokenMs",
            "The time from message_start to the first piece",
            \.settings.firstTokenMilliseconds,
            in: 0...3_600_000
        ),
        .integer("stream.gapMs", "The time between two pieces", \.settings.gapMilliseconds, in: 0...3_600_000),
        .optionalInteger(
            "stream.failAfterPieces",
            "The number of pieces before an error event",
            \.settings.failAfterPieces,
            in: 0...100_000
        ),
        .optionalInteger(
            "stream.cutAfterPieces",
            "The number of pieces before the connection drops",
            \.settings.cutAfterPieces,
            in: 0...100_000
        ),
        .optionalInteger(
            "stream.stallAfterPieces",
            "The number of pieces before the stream stalls",
            \.settings.stallAfterPieces,
            in: 0...100_000
        ),
        .optionalText("stream.replyText", "The text of every reply; null for the usual text", \.settings.replyText),
        .optionalInteger(
            "stream.pieces",
            "The number of pieces of a reply",
            \.settings.pieceCount,
            in: 8...100_000
        ),
        .choice("stream.framing", "The framing of events in HTTP chunks", \.settings.framing),
        .choice("stream.done", "Whether [DONE] is sent", \.settings.doneEvent),
        .choice("stream.extraEvents", "Events of a type that no client knows", \.settings.extraEvents),
        .choice("stream.content", "doubleFramed puts the provider's framing inside content (D23)", \.settings.pieces),
        .compress(\.settings.compress),
    ]
}
