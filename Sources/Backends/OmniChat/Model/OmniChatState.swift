import Backend
import CivilTime
import Crypto

/// The state of OmniChat in one world.
package struct OmniChatState: Sendable {
    var users = Table<User>()
    /// User ids by exact e-mail.
    var userIDsByEmail = ShardedMap<String>()
    var plans = Table<Plan>()
    var identities = Table<AppleIdentity>()
    var rememberedTokens = Table<RememberedToken>()
    var conversations = Table<Conversation>()
    var messages = Table<Message>()
    var attachments = Table<Attachment>()
    var files = Table<StoredFile>()
    var refreshSessions = Table<RefreshSession>()
    var issuedAccess = Table<IssuedAccess>()
    var usedOfflineTokens = Table<OfflineToken>()
    var usage = Table<UsageDay>()
    var transactions = Table<Transaction>()
    var models = Table<Model>()

    var windows = FixedWindows()
    var uploadWindows = FixedWindows()
    var settings = OmniChatSettings()
    var lists = ConversationLists()
    var tokens = TokenIssuer(secret: [], issuer: "", identitySeed: 0)

    init() {}

    mutating func insert(_ user: User) {
        users.insert(user)
        userIDsByEmail[user.email] = user.id
    }

    /// A user by e-mail or id.
    func user(_ who: String) -> User? {
        users[who] ?? (userIDsByEmail[who] ?? userIDsByEmail[who.lowercased()]).flatMap { users[$0] }
    }

    /// The messages of a conversation by time, then by insertion (D28).
    func sortedMessages(of conversation: String, epoch: Epoch) -> [Message] {
        let rows = messages.rows(in: conversation)
        let times = rows.map { $0.createdAt.resolved(in: epoch) }
        // The usual case: the clock has only moved forward.
        if zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) { return rows }
        return rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { rows[$0] }
    }

    /// The newest message of a conversation: the latest, or the last inserted of equal ones (section 5.1).
    func lastMessage(of conversation: String, epoch: Epoch) -> Message? {
        var newest: (place: Int, time: Instant)?
        for place in messages.places(in: conversation) {
            guard let time = messages.read(place, { $0.createdAt.resolved(in: epoch) }) else { continue }
            if let former = newest, former.time > time { continue }
            newest = (place, time)
        }
        return newest.flatMap { messages[place: $0.place] }
    }
}
