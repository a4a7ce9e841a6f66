extension World {
    /// An exchange as the server saw it (control contract, section 11; console contract, section 2).
    public struct Exchange: Sendable, Decodable {
        /// The journal's key, which the client got as `X-Request-Id`.
        public var id: String
        /// The sequence number within the world.
        public var seq: Int
        /// The time of the world's clock.
        public var at: String
        /// The time of the machine's clock.
        public var wallAt: String
        /// The machine's time of the first byte of the request.
        public var startedAt: String?
        /// The machine's time of the last byte of the response; nil while the exchange is under way.
        public var endedAt: String?
        /// The client's address and port.
        public var peer: String?
        /// The number of the connection, the same for all of its requests.
        public var connection: Int?
        /// The world that handled it.
        public var world: String
        /// The backend.
        public var api: String
        /// The template of the matched route; nil for none.
        public var route: String?
        /// The e-mail address or id of the user behind the credential.
        public var user: String?
        /// The method.
        public var method: String
        /// The API's own path.
        public var path: String
        /// The path as it was sent; nil where that is `path`.
        public var pathSent: String?
        /// The raw query.
        public var query: String
        /// The request's header fields, names and values as received.
        public var headers: [[String]]
        /// The body that the client sent.
        public var body: Content
        /// The status of the response.
        public var status: Int
        /// The response's header fields, names and values as sent.
        public var responseHeaders: [[String]]
        /// The body of the response.
        public var responseBody: Content
        /// The timings in milliseconds of real time.
        public var timings: Timings
        /// The fault that acted, with its `id`, `name`, `phase` and `effect`.
        public var fault: JSONValue?
        /// The decision on every fault that the request matched.
        public var decisions: [JSONValue]?
        /// The scenario that was on at the time.
        public var scenario: String?
        /// The gate that held it, also after its release.
        public var gate: String?
        /// The key of the exchange that it repeats.
        public var replayOf: String?
        /// The origin of the response: `stub`, `auth`, `resource`, `recording`, `openapi`, `emulated` or `upstream`.
        public var source: String?
        /// The stub that answered.
        public var stub: String?
        /// The answerer in words, such as `sample 200 of listBikes`; nil for an endpoint of a built-in API.
        public var answeredBy: String?
        /// The stub that was nearest of those for its path, and why it did not answer.
        public var nearestStub: String?
        /// The breaches of a custom API's document by request and response.
        public var violations: [JSONValue]?
        /// The differences of emulation and real backend, in modes `spy` and `diff`.
        public var differences: [JSONValue]?
        /// The links in the response that were changed to lead here, in modes with an upstream.
        public var translated: [JSONValue]?
        /// `proxy` for a request that came by the forward proxy.
        public var via: String?
        /// The origin that the forward proxy was asked for.
        public var origin: String?
        /// The facts of a connection over TLS or HTTP/2.
        public var transport: JSONValue?
        /// `delivered`, `interrupted`, `cut` or `held`.
        public var outcome: String

        /// The content, or its beginning.
        public struct Content: Sendable, Decodable {
            /// The length of the whole content, or the bytes that came where a request was not read to its end.
            public var bytes: Int
            /// The length that such a request declared.
            public var declared: Int?
            /// The digest of the whole content.
            public var sha256: String?
            /// The content, or its beginning, as text.
            public var text: String?
            /// The content, or its beginning, in Base64 if it is no text.
            public var base64: String?
            /// True if only the beginning came or was kept.
            public var truncated: Bool?
            /// The coding that was taken off, such as `gzip`; nil for content that is shown as it came or left.
            public var coding: String?
            /// The length of the content in that coding.
            public var codedBytes: Int?
        }

        /// The times at which each phase ended, in milliseconds.
        public struct Timings: Sendable, Decodable {
            /// The end of the request.
            public var receive: Double
            /// The completion of the response.
            public var handle: Double
            /// The departure of the first byte.
            public var wait: Double
            /// The departure of the last byte.
            public var send: Double
        }

        /// Returns the first value of a request header field; names in any case.
        ///
        ///     let agents = try await world.requests().map { $0.header("User-Agent") }
        public func header(_ name: String) -> String? {
            headers.first { $0.first?.lowercased() == name.lowercased() }?.dropFirst().first
        }
    }

    /// An exchange in short, without headers and bodies.
    public struct Line: Sendable, Decodable {
        /// The journal's key.
        public var id: String
        /// The sequence number within the world.
        public var seq: Int
        /// The time of the world's clock.
        public var at: String
        /// The machine's time of the first byte of the request.
        public var startedAt: String
        /// The backend.
        public var api: String
        /// The template of the matched route; nil for none.
        public var route: String?
        /// The e-mail address or id of the user behind the credential.
        public var user: String?
        /// The method.
        public var method: String
        /// The API's own path.
        public var path: String
        /// The raw query.
        public var query: String
        /// The status of the response.
        public var status: Int
        /// `delivered`, `interrupted`, `cut` or `held`.
        public var outcome: String
        /// The whole duration in milliseconds; nil while the exchange is under way.
        public var ms: Double?
        /// The timings in milliseconds of real time.
        public var timings: Exchange.Timings
        /// The length of the request's body.
        public var requestBytes: Int
        /// The length of the response's body.
        public var responseBytes: Int
        /// The id of the fault that acted.
        public var fault: String?
        /// The scenario that was on.
        public var scenario: String?
        /// The gate that held it.
        public var gate: String?
        /// The key of the exchange that it repeats.
        public var replayOf: String?
        /// The answerer in words; nil for an endpoint of a built-in API.
        public var answeredBy: String?
        /// The stub that was nearest of those for its path, and why it did not answer.
        public var nearestStub: String?
        /// The number of breaches of a custom API's document; nil for none.
        public var violations: Int?
    }

    /// The bounds of a journal.
    public struct JournalSize: Sendable, Decodable {
        /// The smallest sequence number that is kept; nil for an empty journal.
        public var from: Int?
        /// The largest sequence number that is kept; nil for an empty journal.
        public var to: Int?
        /// The number of entries.
        public var entries: Int
        /// The bytes that they take.
        public var bytes: Int
        /// The most bytes that they may take.
        public var limitBytes: Int
        /// The number of entries that fell out.
        public var dropped: Int
    }
}

/// An exchange that nearly matched.
public struct NearMiss: Sendable, Decodable {
    /// The journal's key of the exchange.
    public var id: String
    /// The differences in words.
    public var differences: [String]
}
