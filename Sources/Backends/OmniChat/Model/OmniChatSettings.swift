import Backend

/// The settings that the contract leaves open (sections 3.2, 6.3, 10 and 11).
struct OmniChatSettings: Sendable, Equatable {
    enum Dates: String, CaseIterable, Sendable { case whole, fractional }
    enum Shapes: String, CaseIterable, Sendable { case document, openapi }
    enum Errors: String, CaseIterable, Sendable { case json, html }
    enum Framing: String, CaseIterable, Sendable { case event, splitUtf8, coalesced, oneByte }
    enum DoneEvent: String, CaseIterable, Sendable { case sent, missing }
    enum ExtraEvents: String, CaseIterable, Sendable { case none, ping }
    enum Pieces: String, CaseIterable, Sendable { case plain, doubleFramed }
    enum AccessTokens: String, CaseIterable, Sendable { case checked, refused }
    enum Accounts: String, CaseIterable, Sendable { case present, deleted }
    enum AppleTokens: String, CaseIterable, Sendable { case checked, refused }
    enum AppleEmail: String, CaseIterable, Sendable { case shared, withheld }
    enum SubscriptionStatus: String, CaseIterable, Sendable {
        case stored
        case pastDue = "past_due"
        case incomplete
    }

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
    var accessTokens = AccessTokens.checked
    var accounts = Accounts.present
    var appleTokens = AppleTokens.checked
    var appleEmail = AppleEmail.shared
    var generation = Toggle.on
    var subscription = SubscriptionStatus.stored
    var uploadLimitBytes = OmniChatAPI.fileLimit
    /// The number of next protected calls that fail with 500.
    var serverErrors = 0
    var compress = Toggle.off
}
