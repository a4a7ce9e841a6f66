import Backend
import CivilTime

/// The state of Sawaed in one world.
package struct SawaedState: Sendable {
    var users = Table<User>()
    var passwords = Table<PasswordAccount>()
    var codes = Table<OneTimeCode>()
    var budgets = Table<FailureBudget>()
    var sessions = Table<Session>()
    var refreshTokens = Table<RefreshToken>()
    var accessEnds = Table<AccessEnd>()
    /// Offline tokens that were used, and e-mails that have had their one failure.
    var marks = Table<Mark>()
    var counters = Table<CounterRow>()
    var onboardings = Table<Onboarding>()
    var regions = Table<Region>()
    var cities = Table<City>()
    var skills = Table<Topic>()
    var interests = Table<Topic>()
    var profiles = Table<Profile>()
    var education = Table<Education>()
    var experiences = Table<Experience>()
    var projects = Table<Project>()
    var awards = Table<Award>()
    var files = Table<StoredFile>()
    var uploadTokens = Table<UploadToken>()
    var aiConfigs = Table<AIConfig>()
    var aiSkills = Table<AISkill>()
    var assessments = Table<Assessment>()
    var learningPaths = Table<LearningPath>()
    var conversations = Table<Conversation>()
    var messages = Table<ChatMessage>()
    var chatSessions = Table<ChatSession>()
    var pendingReplies = Table<PendingReply>()
    var events = Table<Event>()
    var registrations = Table<Registration>()

    var windows = FixedWindows()
    var settings = SawaedSettings()

    // Derived from the tables by `reindex`, or from the world's seed by `adopt`.

    /// User ids by exact e-mail.
    var userIDsByEmail = ShardedMap<String>()
    /// Registration ids by user, in order of insertion.
    var registrationIDsByUser = ShardedMap<[String]>()
    var tokens = TokenIssuer(seed: 0, issuer: "", secret: [])
    /// The newest access tokens, which are kept nowhere else.
    var recentAccess = Table<RecentToken>()

    init() {}

    /// Rebuilds the indexes that are derived from the tables.
    mutating func reindex() {
        userIDsByEmail = ShardedMap()
        for user in users.rows { userIDsByEmail[user.email] = user.id }
        registrationIDsByUser = ShardedMap()
        for row in registrations.rows { note(row) }
    }

    // MARK: Identifiers

    /// A new id `<kind>_<four-digit counter>` (contract, section 2.9); skips ids that the seed or an import has taken.
    mutating func newID(_ kind: String, isTaken: (SawaedState, String) -> Bool) -> String {
        unused(kind) { state, number in
            let digits = String(number)
            let id = "\(kind)_\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
            return isTaken(state, id) ? nil : id
        }
    }

    /// Increments a counter until `make` accepts the number.
    ///
    /// The counter of an imported world may be behind its rows. After a thousand numbers that are taken the steps grow,
    /// so that a full table costs only a few tries.
    mutating func unused<Value>(_ line: String, _ make: (inout SawaedState, Int64) -> Value?) -> Value {
        var tries = 0
        var leap: Int64 = 0
        while true {
            if let value = make(&self, count(line)) { return value }
            tries += 1
            guard tries > 1_000 else { continue }
            leap = min(leap * 2 + 1, 1 << 20)
            counters.update(line) { $0.value = $0.value.addingClamped(leap) }
        }
    }

    /// Increments a counter and returns the new number.
    mutating func count(_ line: String) -> Int64 {
        let value = (counters[line]?.value ?? 0).addingClamped(1)
        counters.insert(CounterRow(id: line, value: value))
        return value
    }

    /// The random stream for the next draw for a purpose.
    mutating func chance(_ purpose: String, _ core: WorldCore) -> SeededStream {
        let purpose = "sawaed.\(purpose)"
        return Self.stream(purpose, count(purpose), core)
    }

    /// The result of the next draw for a purpose; skips results that are taken.
    mutating func chance(
        _ purpose: String,
        _ core: WorldCore,
        _ make: (inout SeededStream) -> String,
        isTaken: (SawaedState, String) -> Bool
    ) -> String {
        let purpose = "sawaed.\(purpose)"
        return unused(purpose) { state, number in
            var stream = Self.stream(purpose, number, core)
            let text = make(&stream)
            return isTaken(state, text) ? nil : text
        }
    }

    private static func stream(_ purpose: String, _ ordinal: Int64, _ core: WorldCore) -> SeededStream {
        SeededStream(
            seed: core.seed ^ core.randomness.salt,
            purpose: purpose,
            ordinal: UInt64(bitPattern: ordinal)
        )
    }

    // MARK: Users

    mutating func insert(_ user: User) {
        users.insert(user)
        userIDsByEmail[user.email] = user.id
    }

    func user(email: String) -> User? { userIDsByEmail[email].flatMap { users[$0] } }

    /// A user by id, or by e-mail in any case.
    func user(_ who: String) -> User? { users[who] ?? user(email: who) ?? user(email: who.lowercased()) }

    /// The user of an e-mail, created at the first request (contract, section 3.1).
    mutating func userMade(forEmail email: String, now: Instant) -> User {
        if let known = user(email: email) { return known }
        let user = User(
            id: newID("appuser") { $0.users.contains($1) },
            email: email,
            role: .youth,
            languagePreference: .ar,
            createdAt: .at(now)
        )
        insert(user)
        return user
    }

    /// The user's current role.
    func role(of user: User) -> User.Role {
        settings.accounts == .admin && user.role == .youth ? .admin : user.role
    }

    func isBlockedOrDeleted(_ user: User) -> Bool {
        user.isBlocked == true || user.isDeleted == true || (settings.accounts == .blocked && user.role == .youth)
    }

    // MARK: Registrations

    private mutating func note(_ row: Registration) {
        registrationIDsByUser.update(row.userId, default: []) { $0.append(row.id) }
    }

    mutating func insert(_ row: Registration) {
        if !registrations.contains(row.id) { note(row) }
        registrations.insert(row)
    }

    mutating func removeAllRegistrations() {
        registrations.replaceAll(with: [])
        registrationIDsByUser = ShardedMap()
    }

    /// A user's registrations in order of insertion.
    func registrations(of user: String) -> [Registration] {
        (registrationIDsByUser[user] ?? []).compactMap { registrations[$0] }
    }

    // MARK: Names of places

    func regionName(_ id: String?, _ fallback: String?, _ language: Language) -> String? {
        id.flatMap { regions[$0]?.name.text(language) } ?? fallback
    }

    func cityName(_ id: String?, _ fallback: String?, _ language: Language) -> String? {
        id.flatMap { cities[$0]?.name.text(language) } ?? fallback
    }

    func profile(of user: String) -> Profile? { profiles.rows(in: user).first }
}
