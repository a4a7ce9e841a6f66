public import Foundation

/// The journal and its queries (control contract, section 11).
extension World {
    /// An exchange as the server saw it.
    public struct Exchange: Sendable, Decodable {
        /// The journal's key, which the client got as `X-Request-Id`.
        public var id: String
        /// The sequence number within the world.
        public var seq: Int
        /// The time of the world's clock.
        public var at: String
        /// The time of the machine's clock.
        public var wallAt: String
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
        /// `delivered`, `interrupted`, `cut` or `held`.
        public var outcome: String

        /// The content, or its beginning.
        public struct Content: Sendable, Decodable {
            /// The length of the whole content.
            public var bytes: Int
            /// The digest of the whole content.
            public var sha256: String?
            /// The content, or its beginning, as text.
            public var text: String?
            /// The content, or its beginning, in Base64 if it is no text.
            public var base64: String?
            /// True if only the beginning was kept.
            public var truncated: Bool?
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
        public func header(_ name: String) -> String? {
            headers.first { $0.first?.lowercased() == name.lowercased() }?.dropFirst().first
        }
    }

    /// Returns the exchanges, newest first.
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

    /// Returns the exchange with a journal key.
    public func request(_ id: String) async throws(ControlError) -> Exchange {
        try await client.get("/requests/\(ControlClient.escaped(id))")
    }

    /// Clears the journal, or the part of one backend.
    public func clearRequests(_ api: API? = nil) async throws(ControlError) {
        try await client.send("DELETE", "/requests\(api.map { "?api=\($0.rawValue)" } ?? "")")
    }

    /// A request without a matching endpoint.
    public struct Unmatched: Sendable, Decodable {
        /// A route that is similar to the request.
        public struct Near: Sendable, Decodable {
            /// The route's method.
            public var method: String
            /// The route's template.
            public var path: String
            /// The differences in words.
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

    /// Returns the requests without a matching endpoint, newest first; a typo in a path shows here.
    public func unmatched(_ api: API? = nil) async throws(ControlError) -> [Unmatched] {
        let query = api.map { "?api=\($0.rawValue)" } ?? ""
        return try await client.get("/unmatched\(query)", as: Items<Unmatched>.self).items
    }

    private struct CountOrder: Encodable { var match: Match }

    /// Returns the number of exchanges that match.
    public func count(_ match: Match) async throws(ControlError) -> Int {
        try await client.ask("POST", "/requests/count", CountOrder(match: match), as: [String: Int].self)["count"] ?? 0
    }

    /// The expected number of exchanges.
    public struct Count: Sendable, Encodable {
        var min: Int?
        var max: Int?
        var exactly: Int?

        /// Expects exactly this number.
        public static func exactly(_ count: Int) -> Count { Count(exactly: count) }
        /// Expects this number or more.
        public static func atLeast(_ count: Int) -> Count { Count(min: count) }
        /// Expects this number or fewer.
        public static func atMost(_ count: Int) -> Count { Count(max: count) }
    }

    /// The result of a check of the journal.
    public struct Verdict: Sendable, Decodable, CustomStringConvertible {
        /// An exchange that nearly matched.
        public struct NearMiss: Sendable, Decodable {
            /// The exchange.
            public var id: String
            /// The differences in words.
            public var differences: [String]
        }

        /// `pass` or `fail`.
        public var verdict: String
        /// The number of exchanges that matched.
        public var count: Int
        /// The reason for a failure.
        public var reason: String?
        /// Exchanges that nearly matched.
        public var nearMisses: [NearMiss]?

        /// True if the check passed.
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

    /// Checks the client's requests: at least one match unless a count is given.
    ///
    /// `order` lists matches that must have come in this order, not necessarily consecutively. `within` is the real
    /// time in seconds to wait for the check to pass.
    public func verify(
        _ match: Match = .any,
        _ count: Count? = nil,
        order: [Match]? = nil,
        within seconds: Double? = nil
    ) async throws(ControlError) -> Verdict {
        let order = VerifyOrder(match: match, count: count, order: order, within: seconds.map(Self.duration))
        // The response comes when the check passes or the time is up, so the call has to outlast it.
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

    /// The journal as pretty-printed JSON, oldest first, for the attachment of a failed test.
    package func report() async -> Data {
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
    package func summary() async -> String {
        let exchanges = (try? await requests()) ?? []
        guard !exchanges.isEmpty else { return "no request reached the world \(name)" }
        return exchanges.reversed().map { exchange in
            "\(exchange.seq). \(exchange.method) /\(exchange.api)\(exchange.path) → \(exchange.status) \(exchange.outcome)"
        }.joined(separator: "\n")
    }
}
