/// Scenarios, settings, faults, latency (control contract, sections 7 to 9).
extension World {
    /// Switches scenarios on, such as `trafikskola/refresh-token-expired`.
    public func activate(_ scenarios: String...) async throws(ControlError) {
        for name in scenarios { try await client.send("PUT", "/scenarios/\(name)") }
    }

    /// Switches scenarios off.
    public func deactivate(_ scenarios: String...) async throws(ControlError) {
        for name in scenarios { try await client.send("DELETE", "/scenarios/\(name)") }
    }

    /// A scenario: a named edge case.
    public struct Scenario: Sendable, Decodable {
        /// The name, such as `trafikskola/refresh-token-expired`.
        public var name: String
        /// The edge case in a few words.
        public var title: String
        /// The behaviour expected of a client.
        public var expect: String
        /// True while the scenario is on.
        public var active: Bool
    }

    /// Returns every scenario, or those of one backend.
    public func scenarios(_ api: API? = nil) async throws(ControlError) -> [Scenario] {
        let query = api.map { "?api=\($0.rawValue)" } ?? ""
        return try await client.get("/scenarios\(query)", as: Items<Scenario>.self).items
    }

    /// The current settings of the backends.
    public var settings: JSONValue {
        get async throws(ControlError) { try await client.get("/settings") }
    }

    /// Changes settings of the backends: `["carbscan": ["apple": ["mode": "strict"]]]`.
    public func set(_ settings: JSONValue) async throws(ControlError) {
        try await client.send("PUT", "/settings", settings)
    }

    /// Adds a fault.
    @discardableResult
    public func add(_ fault: Fault) async throws(ControlError) -> ActiveFault {
        try await client.ask("POST", "/faults", fault)
    }

    /// Adds a fault: `fail(.status(500), on: Match(.trendy, "GET", "/v1/me"), times: 2)`.
    @discardableResult
    public func fail(
        _ effect: Effect,
        on match: Match = .any,
        times: Int? = nil,
        phase: Fault.Phase? = nil
    ) async throws(ControlError) -> ActiveFault {
        try await add(Fault(effect, on: match, when: times.map { Fault.When(times: $0) }, phase: phase))
    }

    /// The faults in the order in which they are tried, with their hits so far.
    public var faults: [ActiveFault] {
        get async throws(ControlError) { try await client.get("/faults", as: Items<ActiveFault>.self).items }
    }

    /// Returns a fault with its hits so far.
    public func fault(_ id: String) async throws(ControlError) -> ActiveFault {
        try await client.get("/faults/\(ControlClient.escaped(id))")
    }

    /// Removes a fault.
    public func remove(_ fault: ActiveFault) async throws(ControlError) {
        try await client.send("DELETE", "/faults/\(ControlClient.escaped(fault.id))")
    }

    /// Removes all faults.
    public func removeFaults() async throws(ControlError) { try await client.send("DELETE", "/faults") }

    /// Sets the network conditions.
    public func set(_ latency: Latency) async throws(ControlError) { try await client.send("PUT", "/latency", latency) }
}
