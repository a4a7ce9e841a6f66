public import Foundation

/// The journal and what can be asked of it (control contract, section 11).
extension World {
    /// One exchange, as the server saw it.
    public struct Exchange: Sendable, Decodable {
        public var id: String
        public var seq: Int
        public var at: String
        public var api: String
        public var route: String?
        public var user: String?
        public var method: String
        public var path: String
        public var query: String
        public var headers: [[String]]
        public var body: Content
        public var status: Int
        public var responseHeaders: [[String]]
        public var responseBody: Content
        public var scenario: String?
        public var outcome: String

        /// Content, whole or its head.
        public struct Content: Sendable, Decodable {
            public var bytes: Int
            public var text: String?
        }

        /// The first value of a field that the client sent; names in any case.
        public func header(_ name: String) -> String? {
            headers.first { $0.first?.lowercased() == name.lowercased() }?.dropFirst().first
        }
    }

    /// The exchanges, newest first.
    public func requests(_ api: API? = nil, path: String? = nil, limit: Int? = nil) async throws(ControlError)
        -> [Exchange]
    {
        var query: [String] = []
        if let api { query.append("api=\(api.rawValue)") }
        if let path { query.append("path=\(ControlClient.escaped(path))") }
        if let limit { query.append("limit=\(limit)") }
        return try await client.get("/requests?\(query.joined(separator: "&"))", as: Items<Exchange>.self).items
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

        public static func exactly(_ count: Int) -> Count { Count(exactly: count) }
        public static func atLeast(_ count: Int) -> Count { Count(min: count) }
        public static func atMost(_ count: Int) -> Count { Count(max: count) }
    }

    /// What a check of the journal came to.
    public struct Verdict: Sendable, Decodable, CustomStringConvertible {
        /// An exchange that nearly matched.
        public struct NearMiss: Sendable, Decodable {
            public var id: String
            public var differences: [String]
        }

        public var verdict: String
        public var count: Int
        public var reason: String?
        public var nearMisses: [NearMiss]?

        public var isPass: Bool { verdict == "pass" }

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
    /// - Parameters:
    ///   - order: matches that must have come in this order, not necessarily as neighbours.
    ///   - seconds: waits so long, on real time, for it to hold.
    public func verify(
        _ match: Match = .any,
        _ count: Count? = nil,
        order: [Match]? = nil,
        within seconds: Double? = nil
    ) async throws(ControlError) -> Verdict {
        let order = VerifyOrder(match: match, count: count, order: order, within: seconds.map { "PT\($0)S" })
        return try await client.ask("POST", "/verify", order)
    }

    /// The journal as HAR 1.2, for the developer tools of a browser, Proxyman or Charles.
    public func har() async throws(ControlError) -> Data { try await client.send("GET", "/requests.har") }

    /// The journal as the control API shows it, oldest first, pretty-printed: what is attached to a test that failed.
    func report() async -> Data {
        guard let data = try? await client.send("GET", "/requests"),
            let object = try? JSONSerialization.jsonObject(with: data),
            let pretty = try? JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
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
