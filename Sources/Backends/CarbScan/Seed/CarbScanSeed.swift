package import Backend
import CivilTime
import Crypto
import JSON

extension CarbScanAPI {
    /// A user of the seed.
    fileprivate struct SeedUser: Codable {
        var id: String
        /// The Apple `sub`; nil for an account that was made on the web.
        var appleSub: String?
        var email: String?
        var firstName: String?
        var lastName: String?
        var tier: Tier
        var status: User.SubscriptionStatus?
        var tierEndsAt: Timestamp?
        var isTierFromStore: Bool?
        var profileImageUrl: String?
        var emailRemindersEnabled: Bool?
    }

    fileprivate struct SeedMeal: Codable {
        var id: Int
        var userId: String
        var name: String
        var carbEstimate: Int
        /// Hundredths.
        var confidence: Int
        var createdAt: Timestamp
    }

    /// A question; its answer is a function of the text.
    fileprivate struct SeedQuestion: Codable {
        var id: Int
        var userId: String
        var message: String
        var createdAt: Timestamp
    }

    fileprivate struct SeedUse: Codable {
        var userId: String
        var scansAtStartOfMonth: Int
        var chats: [Timestamp]
    }

    /// Reads the seed world (contract, section 13): one file per table.
    package static func readSeed(_ files: SeedFiles) throws(SeedError) -> CarbScanState {
        let users = try files.table("users.json", of: SeedUser.self)
        let meals = try files.table("meals.json", of: SeedMeal.self)
        let questions = try files.table("chat-messages.json", of: SeedQuestion.self, isOptional: true)
        let uses = try files.table("quota-uses.json", of: SeedUse.self, isOptional: true)
        let keys = try files.table("receipt-keys.json", of: ReceiptKey.self, isOptional: true)

        var check = SeedCheck(files: files)
        check.unique("users.json", "id", users.map(\.id))
        check.unique("users.json", "email", users.enumerated().map { $1.email?.lowercased() ?? "row \($0)" })
        check.unique("users.json", "appleSub", users.enumerated().map { $1.appleSub ?? "row \($0)" })
        check.unique("meals.json", "id", meals.map { "\($0.id)" })
        check.unique("chat-messages.json", "id", questions.map { "\($0.id)" })
        check.unique("quota-uses.json", "userId", uses.map(\.userId))
        check.unique("receipt-keys.json", "id", keys.map(\.id))
        let ids = Set(users.map(\.id))
        check.known("meals.json", "userId", meals.map(\.userId), among: ids, "user")
        check.known("chat-messages.json", "userId", questions.map(\.userId), among: ids, "user")
        check.known("quota-uses.json", "userId", uses.map(\.userId), among: ids, "user")
        func order(_ file: String, _ ids: [Int]) {
            for (row, id) in ids.enumerated() where id < 1 || id > 1_000_000_000 || row > 0 && id <= ids[row - 1] {
                check.fault(file, row, "id", "ids count up from 1, and each is larger than the one before")
            }
        }
        order("meals.json", meals.map(\.id))
        order("chat-messages.json", questions.map(\.id))
        for (row, meal) in meals.enumerated() {
            if !(0...1_000).contains(meal.carbEstimate) {
                check.fault("meals.json", row, "carbEstimate", "must be from 0 to 1000")
            }
            if !(0...100).contains(meal.confidence) {
                check.fault("meals.json", row, "confidence", "must be from 0 to 100 hundredths")
            }
        }
        for (row, use) in uses.enumerated() where !(0...1_000).contains(use.scansAtStartOfMonth) {
            check.fault("quota-uses.json", row, "scansAtStartOfMonth", "must be from 0 to 1000")
        }
        for (row, key) in keys.enumerated() where !key.isUsable {
            check.fault("receipt-keys.json", row, "x", "x and y must be a point of P-256 in base64url")
        }
        try check.finish()

        var state = CarbScanState()
        for user in users {
            state.insert(User(user))
            if let sub = user.appleSub { state.identities.insert(AppleIdentity(id: sub, userId: user.id)) }
        }
        state.meals = Table(meals.map { Meal($0) })
        state.chatMessages = Table(questions.map { ChatMessage($0) })
        state.quotas = Table(uses.map { QuotaLog(id: $0.userId, scans: [], chats: $0.chats) })
        state.monthlyUses = uses.map { MonthlyUse(userId: $0.userId, scans: $0.scansAtStartOfMonth) }
        state.receiptKeys = Table(keys)
        state.lastMeal = meals.last?.id ?? 0
        state.lastChatMessage = questions.last?.id ?? 0
        return state
    }
}

extension ReceiptKey {
    fileprivate var isUsable: Bool {
        guard let x = Base64URL.decode(x), let y = Base64URL.decode(y) else { return false }
        return ECPublicKey(x: x, y: y) != nil
    }
}

extension User {
    fileprivate init(_ seed: CarbScanAPI.SeedUser) {
        self.init(
            id: seed.id,
            email: seed.email,
            firstName: seed.firstName,
            lastName: seed.lastName,
            tier: seed.tier,
            standing: seed.status ?? .active,
            tierEndsAt: seed.tierEndsAt,
            isTierFromStore: seed.isTierFromStore ?? false,
            profileImageUrl: seed.profileImageUrl,
            emailRemindersEnabled: seed.emailRemindersEnabled ?? true
        )
    }
}

extension Meal {
    fileprivate init(_ seed: CarbScanAPI.SeedMeal) {
        self.init(
            id: "\(seed.id)",
            number: seed.id,
            userId: seed.userId,
            name: seed.name,
            carbEstimate: seed.carbEstimate,
            confidence: seed.confidence,
            createdAt: seed.createdAt,
            // The server's write has the time of the meal.
            stamp: seed.createdAt
        )
    }
}

extension ChatMessage {
    fileprivate init(_ seed: CarbScanAPI.SeedQuestion) {
        let answer = ChatAnswer(to: seed.message)
        self.init(
            id: "\(seed.id)",
            number: seed.id,
            userId: seed.userId,
            message: seed.message,
            response: answer.text,
            messageType: answer.kind,
            createdAt: seed.createdAt
        )
    }
}
