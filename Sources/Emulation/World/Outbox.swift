package import CivilTime
package import JSON

/// What the emulated backends would have sent by mail or push (control contract, section 12).
package struct Outbox: Sendable {
    package struct Message: Sendable {
        package enum Kind: String, Sendable {
            case otp
            case magicLink = "magic-link"
            case push
        }

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

    /// The most messages that are kept; the oldest go first.
    package static let capacity = 10_000

    /// Oldest first.
    package private(set) var messages: [Message] = []

    package init() {}

    package mutating func post(_ message: Message) {
        messages.append(message)
        if messages.count > Self.capacity { messages.removeFirst(messages.count - Self.capacity) }
    }

    package mutating func removeAll(api: String) { messages.removeAll { $0.api == api } }
}
