import Backend

/// The settings of this API (contract, sections 8, 9.6, 9.9, 12 and 13).
struct TrendySettings: Sendable, Codable, Equatable {
    enum Profile: String, CaseIterable, Sendable, Codable { case contract, deployed }
    enum Dates: String, CaseIterable, Sendable, Codable { case whole, fractional }
    enum Unset: String, CaseIterable, Sendable, Codable { case absent, null }
    enum Permissions: String, CaseIterable, Sendable, Codable { case stored, provisional }
    enum Letters: String, CaseIterable, Sendable, Codable { case lower, upper }
    enum Signing: String, CaseIterable, Sendable, Codable {
        case hs256 = "HS256"
        case rs256 = "RS256"
    }
    enum FirstTokens: String, CaseIterable, Sendable, Codable { case valid, expired }

    enum FutureIssue: String, CaseIterable, Sendable, Codable { case refuse, accept }

    var rateLimits = Toggle.on
    var authRateLimits = Toggle.off
    var profile = Profile.contract
    var dates = Dates.whole
    var unset = Unset.absent
    var permissions = Permissions.stored
    var userID = Letters.lower
    var signing = Signing.hs256
    var firstTokens = FirstTokens.valid
    var futureIat = FutureIssue.refuse
    var appleMode = AppleMode.lenient
    var appleClientID = "com.example.trendy"
    var compress = Toggle.off

    /// Tells whether the API behaves as the current backend does.
    var isDeployed: Bool { profile == .deployed }
}
