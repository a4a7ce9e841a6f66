import Backend
import CivilTime
import JSON

/// The state of Trendy in one world.
package struct TrendyState: Sendable {
    /// The part of the seed that depends on the weekday on which a world begins; it has the coffees of weekdays.
    struct Variant: Sendable {
        var events = Table<Event>()
        var changes = Table<Change>()
        var lastChange: Int64 = 0
    }

    var accounts = Table<Account>()
    var sessions = Table<Session>()
    var refreshTokens = Table<RefreshToken>()
    var issuedAccess = Table<IssuedAccess>()
    var onboarding = Table<OnboardingRecord>()
    var eventTypes = Table<EventType>()
    var events = Table<Event>()
    var propertyDefinitions = Table<PropertyDefinition>()
    var geofences = Table<Geofence>()
    var changes = Table<Change>()
    /// The last number of the change log.
    var lastChange: Int64 = 0
    var insights = Table<Insight>()
    var profiles = Table<Profile>()
    var storedAnswers = Table<StoredAnswer>()

    var knocks = Limiter()
    /// The time until which a scenario makes the limiters refuse all requests.
    var closedUntil: Timestamp?
    /// Supabase's own limits, if they are enabled (D28).
    var signIns = FixedWindows()
    var refreshes = FixedWindows()
    var settings = TrendySettings()
    var tokens = TokenIssuer(secret: [], issuer: "", keySeed: 0)

    /// One variant for each weekday from Monday on; empty once a world has taken its own.
    var variants: [Variant] = []
    /// The seed's accounts, at most 64, for which the command line can make refresh tokens.
    var seedAccounts: [String] = []
    /// Account ids by e-mail in lower case.
    private var accountIDsByEmail = ShardedMap<String>()

    init() {}

    /// Rebuilds the indexes that are derived from the tables.
    ///
    /// Loaded tables have their own rows, so the world must not take over the seed's variant.
    mutating func reindex() {
        variants = []
        accountIDsByEmail = ShardedMap()
        for account in accounts.rows { accountIDsByEmail[account.email] = account.id }
    }

    mutating func insert(_ account: Account) {
        accounts.insert(account)
        accountIDsByEmail[account.email] = account.id
    }

    /// Stores an account in place of its former self, also under another address.
    mutating func replace(_ former: Account, with account: Account) {
        if former.email != account.email { accountIDsByEmail[former.email] = nil }
        insert(account)
    }

    /// The account of an address in any case (section 9.1).
    func account(email: String) -> Account? { accountIDsByEmail[email.lowercased()].flatMap { accounts[$0] } }

    /// An account by id or address.
    func account(_ who: String) -> Account? { accounts[who.lowercased()] ?? account(email: who) }

    // MARK: What belongs to a user

    func eventType(_ id: String, of user: String) -> EventType? { eventTypes[OwnedKey.text(user, id.lowercased())] }

    func event(_ id: String, of user: String) -> Event? { events[OwnedKey.text(user, id.lowercased())] }

    func geofence(_ id: String, of user: String) -> Geofence? { geofences[OwnedKey.text(user, id.lowercased())] }

    func propertyDefinition(_ id: String, of user: String) -> PropertyDefinition? {
        propertyDefinitions[OwnedKey.text(user, id.lowercased())]
    }

    // MARK: The change log (section 10.3)

    /// The subject of an entry of the change log.
    enum Entity {
        case event(Event)
        case eventType(EventType)
        case geofence(Geofence)
        case propertyDefinition(PropertyDefinition)
    }

    /// Appends an entry to the log.
    mutating func log(_ operation: Change.Operation, _ entity: Entity, at time: Timestamp) {
        lastChange = lastChange.addingClamped(1)
        changes.insert(Self.change(lastChange, operation, entity, at: time))
    }

    static func change(_ number: Int64, _ operation: Change.Operation, _ entity: Entity, at time: Timestamp) -> Change {
        let (kind, owner, id): (Change.Kind, String, String) =
            switch entity {
            case .event(let row): (.event, row.userId, row.uuid)
            case .eventType(let row): (.eventType, row.userId, row.uuid)
            case .geofence(let row): (.geofence, row.userId, row.uuid)
            case .propertyDefinition(let row): (.propertyDefinition, row.userId, row.uuid)
            }
        var change = Change(
            number: number,
            userId: owner,
            kind: kind,
            operation: operation,
            entityId: id,
            createdAt: time
        )
        guard operation != .delete else { return change }
        switch entity {
        case .event(let row): change.event = row
        case .eventType(let row): change.eventType = row
        case .geofence(let row): change.geofence = row
        case .propertyDefinition(let row): change.propertyDefinition = row
        }
        return change
    }

    /// The number of a user's last change; 0 if there is none.
    func latestCursor(of user: String) -> Int64 {
        changes.places(in: user).last.flatMap { changes.read($0, \.number) } ?? 0
    }
}
