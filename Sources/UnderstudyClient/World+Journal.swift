public import Foundation

/// The journal (control contract, section 11; console contract, sections 1 and 9).
extension World {
    /// Returns the exchanges, newest first.
    ///
    /// `path` is a glob or a route template; `status` a code, or a class such as `4xx`; `since` leaves out those whose `seq`
    /// is not larger, `before` those whose `seq` is not smaller; `text` selects those in which it occurs.
    ///
    ///     let refused = try await world.requests(.trendy, status: "4xx")
    public func requests(
        _ api: API? = nil,
        method: String? = nil,
        path: String? = nil,
        status: String? = nil,
        user: String? = nil,
        since: Int? = nil,
        before: Int? = nil,
        containing text: String? = nil,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> [Exchange] {
        try await client.list(
            .getRequests,
            query: [
                "api": api, "method": method, "path": path, "status": status, "user": user, "since": since,
                "before": before, "q": text, "limit": limit, "offset": offset,
            ]
        )
    }

    /// Returns the exchanges in short, newest first; the parameters are those of `requests`.
    ///
    ///     let slow = try await world.lines(.trendy).filter { ($0.ms ?? 0) > 1_000 }
    public func lines(
        _ api: API? = nil,
        method: String? = nil,
        path: String? = nil,
        status: String? = nil,
        user: String? = nil,
        since: Int? = nil,
        before: Int? = nil,
        containing text: String? = nil,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> [Line] {
        try await client.list(
            .getRequests,
            query: [
                "view": "line", "api": api, "method": method, "path": path, "status": status, "user": user,
                "since": since, "before": before, "q": text, "limit": limit, "offset": offset,
            ]
        )
    }

    /// Returns some members of the exchanges, newest first; `id` and `seq` are always there.
    ///
    ///     let bodies = try await world.members(["responseBody"], of: .trendy, status: "500")
    public func members(
        _ names: [String],
        of api: API? = nil,
        method: String? = nil,
        path: String? = nil,
        status: String? = nil,
        user: String? = nil,
        since: Int? = nil,
        before: Int? = nil,
        containing text: String? = nil,
        limit: Int? = nil
    ) async throws(ControlError) -> [JSONValue] {
        try await client.list(
            .getRequests,
            query: [
                "fields": names.joined(separator: ","), "api": api, "method": method, "path": path, "status": status,
                "user": user, "since": since, "before": before, "q": text, "limit": limit,
            ]
        )
    }

    /// Returns the exchange with a journal key.
    ///
    ///     for held in try await gate.waitUntilHeld().held {
    ///         print(try await world.request(held).path)
    ///     }
    public func request(_ id: String, on api: API? = nil) async throws(ControlError) -> Exchange {
        try await client.ask(.getRequest, id, query: ["api": api])
    }

    /// Clears the journal, or the part of one backend.
    ///
    ///     try await world.clearRequests()
    public func clearRequests(_ api: API? = nil) async throws(ControlError) {
        try await client.send(.deleteRequests, query: ["api": api])
    }

    /// The bounds of the journal.
    ///
    ///     let dropped = try await world.journal.dropped
    public var journal: JournalSize {
        get async throws(ControlError) { try await client.ask(.getJournal) }
    }

    /// A request that nothing answered.
    public struct Unmatched: Sendable, Decodable {
        /// A route that is similar to the request.
        public struct Near: Sendable, Decodable {
            /// The route's method.
            public var method: String
            /// The route's template.
            public var path: String
            /// The differences in words.
            public var differs: String
            /// The stub, if it is one.
            public var stub: String?
        }

        /// The journal's key.
        public var id: String
        /// The backend.
        public var api: String
        /// The method.
        public var method: String
        /// The path.
        public var path: String
        /// The sequence number within the world.
        public var seq: Int
        /// The time of the world's clock.
        public var at: String
        /// The status of the response.
        public var status: Int
        /// The three nearest routes.
        public var nearest: [Near]
    }

    /// Returns the unmatched requests, newest first; a typo in a path shows here.
    ///
    ///     let lost = try await world.unmatched().map(\.path)
    public func unmatched(_ api: API? = nil) async throws(ControlError) -> [Unmatched] {
        try await client.list(.getUnmatched, query: ["api": api])
    }

    /// Returns the journal as HAR 1.2, for the developer tools of a browser, Proxyman or Charles.
    ///
    ///     try await world.har().write(to: FileManager.default.temporaryDirectory.appending(path: "test.har"))
    public func har(
        _ api: API? = nil,
        method: String? = nil,
        path: String? = nil,
        status: String? = nil,
        user: String? = nil,
        since: Int? = nil,
        before: Int? = nil,
        containing text: String? = nil
    ) async throws(ControlError) -> Data {
        try await client.send(
            .getArchive,
            query: [
                "api": api, "method": method, "path": path, "status": status, "user": user, "since": since,
                "before": before, "q": text,
            ]
        )
    }

    /// The result of a request that was sent again.
    public struct Replay: Sendable, Decodable {
        /// The journal's key of the new exchange.
        public var id: String
        /// The key of the one that it repeats.
        public var replayOf: String
        /// The status of the response.
        public var status: Int
        /// `delivered`, `interrupted` or `cut`.
        public var outcome: String
        /// True if the response is the same.
        public var same: Bool
        /// The differences, as in `compare`.
        public var differences: [JSONValue]
    }

    /// Sends a kept request again, as a client would; with `freshToken` the bearer token is replaced by a new one of the
    /// same user.
    ///
    ///     for exchange in try await world.requests(.omnichat) {
    ///         print(try await world.replay(exchange.id, freshToken: true).same)
    ///     }
    public func replay(_ id: String, freshToken: Bool = false) async throws(ControlError) -> Replay {
        try await client.ask(.replayRequest, id, body: ["token": freshToken ? "fresh" : "same"])
    }

    /// The differences of two exchanges.
    public struct Comparison: Sendable, Decodable {
        /// True if there is no difference.
        public var same: Bool
        /// The differences: `path`, and the value on each side.
        public var differences: [JSONValue]
        /// The paths that were not compared.
        public var ignored: [String]
        /// True if there are more differences than are told.
        public var truncated: Bool?
    }

    /// A pair of exchanges of two worlds.
    public struct Pair: Sendable, Decodable {
        /// `same`, `changed`, `missing` (only in the first world) or `extra` (only in the second).
        public var state: String
        /// The journal's key in the first world.
        public var a: String?
        /// The journal's key in the second world.
        public var b: String?
        /// The backend.
        public var api: String
        /// The method.
        public var method: String
        /// The route, or the path.
        public var route: String?
        /// The number of differences.
        public var differences: Int
    }

    private struct Side: Encodable {
        var request: String?
        var world: String?
    }

    private struct CompareOrder: Encodable {
        var a: Side
        var b: Side
    }

    private struct Pairs: Decodable { var items: [Pair] }

    /// Compares two exchanges; the second one may be of another world.
    ///
    ///     let keys = try await world.requests(.omnichat).map(\.id)
    ///     if keys.count == 2 {
    ///         print(try await world.compare(keys[0], with: keys[1]).differences)
    ///     }
    public func compare(
        _ first: String,
        with second: String,
        in other: World? = nil
    ) async throws(ControlError) -> Comparison {
        let order = CompareOrder(
            a: Side(request: first, world: name),
            b: Side(request: second, world: other?.name ?? name)
        )
        return try await client.ask(.compare, body: order)
    }

    /// Compares the exchanges of this world with those of another one, in order.
    ///
    ///     let fork = try await world.fork()
    ///     let changed = try await world.compare(with: fork).filter { $0.state != "same" }
    public func compare(with other: World) async throws(ControlError) -> [Pair] {
        let order = CompareOrder(a: Side(world: name), b: Side(world: other.name))
        return try await client.ask(.compare, body: order, as: Pairs.self).items
    }
}
