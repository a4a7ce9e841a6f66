/// Faults and latency (control contract, sections 8 and 9; console contract, section 6).
extension World {
    /// Adds a fault.
    ///
    ///     try await world.add(Fault(.connection(.reset, afterBytes: 100), on: Match(.sawaed, "POST")))
    @discardableResult
    public func add(_ fault: Fault) async throws(ControlError) -> ActiveFault {
        try await client.ask(.addFault, body: fault)
    }

    /// Adds a fault with its most used parts.
    ///
    ///     try await world.fail(.status(503, retryAfter: 5), on: Match(.trendy, "GET", "/api/v1/me"), times: 2)
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
    ///
    ///     let hits = try await world.faults.map(\.hits)
    public var faults: [ActiveFault] {
        get async throws(ControlError) { try await client.list(.getFaults) }
    }

    /// Returns a fault with its hits so far.
    ///
    ///     let added = try await world.fail(.status(500))
    ///     let hits = try await world.fault(added.id).hits
    public func fault(_ id: String) async throws(ControlError) -> ActiveFault {
        try await client.ask(.getFault, id)
    }

    /// A part that a fault may be without.
    public enum FaultPart: Sendable, CaseIterable {
        /// The name; the fault goes by its id then.
        case name
        /// The match; every request fits then.
        case match
        /// The window and the counts.
        case when
        /// The phase; it follows from the effect then.
        case phase
        /// The clock of waits.
        case clock
    }

    /// Changes a fault; what is nil stays, and what `clearing` names is taken away.
    ///
    /// A new `match` or `when` starts the hits anew.
    ///
    ///     let added = try await world.fail(.status(500))
    ///     try await world.change(added, enabled: false)
    @discardableResult
    public func change(
        _ fault: ActiveFault,
        enabled: Bool? = nil,
        position: Int? = nil,
        name: String? = nil,
        match: Match? = nil,
        when: Fault.When? = nil,
        phase: Fault.Phase? = nil,
        effect: Effect? = nil,
        clock: Latency.Clock? = nil,
        clearing: Set<FaultPart> = []
    ) async throws(ControlError) -> ActiveFault {
        let change = FaultChange(
            enabled: enabled,
            position: position,
            name: name,
            match: match,
            when: when,
            phase: phase,
            effect: effect,
            on: clock,
            cleared: clearing
        )
        return try await client.ask(.changeFault, fault.id, body: change)
    }

    private struct FaultChange: Encodable {
        var enabled: Bool?
        var position: Int?
        var name: String?
        var match: Match?
        var when: Fault.When?
        var phase: Fault.Phase?
        var effect: Effect?
        var on: Latency.Clock?
        var cleared: Set<FaultPart>

        private enum Key: String, CodingKey { case enabled, position, name, match, when, phase, effect, on }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            try members.encodeIfPresent(enabled, forKey: .enabled)
            try members.encodeIfPresent(position, forKey: .position)
            try members.encodeIfPresent(name, forKey: .name)
            try members.encodeIfPresent(match, forKey: .match)
            try members.encodeIfPresent(when, forKey: .when)
            try members.encodeIfPresent(phase, forKey: .phase)
            try members.encodeIfPresent(effect, forKey: .effect)
            try members.encodeIfPresent(on, forKey: .on)
            if cleared.contains(.name) { try members.encodeNil(forKey: .name) }
            if cleared.contains(.match) { try members.encodeNil(forKey: .match) }
            if cleared.contains(.when) { try members.encodeNil(forKey: .when) }
            if cleared.contains(.phase) { try members.encodeNil(forKey: .phase) }
            if cleared.contains(.clock) { try members.encodeNil(forKey: .on) }
        }
    }

    private struct Switch: Decodable { var enabled: Bool }

    /// Tells whether faults act at all: the switch of the world, beside that of each fault.
    ///
    ///     let isOn = try await world.actsOnFaults
    public var actsOnFaults: Bool {
        get async throws(ControlError) {
            let found: Switch = try await client.ask(.getFaults)
            return found.enabled
        }
    }

    /// Switches all faults of the world off, or on again; each keeps its own switch.
    ///
    ///     try await world.setFaults(enabled: false)
    public func setFaults(enabled: Bool) async throws(ControlError) {
        try await client.send(.switchFaults, body: ["enabled": enabled])
    }

    /// Removes a fault.
    ///
    ///     let added = try await world.fail(.status(500))
    ///     try await world.remove(added)
    public func remove(_ fault: ActiveFault) async throws(ControlError) {
        try await client.send(.deleteFault, fault.id)
    }

    /// Removes all faults.
    ///
    ///     try await world.removeFaults()
    public func removeFaults() async throws(ControlError) { try await client.send(.deleteFaults) }

    /// The exchanges of the journal that a match would have met.
    public struct MatchReport: Sendable, Decodable {
        /// The number of exchanges that were looked at.
        public var checked: Int
        /// The number of those that match.
        public var count: Int
        /// The journal's keys of the newest ones that match.
        public var requests: [String]
        /// Exchanges that nearly match.
        public var nearMisses: [NearMiss]
    }

    private struct CheckOrder: Encodable {
        var match: Match
        var limit: Int?
    }

    /// Returns what a match would have met in the journal so far; it changes nothing.
    ///
    ///     let found = try await world.check(Match(.trendy, "GET")).count
    public func check(_ match: Match, limit: Int? = nil) async throws(ControlError) -> MatchReport {
        try await client.ask(.checkFault, body: CheckOrder(match: match, limit: limit))
    }

    /// Sets the network conditions.
    ///
    ///     try await world.set(Latency(.threeG))
    public func set(_ latency: Latency) async throws(ControlError) {
        try await client.send(.setLatency, body: latency)
    }

    /// The present network conditions, as the control API writes them.
    ///
    ///     let profile = try await world.latency["profile"]?.string
    public var latency: JSONValue {
        get async throws(ControlError) { try await client.ask(.getLatency) }
    }
}
