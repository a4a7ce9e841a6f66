package import CivilTime

/// The users of one API in a world, what they hold, and what ends there on the world's clock (console contract, sections
/// 4 and 5).
///
/// It is made when it is asked for, from the rows of the state.
package struct Ledger: Sendable {
    package struct User: Sendable {
        package let id: String
        package let email: String?
        package let name: String?

        package init(id: String, email: String?, name: String? = nil) {
            self.id = id
            self.email = email
            self.name = name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        }
    }

    /// A session that is good now.
    package struct Session: Sendable {
        package let id: String
        /// The id of its user.
        package let user: String

        package init(id: String, user: String) {
            self.id = id
            self.user = user
        }
    }

    /// A token that is good now.
    package struct Holding: Sendable {
        package enum Kind: Sendable { case access, refresh }

        package let kind: Kind
        package let id: String
        /// The id of its user.
        package let user: String
        /// The end of its life; nil where it has none.
        package let end: Instant?
        /// The second in which it was issued, for a token that its API keeps nowhere.
        package let noted: Int64?

        package init(_ kind: Kind, id: String, of user: String, until end: Instant?, noted: Int64? = nil) {
            self.kind = kind
            self.id = id
            self.user = user
            self.end = end
            self.noted = noted
        }
    }

    /// Something else that ends.
    package struct Due: Sendable {
        package let kind: UpcomingItem.Kind
        package let at: Instant
        /// The credential that ends, if it is good in the world alone that issued it.
        package let id: String?
        /// The id or the e-mail of a user.
        package let user: String?
        /// A sentence; a user's label stands in the place of `%`.
        package let what: String

        package init(_ kind: UpcomingItem.Kind, at: Instant, id: String? = nil, user: String? = nil, _ what: String) {
            self.kind = kind
            self.at = at
            self.id = id
            self.user = user
            self.what = what
        }
    }

    /// The users in the order of their table.
    package var users: [User] = []
    package var sessions: [Session] = []
    package var holdings: [Holding] = []
    package var dues: [Due] = []

    package init() {}

    /// Adds a token, if it is good now.
    package mutating func add(
        _ kind: Holding.Kind,
        id: String,
        of user: String,
        until end: Instant?,
        noted: Int64? = nil,
        now: Instant
    ) {
        guard end.map({ $0 > now }) ?? true else { return }
        holdings.append(Holding(kind, id: id, of: user, until: end, noted: noted))
    }

    /// Adds something that ends after now.
    package mutating func add(
        _ kind: UpcomingItem.Kind,
        at end: Instant,
        id: String? = nil,
        user: String? = nil,
        _ what: String,
        now: Instant
    ) {
        guard end > now else { return }
        dues.append(Due(kind, at: end, id: id, user: user, what))
    }

    /// Adds windows of a rate limit that have been used; `more` is the time from the end that they note to their own.
    package mutating func add(_ windows: FixedWindows, _ what: String, plus more: Interval = .zero, now: Instant) {
        for line in windows.lines where line.used > 0 { add(.rateLimit, at: line.end + more, what, now: now) }
    }
}

/// Something that comes due on a world's clock (console contract, section 4).
package struct UpcomingItem: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case access, refresh, otp
        case magicLink = "magic-link"
        case qr
        case coolDown = "cool-down"
        case rateLimit = "rate-limit"
        case quota, answer
        case faultFrom = "fault-from"
        case faultUntil = "fault-until"
    }

    package var at: Instant
    package var kind: Kind
    package var api: String?
    package var user: String?
    package var what: String
    /// The journal key of a request.
    package var request: String?
    /// The id of a fault.
    package var fault: String?

    package init(
        at: Instant,
        kind: Kind,
        api: String? = nil,
        user: String? = nil,
        what: String,
        request: String? = nil,
        fault: String? = nil
    ) {
        self.at = at
        self.kind = kind
        self.api = api
        self.user = user
        self.what = what
        self.request = request
        self.fault = fault
    }
}

/// A token that its API keeps nowhere else: a row of the world, so that a restart and an import know it too.
package struct RecentToken: Row, Codable, Sendable {
    /// The id of the token among those of its API.
    package var id: String
    package var user: String
    package var session: String
    package var isAccess: Bool
    /// Seconds since 1970.
    package var issuedAt: Int64
    package var expiresAt: Int64

    package var group: String { user }

    package init(
        id: String,
        user: String,
        session: String,
        isAccess: Bool,
        issuedAt: Int64,
        expiresAt: Int64
    ) {
        self.id = id
        self.user = user
        self.session = session
        self.isAccess = isAccess
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// The ranges of its numbers in a stored world.
    package static let ranges: StoredRanges = ["issuedAt": .shown, "expiresAt": .shown]
    /// The number of tokens that are kept.
    package static let most = 10_000
    /// The number of tokens that are dropped at once, since finding the oldest looks at all.
    private static let surplus = 512

    /// Notes a token; the oldest go first.
    package static func note(_ token: RecentToken, in table: inout Table<RecentToken>) {
        // Numbers beyond this are no instants (control contract, section 4).
        var token = token
        token.issuedAt = min(max(token.issuedAt, -(1 << 53)), 1 << 53)
        token.expiresAt = min(max(token.expiresAt, -(1 << 53)), 1 << 53)
        table.insert(token)
        guard table.count >= most + surplus else { return }
        for row in table.rows.prefix(table.count - most) { table.remove(row.id) }
    }

    /// Returns the newest tokens, oldest first.
    package static func newest(in table: Table<RecentToken>) -> ArraySlice<RecentToken> { table.rows.suffix(most) }
}
