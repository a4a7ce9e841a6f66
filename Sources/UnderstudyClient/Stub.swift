/// An answer that a test writes out, in place of what the backend would say (own-API contract, section 7).
///
/// Add one with `World.add(_:)`, or with the shorthand `World.stub(_:_:)`.
public struct Stub: Sendable, Encodable {
    /// One answer.
    public struct Response: Sendable, Encodable {
        /// The status, from 200 to 599; 200 if nil.
        public var status: Int?
        /// The header fields.
        public var headers: [String: String]?
        /// The content as JSON.
        public var body: JSONValue?
        /// The content as text.
        public var text: String?
        /// The wait before the first byte.
        public var delay: Latency.Delay?
        /// False if `{{` in the texts is not to be read as a placeholder.
        public var template: Bool?

        /// Creates an answer with JSON as content, or without content.
        public init(
            _ status: Int? = nil,
            headers: [String: String]? = nil,
            body: JSONValue? = nil,
            delay: Latency.Delay? = nil,
            template: Bool? = nil
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.delay = delay
            self.template = template
        }

        /// Creates an answer with text as content.
        public init(
            _ status: Int? = nil,
            headers: [String: String]? = nil,
            text: String,
            delay: Latency.Delay? = nil,
            template: Bool? = nil
        ) {
            self.init(status, headers: headers, body: nil, delay: delay, template: template)
            self.text = text
        }
    }

    /// The behavior of a stub whose answers are used up.
    public enum Ending: String, Sendable, Encodable {
        /// The last answer again.
        case `repeat`
        /// All of them again.
        case cycle
        /// The stub no longer acts.
        case pass
    }

    /// A name for people.
    public var name: String?
    /// The requests that the stub answers; their backend has to be named.
    public var match: Match
    /// The condition for an answer; every match gets one if nil.
    public var when: Fault.When?
    /// The answers: each request gets the next one.
    public var responses: [Response]
    /// The behavior when they are used up; the last one again if nil.
    public var after: Ending?
    /// False for a stub that is passed over until it is switched on.
    public var enabled: Bool?
    /// The place among the stubs, from 1; in front of all others if nil.
    public var position: Int?

    /// Creates a stub from the requests that it answers and its answers.
    public init(
        _ match: Match,
        _ responses: Response...,
        after: Ending? = nil,
        when: Fault.When? = nil,
        name: String? = nil
    ) {
        self.match = match
        self.responses = responses
        self.after = after
        self.when = when
        self.name = name
    }
}

extension Latency.Delay: Encodable {
    /// Writes the delay as the control API takes it.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// A stub that was added to a world.
public struct ActiveStub: Sendable, Decodable {
    /// The id, such as `stb_1`.
    public var id: String
    /// The number of requests that the stub has answered.
    public var hits: Int
    /// False while the stub is passed over.
    public var enabled: Bool
    /// The origin: `call`, `file:…` or `scenario:…`.
    public var source: String
}
