import Foundation

/// Calls about the process (control contract, sections 3, 4 and 15).
extension UnderstudyServer {
    /// The state of the process.
    public struct Health: Sendable, Decodable {
        /// `ok`.
        public var status: String
        /// The version of Understudy.
        public var version: String
        /// The seconds since its start.
        public var uptimeSeconds: Double
    }

    /// The state of the process; throws if none answers.
    ///
    ///     let version = try await server.health.version
    public var health: Health {
        get async throws(ControlError) { try await client.ask(.getHealth) }
    }

    /// A backend that the process serves.
    public struct APIEntry: Sendable, Decodable {
        /// The name.
        public var name: String
        /// The name for people.
        public var title: String
        /// The origin.
        public var url: String
        /// The number of endpoints.
        public var endpoints: Int
        /// The number of scenarios.
        public var scenarios: Int
        /// `built-in`, `folder` or `name`.
        public var source: String?
    }

    /// The backends that the process serves.
    ///
    ///     let names = try await server.apis.map(\.name)
    public var apis: [APIEntry] {
        get async throws(ControlError) { try await client.list(.getAPIs) }
    }

    /// A world of the process.
    public struct WorldEntry: Sendable, Decodable {
        /// The name.
        public var name: String
        /// The world's time at which it was made.
        public var createdAt: String
        /// The world that it was forked from.
        public var forkedFrom: String?
        /// The scenario that is on; of several the one that was switched on last.
        public var scenario: String?
        /// The scenarios that are on, where they are more than one, in the order in which they were switched on.
        public var scenarios: [String]?
        /// The reading of its clock.
        public var clock: ClockReading
        /// The number of requests so far.
        public var requests: Int
        /// The bytes of its journal.
        public var bytes: Int
    }

    /// The worlds of the process.
    ///
    ///     let leftOver = try await server.worlds.filter { $0.name != "main" }
    public var worlds: [WorldEntry] {
        get async throws(ControlError) { try await client.list(.getWorlds) }
    }

    /// The metrics in Prometheus' text form.
    ///
    ///     let text = try await server.metrics
    public var metrics: String {
        get async throws(ControlError) { String(decoding: try await client.send(.getMetrics), as: UTF8.self) }
    }

    /// Returns the OpenAPI document of a backend, or of the control API without one.
    ///
    ///     let paths = try await server.document(of: .trendy)["paths"]
    public func document(of api: API? = nil) async throws(ControlError) -> JSONValue {
        guard let api else { return try await client.ask(.getControlDocument) }
        return try await client.ask(.getDocument, "\(api).json")
    }

    /// Returns what the type of a problem document means, such as `unknown-world`.
    ///
    ///     let words = try await server.problem("unknown-world")["explanation"]?.string
    public func problem(_ slug: String) async throws(ControlError) -> JSONValue {
        try await client.ask(.getProblem, slug)
    }

    /// Makes any control call of the process: the path follows `/__admin`, with its query.
    ///
    ///     let apis = try await server.call("GET", "/apis?limit=1")
    @discardableResult
    public func call(_ method: String, _ path: String, body: JSONValue? = nil) async throws(ControlError) -> JSONValue {
        try await client.call(method, path, body)
    }
}
