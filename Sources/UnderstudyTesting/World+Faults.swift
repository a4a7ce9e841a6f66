/// Scenarios, settings, faults, latency (control contract, sections 7 to 9).
extension World {
    /// Switches named edge cases on, such as `trafikskola/refresh-expired`.
    public func activate(_ scenarios: String...) async throws(ControlError) {
        for name in scenarios { try await client.send("PUT", "/scenarios/\(name)") }
    }

    /// Switches named edge cases off.
    public func deactivate(_ scenarios: String...) async throws(ControlError) {
        for name in scenarios { try await client.send("DELETE", "/scenarios/\(name)") }
    }

    /// A named edge case.
    public struct Scenario: Sendable, Decodable {
        /// As it is switched: `trafikskola/refresh-expired`.
        public var name: String
        /// What happens.
        public var title: String
        /// What a client should do.
        public var expect: String
        /// Whether it is on.
        public var active: Bool
    }

    /// Every named edge case, or those of one backend, with which are on.
    public func scenarios(_ api: API? = nil) async throws(ControlError) -> [Scenario] {
        let query = api.map { "?api=\($0.rawValue)" } ?? ""
        return try await client.get("/scenarios\(query)", as: Items<Scenario>.self).items
    }

    /// The switches of the contracts as they stand.
    public var settings: JSONValue {
        get async throws(ControlError) { try await client.get("/settings") }
    }

    /// Sets switches of the contracts: `["carbscan": ["apple": ["mode": "strict"]]]`.
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

    /// The faults in the order in which they are tried, with their hits up to now.
    public var faults: [ActiveFault] {
        get async throws(ControlError) { try await client.get("/faults", as: Items<ActiveFault>.self).items }
    }

    /// A fault with its hits up to now.
    public func fault(_ id: String) async throws(ControlError) -> ActiveFault {
        try await client.get("/faults/\(ControlClient.escaped(id))")
    }

    /// Takes a fault away.
    public func remove(_ fault: ActiveFault) async throws(ControlError) {
        try await client.send("DELETE", "/faults/\(ControlClient.escaped(fault.id))")
    }

    /// Takes all faults away.
    public func removeFaults() async throws(ControlError) { try await client.send("DELETE", "/faults") }

    /// Sets the network conditions.
    public func set(_ latency: Latency) async throws(ControlError) { try await client.send("PUT", "/latency", latency) }
}
