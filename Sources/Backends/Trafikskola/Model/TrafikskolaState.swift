import Backend
import CivilTime

/// The state of Trafikskola in one world.
package struct TrafikskolaState: Sendable {
    var users = Table<User>()
    var sessions = Table<Session>()
    var refreshTokens = Table<RefreshToken>()
    var accessTokens = Table<AccessToken>()
    var offlineTokens = Table<OfflineToken>()
    var theftMarks = Table<TheftMark>()
    var devices = Table<Device>()
    var codes = Table<OneTimeCode>()
    var quickLogins = Table<QuickLoginToken>()
    var avatars = Table<Avatar>()
    var pictures = Table<Picture>()
    var translations = Table<Translation>()

    var bookings = Table<Booking>()
    var lessonCategories = Table<LessonCategory>()
    var lessonTypes = Table<LessonType>()
    var theorySessions = Table<TheorySession>()
    var invoices = Table<Invoice>()
    var payments = Table<Payment>()
    var readiness = Table<Readiness>()
    var feedback = Table<Feedback>()
    var notifications = Table<Notification>()
    var syncRecords = Table<SyncRecord>()

    var courses = Table<Course>()
    var chapters = Table<Chapter>()
    var lessons = Table<Lesson>()
    var quizzes = Table<Quiz>()
    var questions = Table<Question>()
    var practiceCategories = Table<PracticeCategory>()
    var lessonProgress = Table<LessonProgress>()
    var quizRecords = Table<QuizRecord>()

    var settings = TrafikskolaSettings()
    /// The time from which the rate scenario refuses every other window of two seconds; nil while it is off.
    var rateWindowsFrom: Moment?

    // Indexes derived from the tables above.

    /// User ids by e-mail.
    var userIDsByEmail = ShardedMap<String>()
    var tokens = TokenIssuer(secret: [], issuer: "")

    init() {}

    /// Rebuilds the indexes that are derived from the tables.
    mutating func reindex() {
        userIDsByEmail = ShardedMap()
        for user in users.rows { userIDsByEmail[user.email] = user.id }
    }

    /// A user by e-mail (trimmed, in any case) or id.
    func user(_ who: String) -> User? {
        users[who] ?? userIDsByEmail[who.trimmed.lowercased()].flatMap { users[$0] }
    }

    func user(email: String) -> User? { userIDsByEmail[email.trimmed.lowercased()].flatMap { users[$0] } }

    /// A new identifier: a prefix and 20 characters of a random stream of its own.
    ///
    /// It skips ids that the table has already, which happens only in an imported world.
    static func newID(_ prefix: String, _ core: inout WorldCore, isTaken: (String) -> Bool) -> String {
        core.randomness.unused("trafikskola.\(prefix)") { stream in
            prefix + "_" + stream.text(length: 20, from: idAlphabet)
        } isTaken: {
            isTaken($0)
        }
    }

    private static let idAlphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Lower-case hexadecimal digits of a random stream.
    static func hexDigits(_ count: Int, _ purpose: String, _ core: inout WorldCore) -> String {
        var stream = core.randomness.stream("trafikskola.\(purpose)")
        return stream.text(length: count, from: Array("0123456789abcdef".utf8))
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The length in code points.
    var length: Int { unicodeScalars.count }
}
