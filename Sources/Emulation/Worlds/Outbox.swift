package import CivilTime
package import JSON

/// What the emulated backends would have sent by mail or push (control contract, section 12).
package struct Outbox: Sendable {
    package struct Message: Row, Codable {
        package enum Kind: String, Codable, CaseIterable, Sendable {
            case otp
            case magicLink = "magic-link"
            case push
        }

        /// The number of the message, counted from 1; given when it is posted.
        package fileprivate(set) var id = ""
        package var to: String
        package var kind: Kind
        package var api: String
        package var code: String?
        package var token: String?
        package var url: String?
        package var at: Instant
        package var expiresAt: Instant?
        /// What a push shows, and what it carries for the app.
        package var title: String?
        package var body: String?
        package var data: JSONObject?

        /// An API's messages are found without looking at those of others.
        package var group: String { api }

        package init(
            to: String,
            kind: Kind,
            api: String,
            code: String? = nil,
            token: String? = nil,
            url: String? = nil,
            at: Instant,
            expiresAt: Instant? = nil
        ) {
            self.to = to
            self.kind = kind
            self.api = api
            self.code = code
            self.token = token
            self.url = url
            self.at = at
            self.expiresAt = expiresAt
        }
    }

    /// The most messages that are kept unless somebody says otherwise.
    package static let usualCapacity = 10_000

    /// The most messages that are kept; the oldest go first.
    package let capacity: Int

    private(set) var rows = Table<Message>()
    /// How many were ever posted.
    private(set) var posted: UInt64 = 0
    /// The oldest number that may be present.
    private var oldest: UInt64 = 1

    package init(capacity: Int = Outbox.usualCapacity) { self.capacity = capacity }

    /// Those messages, oldest first; of too many the newest.
    init(_ rows: Table<Message>, posted: UInt64, capacity: Int) {
        self.capacity = capacity
        self.rows = rows
        self.posted = posted
        oldest = rows.rows.first.flatMap { UInt64($0.id) } ?? posted + 1
        trim()
    }

    /// How many messages are kept now.
    package var count: Int { rows.count }

    /// Oldest first.
    package var messages: [Message] { rows.rows }

    /// Begins to note changes.
    mutating func track() { rows.changes = RowChanges() }

    var hasChanged: Bool { rows.changes?.isEmpty != true }

    mutating func untrack() { rows.changes = nil }

    mutating func takeChanges() -> Table<Message>.Noted { rows.takeNoted() }

    package mutating func post(_ message: Message) {
        posted += 1
        var message = message
        message.id = "\(posted)"
        rows.insert(message)
        trim()
    }

    private mutating func trim() {
        while rows.count > capacity, oldest < posted {
            rows.remove("\(oldest)")
            oldest += 1
        }
    }

    /// Posts what was posted to a copy since it was taken.
    mutating func adopt(_ copy: Outbox, since start: Outbox) {
        guard copy.posted > start.posted else { return }
        for number in start.posted + 1...copy.posted {
            if let message = copy.rows["\(number)"] { post(message) }
        }
    }

    package mutating func removeAll(api: String) {
        // The newest first: each then is the last of its group.
        for message in rows.rows(in: api).reversed() { rows.remove(message.id) }
    }
}
