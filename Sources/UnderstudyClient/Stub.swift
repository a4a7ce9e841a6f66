/// A response that a test defines in place of the backend's own (own-API contract, section 7).
///
/// Add one with `World.add(_:)`, or with the shorthand `World.stub(_:_:)`.
///
///     let offers = Match(.omnichat, "GET", "/offers/{id}")
///     try await world.add(Stub(offers, .init(body: ["id": "{{path.id}}"]), .init(410), after: .cycle))
public struct Stub: Sendable, Encodable {
    /// One answer.
    public struct Response: Sendable, Encodable {
        /// An event of a stream, or lines between two events.
        public struct Event: Sendable, Encodable {
            /// The type of the event.
            public var event: String?
            /// The id of the event.
            public var id: String?
            /// The data: a text, or any JSON; nil for a comment or a reconnection time alone.
            public var data: JSONValue?
            /// The wait after the event before it.
            public var afterMs: Int?
            /// The milliseconds after which the client connects again.
            public var retry: Int?
            /// A comment, which clients skip.
            public var comment: String?

            /// Creates an event.
            ///
            ///     let done = Stub.Response.Event(["state": "done"], event: "status", afterMs: 50)
            public init(
                _ data: JSONValue,
                event: String? = nil,
                id: String? = nil,
                afterMs: Int? = nil,
                retry: Int? = nil,
                comment: String? = nil
            ) {
                self.data = data
                self.event = event
                self.id = id
                self.afterMs = afterMs
                self.retry = retry
                self.comment = comment
            }

            /// Creates a comment, such as one that keeps the connection alive.
            ///
            ///     let alive = Stub.Response.Event(comment: "still here", afterMs: 15_000)
            public init(comment: String, afterMs: Int? = nil) {
                self.comment = comment
                self.afterMs = afterMs
            }

            /// Creates a reconnection time in milliseconds.
            ///
            ///     let soon = Stub.Response.Event(retry: 100)
            public init(retry: Int, afterMs: Int? = nil) {
                self.retry = retry
                self.afterMs = afterMs
            }
        }

        /// The end of the lines of a stream.
        public enum LineEnd: String, Sendable, Encodable {
            case lf
            case crlf
            case cr
        }

        /// The status, from 200 to 599; 200 if nil.
        public var status: Int?
        /// The header fields.
        public var headers: [String: String]?
        /// The content as JSON.
        public var body: JSONValue?
        /// The content as text.
        public var text: String?
        /// The content in Base64.
        public var base64: String?
        /// The content as a file below the API's folder `files`.
        public var file: String?
        /// The content as a stream of events.
        public var events: [Event]?
        /// The end of the lines of `events`; `lf` if nil.
        public var lineEnd: LineEnd?
        /// True for a byte order mark before `events`.
        public var bom: Bool?
        /// False if a request with `Last-Event-ID` gets all of `events` again.
        public var resume: Bool?
        /// The wait before the first byte.
        public var delay: Latency.Delay?
        /// False if `{{` in the texts is not to be read as a placeholder.
        public var template: Bool?

        /// Creates an answer with JSON as content, or without content.
        ///
        ///     let gone = Stub.Response(410, headers: ["X-Reason": "sold"], body: ["code": "gone"])
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
        ///
        ///     let page = Stub.Response(503, headers: ["Content-Type": "text/html"], text: "<h1>Back soon</h1>")
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

        /// Creates an answer that is a stream of events.
        ///
        ///     let stream = Stub.Response(events: [.init("one"), .init("two", afterMs: 100)])
        public init(
            _ status: Int? = nil,
            headers: [String: String]? = nil,
            events: [Event],
            delay: Latency.Delay? = nil,
            template: Bool? = nil
        ) {
            self.init(status, headers: headers, body: nil, delay: delay, template: template)
            self.events = events
        }
    }

    /// The behavior of a stub whose answers are used up.
    public enum Ending: String, Sendable, Codable {
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
    /// The values that states of the API must have for the stub to answer.
    public var requires: [String: String]?
    /// The condition for an answer; every match gets one if nil.
    public var when: Fault.When?
    /// The answers: each request gets the next one.
    public var responses: [Response]
    /// The behavior when they are used up; the last one again if nil.
    public var after: Ending?
    /// The values that states of the API get with an answer.
    public var sets: [String: String]?
    /// True for a stub that asks for no token.
    public var open: Bool?
    /// False for a stub that is passed over until it is switched on.
    public var enabled: Bool?
    /// The place among the stubs, from 1; in front of all others if nil.
    public var position: Int?

    /// Creates a stub from the requests that it answers and its answers.
    ///
    ///     let maintenance = Stub(Match(.trendy), .init(503), when: Fault.When(times: 2), name: "maintenance")
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
    /// The name for people.
    public var name: String?
    /// The requests that the stub answers.
    public var match: Match?
    /// The states that must hold, with their values.
    public var requires: [String: String]?
    /// The condition for a hit.
    public var when: Fault.When?
    /// The only response, as it was written.
    public var response: JSONValue?
    /// The responses in their order, as they were written.
    public var responses: [JSONValue]?
    /// `repeat`, `cycle` or `pass`: what follows the last response.
    public var after: String?
    /// The states that a hit sets, with their values.
    public var sets: [String: String]?
    /// Tells whether it answers requests without a valid credential.
    public var open: Bool?
    /// The number of requests that the stub has answered.
    public var hits: Int
    /// False while the stub is passed over.
    public var enabled: Bool
    /// The origin: `call`, `file:…` or `scenario:…`.
    public var source: String
}
