import Backend

/// The settings of contract, section 9, and the further ones that scenarios need.
struct TrafikskolaSettings: Sendable, Codable, Equatable {
    enum RefreshMode: String, CaseIterable, Sendable, Codable {
        case rotating, reusable
        case singleUse = "single-use"
    }
    enum ReuseScope: String, CaseIterable, Sendable, Codable {
        case rotated
        case anyRevoked = "any-revoked"
    }
    enum AppSecret: String, CaseIterable, Sendable, Codable { case lenient, required }
    enum Config: String, CaseIterable, Sendable, Codable { case ok, error500, html }
    enum Flags: String, CaseIterable, Sendable, Codable { case complete, incomplete, none }
    enum Contradiction: String, CaseIterable, Sendable, Codable { case none, korklar }
    enum Images: String, CaseIterable, Sendable, Codable { case png, html }
    enum NotModified: String, CaseIterable, Sendable, Codable { case matching, always }
    enum QRDomain: String, CaseIterable, Sendable, Codable { case right, typo }
    enum QRFields: String, CaseIterable, Sendable, Codable { case standard, legacy }
    enum QRTokens: String, CaseIterable, Sendable, Codable { case fresh, used, expired }
    enum Answer: String, CaseIterable, Sendable, Codable { case ok, html }
    enum RefreshAnswer: String, CaseIterable, Sendable, Codable { case ok, error500 }
    enum APIBaseURL: String, CaseIterable, Sendable, Codable { case mobile, short }
    enum AvatarURL: String, CaseIterable, Sendable, Codable { case absolute, html, relative }
    enum Errors: String, CaseIterable, Sendable, Codable { case json, html, object }
    enum Maintenance: String, CaseIterable, Sendable, Codable {
        case off, flag
        case unavailable = "503"
    }
    enum StoreURLs: String, CaseIterable, Sendable, Codable { case empty, filled }
    enum Wrapping: String, CaseIterable, Sendable, Codable { case wrapped, unwrapped }
    enum Location: String, CaseIterable, Sendable, Codable { case object, string }
    enum PaymentEnd: String, CaseIterable, Sendable, Codable { case completes, fails, stuck }
    enum Server: String, CaseIterable, Sendable, Codable {
        case up
        case badGateway = "bad-gateway"
    }
    enum Codes: String, CaseIterable, Sendable, Codable { case fixed, distinct }

    /// The flags of section 5.3.
    struct Features: Sendable, Codable, Equatable {
        var bookings = true
        var lms = true
        var quiz = false
        var certificates = false
        var korklar = false
        var invoices = true
        var profile = true
        var offlineMode = false
    }

    var refreshMode = RefreshMode.rotating
    var refreshLifetimeSeconds = 7_776_000
    var accessLifetimeSeconds = 3_600
    var reuseGraceSeconds = 0
    var reuseScope = ReuseScope.rotated
    var refreshTheft = Toggle.off
    var refreshAnswer = RefreshAnswer.ok
    /// The number of next refreshes that are done without their response reaching the client.
    var lostRefreshAnswers = 0
    var appSecret = AppSecret.lenient
    var publicOrigin: String?
    var config = Config.ok
    var flags = Flags.complete
    var contradiction = Contradiction.none
    var features = Features()
    var images = Images.png
    var i18n = Toggle.on
    var i18nNotModified = NotModified.matching
    var domains: String?
    var qrDomain = QRDomain.right
    var qrFields = QRFields.standard
    var qrTokens = QRTokens.fresh
    var quickLogin = Answer.ok
    var apiBaseURL = APIBaseURL.mobile
    var avatarURL = AvatarURL.absolute
    var avatarLimitBytes = TrafikskolaAPI.avatarLimit
    var errors = Errors.json
    var maintenance = Maintenance.off
    var appEnabled = true
    var minVersion = "1.0.0"
    var latestVersion = "1.0.0"
    var storeURLs = StoreURLs.empty
    var otpLimits = Toggle.off
    var codes = Codes.fixed
    var bookings = Wrapping.wrapped
    var bookingLocation = Location.object
    /// The number of next bookings that find their time taken.
    var takenSlots = 0
    var payment = PaymentEnd.completes
    var server = Server.up
    var rateLimits = Toggle.on
    var compress = Toggle.off
}
