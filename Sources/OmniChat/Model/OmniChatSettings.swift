import Emulation
import JSON

/// The switches that the contract leaves to us (sections 3.2, 6.3, 10 and 11).
struct OmniChatSettings: Sendable {
    enum AppleMode: String, CaseIterable, Sendable { case lenient, strict }
    enum Toggle: String, CaseIterable, Sendable { case on, off }
    enum Dates: String, CaseIterable, Sendable { case whole, fractional }
    enum Shapes: String, CaseIterable, Sendable { case document, openapi }
    enum Errors: String, CaseIterable, Sendable { case json, html }
    enum Framing: String, CaseIterable, Sendable { case event, splitUtf8, coalesced, oneByte }
    enum DoneEvent: String, CaseIterable, Sendable { case sent, missing }
    enum ExtraEvents: String, CaseIterable, Sendable { case none, ping }
    enum Pieces: String, CaseIterable, Sendable { case plain, doubleFramed }

    var appleMode = AppleMode.lenient
    var appleClientID = "com.example.omnichat"
    var rateLimits = Toggle.on
    var futureEndpoints = Toggle.on
    var limitAuthRoutes = Toggle.off
    var rotation = Toggle.off
    var dates = Dates.whole
    var shapes = Shapes.document
    var errors = Errors.json
    var firstTokenMilliseconds = 60
    var gapMilliseconds = 20
    var failAfterPieces: Int?
    var cutAfterPieces: Int?
    var stallAfterPieces: Int?
    var replyText: String?
    var pieceCount: Int?
    var framing = Framing.event
    var doneEvent = DoneEvent.sent
    var extraEvents = ExtraEvents.none
    var pieces = Pieces.plain

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
        .choice("dates", "Whether dates in bodies carry milliseconds (D1)", { $0.settings.dates }, { $0.settings.dates = $1 }),
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
        optionalCount("stream.pieces", "Makes replies that many pieces long", \.pieceCount),
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
        _ member: any WritableKeyPath<OmniChatSettings, Int?> & Sendable
    ) -> SettingDeclaration<OmniChatState> {
        SettingDeclaration(
            path,
            .optionalInteger(0...100_000),
            summary,
            get: { $0.settings[keyPath: member].map { .integer(Int64($0)) } ?? .null },
            set: { $0.settings[keyPath: member] = $1.intValue.map(Int.init) }
        )
    }
}
