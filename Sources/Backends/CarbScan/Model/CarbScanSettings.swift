import Backend

/// The switches of the contract's section 10, and below them those that its edge cases need (section 12).
struct CarbScanSettings: Codable, Sendable, Equatable {
    enum TokenProfile: String, Codable, CaseIterable, Sendable { case documented, blacklist, rotation }
    enum Toggle: String, Codable, CaseIterable, Sendable { case off, on }
    enum QuotaProfile: String, Codable, CaseIterable, Sendable { case document, guide }
    enum Unlimited: String, Codable, CaseIterable, Sendable { case number, minusOne, null }
    enum HistoryWindow: String, Codable, CaseIterable, Sendable { case off, tier }
    enum TrendWords: String, Codable, CaseIterable, Sendable { case document, client }
    enum DeviceMode: String, Codable, CaseIterable, Sendable { case placeholder, persistent, companion }
    enum NotFoundShape: String, Codable, CaseIterable, Sendable { case envelope, bare }
    enum Checking: String, Codable, CaseIterable, Sendable { case checked, refused }
    enum AppleMail: String, Codable, CaseIterable, Sendable { case token, relay, linked }
    enum AnalysisResult: String, Codable, CaseIterable, Sendable { case estimate, lowConfidence, noFood }
    enum Answers: String, Codable, CaseIterable, Sendable {
        case normal, htmlGateway, truncatedJson, empty, reset
    }
    enum FirstTokens: String, Codable, CaseIterable, Sendable { case live, expiring, expired }
    enum Found: String, Codable, CaseIterable, Sendable { case checked, missing }

    var appleMode = AppleMode.lenient
    var isAppleConfigured = true
    var appleClientID = "ai.carbscan.app"
    var tokenProfile = TokenProfile.documented
    var magicLinkVerify = Toggle.off
    var quotaStatus = 403
    var quotaProfile = QuotaProfile.document
    var dailyCap = Toggle.off
    var unlimited = Unlimited.number
    var historyWindow = HistoryWindow.off
    var trendWords = TrendWords.document
    var deviceMode = DeviceMode.placeholder
    var arePlannedEnabled = true
    var receiptMode = AppleMode.lenient
    var autoLogin: String?
    var notFoundShape = NotFoundShape.envelope
    var omitsMeta = false
    var aiChat = true
    var mealScanning = true
    var insights = true
    var offlineMode = true
    var timeZone = "UTC"
    var analysisDelayMilliseconds = 0

    var appleTokens = Checking.checked
    var appleMail = AppleMail.token
    var accessTokens = Checking.checked
    /// The remaining life of the access token of a sign-in.
    var firstTokens = FirstTokens.live
    var magicLinkSeconds = 900
    var maximumImageBytes = CarbScanAPI.imageLimit
    var analysisFailures = 0
    var analysisResult = AnalysisResult.estimate
    var syncServerEdits = Toggle.off
    var syncBadItem = Toggle.off
    /// The number of next syncs that are stored without their response reaching the client.
    var lostSyncAnswers = 0
    var areReceiptsInUse = false
    var isVerifierRefused = false
    var isLoginCancelled = false
    var webSession = Found.checked
    var failsConfig = false
    var failsDevices = false
    var addsUnknownFields = false
    var answers = Answers.normal
    /// The setting that every API has (control contract, section 7); CarbScan documents no rate limits.
    var rateLimits = RateLimits.on
    var compress = Backend.Toggle.off

    enum RateLimits: String, Codable, CaseIterable, Sendable { case on, off }
}
