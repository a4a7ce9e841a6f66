import Backend
import CivilTime
import Crypto

/// The state of CarbScan in one world.
package struct CarbScanState: Sendable {
    var users = Table<User>()
    var identities = Table<AppleIdentity>()
    var meals = Table<Meal>()
    var marks = Table<SyncMark>()
    var badUploads = Table<BadUpload>()
    var chatMessages = Table<ChatMessage>()
    var quotas = Table<QuotaLog>()
    var devices = Table<Device>()
    var magicLinks = Table<MagicLink>()
    var browserCodes = Table<BrowserCode>()
    var endedSessions = Table<EndedSession>()
    var spentRefreshes = Table<SpentRefresh>()
    var holdingsEnds = Table<HoldingsEnd>()
    var endedCredentials = Table<EndedCredential>()
    var purchases = Table<Purchase>()
    var transactions = Table<StoredTransaction>()
    var receiptKeys = Table<ReceiptKey>()
    /// The usage in the month in which the world began, from the seed.
    var monthlyUses: [MonthlyUse] = []

    var settings = CarbScanSettings()
    /// The last numbers that were allocated.
    var lastMeal = 0
    var lastChatMessage = 0
    var lastToken = 0
    var lastEnd = 0
    /// The number of renewals of the token secret.
    var tokenGeneration = 0
    /// Tells whether the values that depend on the world's start have been computed.
    var isSettled = false

    /// Account ids by lower-case mail; derived from the accounts.
    var userIDsByEmail = ShardedMap<String>()
    /// Meal ids by account and local id; derived from the meals.
    var mealIDsByLocalID = ShardedMap<String>()
    /// Derived from the world's seed and `tokenGeneration`.
    var tokens = TokenIssuer(secret: [], issuer: "", identitySeed: 0)
    /// The newest tokens, which are kept nowhere else.
    var recentTokens = Table<RecentToken>()

    init() {}

    /// Rebuilds the indexes that are derived from the tables.
    mutating func reindex() {
        userIDsByEmail = ShardedMap()
        mealIDsByLocalID = ShardedMap()
        for user in users.rows { index(user) }
        for meal in meals.rows {
            if let localId = meal.localId { mealIDsByLocalID[Self.localKey(meal.userId, localId)] = meal.id }
        }
    }

    // MARK: Accounts

    private mutating func index(_ user: User) {
        if let mail = user.email { userIDsByEmail[mail.lowercased()] = user.id }
        if let mail = user.formerEmail?.lowercased(), userIDsByEmail[mail] == nil { userIDsByEmail[mail] = user.id }
    }

    mutating func insert(_ user: User) {
        users.insert(user)
        index(user)
    }

    /// Changes an account, including its e-mail address.
    mutating func updateUser(_ id: String, _ change: (inout User) -> Void) {
        guard var user = users[id] else { return }
        for mail in [user.email, user.formerEmail] {
            if let key = mail?.lowercased(), userIDsByEmail[key] == id { userIDsByEmail[key] = nil }
        }
        change(&user)
        insert(user)
    }

    /// The account of an e-mail address, in any case.
    func user(mail: String) -> User? { userIDsByEmail[mail.lowercased()].flatMap { users[$0] } }

    /// An account by e-mail address or id.
    func user(_ who: String) -> User? { users[who] ?? user(mail: who) }

    // MARK: The world's start

    /// Computes the values that the seed leaves to the clock at the world's start (contract, section 13).
    ///
    /// Done at the first use of the world, so that making or resetting one touches no row.
    mutating func settle(_ epoch: Epoch) {
        guard !isSettled else { return }
        isSettled = true
        for meal in meals.rows.reversed() {
            let isOfFirstDay = meal.createdAt.resolved(in: epoch) >= epoch.d0
            if case .sinceD0 = meal.createdAt, isOfFirstDay, meal.createdAt.resolved(in: epoch) > epoch.t0 {
                meals.remove(meal.id)
            }
        }
        lastMeal = max(lastMeal, meals.rows.map(\.number).max() ?? 0)
        for message in chatMessages.rows {
            guard case .sinceD0 = message.createdAt, message.createdAt.resolved(in: epoch) > epoch.t0 else { continue }
            chatMessages.update(message.id) { $0.createdAt = .sinceD0(.zero) }
        }
        for log in quotas.rows {
            quotas.update(log.id) { row in
                row.chats = row.chats.map { $0.resolved(in: epoch) > epoch.t0 ? .sinceD0(.zero) : $0 }
            }
        }
        let date = epoch.d0.civilDate
        guard let first = CivilDate(year: date.year, month: date.month, day: 1) else { return }
        for use in monthlyUses {
            let scans = Array(repeating: Timestamp.at(Instant(startOf: first)), count: use.scans)
            editQuota(of: use.userId) { $0.scans += scans }
        }
    }

    // MARK: Meals

    /// The key of an account and a local id; the length comes first, so that no two pairs have the same key.
    static func localKey(_ userId: String, _ localId: String) -> String { "\(userId.utf8.count):\(userId)\(localId)" }

    func meal(localId: String, of userId: String) -> Meal? {
        mealIDsByLocalID[Self.localKey(userId, localId)].flatMap { meals[$0] }
    }

    /// The account's current mark; nil if it has never had a meal nor synced.
    func mark(of userId: String, epoch: Epoch) -> Instant? {
        marks[userId]?.mark.resolved(in: epoch) ?? meals.rows(in: userId).map { $0.stamp.resolved(in: epoch) }.max()
    }

    /// Raises the account's mark to at least that instant, and returns it.
    @discardableResult
    mutating func raiseMark(of userId: String, to now: Instant, epoch: Epoch) -> Timestamp {
        let least = now.flooredToMillisecond
        let mark = Timestamp.at(max(self.mark(of: userId, epoch: epoch) ?? least, least))
        marks.insert(SyncMark(id: userId, mark: mark))
        return mark
    }

    /// The mark for a meal that is written now: one that no sync has returned yet.
    mutating func nextMark(of userId: String, now: Instant, epoch: Epoch) -> Timestamp {
        let least = mark(of: userId, epoch: epoch).map { $0 + .milliseconds(1) } ?? now.flooredToMillisecond
        let next = Timestamp.at(max(least, now.flooredToMillisecond))
        marks.insert(SyncMark(id: userId, mark: next))
        return next
    }

    /// Stores a new meal.
    @discardableResult
    mutating func addMeal(
        of userId: String,
        name: String,
        carbEstimate: Int,
        confidence: Int,
        createdAt: Instant,
        localId: String? = nil,
        now: Instant,
        epoch: Epoch
    ) -> Meal {
        lastMeal += 1
        let meal = Meal(
            id: "\(lastMeal)",
            number: lastMeal,
            userId: userId,
            name: name,
            carbEstimate: carbEstimate,
            confidence: confidence,
            createdAt: .at(createdAt.flooredToMillisecond),
            stamp: nextMark(of: userId, now: now, epoch: epoch),
            localId: localId
        )
        meals.insert(meal)
        if let localId { mealIDsByLocalID[Self.localKey(userId, localId)] = meal.id }
        return meal
    }

    /// Removes a meal.
    mutating func removeMeal(_ id: String) {
        guard let meal = meals.remove(id), let localId = meal.localId else { return }
        mealIDsByLocalID[Self.localKey(meal.userId, localId)] = nil
    }

    // MARK: Use

    mutating func editQuota(of userId: String, _ change: (inout QuotaLog) -> Void) {
        if !quotas.contains(userId) { quotas.insert(QuotaLog(id: userId, scans: [], chats: [])) }
        quotas.update(userId, change)
    }
}

/// The usage of an account at the start of the month in which the world began, from the seed.
struct MonthlyUse: Codable, Equatable, Sendable {
    var userId: String
    var scans: Int
}

extension Instant {
    /// The instant in whole milliseconds.
    ///
    /// Every stored instant is one of these, so that marks compare as they print.
    var flooredToMillisecond: Instant { Instant(microseconds: milliseconds * 1_000) }
}
