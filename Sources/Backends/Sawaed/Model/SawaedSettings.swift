import Backend

/// The settings of the contract's section 13.1, and the further ones that its scenarios need.
struct SawaedSettings: Sendable, Codable, Equatable {
    enum ResponseForm: String, Codable, CaseIterable, Sendable { case plan, backend }
    enum Conflicts: String, Codable, CaseIterable, Sendable { case plan, redacted }
    enum Mail: String, Codable, CaseIterable, Sendable { case ok, failed }
    enum CodeAnswer: String, Codable, CaseIterable, Sendable { case normal, userExists, plain }
    enum Refresh: String, Codable, CaseIterable, Sendable { case ok, dead }
    enum Bearer: String, Codable, CaseIterable, Sendable { case ok, reject }
    enum Paging: String, Codable, CaseIterable, Sendable { case filtered, sparse }
    enum LimiterKey: String, Codable, CaseIterable, Sendable { case token, shared }
    enum ChatAuth: String, Codable, CaseIterable, Sendable { case open, strict }
    enum ChatOutcome: String, Codable, CaseIterable, Sendable {
        case script, error, empty, stuck, doneWithError, invalidAssessment, assessNow
    }
    enum Codes: String, Codable, CaseIterable, Sendable { case fixed, distinct }
    enum Issued: String, Codable, CaseIterable, Sendable { case valid, expired }
    enum Attempts: String, Codable, CaseIterable, Sendable { case counted, spent }
    enum Verification: String, Codable, CaseIterable, Sendable { case checked, failsOnce }
    enum Checked: String, Codable, CaseIterable, Sendable { case checked, refused }
    enum Bucket: String, Codable, CaseIterable, Sendable { case counted, full }
    enum Answers: String, Codable, CaseIterable, Sendable { case sent, firstLost }
    enum Accounts: String, Codable, CaseIterable, Sendable { case stored, admin, blocked }
    enum Seats: String, Codable, CaseIterable, Sendable { case stored, accepted, rejected }
    enum ChatBearer: String, Codable, CaseIterable, Sendable { case used, ignored }
    enum ChatSessions: String, Codable, CaseIterable, Sendable { case kept, forgottenWhenDone }

    var shape = ResponseForm.plan
    var validation = ResponseForm.plan
    var isExpiredTokenServerError = false
    var conflicts = Conflicts.plan
    var otpMail = Mail.ok
    var otpAnswer = CodeAnswer.normal
    var isOTPLimited = false
    var refresh = Refresh.ok
    var bearer = Bearer.ok
    var steps = ResponseForm.plan
    var paging = Paging.filtered
    var limiterKey = LimiterKey.token
    var chatAuth = ChatAuth.open
    var chatOutcome = ChatOutcome.script
    var chatPaceMilliseconds = 120
    var rateLimits = Toggle.on
    var codes = Codes.fixed
    var issuedCodes = Issued.valid
    var attempts = Attempts.counted
    var verification = Verification.checked
    var origin = Checked.checked
    var basicsBucket = Bucket.counted
    var registerBucket = Bucket.counted
    var chatSendBucket = Bucket.counted
    var chatStatusBucket = Bucket.counted
    var refreshAnswers = Answers.sent
    var accounts = Accounts.stored
    var seats = Seats.stored
    var uploadTokens = Issued.valid
    var uploadLimitBytes = SawaedAPI.uploadLimit
    var chatBearer = ChatBearer.used
    var chatSessions = ChatSessions.kept
    var appleMode = AppleMode.lenient
    var appleClientID = "com.example.sawaed"
    var compress = Toggle.off
}
