public import Foundation

/// The journal and what can be asked of it (control contract, section 11).
extension World {
    /// One exchange, as the server saw it.
    public struct Exchange: Sendable, Decodable {
        /// The journal's key, which the client got as `X-Request-Id`.
        public var id: String
        /// The number in the world's order.
        public var seq: Int
        /// The world's clock.
        public var at: String
        /// The machine's clock.
        public var wallAt: String
        /// The world it came to.
        public var world: String
        /// The backend.
        public var api: String
        /// The template of the route that took it; nil when none did.
        public var route: String?
        /// E-mail or id behind the credential.
        public var user: String?
        /// The method.
        public var method: String
        /// The API's own path.
        public var path: String
        /// The raw query.
        public var query: String
        /// Names and values as they came.
        public var headers: [[String]]
        /// What the client sent.
        public var body: Content
        /// The status that was answered.
        public var status: Int
        /// Names and values as they went.
        public var responseHeaders: [[String]]
        /// What was answered.
        public var responseBody: Content
        /// Milliseconds of real time.
        public var timings: Timings
        /// The fault that acted, as the journal has it: `id`, `name`, `phase` and `effect`.
        public var fault: JSONValue?
        /// What became of every fault that the request matched.
        public var decisions: [JSONValue]?
        /// The scenario that was on.
        public var scenario: String?
        /// `delivered`, `interrupted`, `cut` or `held`.
        public var outcome: String

        /// Content, whole or its head.
        public struct Content: Sendable, Decodable {
            /// The length, whole.
            public var bytes: Int
            /// The digest of the whole content.
            public var sha256: String?
            /// The content, or its head, where it is text.
            public var text: String?
            /// The same where it is none.
            public var base64: String?
            /// True where only the head was kept.
            public var truncated: Bool?
        }

        /// Where the time went, in milliseconds.
        public struct Timings: Sendable, Decodable {
            /// Until the request was there.
            public var receive: Double
            /// Until its answer was made.
            public var handle: Double
            /// Until its first byte left.
            public var wait: Double
            /// Until its last byte left.
            public var send: Double
        }

        /// The first value of a field that the client sent; names in any case.
        public func header(_ name: String) -> String? {
            headers.first { $0.first?.lowercased() == name.lowercased() }?.dropFirst().first
        }
    }

    /// The exchanges, newest first.
    ///
    /// `path` is a glob or a route template; `status` a code, or a class such as `4xx`; `since` leaves out those whose `seq`
    /// is not larger.
    public func requests(
        _ api: API? = nil,
        method: String? = nil,
        path: String? = nil,
        status: String? = nil,
        user: String? = nil,
        since: Int? = nil,
        limit: Int? = nil
    ) async throws(ControlError) -> [Exchange] {
        let filters = [
            ("api", api?.rawValue), ("method", method), ("path", path), ("status", status), ("user", user),
            ("since", since.map { "\($0)" }), ("limit", limit.map { "\($0)" }),
        ]
        let query = filters.compactMap { name, value in value.map { "\(name)=\(ControlClient.escaped($0))" } }
        return try await client.get("/requests?\(query.joined(separator: "&"))", as: Items<Exchange>.self).items
    }

    /// The exchange with that key of the journal.
    public func request(_ id: String) async throws(ControlError) -> Exchange {
        try await client.get("/requests/\(ControlClient.escaped(id))")
    }

    /// Clears the journal, or what it has of one backend.
    public func clearRequests(_ api: API? = nil) async throws(ControlError) {
        try await client.send("DELETE", "/requests\(api.map { "?api=\($0.rawValue)" } ?? "")")
    }

    /// A request that no endpoint took.
    public struct Unmatched: Sendable, Decodable {
        /// A route that it may have meant.
        public struct Near: Sendable, Decodable {
            /// The route's method.
            public var method: String
            /// The route's template.
            public var path: String
            /// What differs, in words.
            public var differs: String
        }

        /// The journal's key.
        public var id: String
        /// The backend.
        public var api: String
        /// The method.
        public var method: String
        /// The path.
        public var path: String
        /// The three nearest routes.
        public var nearest: [Near]
    }

    /// The requests that no endpoint took, newest first: a typo in a path shows here.
    public func unmatched(_ api: API? = nil) async throws(ControlError) -> [Unmatched] {
        let query = api.map { "?api=\($0.rawValue)" } ?? ""
        return try await client.get("/unmatched\(query)", as: Items<Unmatched>.self).items
    }

    private struct CountOrder: Encodable { var match: Match }

    /// How many exchanges match.
    public func count(_ match: Match) async throws(ControlError) -> Int {
        try await client.ask("POST", "/requests/count", CountOrder(match: match), as: [String: Int].self)["count"] ?? 0
    }

    /// How many exchanges are wanted.
    public struct Count: Sendable, Encodable {
        var min: Int?
        var max: Int?
        var exactly: Int?

        /// So many, no more and no less.
        public static func exactly(_ count: Int) -> Count { Count(exactly: count) }
        /// So many or more.
        public static func atLeast(_ count: Int) -> Count { Count(min: count) }
        /// So many or fewer.
        public static func atMost(_ count: Int) -> Count { Count(max: count) }
    }

    /// What a check of the journal came to.
    public struct Verdict: Sendable, Decodable, CustomStringConvertible {
        /// An exchange that nearly matched.
        public struct NearMiss: Sendable, Decodable {
            /// The exchange.
            public var id: String
            /// What differed, in words.
            public var differences: [String]
        }

        /// `pass` or `fail`.
        public var verdict: String
        /// How many exchanges matched.
        public var count: Int
        /// Why it failed.
        public var reason: String?
        /// Exchanges that nearly matched.
        public var nearMisses: [NearMiss]?

        /// Whether it holds.
        public var isPass: Bool { verdict == "pass" }

        /// The verdict in words, for the message of an expectation.
        public var description: String {
            let misses = (nearMisses ?? []).map { "\n  \($0.id): \($0.differences.joined(separator: "; "))" }.joined()
            return "\(verdict), \(count) matching\(reason.map { ": \($0)" } ?? "")\(misses)"
        }
    }

    private struct VerifyOrder: Encodable {
        var match: Match
        var count: Count?
        var order: [Match]?
        var within: String?
    }

    /// Checks what the client did: at least one match unless a count is given.
    ///
    /// `order` are matches that must have come in this order, not necessarily as neighbours. `within` waits so many seconds of
    /// real time for it to hold.
    public func verify(
        _ match: Match = .any,
        _ count: Count? = nil,
        order: [Match]? = nil,
        within seconds: Double? = nil
    ) async throws(ControlError) -> Verdict {
        let order = VerifyOrder(match: match, count: count, order: order, within: seconds.map(Self.duration))
        // The answer comes when it holds or the time is up, so that the call has to outlast it.
        return try await client.ask("POST", "/verify", order, timeout: 70 + max(seconds ?? 0, 0))
    }

    /// Seconds as an ISO 8601 duration in whole milliseconds: a number's own text may have an exponent.
    private static func duration(_ seconds: Double) -> String {
        let milliseconds = (min(max(seconds, 0), 1e9) * 1_000).rounded()
        guard milliseconds.isFinite else { return "PT0S" }
        let count = Int(milliseconds)
        return "PT\(count / 1_000)." + String(count % 1_000 + 1_000).dropFirst() + "S"
    }

    /// The journal as HAR 1.2, for the developer tools of a browser, Proxyman or Charles.
    public func har() async throws(ControlError) -> Data { try await client.send("GET", "/requests.har") }

    /// The journal as the control API shows it, oldest first, pretty-printed: what is attached to a test that failed.
    func report() async -> Data {
        guard let data = try? await client.send("GET", "/requests"),
            let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let items = object["items"] as? [Any],
            let pretty = try? JSONSerialization.data(
                withJSONObject: ["items": Array(items.reversed())],
                options: [.prettyPrinted, .sortedKeys]
            )
        else { return Data("The journal could not be read.".utf8) }
        return pretty
    }

    /// A line for each exchange, oldest first.
    func summary() async -> String {
        let exchanges = (try? await requests()) ?? []
        guard !exchanges.isEmpty else { return "no request reached the world \(name)" }
        return exchanges.reversed().map { exchange in
            "\(exchange.seq). \(exchange.method) /\(exchange.api)\(exchange.path) → \(exchange.status) \(exchange.outcome)"
        }.joined(separator: "\n")
    }
}
