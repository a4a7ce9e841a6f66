package import CivilTime
package import JSON

/// The messages that the emulated backends would have sent by mail or push (control contract, section 12).
package struct Outbox: Sendable {
    package struct Message: Row, Codable {
        package enum Kind: String, Codable, CaseIterable, Sendable {
            case otp
            case magicLink = "magic-link"
            case push
        }

        /// The number of the message, counted from 1 and assigned when it is posted.
        package fileprivate(set) var id = ""
        package var to: String
        package var kind: Kind
        package var api: String
        package var code: String?
        package var token: String?
        package var url: String?
        package var at: Instant
        package var expiresAt: Instant?
        /// The title of a push, and its data for the app.
        package var title: String?
        package var body: String?
        package var data: JSONObject?

        /// The group by which an API's messages are found without reading those of others.
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

    /// The default number of messages that are kept.
    package static let usualCapacity = 10_000

    /// The maximum number of messages; the oldest are dropped first.
    package let capacity: Int

    package private(set) var rows = Table<Message>()
    /// The number of messages ever posted.
    package private(set) var posted: UInt64 = 0
    /// The number of messages that were told of.
    private var told: UInt64 = 0
    /// The lowest number that may be present.
    private var oldest: UInt64 = 1

    package init(capacity: Int = Outbox.usualCapacity) { self.capacity = capacity }

    /// Restores messages, oldest first; of too many the newest are kept.
    package init(_ rows: Table<Message>, posted: UInt64, capacity: Int) {
        self.capacity = capacity
        self.rows = rows
        self.posted = posted
        told = posted
        oldest = rows.rows.first.flatMap { UInt64($0.id) } ?? posted + 1
        trim()
    }

    /// The number of messages that are kept now.
    package var count: Int { rows.count }

    /// The messages, oldest first.
    package var messages: [Message] { rows.rows }

    /// Begins to track changes.
    mutating func track() { rows.changes = RowChanges() }

    package var hasChanged: Bool { rows.changes?.isEmpty != true }

    package mutating func untrack() { rows.changes = nil }

    package mutating func takeChanges() -> Table<Message>.Noted { rows.takeNoted() }

    package mutating func post(_ message: Message) {
        posted += 1
        var message = message
        message.id = "\(posted)"
        rows.insert(message)
        trim()
    }

    /// Tells whether messages were posted since the last `takeNews`.
    package var hasNews: Bool { told != posted }

    /// Returns the messages that were posted since the last call, oldest first.
    package mutating func takeNews() -> [Message] {
        defer { told = posted }
        guard told < posted else { return [] }
        return (told + 1...posted).compactMap { rows["\($0)"] }
    }

    private mutating func trim() {
        while rows.count > capacity, oldest < posted {
            rows.remove("\(oldest)")
            oldest += 1
        }
    }

    /// Posts the messages that were posted to a copy since it was made.
    package mutating func adopt(_ copy: Outbox, since start: Outbox) {
        guard copy.posted > start.posted else { return }
        for number in start.posted + 1...copy.posted {
            if let message = copy.rows["\(number)"] { post(message) }
        }
    }

    package mutating func removeAll(api: String) {
        // Newest first, because each is then the last of its group.
        for message in rows.rows(in: api).reversed() { rows.remove(message.id) }
    }
}

extension Outbox.Message {
    /// The form that lists show.
    package var json: JSON {
        var object: JSONObject = [
            "to": .string(to), "kind": .string(kind.rawValue), "api": .string(api),
        ]
        if let code = code { object.append("code", .string(code)) }
        if let token = token { object.append("token", .string(token)) }
        if let url = url { object.append("url", .string(url)) }
        if let title = title { object.append("title", .string(title)) }
        if let body = body { object.append("body", .string(body)) }
        if let data = data { object.append("data", .object(data)) }
        object.append("at", .string(at.iso8601(.milliseconds)))
        if let end = expiresAt { object.append("expiresAt", .string(end.iso8601(.milliseconds))) }
        return .object(object)
    }
}
